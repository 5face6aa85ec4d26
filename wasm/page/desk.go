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
	pace    model.Pace
	acts    map[model.Act]func()

	controls []*control
	options  []*worldOption
	charts   []*chart
	bench    bench
	ruler    ruler
	fold     folding
	queues   []*queue
	sized    int // requests for the size of a sweep
	find     finder
	carry    carrying
	apart    apart
}

// bindDesk binds the elements of the Lab, to show a column.
func bindDesk(of *column) *desk {
	c := &desk{column: of}
	c.pace = model.Pace{Every: 50 * time.Millisecond, After: c.after, Send: c.adjust}
	c.shows.attribute(c.body, "data-link", func() string { return c.line.String() })
	c.shows.attribute(c.body, "data-state", func() string {
		if !c.run.Ready {
			return "running" // it is about to
		}
		return c.run.StateName()
	})
	c.shows.attribute(c.body, "data-policy", func() string {
		if c.run.Still() {
			return "still"
		}
		return "learns"
	})
	for i := range run.Texts {
		c.bindText(run.Texts[i].Name, func() string { return run.Texts[i].Read(c.run) })
	}
	for i := range model.Texts {
		c.bindText(model.Texts[i].Name, func() string { return model.Texts[i].Read(c.model, c.run) })
	}
	c.bindCharts()
	c.bindControls()
	c.followRho(c.charts[len(c.charts)-1])
	c.bindEmbed()
	c.bindActs()
	c.bindOptions()
	c.bindWatch()
	c.bindBelts()
	c.bindBench()
	c.bindToolbar()
	c.bindGrips()
	c.bindSeeds()
	c.bindFind()
	c.bindApart()
	c.bindCarry()
	c.bindTables()
	c.bindSweep()
	return c
}

func (c *desk) bindText(name string, read func() string) {
	for _, element := range findAll(c.body, `[data-text="`+name+`"]`) {
		c.shows.text(element, read)
	}
}

func (c *desk) bindCharts() {
	for i := range run.Charts {
		one := &run.Charts[i]
		element := find(c.body, `[data-chart="`+one.Name+`"]`)
		c.charts = append(c.charts, &chart{name: one.Name, element: element,
			inLane:   element.Call("closest", ".lane").Truthy(),
			show:     func(w, h float64) string { return one.Draw(c.run, w, h) },
			revision: func() any { return one.Revision(c.run) }})
	}
	c.charts = append(c.charts, c.bindRuler())
	c.observe(c.charts)
	c.shows.hidden(find(c.body, `[data-panel="gauge"]`), func() bool { return c.run.Gauge == nil })
	c.shows.hidden(find(c.body, `[data-panel="tasks"]`), func() bool { return !c.run.Suite() })
	c.shows.hidden(find(c.body, `[data-panel="cells"]`), func() bool { return !c.run.HasCells() })
}

func (c *desk) show(next *column) {
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
}

// drawCharts draws the lanes, or the other charts.
func (c *desk) drawCharts(lanes bool) {
	for _, one := range c.charts {
		if one.inLane == lanes {
			one.draw()
		}
	}
	if !lanes {
		c.drawBelts()
	}
}

// bindEmbed marks a page inside another one, if the link asks for that: "1" if a lane has a knob, else "bare". A bare
// page shows the world and the return, and the page around it controls the run.
func (c *desk) bindEmbed() {
	var knobs []js.Value
	for _, one := range c.controls {
		if one.root.Call("closest", ".row").Truthy() {
			knobs = append(knobs, one.root)
		}
	}
	mark := attribute(c.body, "data-embed")
	c.shows.add(func() {
		if !c.model.Runs[0].Link.Embed() {
			if mark.written {
				c.body.Call("removeAttribute", "data-embed")
				mark.written = false
			}
			return
		}
		state := "bare"
		for _, root := range knobs {
			if !root.Get("hidden").Bool() {
				state = "1"
			}
		}
		mark.write(state)
	})
}
