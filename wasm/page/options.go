//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/run"
)

// worldOption is the field of one of a world's options.
type worldOption struct {
	world, key  string
	input       js.Value
	errorText   slot
	errorBox    js.Value
	editing     bool
	error       string
	errorBefore string // the world's name when the error was made: another name is another matter
}

// optionsBox is the fields of one world.
type optionsBox struct {
	world string
	root  js.Value
}

func (c *desk) bindOptions() {
	for _, root := range findAll(c.root, "[data-options]") {
		box := optionsBox{root.Get("dataset").Get("options").String(), root}
		c.optionBoxes = append(c.optionBoxes, box)
		for _, element := range findAll(root, "[data-option]") {
			errorBox := find(element, `[data-part="error"]`)
			o := &worldOption{
				world: box.world, key: element.Get("dataset").Get("option").String(), input: find(element, "input"),
				errorText: text(errorBox), errorBox: errorBox,
			}
			c.options = append(c.options, o)
			on(o.input, "input", func(js.Value) { o.editing = true })
			on(o.input, "keydown", func(event js.Value) {
				switch event.Get("key").String() {
				case "Enter":
					c.choose(o)
				case "Escape":
					o.editing, o.error = false, ""
					c.scheduleDraw()
				}
			})
			on(o.input, "blur", func(js.Value) {
				if o.editing {
					c.choose(o)
				}
				o.editing = false
				c.scheduleDraw()
			})
		}
	}
}

// choose asks for the world with what was typed.
func (c *desk) choose(o *worldOption) {
	o.errorBefore = c.run.World()
	requests, err := c.model.SetOption(o.key, o.input.Get("value").String())
	o.error = ""
	if err != nil {
		o.error = err.Error()
	}
	o.editing = err != nil // what was refused stays to be mended
	c.ask(requests)
}

func (c *desk) drawOptions() {
	plain := run.PlainWorld(c.run.World())
	for _, box := range c.optionBoxes {
		hide(box.root, box.world != plain)
	}
	for _, o := range c.options {
		if o.world != plain {
			continue
		}
		if o.error != "" && o.errorBefore != c.run.World() {
			o.error = ""
		}
		if !o.editing && o.error == "" {
			put(o.input, c.run.Option(o.key))
		}
		if o.input.Truthy() {
			o.input.Set("disabled", c.run.Link.Locked("world"))
		}
		o.errorText.write(o.error)
		hide(o.errorBox, o.error == "")
	}
}
