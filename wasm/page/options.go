//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/model"
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

func (p *Page) bindOptions() {
	for _, root := range findAll(p.document, "[data-options]") {
		box := optionsBox{root.Get("dataset").Get("options").String(), root}
		p.optionBoxes = append(p.optionBoxes, box)
		for _, element := range findAll(root, "[data-option]") {
			errorBox := find(element, `[data-part="error"]`)
			o := &worldOption{
				world: box.world, key: element.Get("dataset").Get("option").String(), input: find(element, "input"),
				errorText: text(errorBox), errorBox: errorBox,
			}
			p.options = append(p.options, o)
			on(o.input, "input", func(js.Value) { o.editing = true })
			on(o.input, "keydown", func(event js.Value) {
				switch event.Get("key").String() {
				case "Enter":
					p.choose(o)
				case "Escape":
					o.editing, o.error = false, ""
					p.scheduleDraw()
				}
			})
			on(o.input, "blur", func(js.Value) {
				if o.editing {
					p.choose(o)
				}
				o.editing = false
				p.scheduleDraw()
			})
		}
	}
}

// choose asks for the world with what was typed.
func (p *Page) choose(o *worldOption) {
	o.errorBefore = p.model.World()
	message, err := p.model.SetOption(o.key, o.input.Get("value").String())
	o.error = ""
	if err != nil {
		o.error = err.Error()
	}
	o.editing = err != nil // what was refused stays to be mended
	p.send(message, err)
}

func (p *Page) drawOptions() {
	plain := model.PlainWorld(p.model.World())
	for _, box := range p.optionBoxes {
		hide(box.root, box.world != plain)
	}
	for _, o := range p.options {
		if o.world != plain {
			continue
		}
		if o.error != "" && o.errorBefore != p.model.World() {
			o.error = ""
		}
		if !o.editing && o.error == "" {
			put(o.input, p.model.Option(o.key))
		}
		if o.input.Truthy() {
			o.input.Set("disabled", p.model.Link.Locked("world"))
		}
		o.errorText.write(o.error)
		hide(o.errorBox, o.error == "")
	}
}
