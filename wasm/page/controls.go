//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"impalab/learner/hyper"
	"impalab/wasm/browser"
	"impalab/wasm/model"
	"impalab/wasm/run"
	"impalab/web/labrow"
	"impalab/web/link"
)

// control is the elements of one setting, on the Lab and on the pages of the microscope. Any but the root may be
// missing.
type control struct {
	*run.Control
	field
	root, slider, choice, unused js.Value
	state, force, spoken, used   slot
	dragged                      bool // a person drags the slider
	passed                       bool // the search does not match
}

// newControl finds the elements of a setting, or returns nil.
func newControl(within js.Value, of *run.Control) *control {
	root := find(within, `[data-key="`+of.Row.Key+`"]`)
	if !root.Truthy() {
		return nil
	}
	c := &control{Control: of, root: root, slider: part(root, "slider"), choice: part(root, "choice"),
		unused: part(root, "unused"), state: attribute(root, "data-state"), force: text(part(root, "force")),
		used:  attribute(root, "data-used"),
		field: newField(root, `[data-part="number"], [data-part="text"]`)}
	c.spoken = attribute(c.slider, "aria-valuetext")
	return c
}

// bind passes on the values that a person asks for. A slider's values go through a pace while it moves.
func (c *control) bind(pace *model.Pace, set func(key, value string), draw func()) {
	ask := func(value string) { set(c.Row.Key, value) }
	changes(c.choice, ask)
	starts := part(c.root, "starts")
	changes(starts, func(program string) {
		starts.Set("value", "") // it is a menu of texts, not the state of anything
		if program != "" {
			c.Error, c.editing = "", false
			ask(program)
			draw()
		}
	})
	onSlide(c.slider, pace, c.Row.Key, func(dragged bool) string {
		c.dragged = dragged
		value := run.Slide(c.Row, whole(c.slider))
		if c.input.Truthy() {
			c.input.Set("value", value)
		}
		draw()
		return value
	})
	c.bindNudge(ask)
	c.field.bind(func(value string) string {
		ask(value)
		return c.Error
	}, func() { c.Error = "" }, draw)
}

// bindNudge hears the arrow keys of a slider. The browser's own step, a thousandth, would not change a whole number.
func (c *control) bindNudge(ask func(value string)) {
	browser.On(c.slider, "keydown", func(event js.Value) {
		switch key := event.Get("key").String(); key {
		case "ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft":
			event.Call("preventDefault")
			ask(run.Nudge(c.Row, c.Shown(), key == "ArrowUp" || key == "ArrowRight"))
		}
	})
}

// onSlide offers a slider's values to a pace. Moved returns the value after a move, or after the end of a drag.
func onSlide(slider js.Value, pace *model.Pace, key string, moved func(dragged bool) string) {
	browser.On(slider, "input", func(js.Value) { pace.Offer(key, moved(true)) })
	browser.On(slider, "change", func(js.Value) {
		pace.Offer(key, moved(false))
		pace.Flush(key)
	})
}

// draw shows the value in force, the request while it waits, and the refusal. Spoken returns a value in words.
func (c *control) draw(force string, spoken func(value string) string, used bool) {
	shown := c.Shown()
	c.state.write(c.StateName())
	c.force.write(force)
	if c.slider.Truthy() {
		value := shown
		if c.dragged {
			value = run.Slide(c.Row, whole(c.slider))
		} else {
			setValue(c.slider, strconv.Itoa(run.Position(c.Row, shown)))
		}
		c.spoken.write(spoken(value))
	}
	if !c.dragged {
		c.field.draw(shown, c.Pending())
	}
	if c.Row.Key == "world" {
		shown = link.PlainWorld(shown) // its options have their own fields
	}
	setValue(c.choice, shown)
	c.refusal.say(c.Error)
	c.used.write(strconv.FormatBool(used))
	hide(c.unused, used)
}

// field is an input that a person types into, and the line that says why a value was refused. Both may be missing.
type field struct {
	input   js.Value
	refusal slot
	editing bool // a person types into it
	lines   bool // its text has several lines, and stays until it is in force: the learner may refuse it later
}

func newField(root js.Value, selector string) field {
	input := find(root, selector)
	return field{input: input, refusal: text(part(root, "error")),
		lines: input.Truthy() && input.Get("tagName").String() == "TEXTAREA"}
}

// bind commits typed text on Enter (of several lines: on Ctrl and Enter) and on leaving, and restores the value on
// Escape. Commit returns the refusal. A refused value stays to be corrected.
func (f *field) bind(commit func(value string) (refusal string), restore, draw func()) {
	browser.On(f.input, "input", func(js.Value) { f.editing = true })
	browser.On(f.input, "keydown", func(event js.Value) {
		switch event.Get("key").String() {
		case "Enter":
			if f.lines && !event.Get("ctrlKey").Bool() && !event.Get("metaKey").Bool() {
				return
			}
			f.editing = commit(value(f.input)) != "" || f.lines
		case "Escape":
			f.editing = false
			restore()
			draw()
		}
	})
	browser.On(f.input, "blur", func(js.Value) {
		if f.editing {
			commit(value(f.input))
		}
		f.editing = f.editing && f.lines
		draw()
	})
}

// draw shows a value, unless a person's text is not in force yet. asked: the value is asked for, and may be refused.
func (f *field) draw(shown string, asked bool) {
	if f.lines && !asked && strings.TrimSpace(value(f.input)) == shown {
		f.editing = false
	}
	if !f.editing {
		setValue(f.input, shown)
	}
}

func (d *desk) bindControls() {
	for i := range d.run.Controls {
		c := newControl(d.body, &d.run.Controls[i])
		if c == nil {
			continue
		}
		key := c.Row.Key
		c.bind(&d.pace, d.adjust, d.scheduleDraw)
		d.shows.add(func() {
			m := d.run
			c.draw(m.InForce(c.Control), func(value string) string { return m.Pretty(c.Row, value) },
				c.Row.InForce(m.Config()))
		})
		d.shows.text(part(c.root, "mark"), func() string { return d.run.Apart().Beside(key) })
		d.shows.hidden(part(c.root, "waits"), func() bool { return c.Error != "" || !d.run.Waits(key) })
		d.shows.hidden(c.root, func() bool { return c.passed || d.run.Link.Hidden(key) || !d.offers(c.Row) })
		for _, input := range [...]js.Value{c.slider, c.input, c.choice} {
			d.lockable(input, key)
		}
		d.controls = append(d.controls, c)
	}
	for _, group := range findAll(d.body, "[data-group]") {
		settings := findAll(group, "[data-key]")
		d.shows.hidden(group, func() bool {
			return !slices.ContainsFunc(settings, func(root js.Value) bool { return !root.Get("hidden").Bool() })
		})
	}
	preset := find(d.body, "#preset")
	changes(preset, func(name string) { d.model.Set("preset", name) })
	d.lockable(preset, "preset")
	d.shows.add(func() { setValue(preset, d.run.Preset) })
	for _, button := range findAll(d.body, `[data-verb="play"], [data-verb="pause"], [data-verb="step"], .pace button`) {
		d.shows.toggle(button, "disabled", d.others)
	}
}

// offers reports whether the Lab shows a setting. A search finds settings without an effect too.
func (d *desk) offers(row *hyper.Row) bool {
	cfg := d.run.Config()
	return labrow.Stands(row.Key, cfg) && (row.Offered(cfg) || d.find.query != "" && row.Of(cfg.Algo))
}

// adjust asks for a value of a setting, and opens the row that shows its effect.
func (d *desk) adjust(key, value string) {
	if row := labrow.OfKey(key); row != "" && !d.fold.Open(row) {
		d.fold.Touch(row)
	}
	d.model.Set(key, value)
}

// others reports whether another browser owns the run.
func (d *desk) others() bool { return d.run.Ready && !d.run.Steers }

// lockable disables an input whose setting the link locks, and every input if another browser owns the run.
func (d *desk) lockable(input js.Value, key string) {
	d.shows.toggle(input, "disabled", func() bool { return d.others() || d.run.Link.Locked(key) })
}

// bindGrips lets a person drag ρ̄ and c̄ on the histogram of ratios. The keyboard uses their sliders.
func (d *desk) bindGrips() {
	svg := find(d.body, `[data-chart="ratios"]`)
	key := "" // that is dragged
	grip := func(event js.Value) string {
		x, y := pointer(svg, event)
		w, h := size(svg)
		return d.run.Grip(x, y, w, h)
	}
	drag(svg, func(event js.Value) bool {
		if key = grip(event); key != "" {
			event.Call("preventDefault")
		}
		return key != ""
	}, func(event js.Value) {
		x, _ := pointer(svg, event)
		w, _ := size(svg)
		d.pace.Offer(key, d.run.Dragged(key, x, w))
		d.scheduleDraw()
	}, func(event js.Value) { svg.Get("dataset").Set("grip", grip(event)) }, func() {
		d.pace.Flush(key)
		d.scheduleDraw()
	})
}

// finder is the panel of all other settings and its search field.
type finder struct {
	panel js.Value
	found slot
	query string // "": every setting of the algorithm passes
}

func (d *desk) bindFind() {
	d.find = finder{panel: find(d.body, "#more"), found: text(part(d.body, "found"))}
	input := part(d.body, "find")
	browser.On(input, "input", func(js.Value) { d.search(value(input)) })
}

// search shows the settings that match, and unfolds their groups.
func (d *desk) search(query string) {
	matches, others := 0, 0
	d.find.query = query
	for _, c := range d.controls {
		if d.find.panel.Call("contains", c.root).Bool() {
			c.passed = !run.Matches(c.Row, query)
			if !c.passed && c.Row.Of(d.run.Config().Algo) {
				matches++
			}
		} else if row := labrow.OfKey(c.Row.Key); row != "" && query != "" && run.Matches(c.Row, query) {
			if !labrow.Stands(c.Row.Key, d.run.Config()) {
				others++
				continue
			}
			d.fold.Touch(row) // its knob is in the row
			matches++
		}
	}
	for _, group := range findAll(d.find.panel, "[data-group]") {
		group.Set("open", query != "")
	}
	switch {
	case query == "":
		d.find.found.write("")
	case matches == 0 && others > 0:
		d.find.found.write("Another correction has that setting.")
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

// knobs are the controls of settings on a page that computes their effect at once, without a server.
type knobs struct {
	controls []*control
	config   func() *hyper.Config
	used     func(key string) bool
	offered  func(key string) bool // nil: every setting
	set      func(key, value string) error
	draw     func()
}

func (k *knobs) bind(within js.Value, keys []string) {
	// The effect is computed at once, so the values need no pace.
	pace := model.Pace{After: func(_ time.Duration, f func()) { f() }, Send: k.change}
	for _, key := range keys {
		row, err := hyper.Lookup(key)
		if err != nil {
			continue
		}
		if c := newControl(within, &run.Control{Row: row}); c != nil {
			c.bind(&pace, k.change, k.draw)
			k.controls = append(k.controls, c)
		}
	}
}

func (k *knobs) change(key, value string) {
	for _, c := range k.controls {
		if c.Row.Key == key {
			c.Error = ""
			if err := k.set(key, value); err != nil {
				c.Error = err.Error()
			}
		}
	}
	k.draw()
}

func (k *knobs) show() {
	for _, c := range k.controls {
		if k.offered != nil {
			hide(c.root, !k.offered(c.Row.Key))
		}
		c.Force = k.config().Get(c.Row.Key)
		c.draw(c.Force, func(value string) string { return value }, k.used(c.Row.Key))
	}
}
