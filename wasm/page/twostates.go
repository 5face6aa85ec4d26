//go:build js && wasm

package page

import (
	"strconv"
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/browser"
	"impalab/wasm/microscope"
	"impalab/wasm/run"
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
		d.say(run.Sentence(err.Error()))
		return
	}
	d.theme()
	d.knobs = knobs{used: func(string) bool { return true }, config: func() *hyper.Config { return &d.world.Config },
		set: d.world.Set, draw: d.show}
	d.knobs.bind(b.body, microscope.TwoStateKeys)
	for _, svg := range findAll(b.body, "[data-dial]") {
		pull := func(event js.Value) {
			w, _ := size(svg)
			x, _ := pointer(svg, event)
			one := d.dial(svg)
			d.change(one.Key, strconv.FormatFloat(one.Value(x, w), 'f', 2, 64))
		}
		drag(svg, func(event js.Value) bool {
			turns := d.dial(svg).Key != ""
			if turns {
				pull(event)
			}
			return turns
		}, pull, ignore, func() {})
	}
	browser.On(b.window, "resize", func(js.Value) { d.show() })
	d.say("")
	d.show()
	d.ready()
}

func (d *dials) dial(svg js.Value) *charts.Dial {
	switch svg.Get("dataset").Get("dial").String() {
	case "end":
		return d.world.EndChart()
	case "factor":
		return d.world.FactorChart()
	}
	return d.world.ErrorChart()
}

func (d *dials) show() {
	end, speed := d.world.Say()
	d.text("end", end)
	d.text("speed", speed)
	d.text("warning", strings.Join(d.world.Unsound, " "))
	for i, name := range [...]string{"left", "right"} {
		d.number("mu-"+name, d.world.ValueMu[i])
		d.number("end-"+name, d.world.End[i])
		d.number("pi-"+name, d.world.ValuePi[i])
	}
	d.number("factor", d.world.Factor)
	d.knobs.show()
	for _, svg := range findAll(d.body, "[data-dial]") { // in the space that the words leave
		w, h := size(svg)
		svg.Set("innerHTML", charts.DrawDial(d.dial(svg), w, h))
	}
}
