//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/web/labrow"
)

// folding shows the rows that are open, and a chip for each of the others.
type folding struct {
	labrow.Fold
	rows []foldedRow
	high float64 // of the bench's box
}

type foldedRow struct {
	name    string
	element js.Value
	lanes   []*labrow.Row // of which the run has one, or none
}

// leastReturn is the least height of the return with its axis. Rows fold before it shrinks further.
const leastReturn = 180

func (c *desk) bindFold() {
	f := &c.fold
	for _, element := range findAll(c.body, "[data-row]") {
		one := foldedRow{name: data(element, "row"), element: element}
		for i := range labrow.All {
			if l := &labrow.All[i]; !l.Folded && find(element, `[data-lane="`+l.Name+`"]`).Truthy() {
				one.lanes = append(one.lanes, l)
			}
		}
		if len(one.lanes) > 0 {
			f.rows = append(f.rows, one)
		}
	}
	c.shows.add(c.fit)
	for _, row := range f.rows {
		c.shows.hidden(row.element, func() bool { return !f.Open(row.name) })
	}
	for i := range labrow.All {
		l := &labrow.All[i]
		if chip := find(c.body, `.shelf [data-unfolds="`+l.Name+`"]`); chip.Truthy() {
			row := data(chip, "unfold")
			c.shows.hidden(chip, func() bool {
				return f.Open(row) || !c.run.Shows(l) || l.Quantity != nil && c.run.Tunes(l.Quantity)
			})
		}
	}
	for _, name := range findAll(c.body, "[data-tuned]") {
		q := data(name, "tuned")
		c.shows.hidden(name, func() bool { return !c.run.Tuned(q) })
		point := func(quantity string) func(js.Value) {
			return func(js.Value) {
				c.run.Point(quantity)
				c.scheduleDraw()
			}
		}
		for _, event := range [...]string{"pointerenter", "focus"} {
			browser.On(name, event, point(q))
		}
		for _, event := range [...]string{"pointerleave", "blur"} {
			browser.On(name, event, point(""))
		}
	}
	for _, chip := range findAll(c.body, "[data-unfold]") {
		row := data(chip, "unfold")
		clicks(chip, func() { c.unfold(row) })
	}
	rulers, more := find(c.body, ".rulers"), part(c.body, "more-lines")
	clicks(more, func() {
		open := !rulers.Get("open").Bool()
		rulers.Set("open", open)
		if open {
			rulers.Call("scrollIntoView")
		}
	})
	browser.On(rulers, "toggle", func(js.Value) {
		more.Call("setAttribute", "aria-expanded", strconv.FormatBool(rulers.Get("open").Bool()))
	})
	observer := c.window.Get("ResizeObserver").New(browser.Callback(func(entries js.Value) {
		f.high = entries.Index(0).Get("contentRect").Get("height").Float()
		c.scheduleDraw()
	}))
	observer.Call("observe", part(c.body, "bench"))
}

// unfold opens a row as if its knob was turned, and gives its knob the focus.
func (c *desk) unfold(row string) {
	c.fold.Touch(row)
	c.shows.draw()
	if element := find(c.body, `[data-row="`+row+`"]`); element.Truthy() {
		if knob := find(element, `.knob .control:not([hidden]) :is(input, select)`); knob.Truthy() {
			knob.Call("focus", map[string]any{"preventScroll": true})
		}
	}
	c.scheduleDraw()
}

// fit opens the rows that the bench has space for.
func (c *desk) fit() {
	f, cfg := &c.fold, c.run.Config()
	f.Begin(c.run.Preset+" "+string(cfg.Algo), labrow.Opening(cfg))
	each, tunes, space := c.heights()
	f.Fit(space, func(name string) float64 {
		for i := range f.rows {
			if f.rows[i].name != name {
				continue
			}
			for _, l := range f.rows[i].lanes {
				if c.run.Shows(l) {
					switch {
					case l.Name == labrow.Tunes:
						return tunes
					case l.Name == labrow.Destination && c.run.Still():
						return 5 * each // one of them for the ruler
					}
					return each
				}
			}
		}
		return 0
	})
}

// heights returns the heights of a row and of the row of metaparameters, and the height that all rows have. The style
// sheet states them by the window's size.
func (c *desk) heights() (each, tunes, space float64) {
	width, height := c.window.Get("innerWidth").Float(), c.window.Get("innerHeight").Float()
	const shelf = 35
	each, tunes, foot := 44.0, 118.0, 58.0
	switch {
	case width >= 1400 && height >= 800:
		each, tunes, foot = 54, 132, 64
	case width < 900: // the page scrolls
		return 66, 118, 1e6
	case width < 1200:
		each = 42
	}
	return each, tunes, c.fold.high - foot - shelf - leastReturn
}
