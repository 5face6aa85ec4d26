//go:build js && wasm

package page

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/model"
	"impalab/wasm/run"
)

// What is in the model reaches the page at most ten times a second, at the browser's next frames, and only where it
// differs. A hidden page has no frames, so it costs nothing. Words come in one frame and charts in those behind it, so
// that none of them holds the page up for long.

const drawEvery = 100 * time.Millisecond

// drawing is what is planned.
type drawing struct {
	planned bool
	again   bool // something has changed since it began
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
		d.frame = js.FuncOf(func(js.Value, []js.Value) any {
			p.drawNext()
			return nil
		})
	}
	frame := func() { p.window.Call("requestAnimationFrame", d.frame) }
	if wait := drawEvery - time.Since(d.last); wait > 0 {
		p.after(wait, frame)
	} else {
		frame()
	}
}

// drawNext draws one part of the page, a frame.
func (p *Page) drawNext() {
	d := &p.draws
	if len(d.rest) == 0 {
		d.last, d.rest = time.Now(), p.parts()
	}
	part := d.rest[0]
	d.rest = d.rest[1:]
	defer func() {
		if len(d.rest) > 0 {
			p.window.Call("requestAnimationFrame", d.frame)
			return
		}
		again := d.again
		d.planned, d.again = false, false
		if again {
			p.scheduleDraw()
		}
	}()
	part()
}

// parts are what is drawn in one frame each.
func (p *Page) parts() []func() {
	if p.opening != nil {
		return []func(){p.draw, func() { p.opening.drawChart() }}
	}
	return []func(){p.draw, func() { p.desk.drawCharts(false) }, func() { p.desk.drawCharts(true) }}
}

func (p *Page) draw() {
	if p.model.Ready() {
		p.ready.mark("true")
	}
	if p.opening != nil {
		p.opening.draw()
		p.drawDialogs()
		return
	}
	for _, c := range p.columns {
		c.changeMoment()
	}
	p.desk.draw()
	p.drawColumns()
	p.drawHand()
	p.drawDialogs()
	p.writeLink()
	p.makeAgain()
	if time.Since(p.kept) > keepEvery {
		p.keepRuns()
	}
}

func (c *desk) draw() {
	m := c.run
	if m.Ready {
		c.runState.mark(m.StateName())
	}
	for i := range c.texts {
		t := &c.texts[i]
		t.write(t.read())
	}
	for _, one := range c.controls {
		one.draw(m)
	}
	for _, g := range c.groups {
		g.draw()
	}
	c.drawEmbed()
	put(c.preset, m.Preset)
	hide(c.gauge, m.Gauge == nil)
	hide(c.tasks, !m.Suite())
	c.drawBench()
	c.drawSeeds()
	c.drawOptions()
	c.drawWatch()
	c.drawCarry()
}

// drawCharts draws the lanes, or the other charts.
func (c *desk) drawCharts(lanes bool) {
	for _, one := range c.charts {
		if one.lane == lanes {
			one.draw(c.run)
		}
	}
}

// measure follows the sizes of the charts' boxes.
func (c *desk) measure() {
	var elements []js.Value
	for _, one := range c.charts {
		elements = append(elements, one.element)
	}
	c.observe(elements, func(i int, width, height float64) { c.charts[i].resize(width, height) })
}

// observe has the browser tell the size of each element's box when it changes. To ask for it between two drawings
// would have the whole page laid out anew each time.
func (p *Page) observe(elements []js.Value, resize func(i int, width, height float64)) {
	observer := p.window.Get("ResizeObserver").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		for n := range args[0].Length() {
			entry := args[0].Index(n)
			box := entry.Get("contentRect")
			i := slices.IndexFunc(elements, func(one js.Value) bool { return one.Equal(entry.Get("target")) })
			resize(i, math.Round(box.Get("width").Float()), math.Round(box.Get("height").Float()))
		}
		p.scheduleDraw()
		return nil
	}))
	for _, one := range elements {
		observer.Call("observe", one)
	}
}

func (c *chart) resize(width, height float64) {
	if width != c.width || height != c.height {
		c.width, c.height, c.drawn = width, height, false
	}
}

// draw fills a chart's box in its own pixels, so that words and hairlines have their size on every screen.
func (c *chart) draw(m *run.Run) {
	revision := c.Revision(m)
	if c.width < 1 || c.height < 1 || c.drawn && revision == c.revision {
		return // folded away, or nothing new
	}
	if !c.drawn {
		c.element.Call("setAttribute", "viewBox", "0 0 "+strconv.Itoa(int(c.width))+" "+strconv.Itoa(int(c.height)))
	}
	c.drawn, c.revision = true, revision
	c.element.Set("innerHTML", c.Draw(m, c.width, c.height))
}

// writeLink keeps the address a link to what is in force. Browsers allow few writes: one every half second.
func (p *Page) writeLink() {
	if now := p.model.Revision(); !p.model.Ready() || p.writtenLink == now {
		return
	} else {
		p.writtenLink = now
	}
	p.after(500*time.Millisecond, func() {
		if !p.model.Ready() {
			p.writtenLink = model.Revision{} // again when it is
			return
		}
		fragment := p.model.Fragment()
		if p.window.Get("location").Get("hash").String() != fragment {
			attempt(func() { p.window.Get("history").Call("replaceState", js.Null(), "", fragment) })
		}
		storeRun(p.window, runName, p.model.IDs(), fragment)
		p.storeSeeds()
	})
}

// CountFrames puts the number of frames the stage has drawn where a test can see it.
func (p *Page) CountFrames(frames int) {
	p.root.Get("dataset").Set("frames", strconv.Itoa(frames))
}

// address is the link to share.
func (p *Page) address() string {
	href := p.window.Get("location").Get("href").String()
	bare, _, _ := strings.Cut(href, "#")
	if p.opening != nil {
		return bare + p.opening.Link()
	}
	return bare + p.model.Shared()
}

// applyView shows what the link wants shown, and locks what it locks.
func (p *Page) applyView() {
	p.desk.lock()
	if p.model.Runs[0].Link.Embed() {
		p.body.Get("dataset").Set("embed", "1")
	} else {
		p.body.Call("removeAttribute", "data-embed")
	}
	p.desk.embed = attribute(p.body, "data-embed")
}

// drawEmbed says whether the page, inside another one, has a knob beside any of its lines; else it is bare: the world,
// the return, and the page around turns the run.
func (c *desk) drawEmbed() {
	if !c.model.Runs[0].Link.Embed() {
		return
	}
	state := "bare"
	for _, one := range c.controls {
		if one.inRow && !one.root.Get("hidden").Bool() {
			state = "1"
		}
	}
	c.embed.mark(state)
}
