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

// control is the elements of one setting; any but the root may be missing.
type control struct {
	*run.Control
	root, slider, number, choice, written js.Value          // written is a text field
	choices                               map[string]string // the words of each choice

	state, force, errorText, spoken, used slot
	inRow                                 bool // in the row of a lane
	errorBox, unused, waits               js.Value
	dragged                               bool // a person drags the slider
	editing                               bool // a person types into the field
	passed                                bool // the search does not match
}

func (d *desk) bindControls() {
	for i := range d.run.Controls {
		c := &control{Control: &d.run.Controls[i]}
		c.root = find(d.root, `[data-key="`+c.Row.Key+`"]`)
		if !c.root.Truthy() {
			continue
		}
		c.slider, c.number, c.choice = part(c.root, "slider"), part(c.root, "number"), part(c.root, "choice")
		c.written, c.errorBox = part(c.root, "text"), part(c.root, "error")
		c.unused, c.waits = part(c.root, "unused"), part(c.root, "waits")
		c.state, c.force, c.errorText = attribute(c.root, "data-state"), text(part(c.root, "force")), text(c.errorBox)
		c.spoken, c.used = attribute(c.slider, "aria-valuetext"), attribute(c.root, "data-used")
		c.inRow = c.root.Call("closest", ".row").Truthy()
		if c.choice.Truthy() {
			c.choices = map[string]string{}
			for _, option := range findAll(c.choice, "option") {
				c.choices[value(option)] = option.Get("text").String()
			}
			on(c.choice, "change", func(js.Value) { d.model.Set(c.Row.Key, value(c.choice)) })
		}
		d.bindSlider(c)
		d.bindField(c, c.number)
		d.bindField(c, c.written)
		d.controls = append(d.controls, c)
	}
	for _, element := range findAll(d.root, "[data-group]") {
		g := group{element: element}
		for _, c := range d.controls {
			if element.Call("contains", c.root).Bool() {
				g.controls = append(g.controls, c)
			}
		}
		d.groups = append(d.groups, g)
	}
	d.preset = find(d.root, "#preset")
	on(d.preset, "change", func(js.Value) { d.model.Set("preset", value(d.preset)) })
}

// group is the settings under one heading, which is hidden if all of them are.
type group struct {
	element  js.Value
	controls []*control
}

func (g *group) draw() {
	hide(g.element, !slices.ContainsFunc(g.controls, func(c *control) bool { return !c.root.Get("hidden").Bool() }))
}

// bindSlider sends while the slider moves, at most once per pace.Every, and always where it stops.
func (d *desk) bindSlider(c *control) {
	onSlide(c.slider, &d.pace, c.Row.Key, func(dragged bool) string {
		c.dragged = dragged
		value := run.Slide(c.Row, whole(c.slider))
		if c.number.Truthy() {
			c.number.Set("value", value)
		}
		d.scheduleDraw()
		return value
	})
	onNudge(c.slider, c.Row, c.Shown, func(value string) { d.model.Set(c.Row.Key, value) })
}

// onSlide offers a slider's values to a pace. Moved returns the value after a move, or after the end of a drag.
func onSlide(slider js.Value, pace *model.Pace, key string, moved func(dragged bool) string) {
	on(slider, "input", func(js.Value) { pace.Offer(key, moved(true)) })
	on(slider, "change", func(js.Value) {
		pace.Offer(key, moved(false))
		pace.Flush(key)
	})
}

// onNudge hears the arrow keys of a slider. The browser's own step, a thousandth, would not change a whole number.
func onNudge(slider js.Value, row *hyper.Row, shown func() string, nudged func(value string)) {
	on(slider, "keydown", func(event js.Value) {
		up := false
		switch event.Get("key").String() {
		case "ArrowUp", "ArrowRight":
			up = true
		case "ArrowDown", "ArrowLeft":
		default:
			return
		}
		event.Call("preventDefault")
		nudged(run.Nudge(row, shown(), up))
	})
}

// bindField commits typed text on Enter and on leaving, and restores the value on Escape.
func (d *desk) bindField(c *control, field js.Value) {
	commit := func() {
		d.model.Set(c.Row.Key, value(field))
		c.editing = c.Error != "" // a refused value stays to be corrected
	}
	onField(field, &c.editing, commit, func() {
		c.Error = ""
		field.Set("value", c.Shown())
	}, d.scheduleDraw)
}

func onField(field js.Value, editing *bool, commit, restore, draw func()) {
	on(field, "input", func(js.Value) { *editing = true })
	on(field, "keydown", func(event js.Value) {
		switch event.Get("key").String() {
		case "Enter":
			commit()
		case "Escape":
			*editing = false
			restore()
			draw()
		}
	})
	on(field, "blur", func(js.Value) {
		if *editing {
			commit()
		}
		*editing = false
		draw()
	})
}

// draw shows the value in force, the request while it waits, and the refusal.
func (c *control) draw(m *run.Run) {
	c.state.write(c.StateName())
	shown := c.Shown()
	c.force.write(m.InForce(c.Control))
	if c.slider.Truthy() {
		value := shown
		if c.dragged {
			value = run.Slide(c.Row, whole(c.slider))
		} else {
			put(c.slider, strconv.Itoa(run.Position(c.Row, shown)))
		}
		c.spoken.write(m.Pretty(c.Row, value))
	}
	if !c.editing && !c.dragged {
		put(c.number, shown)
		put(c.written, shown)
	}
	if c.Row.Key == "world" {
		shown = run.PlainWorld(shown) // its options have their own fields
	}
	put(c.choice, shown)
	c.errorText.write(c.Error)
	hide(c.errorBox, c.Error == "")
	used := c.Row.InForce(m.Config())
	c.used.write(strconv.FormatBool(used))
	hide(c.unused, used)
	hide(c.waits, c.Error != "" || !m.Waits(c.Row.Key))
	hide(c.root, c.passed || m.Link.Hidden(c.Row.Key) || !c.Row.Of(m.Config().Algo))
}

// lock locks the controls that the link names, or all if another browser owns the run.
func (d *desk) lock() {
	others := d.run.Ready && !d.run.Steers
	for _, button := range findAll(d.root, `[data-verb="play"], [data-verb="pause"], [data-verb="step"], .pace button`) {
		set(button, "disabled", others)
	}
	for _, c := range d.controls {
		for _, input := range [...]js.Value{c.slider, c.number, c.choice, c.written} {
			set(input, "disabled", others || d.run.Link.Locked(c.Row.Key))
		}
	}
	set(d.preset, "disabled", others || d.run.Link.Locked("preset"))
}

// bindGrips lets a person drag ρ̄ and c̄ on the histogram of ratios. The keyboard uses their sliders.
func (d *desk) bindGrips() {
	svg := find(d.root, `[data-chart="ratios"]`)
	key := "" // that is dragged
	box := func() (w, h float64) {
		box := svg.Call("getBoundingClientRect")
		return box.Get("width").Float(), box.Get("height").Float()
	}
	grip := func(event js.Value) string {
		x, y := pointer(svg, event)
		w, h := box()
		return d.run.Grip(x, y, w, h)
	}
	drag(svg, func(event js.Value) bool {
		if key = grip(event); key != "" {
			event.Call("preventDefault")
		}
		return key != ""
	}, func(event js.Value) {
		x, _ := pointer(svg, event)
		w, _ := box()
		d.pace.Offer(key, d.run.Dragged(key, x, w))
		d.scheduleDraw()
	}, func(event js.Value) { svg.Get("dataset").Set("grip", grip(event)) }, func() {
		d.pace.Flush(key)
		d.scheduleDraw()
	})
}

// finder is the panel of all other settings and its search field.
type finder struct {
	panel, field js.Value
	found        slot
}

func (d *desk) bindFind() {
	f := &d.find
	f.panel, f.field, f.found = find(d.root, "#more"), part(d.root, "find"), text(part(d.root, "found"))
	on(f.field, "input", func(js.Value) { d.search(value(f.field)) })
}

// search shows the settings that match, and unfolds their groups.
func (d *desk) search(query string) {
	matches := 0
	for _, one := range d.controls {
		if d.find.panel.Call("contains", one.root).Bool() {
			one.passed = !run.Matches(one.Row, query)
			if !one.passed && one.Row.Of(d.run.Config().Algo) {
				matches++
			}
		}
	}
	for _, g := range d.groups {
		g.element.Set("open", query != "")
	}
	switch {
	case query == "":
		d.find.found.write("")
	case matches == 0:
		d.find.found.write("No setting is called that.")
	default:
		d.find.found.write(strconv.Itoa(matches) + " found")
	}
	d.scheduleDraw()
}

func (f *finder) open() bool {
	return f.panel.Truthy() && f.panel.Call("matches", ":popover-open").Bool()
}
