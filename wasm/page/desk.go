//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"impalab/wasm/model"
	"impalab/wasm/run"
)

// desk is the page around the stage: controls, texts and charts. It shows and steers the selected run.
type desk struct {
	*column // the selected one
	root    js.Value
	pace    model.Pace

	controls []*control
	groups   []group
	preset   js.Value
	texts    []textSlot
	charts   []*chart

	linkState, runState slot
	embed               slot
	gauge, tasks        js.Value
	bench               bench
	seeds               seedBox
	find                finder
	watching            watching
	carry               carrying
	options             []*worldOption
}

type textSlot struct {
	slot
	read func() string
}

// newDesk binds the elements inside root, to show a column.
func newDesk(root js.Value, of *column) *desk {
	c := &desk{column: of, root: root}
	c.linkState, c.runState = attribute(root, "data-link"), attribute(root, "data-state")
	c.gauge, c.tasks = find(root, `[data-panel="gauge"]`), find(root, `[data-panel="tasks"]`)
	c.pace = model.Pace{Every: 50 * time.Millisecond, After: c.after, Send: c.model.Set}
	for i := range run.Texts {
		c.bindText(run.Texts[i].Name, func() string { return run.Texts[i].Read(c.run) })
	}
	for i := range model.Texts {
		c.bindText(model.Texts[i].Name, func() string { return model.Texts[i].Read(c.model, c.run) })
	}
	for i := range run.Charts {
		one := &run.Charts[i]
		if element := find(root, `[data-chart="`+one.Name+`"]`); element.Truthy() {
			chart := &chart{element: element, inLane: element.Call("closest", ".lane").Truthy(),
				show:     func(w, h float64) string { return one.Draw(c.run, w, h) },
				revision: func() any { return one.Revision(c.run) }}
			c.charts = append(c.charts, chart)
		}
	}
	c.observe(c.charts)
	c.bindControls()
	c.bindButtons()
	c.bindOptions()
	c.bindWatch()
	c.bindBench()
	c.bindGrips()
	c.bindSeeds()
	c.bindFind()
	c.bindCarry()
	c.bindTables()
	c.bindSweep()
	return c
}

func (c *desk) bindText(name string, read func() string) {
	for _, element := range findAll(c.root, `[data-text="`+name+`"]`) {
		c.texts = append(c.texts, textSlot{text(element), read})
	}
}

func (c *desk) take(next *column) {
	if c.column == next {
		return
	}
	c.column = next
	for _, one := range c.controls {
		one.Control, one.dragged, one.editing = c.run.Control(one.Row.Key), false, false
	}
	for _, o := range c.options {
		o.editing, o.error = false, ""
	}
	for _, one := range c.charts {
		one.shown = nil
	}
	c.lock()
	c.drawLine()
}

// drawLine shows whether the connection to the server stands.
func (c *desk) drawLine() {
	if c != nil { // not bound yet
		c.linkState.write(c.line.String())
	}
}

// words returns the page's name of a choice's value: the text of its option.
func (p *Page) words(key, value string) string {
	if p.desk == nil {
		return value
	}
	for _, one := range p.desk.controls {
		if one.Row.Key == key {
			if words, ok := one.choices[value]; ok {
				return words
			}
			if words, ok := one.choices[run.PlainWorld(value)]; ok && key == "world" {
				return run.WorldWords(words, value)
			}
		}
	}
	return value
}

func (c *desk) draw() {
	m := c.run
	if m.Ready {
		c.runState.write(m.StateName())
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
		if one.inLane == lanes {
			one.draw()
		}
	}
}

// applyView follows the view keys of the link.
func (p *Page) applyView() {
	p.desk.lock()
	if p.model.Runs[0].Link.Embed() {
		p.body.Get("dataset").Set("embed", "1")
	} else {
		p.body.Call("removeAttribute", "data-embed")
	}
	p.desk.embed = attribute(p.body, "data-embed")
}

// drawEmbed marks a page inside another one: "1" if a lane has a knob, else "bare". A bare page shows the world and the
// return, and the page around it controls the run.
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
	c.embed.write(state)
}
