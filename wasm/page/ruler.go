//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/run"
	draw "impalab/web/chart"
)

// ruler takes the place of the return while π is fixed: the exact values, the learned one, and where each ρ̄ leads.
type ruler struct {
	leads    run.Leads
	rho      *control
	turned   time.Time // when the slider of ρ̄ moved last
	was      []float64 // learned values of the last seconds
	seconds  int
	chipOpen bool // the chip of ρ̄ was pressed once
}

// rulerTurns is how long ρ̄ counts as turning after its slider moved: until the run's answer is drawn.
const rulerTurns = 1500 * time.Millisecond

// bindRuler returns the chart of the ruler.
func (d *desk) bindRuler() *chart {
	svg, r := part(d.body, "ruler"), &d.ruler
	r.leads = run.ReadLeads(data(svg, "at"), data(svg, "marks"))
	show := func() *draw.Destination {
		rho := r.rho.Shown()
		if r.rho.dragged {
			rho = run.Slide(r.rho.Row, whole(r.rho.slider))
		}
		return d.run.Destination(&r.leads, rho, whole(r.rho.slider), time.Since(r.turned) < rulerTurns, r.was)
	}
	c := &chart{name: "ruler", element: svg,
		show: func(w, h float64) string {
			if of := show(); of != nil {
				return draw.DrawDestination(of, w, h)
			}
			return ""
		},
		revision: func() any {
			return [...]any{d.run.Gauged(), d.run.Gauge, r.rho.Shown(), whole(r.rho.slider), d.run.Control("alpha").Shown(),
				d.run.Control("correction").Shown(), time.Since(r.turned) < rulerTurns, r.seconds}
		}}
	d.bindRing(svg, show)
	away, back := part(d.body, "returns"), part(d.body, "ruler-back")
	browser.On(away, "click", func(js.Value) {
		d.body.Get("dataset").Set("returns", "")
		back.Call("focus")
	})
	browser.On(back, "click", func(js.Value) {
		d.body.Call("removeAttribute", "data-returns")
		away.Call("focus")
	})
	d.shows.add(func() {
		if d.run.Still() && !r.chipOpen {
			r.chipOpen = true
			if chip := find(d.body, `[data-chip="cut-rho"]`); chip.Truthy() {
				chip.Call("click")
			}
		}
	})
	d.rememberLearned()
	return c
}

// followRho draws the ruler at once when the slider of ρ̄ moves.
func (d *desk) followRho(c *chart) {
	for _, one := range d.controls {
		if one.Row.Key == "rho" {
			d.ruler.rho = one
		}
	}
	browser.On(d.ruler.rho.slider, "input", func(js.Value) {
		d.ruler.turned = time.Now()
		if d.run.Still() {
			c.draw()
		}
		d.after(rulerTurns, d.scheduleDraw)
	})
}

// bindRing makes the ring a handle of ρ̄: it moves the slider, which asks the run.
func (d *desk) bindRing(svg js.Value, show func() *draw.Destination) {
	tell := func(event string) {
		bubbles := js.Global().Get("Object").New()
		bubbles.Set("bubbles", true)
		d.ruler.rho.slider.Call("dispatchEvent", js.Global().Get("Event").New(event, bubbles))
	}
	drag(svg, func(event js.Value) bool {
		ring := data(event.Get("target"), "part") == "ring"
		if ring {
			event.Call("preventDefault")
		}
		return ring
	}, func(event js.Value) {
		of := show()
		if of == nil {
			return
		}
		x, _ := pointer(svg, event)
		w, _ := size(svg)
		d.ruler.rho.slider.Set("value", strconv.Itoa(d.ruler.leads.Position(of.Value(x, w))))
		tell("input")
	}, ignore, func() { tell("change") })
}

// rememberLearned keeps the learned value of each of the last seconds.
func (d *desk) rememberLearned() {
	const most = 9
	d.after(time.Second, func() {
		r := &d.ruler
		if g := d.run.Gauged(); g != nil && d.run.Still() && d.run.StateName() == "running" && g.Learned-g.Learned == 0 {
			r.was = append(r.was, float64(g.Learned))
			r.was = r.was[max(0, len(r.was)-most):]
			r.seconds++
			d.scheduleDraw()
		}
		d.rememberLearned()
	})
}
