//go:build js && wasm

package page

import (
	"strconv"
	"strings"
	"syscall/js"

	"impalab/wasm/microscope"
	charts "impalab/web/chart"
)

// dials is the page /microscope/two-states.
type dials struct {
	bare
	knobs
	world *microscope.TwoStates
}

func openTwoStates(b bare) {
	world, err := microscope.NewTwoStates()
	d := &dials{bare: b, world: world}
	if err != nil {
		d.say(sentence(err.Error()))
		return
	}
	d.theme()
	d.knobs = knobs{within: b.body, keys: microscope.TwoStateKeys, used: func(string) bool { return true },
		get: func(key string) string { return d.world.Config.Get(key) },
		turn: func(key, value string) error {
			err := d.world.Set(key, value)
			d.draw()
			return err
		}}
	d.knobs.bind()
	for _, svg := range findAll(b.body, "[data-dial]") {
		held := false
		pull := func(event js.Value) {
			w, _ := size(svg)
			x, _ := place(svg, event)
			one := d.dial(svg)
			d.knobs.set(one.Key, strconv.FormatFloat(one.Place(x, w), 'f', 2, 64))
		}
		on(svg, "pointerdown", func(event js.Value) {
			if held = d.dial(svg).Key != ""; held {
				attempt(func() { svg.Call("setPointerCapture", event.Get("pointerId")) })
				pull(event)
			}
		})
		on(svg, "pointermove", func(event js.Value) {
			if held {
				pull(event)
			}
		})
		for _, end := range [...]string{"pointerup", "pointercancel"} {
			on(svg, end, func(js.Value) { held = false })
		}
	}
	on(b.window, "resize", func(js.Value) { d.draw() })
	d.say("")
	d.draw()
	d.ready()
}

// dial is the chart that stands in an element.
func (d *dials) dial(svg js.Value) *charts.Dial {
	switch svg.Get("dataset").Get("dial").String() {
	case "end":
		return d.world.EndChart()
	case "factor":
		return d.world.FactorChart()
	}
	return d.world.ErrorChart()
}

func (d *dials) draw() {
	end, speed := d.world.Say()
	d.text("end", end)
	d.text("speed", speed)
	d.text("warning", strings.Join(d.world.Unsound, " "))
	for i, name := range [...]string{"left", "right"} {
		d.markup("mu-"+name, microscope.Exactly(d.world.ValueMu[i]))
		d.markup("end-"+name, microscope.Exactly(d.world.End[i]))
		d.markup("pi-"+name, microscope.Exactly(d.world.ValuePi[i]))
	}
	d.markup("factor", microscope.Exactly(d.world.Factor))
	d.knobs.draw()
	for _, svg := range findAll(d.body, "[data-dial]") { // in the room that the words leave
		w, h := size(svg)
		svg.Set("innerHTML", charts.DrawDial(d.dial(svg), w, h))
	}
}
