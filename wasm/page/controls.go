//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"syscall/js"

	"impalab/wasm/run"
)

// control is one setting's elements; any but the root may be missing.
type control struct {
	*run.Control
	root, slider, number, choice, written js.Value // written is a text that is no number
	options                               map[string]string

	state, force, errorText slot
	used                    slot
	inRow                   bool // of a line
	errorBox, unused, waits js.Value
	spoken                  slot
	dragged                 bool // the slider is the person's until it is let go
	editing                 bool // so is the field
	passed                  bool // the search passed it over
}

func (col *desk) bindControls() {
	for i := range col.run.Controls {
		c := &control{Control: &col.run.Controls[i]}
		c.root = find(col.root, `[data-key="`+c.Row.Key+`"]`)
		if !c.root.Truthy() {
			continue
		}
		part := func(name string) js.Value { return find(c.root, `[data-part="`+name+`"]`) }
		c.slider, c.number, c.choice, c.written = part("slider"), part("number"), part("choice"), part("text")
		c.errorBox, c.unused, c.waits = part("error"), part("unused"), part("waits")
		c.state, c.force, c.errorText = attribute(c.root, "data-state"), text(part("force")), text(c.errorBox)
		c.spoken, c.used = attribute(c.slider, "aria-valuetext"), attribute(c.root, "data-used")
		c.inRow = c.root.Call("closest", ".row").Truthy()
		if c.choice.Truthy() {
			c.options = map[string]string{}
			for _, option := range findAll(c.choice, "option") {
				c.options[option.Get("value").String()] = option.Get("text").String()
			}
			on(c.choice, "change", func(js.Value) { col.set(c.Row.Key, c.choice.Get("value").String()) })
		}
		col.bindSlider(c)
		col.bindField(c, c.number)
		col.bindField(c, c.written)
		col.controls = append(col.controls, c)
	}
	for _, element := range findAll(col.root, "[data-group]") {
		g := group{element: element}
		for _, c := range col.controls {
			if element.Call("contains", c.root).Bool() {
				g.controls = append(g.controls, c)
			}
		}
		col.groups = append(col.groups, g)
	}
	col.preset = find(col.root, "#preset")
	on(col.preset, "change", func(js.Value) { col.set("preset", col.preset.Get("value").String()) })
}

// group is some settings under one heading, which is hidden when all of them are.
type group struct {
	element  js.Value
	controls []*control
}

func (g *group) draw() {
	hide(g.element, !slices.ContainsFunc(g.controls, func(c *control) bool { return !c.root.Get("hidden").Bool() }))
}

// bindSlider sends while the slider moves, at the pace's rate, and always where it stops.
func (col *desk) bindSlider(c *control) {
	position := func() string {
		at, _ := strconv.Atoi(c.slider.Get("value").String())
		return run.Slide(c.Row, at)
	}
	on(c.slider, "input", func(js.Value) {
		c.dragged = true
		value := position()
		if c.number.Truthy() {
			c.number.Set("value", value)
		}
		col.pace.Offer(c.Row.Key, value)
		col.scheduleDraw()
	})
	on(c.slider, "change", func(js.Value) {
		col.pace.Offer(c.Row.Key, position())
		col.pace.Flush(c.Row.Key)
		c.dragged = false
		col.scheduleDraw()
	})
	on(c.slider, "keydown", func(event js.Value) {
		up := false
		switch event.Get("key").String() {
		case "ArrowUp", "ArrowRight":
			up = true
		case "ArrowDown", "ArrowLeft":
		default:
			return
		}
		event.Call("preventDefault") // a thousandth of the way would not change a whole number
		col.set(c.Row.Key, run.Nudge(c.Row, c.Shown(), up))
	})
}

// bindField commits what was typed on Enter and on leaving, and puts the value back on Escape.
func (col *desk) bindField(c *control, field js.Value) {
	commit := func() {
		if c.editing {
			col.set(c.Row.Key, field.Get("value").String())
			c.editing = c.Error != "" // what was refused stays to be mended
		}
	}
	on(field, "input", func(js.Value) { c.editing = true })
	on(field, "keydown", func(event js.Value) {
		switch event.Get("key").String() {
		case "Enter":
			c.editing = true
			commit()
		case "Escape":
			c.editing = false
			col.run.Restore(c.Row.Key)
			field.Set("value", c.Shown())
			col.scheduleDraw()
		}
	})
	on(field, "blur", func(js.Value) {
		commit()
		c.editing = false
		col.scheduleDraw()
	})
}

// draw shows the value in force, the request while it waits, and the refusal.
func (c *control) draw(m *run.Run) {
	c.state.mark(c.StateName())
	shown := c.Shown()
	c.force.write(m.InForce(c.Control))
	if c.slider.Truthy() && !c.dragged {
		put(c.slider, strconv.Itoa(run.Position(c.Row, shown)))
	}
	if c.slider.Truthy() {
		value := shown
		if c.dragged {
			at, _ := strconv.Atoi(c.slider.Get("value").String())
			value = run.Slide(c.Row, at)
		}
		c.spoken.mark(m.Pretty(c.Row, value))
	}
	if !c.editing && !c.dragged {
		put(c.number, shown)
		put(c.written, shown)
	}
	if c.Row.Key == "world" {
		shown = run.PlainWorld(shown) // its options have fields of their own
	}
	put(c.choice, shown)
	c.errorText.write(c.Error)
	hide(c.errorBox, c.Error == "")
	used := m.Used(c.Row)
	c.used.mark(strconv.FormatBool(used))
	hide(c.unused, used)
	hide(c.waits, c.Error != "" || !m.Waits(c.Row.Key))
	hide(c.root, c.passed || m.Link.Hidden(c.Row.Key) || !m.Has(c.Row))
}

// hide hides an element or shows it, if it does not already.
func hide(element js.Value, hidden bool) {
	if element.Truthy() && element.Get("hidden").Bool() != hidden {
		element.Set("hidden", hidden)
	}
}

// put sets an input's value if it differs: setting it moves the caret.
func put(input js.Value, value string) {
	if input.Truthy() && input.Get("value").String() != value {
		input.Set("value", value)
	}
}

// lock locks what the link says, and everything while the run is somebody else's.
func (col *desk) lock() {
	others := col.run.Ready && !col.run.Steers
	for _, button := range findAll(col.root, `[data-verb="play"], [data-verb="pause"], [data-verb="step"], .pace button`) {
		button.Set("disabled", others)
	}
	for _, c := range col.controls {
		for _, input := range [...]js.Value{c.slider, c.number, c.choice, c.written} {
			if input.Truthy() {
				input.Set("disabled", others || col.run.Link.Locked(c.Row.Key))
			}
		}
	}
	if col.preset.Truthy() {
		col.preset.Set("disabled", others || col.run.Link.Locked("preset"))
	}
}
