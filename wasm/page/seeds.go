//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/run"
	charts "impalab/web/chart"
)

// Eight seeds of the selected run are drawn on its chart while the server trains them. The server tells when there is
// something new, and the page asks for it.

func (c *desk) bindSeeds() {
	root := part(c.body, "seeds")
	cancel, forget, link := part(root, "seeds-cancel"), part(root, "seeds-forget"), attribute(find(root, "a"), "href")
	clicks(cancel, c.cancelSeeds)
	clicks(forget, func() { c.forgetSeeds(c.run) })
	c.shows.add(func() {
		s := c.run.Seeds
		hide(root, s == nil)
		if s != nil {
			hide(cancel, !s.Running)
			hide(forget, s.Running)
			link.write(c.base() + "s/" + s.ID)
		}
	})
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
		if line := r.SavedSeeds(); line != "" {
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

// overSeeds starts eight seeds of the selected run, unless eight are still training.
func (c *desk) overSeeds() {
	of := c.run
	if of.Seeds != nil && of.Seeds.Running {
		c.notice("Eight seeds of this run are still being trained: cancel them first.")
		return
	}
	plan := of.Plan()
	c.beginSweep(plan.Body(), func(id string) {
		c.followSeeds(of, of.BeginSeeds(id, plan))
		c.storeSeeds()
		c.model.Announce("Eight seeds begun")
		c.scheduleDraw()
	}, c.notice)
}

// cancelSeeds stops the seeds. Their curves stay on the chart.
func (c *desk) cancelSeeds() {
	c.fetch(c.base()+"api/v1/sweeps/"+c.run.Seeds.ID+"/stop", post(c.run.Key, nil), ignore, func(why string) {
		c.notice(why)
	})
}

// seedsPause is how long the page waits before it asks again for curves that did not come.
const seedsPause = 5 * time.Second

// seedsFollower asks for the curves of seeds, one question at a time.
type seedsFollower struct {
	*desk
	of      *run.Run
	seeds   *run.Seeds
	address string

	busy  bool // a question waits for its answer, or for its repetition
	stale bool // something has changed since then
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
		if f.shown() {
			f.of.DrawSeeds(f.seeds, listOf(curves.Get("lines"), seedLine), listOf(curves.Get("band"), seedMiddle))
			f.scheduleDraw()
		}
		if f.busy = false; f.stale {
			f.ask()
		}
	}, func(string) {
		f.after(seedsPause, func() {
			if f.busy = false; f.shown() {
				f.ask()
			}
		})
	})
}

// followSeeds draws the seeds until they are finished or removed from the chart.
func (c *desk) followSeeds(of *run.Run, s *run.Seeds) {
	f := &seedsFollower{desk: c, of: of, seeds: s, address: c.base() + "api/v1/sweeps/" + s.ID}
	events := c.window.Get("EventSource").New(f.address + "/events")
	browser.On(events, "progress", func(event js.Value) {
		told := js.Global().Get("JSON").Call("parse", event.Get("data"))
		s.Runs, s.Over = told.Get("runs").Int(), told.Get("over").Int()
		s.Running = told.Get("state").String() == "running"
		if !s.Running || !f.shown() {
			events.Call("close")
		}
		if !s.Running && f.shown() {
			c.model.Announce("The seeds are finished")
		}
		f.ask()
		c.scheduleDraw()
	})
	browser.On(events, "error", func(js.Value) { // the browser reconnects, unless the server no longer has the sweep
		const closed = 2 // EventSource.CLOSED
		if events.Get("readyState").Int() == closed && f.shown() && s.Running {
			c.forgetSeeds(of)
		}
	})
}

// seedLine and seedMiddle read the curve of a seed and the middle of all at a step, as the API returns them.
func seedLine(one js.Value) *charts.Curve {
	curve, steps, at := &charts.Curve{}, one.Get("steps"), one.Get("return_mean_100")
	for k := range steps.Length() {
		curve.Add(uint64(steps.Index(k).Float()), float32(numberOf(at.Index(k))))
	}
	return curve
}

func seedMiddle(one js.Value) charts.Middle {
	return charts.Middle{Step: uint64(one.Get("step").Float()), Mean: numberOf(one.Get("iqm")),
		Low: numberOf(one.Get("low")), High: numberOf(one.Get("high")), N: one.Get("n").Int()}
}
