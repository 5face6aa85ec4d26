//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/run"
	charts "impalab/web/chart"
)

// Eight seeds of the selected run are drawn on its chart while the server trains them. The server tells when there is
// something new, and the page asks for it.

type seedBox struct {
	root, cancel, forget js.Value
	href                 slot
}

func (c *desk) bindSeeds() {
	b := &c.seeds
	b.root = part(c.root, "seeds")
	b.cancel, b.forget = part(b.root, "seeds-cancel"), part(b.root, "seeds-forget")
	b.href = attribute(find(b.root, "a"), "href")
	on(b.cancel, "click", func(js.Value) { c.cancelSeeds() })
	on(b.forget, "click", func(js.Value) { c.forgetSeeds(c.run) })
	for _, r := range c.model.Runs {
		if s := r.RestoreSeeds(strings.Split(c.stored(seedsName), "\n")); s != nil {
			c.followSeeds(r, s)
		}
	}
}

// storeSeeds stores which seeds the charts show, for a reload.
func (p *Page) storeSeeds() {
	var kept []string
	for _, r := range p.model.Runs {
		if line := r.KeptSeeds(); line != "" {
			kept = append(kept, line)
		}
	}
	p.store(seedsName, strings.Join(kept, "\n"))
}

func (c *desk) forgetSeeds(of *run.Run) {
	of.ForgetSeeds()
	c.storeSeeds()
	c.scheduleDraw()
}

func (c *desk) drawSeeds() {
	b, s := &c.seeds, c.run.Seeds
	hide(b.root, s == nil)
	if s != nil {
		hide(b.cancel, !s.Running)
		hide(b.forget, s.Running)
		b.href.write(c.base() + "s/" + s.ID)
	}
}

// overSeeds starts eight seeds of the selected run, unless eight are still training.
func (c *desk) overSeeds() {
	of := c.run
	if of.Seeds != nil && of.Seeds.Running {
		c.notice("Eight seeds of this run are still being trained: cancel them first.")
		return
	}
	plan := of.Plan()
	c.beginSweep(sweepBody(plan), func(id string) {
		c.followSeeds(of, of.BeginSeeds(id, plan))
		c.storeSeeds()
		c.model.Announce("Eight seeds begun")
		c.scheduleDraw()
	}, c.notice)
}

// cancelSeeds stops the seeds. Their curves stay on the chart.
func (c *desk) cancelSeeds() {
	c.fetch(c.base()+"api/v1/sweeps/"+c.run.Seeds.ID+"/stop", post(c.run.Key, nil), func(js.Value) {}, func(why string) {
		c.notice(run.Sentence(why))
	})
}

// How long the page waits before it asks again for curves that did not come, at first and at most.
const (
	seedsPause    = time.Second
	maxSeedsPause = 30 * time.Second
)

// seedsFollower asks for the curves of seeds, one question at a time.
type seedsFollower struct {
	*desk
	of      *run.Run
	seeds   *run.Seeds
	address string

	busy  bool // a question waits for its answer, or for its repetition
	stale bool // something has changed since then
	pause time.Duration
}

// shown reports whether the chart still shows these seeds.
func (f *seedsFollower) shown() bool { return f.of.Seeds == f.seeds }

func (f *seedsFollower) ask() {
	if f.busy {
		f.stale = true
		return
	}
	f.busy, f.stale = true, false
	f.fetch(f.address+"/cells/0", nil, func(curves js.Value) {
		if f.pause = seedsPause; f.shown() {
			f.of.DrawSeeds(f.seeds, seedLines(curves.Get("lines")), seedBand(curves.Get("band")))
			f.scheduleDraw()
		}
		if f.busy = false; f.stale {
			f.ask()
		}
	}, func(string) {
		f.after(f.pause, func() {
			if f.busy = false; f.shown() {
				f.ask()
			}
		})
		f.pause = min(2*f.pause, maxSeedsPause)
	})
}

// followSeeds draws the seeds until they are finished or removed from the chart.
func (c *desk) followSeeds(of *run.Run, s *run.Seeds) {
	f := &seedsFollower{desk: c, of: of, seeds: s, address: c.base() + "api/v1/sweeps/" + s.ID, pause: seedsPause}
	events := c.window.Get("EventSource").New(f.address + "/events")
	var heard js.Func
	heard = callback(func(event js.Value) {
		told := js.Global().Get("JSON").Call("parse", event.Get("data"))
		s.Runs, s.Over = told.Get("runs").Int(), told.Get("over").Int()
		s.Running = told.Get("state").String() == "running"
		if !s.Running || !f.shown() {
			events.Call("close")
			heard.Release()
		}
		if !s.Running && f.shown() {
			c.model.Announce("The seeds are finished")
		}
		f.ask()
		c.scheduleDraw()
	})
	events.Call("addEventListener", "progress", heard)
	on(events, "error", func(js.Value) { // the browser reconnects, unless the server no longer has the sweep
		const closed = 2 // EventSource.CLOSED
		if events.Get("readyState").Int() == closed && f.shown() && s.Running {
			c.forgetSeeds(of)
		}
	})
}

// seedLines and seedBand read the curves of a cell from the API.
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
