//go:build js && wasm

package page

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/model"
	"impalab/wasm/run"
)

// The page draws the model at most ten times a second, at the browser's next frames, and only what differs. A hidden
// page has no frames, so it costs nothing. Words come in one frame and charts in the next ones, so that no frame takes
// long.

const drawEvery = 100 * time.Millisecond

type drawing struct {
	planned bool
	again   bool // something has changed since it started
	rest    []func()
	last    time.Time
	frame   js.Func
}

// scheduleDraw draws the page at the browser's next frame, at most once per drawEvery.
func (p *Page) scheduleDraw() {
	for _, c := range p.columns {
		c.startAnimation()
	}
	d := &p.draws
	if d.planned {
		d.again = d.again || len(d.rest) > 0
		return
	}
	d.planned = true
	if d.frame.IsUndefined() {
		d.frame = browser.Callback(func(js.Value) { p.drawNext() })
	}
	frame := func() { p.window.Call("requestAnimationFrame", d.frame) }
	if wait := drawEvery - time.Since(d.last); wait > 0 {
		p.after(wait, frame)
	} else {
		frame()
	}
}

func (p *Page) drawNext() {
	d := &p.draws
	if len(d.rest) == 0 {
		d.last, d.rest = time.Now(), p.parts()
	}
	d.rest[0]()
	if d.rest = d.rest[1:]; len(d.rest) > 0 {
		p.window.Call("requestAnimationFrame", d.frame)
		return
	}
	again := d.again
	d.planned, d.again = false, false
	if again {
		p.scheduleDraw()
	}
}

// parts are drawn in one frame each.
func (p *Page) parts() []func() {
	if p.first != nil {
		return []func(){p.draw, p.first.drawCharts}
	}
	return []func(){p.draw, func() { p.desk.drawCharts(false) }, func() { p.desk.drawCharts(true) }}
}

func (p *Page) draw() {
	if p.model.Ready() {
		p.root.Get("dataset").Set("ready", "true")
	}
	p.writeLink()
	if p.first != nil {
		p.first.draw()
		p.shows.draw()
		return
	}
	for _, c := range p.columns {
		c.changeMoment()
		c.name()
	}
	p.shows.draw()
	p.makeAgain()
	if time.Since(p.kept) > keepEvery {
		p.saveRuns()
	}
}

type chart struct {
	name          string
	element       js.Value
	inLane        bool
	show          func(w, h float64) string
	revision      func() any
	shown         any
	width, height float64 // of its box; 0: folded away
	drawn         bool    // in that box
}

// observe follows the sizes of the charts' boxes. Reading a size between two drawings would lay out the whole page.
func (p *Page) observe(charts []*chart) {
	observer := p.window.Get("ResizeObserver").New(browser.Callback(func(entries js.Value) {
		for n := range entries.Length() {
			entry := entries.Index(n)
			box, target := entry.Get("contentRect"), entry.Get("target")
			c := charts[slices.IndexFunc(charts, func(c *chart) bool { return c.element.Equal(target) })]
			width, height := math.Round(box.Get("width").Float()), math.Round(box.Get("height").Float())
			if width != c.width || height != c.height {
				c.width, c.height, c.drawn = width, height, false
			}
		}
		p.scheduleDraw()
	}))
	for _, c := range charts {
		observer.Call("observe", c.element)
	}
}

// draw fills a chart's box in its own pixels, so that words and hairlines have the same size on every screen.
func (c *chart) draw() {
	revision := c.revision()
	if c.width < 1 || c.height < 1 || c.drawn && revision == c.shown {
		return // folded away, or nothing new
	}
	if !c.drawn {
		c.element.Call("setAttribute", "viewBox", "0 0 "+strconv.Itoa(int(c.width))+" "+strconv.Itoa(int(c.height)))
	}
	c.drawn, c.shown = true, revision
	c.element.Set("innerHTML", c.show(c.width, c.height))
}

// writeLink keeps the address a link to the settings in force, or to everything that happened on the first page.
// Browsers allow few writes: one every half second.
func (p *Page) writeLink() {
	now := p.model.Revision()
	if !p.model.Ready() || p.writtenLink == now {
		return
	}
	p.writtenLink = now
	p.after(5*drawEvery, func() {
		switch {
		case !p.model.Ready():
			p.writtenLink = model.Revision{} // again when it is
		case p.first != nil:
			p.replaceHash(p.first.Link())
			p.storeRuns(firstName, p.first.Link())
			p.first.leadOn()
		default:
			p.replaceHash(p.model.Fragment())
			p.storeRuns(runName, p.model.Fragment())
			p.storeSeeds()
		}
	})
}

// CountFrames shows a test how many frames the stage has drawn. On the first page the drawn poles stand in for the
// canvas until it has a world of each learner to show.
func (p *Page) CountFrames(frames int) {
	if p.first != nil && slices.ContainsFunc(p.model.Runs, func(r *run.Run) bool { return r.Frame == nil }) {
		p.root.Call("removeAttribute", "data-frames")
		return
	}
	p.root.Get("dataset").Set("frames", strconv.Itoa(frames))
}

func (p *Page) address() string {
	bare, _, _ := strings.Cut(p.window.Get("location").Get("href").String(), "#")
	if p.first != nil {
		return bare + p.first.Link()
	}
	return bare + p.model.Shared()
}
