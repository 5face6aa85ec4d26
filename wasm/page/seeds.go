//go:build js && wasm

package page

import (
	"math"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/run"
	charts "impalab/web/chart"
)

// Eight seeds of the run in hand, drawn on its own chart while they are trained. The server tells when there is
// something new, and the page asks for it.

// seedBox is where the page says how the seeds stand.
type seedBox struct {
	root, cancel, forget, page js.Value
	href                       slot
}

func (c *desk) bindSeeds() {
	b := &c.seeds
	b.root = find(c.root, `[data-part="seeds"]`)
	if !b.root.Truthy() {
		return
	}
	b.cancel, b.forget = find(b.root, `[data-part="seeds-cancel"]`), find(b.root, `[data-part="seeds-forget"]`)
	b.page = find(b.root, "a")
	b.href = attribute(b.page, "href")
	on(b.cancel, "click", func(js.Value) { c.cancelSeeds() })
	on(b.forget, "click", func(js.Value) {
		c.run.ForgetSeeds()
		c.storeSeeds()
		c.scheduleDraw()
	})
	for _, r := range c.model.Runs {
		if s := r.ComeBack(strings.Split(stored(c.window, seedsName), "\n")); s != nil {
			c.followSeeds(r, s)
		}
	}
}

// storeSeeds keeps which seeds are on the charts, for a reload.
func (p *Page) storeSeeds() {
	var kept []string
	for _, r := range p.model.Runs {
		if line := r.KeptSeeds(); line != "" {
			kept = append(kept, line)
		}
	}
	store(p.window, seedsName, strings.Join(kept, "\n"))
}

func (c *desk) drawSeeds() {
	b, s := &c.seeds, c.run.Seeds
	hide(b.root, s == nil)
	if s != nil {
		hide(b.cancel, !s.Running)
		hide(b.forget, s.Running)
		b.href.mark(c.base() + "s/" + s.ID)
	}
}

// overSeeds begins eight seeds of the run in hand. Those that still train on its chart are enough.
func (c *desk) overSeeds() {
	of := c.run
	failed := func(sentence string) {
		c.model.Notice(sentence)
		c.scheduleDraw()
	}
	if of.Seeds != nil && of.Seeds.Running {
		failed("Eight seeds of this run are still being trained: cancel them first.")
		return
	}
	plan := of.Plan()
	c.beginSweep(c.sweepBody(plan), func(id string) {
		c.followSeeds(of, of.BeginSeeds(id, plan))
		c.storeSeeds()
		c.model.Announce("Eight seeds begun")
		c.scheduleDraw()
	}, failed)
}

// cancelSeeds ends them where they stand; what they came to stays on the chart.
func (c *desk) cancelSeeds() {
	options := map[string]any{"method": "POST", "headers": map[string]any{"Authorization": "Bearer " + c.run.Key}}
	failed := func(js.Value) { c.notice("The server did not answer; try again in a moment.") }
	then(c.window.Call("fetch", c.base()+"api/v1/sweeps/"+c.run.Seeds.ID+"/stop", options), func(answer js.Value) {
		if !answer.Get("ok").Bool() && answer.Get("status").Int() != 409 { // 409: they are over
			failed(answer)
		}
	}, failed)
}

// How long the page waits before it asks once more for curves that did not come, at first and at most.
const (
	seedsPause    = time.Second
	maxSeedsPause = 30 * time.Second
)

// eventsClosed is EventSource.CLOSED.
const eventsClosed = 2

// followSeeds draws what the seeds come to until they are over, or taken off the chart.
func (c *desk) followSeeds(of *run.Run, s *run.Seeds) {
	at := c.base() + "api/v1/sweeps/" + s.ID
	events := c.window.Get("EventSource").New(at + "/events")
	busy, again, planned, pause := false, false, false, seedsPause
	var ask func()
	ask = func() {
		if busy {
			again = true
			return
		}
		busy = true
		done := func() {
			busy = false
			if again {
				again = false
				ask()
			}
		}
		lost := func(js.Value) {
			if busy = false; planned || of.Seeds != s {
				return
			}
			planned = true
			c.after(pause, func() {
				planned = false
				ask()
			})
			pause = min(2*pause, maxSeedsPause)
		}
		then(c.window.Call("fetch", at+"/cells/0"), func(answer js.Value) {
			if !answer.Get("ok").Bool() {
				lost(answer)
				return
			}
			then(answer.Call("json"), func(curves js.Value) {
				if pause = seedsPause; of.Seeds == s {
					of.DrawSeeds(s, seedLines(curves.Get("lines")), seedBand(curves.Get("band")))
					c.scheduleDraw()
				}
				done()
			}, lost)
		}, lost)
	}
	var heard js.Func
	heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		told := js.Global().Get("JSON").Call("parse", args[0].Get("data"))
		s.Runs, s.Over = told.Get("runs").Int(), told.Get("over").Int()
		s.Running = told.Get("state").String() == "running"
		if !s.Running || of.Seeds != s {
			events.Call("close")
			heard.Release()
		}
		if !s.Running && of.Seeds == s {
			c.model.Announce("The seeds are over")
		}
		ask()
		c.scheduleDraw()
		return nil
	})
	events.Call("addEventListener", "progress", heard)
	on(events, "error", func(js.Value) { // the browser connects again, unless the server has no such sweep any more
		if events.Get("readyState").Int() == eventsClosed && of.Seeds == s && s.Running {
			of.ForgetSeeds()
			c.storeSeeds()
			c.scheduleDraw()
		}
	})
}

// seedLines and seedBand read the API's curves of a cell.
func seedLines(list js.Value) []*charts.Curve {
	lines := make([]*charts.Curve, list.Length())
	for i := range lines {
		one, curve := list.Index(i), &charts.Curve{}
		steps, at := one.Get("steps"), one.Get("return_mean_100")
		for k := range steps.Length() {
			curve.Add(uint64(steps.Index(k).Float()), float32(numberOf(at.Index(k))))
		}
		lines[i] = curve
	}
	return lines
}

func seedBand(list js.Value) []charts.Middle {
	band := make([]charts.Middle, list.Length())
	for i := range band {
		b := list.Index(i)
		band[i] = charts.Middle{Step: uint64(b.Get("step").Float()), Mean: numberOf(b.Get("iqm")),
			Low: numberOf(b.Get("low")), High: numberOf(b.Get("high")), N: b.Get("n").Int()}
	}
	return band
}

// numberOf is NaN for null.
func numberOf(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}
