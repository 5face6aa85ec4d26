//go:build js && wasm

package page

import "syscall/js"

// A run that falls is paused, unless the person at this browser has switched that off: in the note about a fall, or in
// the help.

const pausesKey = "impalab-pauses"

// pauses reports whether it is on. A browser that keeps nothing has it on.
func (p *Page) pauses() (on bool) {
	on = true
	attempt(func() { on = p.window.Get("localStorage").Call("getItem", pausesKey).String() != "off" })
	return on
}

func (p *Page) bindPauses() {
	boxes := findAll(p.body, `[data-part="pauses"]`)
	show := func(checked bool) {
		for _, box := range boxes {
			box.Set("checked", checked)
		}
	}
	show(p.pauses())
	for _, box := range boxes {
		on(box, "change", func(js.Value) {
			kept := "on"
			if !box.Get("checked").Bool() {
				kept = "off"
			}
			attempt(func() { p.window.Get("localStorage").Call("setItem", pausesKey, kept) })
			show(kept == "on")
		})
	}
}
