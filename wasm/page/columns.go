//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/browser"
	"impalab/wasm/model"
	"impalab/web/link"
)

func (p *Page) bindColumns() {
	alone := func() bool { return len(p.columns) == 1 }
	for i := range link.MaxColumns {
		badge := find(p.document, `[data-verb="column-`+strconv.Itoa(i+1)+`"]`)
		absent := func() bool { return alone() || i >= len(p.columns) }
		p.shows.hidden(badge, absent)
		p.shows.text(badge, func() string {
			if absent() {
				return ""
			}
			return p.model.Badge(i)
		})
		p.shows.attribute(badge, "aria-pressed", func() string { return strconv.FormatBool(i == p.model.SelectedIndex()) })
	}
	closes, all := find(p.document, `[data-verb="close"]`), part(p.document, "all")
	p.shows.hidden(closes, alone)
	p.shows.text(closes, func() string { return "Close " + link.Letter(p.model.SelectedIndex()) })
	p.shows.hidden(all.Call("closest", "label"), alone)
	p.shows.toggle(find(p.document, `[data-verb="compare"]`), "disabled", func() bool {
		return len(p.columns) == link.MaxColumns
	})
	p.shows.text(part(p.document, "differences"), p.model.Differences)
	p.shows.attribute(p.body, "data-columns", func() string { return strconv.Itoa(len(p.columns)) })
	p.shows.attribute(p.body, "data-selected", func() string { return link.Letter(p.model.SelectedIndex()) })
	changes(all, func(string) { p.model.All = all.Get("checked").Bool() })
	p.onStage(func(index int, behind bool) {
		if index != p.model.SelectedIndex() {
			p.selectColumn(index)
		} else if p.model.Runs[index].Push(behind) {
			p.scheduleDraw()
		}
	})
}

// onStage tells of each click on a cell of the canvas: the index of its column, and whether it lies behind the agent.
func (p *Page) onStage(act func(index int, behind bool)) {
	if frame := js.Global().Get("document"); !frame.Equal(p.document) {
		browser.On(frame, "click", func(event js.Value) {
			act(p.stage.At(event.Get("clientX").Float(), event.Get("clientY").Float()))
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
		if p.home != nil {
			r.InBrowser = r.InBrowser || p.home.Alone
			r.Fits = func(cfg *hyper.Config) error {
				if !r.InBrowser {
					return nil
				}
				return p.home.Fits(cfg)
			}
		}
		p.columns = append(p.columns, p.newColumn(r, freeCell(slices.Concat(before, p.columns))))
	}
	for _, c := range before {
		if !slices.Contains(p.columns, c) {
			c.close()
		}
	}
	p.connectAll()
	p.arrange()
}

// freeCell returns the first cell of the stage that no column has.
func freeCell(columns []*column) (cell int) {
	for slices.ContainsFunc(columns, func(c *column) bool { return c.cell == cell }) {
		cell++
	}
	return cell
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
		p.desk.show(p.columns[p.model.SelectedIndex()])
	}
	for _, c := range p.columns {
		c.show(c.run.Frame)
		c.run.SendWant()
	}
	p.scheduleDraw()
}
