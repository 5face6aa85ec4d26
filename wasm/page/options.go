//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/run"
)

type worldOption struct {
	box         js.Value // the fields of the world
	world, key  string
	input       js.Value
	errorText   slot
	errorBox    js.Value
	editing     bool
	error       string
	errorBefore string // the world when the error was made: another world clears it
}

func (c *desk) bindOptions() {
	for _, box := range findAll(c.root, "[data-options]") {
		for _, element := range findAll(box, "[data-option]") {
			errorBox := part(element, "error")
			o := &worldOption{
				box: box, world: box.Get("dataset").Get("options").String(),
				key: element.Get("dataset").Get("option").String(), input: find(element, "input"),
				errorText: text(errorBox), errorBox: errorBox,
			}
			c.options = append(c.options, o)
			onField(o.input, &o.editing, func() { c.choose(o) }, func() { o.error = "" }, c.scheduleDraw)
		}
	}
}

// choose asks for the world with the typed value.
func (c *desk) choose(o *worldOption) {
	o.errorBefore, o.error = c.run.World(), ""
	if err := c.model.SetOption(o.key, value(o.input)); err != nil {
		o.error = err.Error()
	}
	o.editing = o.error != "" // a refused value stays to be corrected
}

func (c *desk) drawOptions() {
	plain := run.PlainWorld(c.run.World())
	for _, o := range c.options {
		hide(o.box, o.world != plain)
		if o.world != plain {
			continue
		}
		if o.errorBefore != c.run.World() {
			o.error = ""
		}
		if !o.editing && o.error == "" {
			put(o.input, c.run.Option(o.key))
		}
		set(o.input, "disabled", c.run.Link.Locked("world"))
		o.errorText.write(o.error)
		hide(o.errorBox, o.error == "")
	}
}
