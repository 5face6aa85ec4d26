//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/web/labrow"
)

// bench is the lanes, the cursor through all of them, and the tape below.
type bench struct {
	root, tape, held, undo, watched, halt js.Value
	lanes                                 []laneBox
	chips                                 []js.Value
	rows                                  []js.Value
	live                                  []js.Value // marks on parts that do not show the held moment
	now, most, told                       slot
	lines                                 []js.Value // the styles of the charts that the cursor crosses
	position                              string     // of the cursor
	pinned                                bool       // a click holds the cursor; else only the pointer over a chart does
	locked                                bool
}

type laneBox struct {
	*labrow.Row
	element, place js.Value
}

func (c *desk) bindBench() {
	b := &c.bench
	b.root, b.tape, b.held, b.watched, b.halt = part(c.root, "bench"), part(c.root, "tape"), part(c.root, "held"),
		part(c.root, "watched"), part(c.root, "halt")
	b.undo = find(c.root, `[data-verb="undo"]`)
	b.now, b.most = attribute(b.tape, "aria-valuenow"), attribute(b.tape, "aria-valuemax")
	b.told = attribute(b.tape, "aria-valuetext")
	b.rows, b.live = findAll(c.root, "[data-row]"), findAll(c.root, `[data-part="live"]`)
	for _, element := range findAll(c.root, ".plot, .rulers > summary") {
		b.lines = append(b.lines, element.Get("style"))
	}
	for i := range labrow.All {
		l := &labrow.All[i]
		if element := find(c.root, `[data-lane="`+l.Name+`"]`); element.Truthy() {
			b.lanes = append(b.lanes, laneBox{l, element, element.Call("closest", "[data-row]")})
		}
	}
	b.chips = findAll(c.root, "[data-chip]")
	for _, chip := range b.chips {
		on(chip, "click", func(js.Value) { c.chooseLane(chip) })
	}
	on(b.root, "pointerdown", func(event js.Value) {
		if plot := c.point(event); plot.Truthy() {
			b.pinned = true
			attempt(func() { plot.Call("setPointerCapture", event.Get("pointerId")) })
		}
	})
	on(b.root, "pointermove", func(event js.Value) {
		if b.pinned && event.Get("buttons").Int() == 0 {
			return
		}
		if !c.point(event).Truthy() && !b.pinned && c.run.Cursor.Held {
			c.letGo()
		}
	})
	on(b.root, "pointerleave", func(js.Value) {
		if !b.pinned && c.run.Cursor.Held {
			c.letGo()
		}
	})
}

// point holds the cursor where the pointer is, and returns the chart there, or null.
func (c *desk) point(event js.Value) js.Value {
	target := event.Get("target")
	if !target.Truthy() || target.Get("closest").IsUndefined() {
		return js.Null()
	}
	plot := target.Call("closest", ".plot")
	if plot.Truthy() {
		x, _ := pointer(plot, event)
		if width := plot.Call("getBoundingClientRect").Get("width").Float(); width > 0 {
			c.run.Hold(c.run.Axis().Step(x / width))
			c.scheduleDraw()
		}
	}
	return plot
}

// letGo closes the search, or lets the cursor follow the newest step again.
func (c *desk) letGo() {
	if !c.run.Cursor.Held && c.find.open() {
		c.find.panel.Call("hidePopover")
	}
	c.bench.pinned = false
	c.run.Cursor.LetGo()
	c.scheduleDraw()
}

// lookBack holds the cursor before the fall, and gives the tape the focus, so that the arrow keys continue from there.
func (c *desk) lookBack() {
	if halted := c.run.Halted(); halted != nil {
		halted.LookBack()
	}
	c.bench.pinned = true
	c.bench.tape.Call("focus")
	c.scheduleDraw()
}

// chooseLane shows the knob of one lane, on a screen that has space for one only.
func (c *desk) chooseLane(chip js.Value) {
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
	if position := strconv.FormatFloat(m.Axis().Share(m.Now()), 'f', 5, 64); position != b.position {
		b.position = position
		for _, style := range b.lines {
			style.Call("setProperty", "--cursor", position)
		}
	}
	if !m.Cursor.Held {
		b.pinned = false
	}
	b.now.write(strconv.FormatUint(m.Now(), 10))
	b.most.write(strconv.FormatUint(m.Return.Steps(), 10))
	b.told.write(m.Moment())
	_, known := m.Update()
	hide(b.held, !m.Cursor.Held || !known)
	for _, one := range b.live {
		hide(one, !m.Cursor.Held)
	}
	hide(b.undo, m.Depth() == 0)
	hide(b.halt, m.Halted() == nil)
	hide(b.watched, !m.Ready || m.Steers)
	if locked := m.Ready && !m.Steers; locked != b.locked {
		b.locked = locked
		c.lock()
	}
}
