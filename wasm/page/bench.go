//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/web/labrow"
)

// bench is the lanes, the cursor through all of them, and the tape below.
type bench struct {
	tape   js.Value
	pinned bool // a click holds the cursor
	under  slot // the figures under the pointer
}

func (c *desk) bindBench() {
	c.bench.tape = part(c.body, "tape")
	c.bindLanes()
	c.bindFold()
	c.bindChips()
	c.bindCursor()
	c.bindZoom()
	c.bindLayOver()
	c.shows.attribute(c.bench.tape, "aria-valuenow", func() string { return strconv.FormatUint(c.run.Now(), 10) })
	c.shows.attribute(c.bench.tape, "aria-valuemax", func() string { return strconv.FormatUint(c.run.Return.Steps(), 10) })
	c.shows.attribute(c.bench.tape, "aria-valuetext", func() string { return c.run.Moment() })
	c.shows.hidden(part(c.body, "held"), func() bool {
		_, known := c.run.Update()
		return !c.run.Cursor.Held || !known
	})
	for _, mark := range findAll(c.body, `[data-part="live"]`) { // on parts that do not show the held moment
		c.shows.hidden(mark, func() bool { return !c.run.Cursor.Held })
	}
	c.shows.hidden(find(c.body, `[data-verb="undo"]`), func() bool { return c.run.Depth() == 0 })
	c.bindHalt()
	c.shows.hidden(part(c.body, "watched"), func() bool { return !c.others() })
}

// bindLayOver takes the stored run that a person has chosen for the charts of the selected run.
func (c *desk) bindLayOver() {
	list := find(c.body, "#lay-over")
	world, shown := attribute(list, "data-world"), attribute(list, "data-runs")
	c.shows.add(func() {
		world.write(c.run.Config().World)
		shown.write(c.model.IDs())
	})
	laid := part(list, "laid")
	changes(laid, func(csv string) {
		if err := c.run.LayOver(data(laid, "name"), data(laid, "world"), csv); err != nil {
			c.notice(err.Error())
		}
		c.scheduleDraw()
	})
}

func (c *desk) bindLanes() {
	for i := range labrow.All {
		l := &labrow.All[i]
		lane := find(c.body, `[data-lane="`+l.Name+`"]`)
		absent := func() bool { return !c.run.Shows(l) }
		c.shows.hidden(lane, absent)
		if l.Folded && l.Finite {
			c.shows.hidden(lane.Call("closest", "[data-row]"), absent)
		}
	}
}

// bindChips lets a person choose the lane whose knob is visible, on a screen that has space for one only.
func (c *desk) bindChips() {
	chips, rows := findAll(c.body, "[data-chip]"), findAll(c.body, "[data-row]")
	for _, chip := range chips {
		clicks(chip, func() {
			c.fold.Touch(data(chip, "chip"))
			for _, row := range rows {
				row.Call("toggleAttribute", "data-chosen", data(row, "row") == data(chip, "chip"))
			}
			for _, one := range chips {
				one.Call("setAttribute", "aria-pressed", strconv.FormatBool(one.Equal(chip)))
			}
			c.scheduleDraw()
		})
	}
}

// bindHalt puts the note about a run that stopped beside its cross on the return.
func (c *desk) bindHalt() {
	note := part(c.body, "halt")
	c.shows.hidden(note, func() bool { return c.run.Halted() == nil })
	var x, y float64
	c.shows.add(func() {
		for _, one := range c.charts {
			if one.name != "return" || c.run.Halted() == nil || one.width < 1 {
				continue
			}
			const room = 190 // of the note
			if left, top := c.run.HaltPlace(one.width, one.height); left != x || top != y {
				x, y = left, top
				style := note.Get("style")
				style.Call("setProperty", "--x", strconv.FormatFloat(x, 'f', 1, 64)+"px")
				style.Call("setProperty", "--y", strconv.FormatFloat(y, 'f', 1, 64)+"px")
				note.Get("classList").Call("toggle", "after", x < min(room, one.width/2))
			}
		}
	})
}

func (c *desk) bindCursor() {
	b, root := &c.bench, part(c.body, "bench")
	browser.On(root, "pointerdown", func(event js.Value) {
		if plot := c.point(event); plot.Truthy() {
			b.pinned = true
			attempt(func() { plot.Call("setPointerCapture", event.Get("pointerId")) })
		}
	})
	browser.On(root, "pointermove", func(event js.Value) {
		if b.pinned && event.Get("buttons").Int() != 0 {
			c.point(event)
		}
		c.hover(event)
	})
	browser.On(root, "pointerleave", func(js.Value) { hide(b.under.element, true) })
	crossed, shown := findAll(c.body, ".plot, .rulers > summary"), ""
	c.shows.add(func() {
		b.pinned = b.pinned && c.run.Cursor.Held
		if position := strconv.FormatFloat(c.run.Axis().Share(c.run.Now()), 'f', 5, 64); position != shown {
			shown = position
			for _, element := range crossed {
				element.Get("style").Call("setProperty", "--cursor", position)
			}
		}
	})
}

// point holds the cursor where the pointer is, and returns the chart there, or null.
func (c *desk) point(event js.Value) js.Value {
	plot := event.Get("target").Call("closest", ".plot")
	if plot.Truthy() && event.Get("target").Call("closest", ".halt, .brush").Truthy() {
		return js.Null() // the note and the axis lie over the chart
	}
	if plot.Truthy() {
		x, _ := pointer(plot, event)
		if width, _ := size(plot); width > 0 {
			c.run.Pin(c.run.Axis().Step(x / width))
			c.scheduleDraw()
		}
	}
	return plot
}

// letGo closes the search, or lets the cursor follow the newest step again.
func (c *desk) letGo() {
	switch {
	case !c.run.Cursor.Held && c.find.open():
		c.find.panel.Call("hidePopover")
	case !c.run.Cursor.Held && c.watching():
		c.watch()
	}
	c.bench.pinned = false
	c.run.Cursor.Unpin()
	c.scheduleDraw()
}

// showFall pins the cursor before the fall, and gives the tape the focus, so that the arrow keys continue from there.
func (c *desk) showFall() {
	if halted := c.run.Halted(); halted != nil {
		halted.PinFall()
	}
	c.bench.pinned = true
	c.bench.tape.Call("focus")
	c.scheduleDraw()
}
