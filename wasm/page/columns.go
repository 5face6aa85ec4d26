//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/model"
	"impalab/wasm/run"
)

// The columns of the page: a badge for each, and what they differ in.

// badges are the buttons that take a column in hand, and what else there is of several.
type badges struct {
	buttons []js.Value
	letters []slot
	pressed []slot
	add     js.Value
	closes  js.Value
	all     js.Value
	allBox  js.Value
	count   slot
	names   slot // of the button that closes
	differ  slot
}

func (p *Page) bindColumns() {
	b := &p.badges
	for i := range run.MaxColumns {
		button := find(p.document, `[data-verb="column-`+strconv.Itoa(i+1)+`"]`)
		b.buttons = append(b.buttons, button)
		b.letters, b.pressed = append(b.letters, text(button)), append(b.pressed, attribute(button, "aria-pressed"))
	}
	b.add, b.closes = find(p.document, `[data-verb="compare"]`), find(p.document, `[data-verb="close"]`)
	b.all = find(p.document, `[data-part="all"]`)
	if b.all.Truthy() {
		b.allBox = b.all.Call("closest", "label")
	}
	b.count, b.names = attribute(p.body, "data-columns"), text(b.closes)
	b.differ = text(find(p.document, `[data-part="differences"]`))
	on(b.all, "change", func(js.Value) { p.model.All = b.all.Get("checked").Bool() })
	if stage := js.Global().Get("document"); !stage.Equal(p.document) {
		on(stage, "click", func(event js.Value) {
			p.takeInHand(p.stage.At(event.Get("clientX").Float(), event.Get("clientY").Float()))
		})
	}
}

// takeInHand takes the column at a place in hand.
func (p *Page) takeInHand(place int) {
	p.desk.pace.FlushAll() // what was turned was turned in the one before
	player := p.columnOf(p.model.Player())
	if p.model.Choose(place) {
		p.arrange(player)
	}
}

// compare adds a copy of the column in hand.
func (p *Page) compare() {
	player := p.columnOf(p.model.Player())
	p.change(player, p.model.Copy())
}

// putAway closes the column in hand.
func (p *Page) putAway() {
	player := p.columnOf(p.model.Player())
	p.change(player, p.model.Close())
}

// undo brings back a column that was closed, or the run that had one before.
func (p *Page) undo() {
	if p.model.Reopen() {
		p.sync()
		return
	}
	p.ask(p.model.Ask(model.Undo))
}

// change follows the model after a column came or went; player is the one whose world a person played before.
func (p *Page) change(player *column, err error) {
	if err != nil {
		p.model.Announce(err.Error())
		p.scheduleDraw()
		return
	}
	p.sync()
	p.arrange(player)
}

// sync makes the columns those of the model's runs: new ones connect, others hang up.
func (p *Page) sync() {
	before := p.columns
	p.columns = nil
	for _, r := range p.model.Runs {
		at := slices.IndexFunc(before, func(c *column) bool { return c.run == r })
		if at >= 0 {
			p.columns = append(p.columns, before[at])
			continue
		}
		r.Words = p.words
		if p.home != nil {
			r.InBrowser = r.InBrowser || p.home.alone
			r.Fits = func(cfg *hyper.Config) error {
				if !r.InBrowser {
					return nil
				}
				return p.home.fits(cfg)
			}
		}
		p.columns = append(p.columns, p.newColumn(r, freeCell(before, p.columns)))
	}
	for _, c := range before {
		if !slices.Contains(p.columns, c) {
			c.leave()
		}
	}
	p.connectAll()
	p.arrange(nil)
}

// words are what the page calls a choice's value.
func (p *Page) words(key, value string) string {
	if p.desk == nil {
		return value
	}
	return p.desk.words(key, value)
}

// freeCell is a cell of the stage that no column has.
func freeCell(before, now []*column) int {
	for cell := 0; ; cell++ {
		has := func(c *column) bool { return c.cell == cell }
		if !slices.ContainsFunc(before, has) && !slices.ContainsFunc(now, has) {
			return cell
		}
	}
}

// connectAll begins the sessions of columns that have none and may have one.
func (p *Page) connectAll() {
	for _, c := range p.columns {
		if c.link == nil && p.model.Connectable(c.run) {
			c.connect()
		}
	}
}

// arrange shows the cells, and the column in hand on the desk. A person's game that ended with it leaves its cell.
func (p *Page) arrange(player *column) {
	cells := make([]int, len(p.columns))
	for i, c := range p.columns {
		cells[i] = c.cell
	}
	p.stage.Arrange(cells, p.model.Hand())
	if p.desk != nil {
		p.desk.take(p.columns[p.model.Hand()])
	}
	if player != nil && !player.away && !p.model.Playing() {
		player.show(player.run.Frame)
		player.sendWant()
	}
	p.scheduleDraw()
}

// columnOf is the column of a run; nil for none.
func (p *Page) columnOf(r *run.Run) *column {
	for _, c := range p.columns {
		if c.run == r {
			return c
		}
	}
	return nil
}

func (p *Page) drawColumns() {
	b, several := &p.badges, len(p.columns) > 1
	for i, button := range b.buttons {
		hide(button, !several || i >= len(p.columns))
		if i < len(p.columns) {
			b.letters[i].write(p.model.Badge(i))
			b.pressed[i].mark(strconv.FormatBool(i == p.model.Hand()))
		}
	}
	hide(b.closes, !several)
	hide(b.allBox, !several)
	b.names.write("Close " + run.Letter(p.model.Hand()))
	if b.add.Truthy() {
		b.add.Set("disabled", len(p.columns) == run.MaxColumns)
	}
	b.differ.write(p.model.Differences())
	b.count.mark(strconv.Itoa(len(p.columns)))
}
