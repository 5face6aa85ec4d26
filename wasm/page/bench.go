//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/model"
	"impalab/web/labrow"
)

// bench is time and hand: the lanes, the cursor through all of them, and the tape at its foot.
type bench struct {
	root, tape, held, undo, watched js.Value
	halt                            js.Value // the note that says why the run does not continue
	lanes                           []laneBox
	chips                           []js.Value
	rows                            []js.Value
	live                            []js.Value // what says that a part of the page is not of the moment that is held
	now, told                       slot
	lines                           []js.Value // the styles of what the cursor goes through
	placed                          string     // of the cursor
	pinned                          bool       // a click holds the cursor; pointing holds it only as long as one points
	locked                          bool
}

// laneBox is a lane's elements.
type laneBox struct {
	*labrow.Row
	element, place js.Value
}

func (c *desk) bindBench() {
	b := &c.bench
	b.root, b.tape = find(c.root, `[data-part="bench"]`), find(c.root, `[data-part="tape"]`)
	b.held, b.undo = find(c.root, `[data-part="held"]`), find(c.root, `[data-verb="undo"]`)
	b.watched = find(c.root, `[data-part="watched"]`)
	b.halt = find(c.root, `[data-part="halt"]`)
	b.now, b.told = attribute(b.tape, "aria-valuenow"), attribute(b.tape, "aria-valuetext")
	b.rows, b.live = findAll(c.root, "[data-row]"), findAll(c.root, `[data-part="live"]`)
	for _, element := range findAll(c.root, ".plot, .rulers > summary") {
		b.lines = append(b.lines, element.Get("style"))
	}
	for i := range labrow.All {
		l := &labrow.All[i]
		box := laneBox{Row: l, element: find(c.root, `[data-lane="`+l.Name+`"]`)}
		if box.element.Truthy() {
			box.place = box.element.Call("closest", "[data-row]")
			b.lanes = append(b.lanes, box)
		}
	}
	on(find(c.root, `[data-verb="fork-newest"]`), "click", func(js.Value) {
		c.run.Cursor.LetGo()
		c.act(model.Fork)
	})
	b.chips = findAll(c.root, "[data-chip]")
	for _, chip := range b.chips {
		on(chip, "click", func(js.Value) { c.takeToHand(chip) })
	}
	on(b.root, "pointerdown", func(event js.Value) {
		if c.point(event) {
			b.pinned = true
			if plot := event.Get("target").Call("closest", ".plot"); plot.Truthy() {
				attempt(func() { plot.Call("setPointerCapture", event.Get("pointerId")) })
			}
		}
	})
	on(b.root, "pointermove", func(event js.Value) {
		pressed := event.Get("buttons").Int() != 0
		if over := !b.pinned || pressed; over && !c.point(event) && !b.pinned && c.run.Cursor.Held {
			c.letGo()
		}
	})
	on(b.root, "pointerleave", func(js.Value) {
		if !b.pinned && c.run.Cursor.Held {
			c.letGo()
		}
	})
}

// point holds the cursor where the pointer is, if it is over a chart.
func (c *desk) point(event js.Value) bool {
	target := event.Get("target")
	if !target.Truthy() || target.Get("closest").IsUndefined() {
		return false
	}
	plot := target.Call("closest", ".plot")
	if !plot.Truthy() {
		return false
	}
	box := plot.Call("getBoundingClientRect")
	if width := box.Get("width").Float(); width > 0 {
		c.run.Hold(c.run.Axis().Step((event.Get("clientX").Float() - box.Get("left").Float()) / width))
		c.scheduleDraw()
	}
	return true
}

// letsGo reports whether there is anything to let go of.
func (c *desk) letsGo() bool { return c.run.Cursor.Held || c.find.open() }

func (c *desk) letGo() {
	if !c.run.Cursor.Held {
		c.find.close()
	}
	c.bench.pinned = false
	c.run.Cursor.LetGo()
	c.scheduleDraw()
}

// takeToHand takes the knob of one lane to hand, where there is room for one only.
func (c *desk) takeToHand(chip js.Value) {
	name := chip.Get("dataset").Get("chip").String()
	for _, row := range c.bench.rows {
		if row.Get("dataset").Get("row").String() == name {
			row.Call("setAttribute", "data-chosen", "true")
		} else {
			row.Call("removeAttribute", "data-chosen")
		}
	}
	for _, one := range c.bench.chips {
		one.Call("setAttribute", "aria-pressed", strconv.FormatBool(one.Equal(chip)))
	}
	c.scheduleDraw()
}

func (c *desk) drawBench() {
	b, m := &c.bench, c.run
	for i := range b.lanes {
		one := &b.lanes[i]
		shows := m.Shows(one.Row)
		hide(one.element, !shows)
		if one.Quantity != nil || one.Finite {
			hide(one.place, !shows)
		}
	}
	if b.root.Truthy() {
		place := strconv.FormatFloat(m.Axis().Share(m.Now()), 'f', 5, 64)
		if place != b.placed {
			b.placed = place
			for _, style := range b.lines {
				style.Call("setProperty", "--cursor", place)
			}
		}
	}
	if !m.Cursor.Held {
		b.pinned = false
	}
	b.now.mark(strconv.FormatUint(m.Now(), 10))
	if b.tape.Truthy() {
		b.tape.Call("setAttribute", "aria-valuemax", strconv.FormatUint(m.Return.Steps(), 10))
	}
	b.told.mark(m.Moment())
	_, known := m.Update()
	hide(b.held, !m.Cursor.Held || !known)
	for _, one := range b.live {
		hide(one, !m.Cursor.Held)
	}
	hide(b.undo, !m.CanUndo())
	hide(b.halt, m.Told() == nil)
	hide(b.watched, !m.Ready || m.Steers)
	if locked := m.Ready && !m.Steers; locked != b.locked {
		b.locked = locked
		c.lock()
	}
}
