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

type badges struct {
	columns []badge
	add     js.Value
	closes  js.Value
	all     js.Value // the label of the box for "all columns"
	count   slot
	names   slot // of the button that closes
	differ  slot
}

type badge struct {
	button          js.Value
	letter, pressed slot
}

func (p *Page) bindColumns() {
	b := &p.badges
	for i := range run.MaxColumns {
		button := find(p.document, `[data-verb="column-`+strconv.Itoa(i+1)+`"]`)
		b.columns = append(b.columns, badge{button, text(button), attribute(button, "aria-pressed")})
	}
	b.add, b.closes = find(p.document, `[data-verb="compare"]`), find(p.document, `[data-verb="close"]`)
	box := part(p.document, "all")
	b.all = box.Call("closest", "label")
	b.count, b.names = attribute(p.body, "data-columns"), text(b.closes)
	b.differ = text(part(p.document, "differences"))
	on(box, "change", func(js.Value) { p.model.All = box.Get("checked").Bool() })
	if frame := js.Global().Get("document"); !frame.Equal(p.document) {
		on(frame, "click", func(event js.Value) {
			p.selectColumn(p.stage.At(event.Get("clientX").Float(), event.Get("clientY").Float()))
		})
	}
}

func (p *Page) selectColumn(index int) {
	p.desk.pace.FlushAll() // the slider belonged to the last column
	if p.model.Select(index) {
		p.arrange()
	}
}

// undo brings back a closed column, or the run that the selected column had before.
func (p *Page) undo() {
	if p.model.Reopen() {
		p.sync()
		return
	}
	p.model.Ask(model.Undo)
}

// change follows the model after it added or closed a column.
func (p *Page) change(err error) {
	if err != nil {
		p.model.Announce(err.Error())
		p.scheduleDraw()
		return
	}
	p.sync()
}

// sync makes a column for each run of the model. New columns connect, and columns without a run close.
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
			r.InBrowser = r.InBrowser || p.home.Alone
			r.Fits = func(cfg *hyper.Config) error {
				if !r.InBrowser {
					return nil
				}
				return p.home.Fits(cfg)
			}
		}
		p.columns = append(p.columns, p.newColumn(r, freeCell(before, p.columns)))
	}
	for _, c := range before {
		if !slices.Contains(p.columns, c) {
			c.close()
		}
	}
	p.connectAll()
	p.arrange()
}

func freeCell(before, now []*column) int {
	for cell := 0; ; cell++ {
		has := func(c *column) bool { return c.cell == cell }
		if !slices.ContainsFunc(before, has) && !slices.ContainsFunc(now, has) {
			return cell
		}
	}
}

// connectAll starts the sessions of columns that have none and may have one.
func (p *Page) connectAll() {
	for _, c := range p.columns {
		if c.Link == nil && p.model.Connectable(c.run) {
			c.connect()
		}
	}
}

// arrange shows the cells, and the selected column on the desk. A cell whose game has ended becomes empty.
func (p *Page) arrange() {
	cells := make([]int, len(p.columns))
	for i, c := range p.columns {
		cells[i] = c.cell
	}
	p.stage.Arrange(cells, p.model.SelectedIndex())
	if p.desk != nil {
		p.desk.take(p.columns[p.model.SelectedIndex()])
	}
	for _, c := range p.columns {
		c.show(c.run.Frame)
		c.run.SendWant()
	}
	p.scheduleDraw()
}

func (p *Page) drawColumns() {
	b, several := &p.badges, len(p.columns) > 1
	for i := range b.columns {
		one := &b.columns[i]
		hide(one.button, !several || i >= len(p.columns))
		if i < len(p.columns) {
			one.letter.write(p.model.Badge(i))
			one.pressed.write(strconv.FormatBool(i == p.model.SelectedIndex()))
		}
	}
	hide(b.closes, !several)
	hide(b.all, !several)
	b.names.write("Close " + run.Letter(p.model.SelectedIndex()))
	set(b.add, "disabled", len(p.columns) == run.MaxColumns)
	b.differ.write(p.model.Differences())
	b.count.write(strconv.Itoa(len(p.columns)))
}
