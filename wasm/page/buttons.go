//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/microscope"
	charts "impalab/web/chart"
)

// openButtons runs the page /microscope/proposition-2.
func openButtons(b bare) {
	b.theme()
	state := microscope.NewButtons()
	svg := find(b.body, `[data-part="pays"]`)
	draw := func() {
		list := find(b.body, `[data-part="said"]`)
		list.Set("textContent", "")
		for _, words := range state.Say() {
			item := b.document.Call("createElement", "p")
			item.Set("textContent", words)
			list.Call("append", item)
		}
		for name, v := range map[string]float64{"push": state.Push, "frozen": state.Frozen, "remade": state.Remade,
			"enough": state.Enough} {
			b.markup(name, microscope.Exactly(v))
		}
		for _, h := range microscope.Hands {
			value := strconv.FormatFloat(state.Get(h.Name), 'f', 2, 64)
			put(find(b.body, "#hand-"+h.Name), value)
			find(b.body, `output[for="hand-`+h.Name+`"]`).Set("textContent", value)
		}
		w, h := size(svg)
		svg.Set("innerHTML", charts.DrawPays(state.Chart(), w, h))
	}
	for _, h := range microscope.Hands {
		slider := find(b.body, "#hand-"+h.Name)
		on(slider, "input", func(js.Value) {
			v, _ := strconv.ParseFloat(slider.Get("value").String(), 64)
			state.Set(h.Name, v)
			draw()
		})
	}
	on(find(b.body, `[data-act="reset"]`), "click", func(js.Value) {
		state = microscope.NewButtons()
		draw()
	})
	on(b.window, "resize", func(js.Value) { draw() })
	b.say("")
	draw()
	b.ready()
}
