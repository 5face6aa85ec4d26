//go:build js && wasm

package page

import "syscall/js"

// ρ̄ and c̄ on the histogram of ratios can be dragged. Their sliders are the same for the keyboard.

func (c *desk) bindGrips() {
	svg := find(c.root, `[data-chart="ratios"]`)
	if !svg.Truthy() {
		return
	}
	held := "" // the key that is dragged
	place := func(event js.Value) (x, y, w, h float64) {
		box := svg.Call("getBoundingClientRect")
		return event.Get("clientX").Float() - box.Get("left").Float(), event.Get("clientY").Float() - box.Get("top").Float(),
			box.Get("width").Float(), box.Get("height").Float()
	}
	on(svg, "pointerdown", func(event js.Value) {
		if held = c.run.Grip(place(event)); held != "" {
			event.Call("preventDefault")
			attempt(func() { svg.Call("setPointerCapture", event.Get("pointerId")) })
		}
	})
	on(svg, "pointermove", func(event js.Value) {
		x, y, w, h := place(event)
		if held == "" {
			svg.Get("dataset").Set("grip", c.run.Grip(x, y, w, h))
			return
		}
		c.pace.Offer(held, c.run.Dragged(held, x, w))
		c.scheduleDraw()
	})
	for _, name := range [...]string{"pointerup", "pointercancel"} {
		on(svg, name, func(js.Value) {
			if held != "" {
				c.pace.Flush(held)
				held = ""
				c.scheduleDraw()
			}
		})
	}
}
