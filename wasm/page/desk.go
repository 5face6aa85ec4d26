//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"impalab/wasm/model"
	"impalab/wasm/run"
)

// desk is the page around the stage: controls, texts and charts. It shows and steers the run in hand, and another one
// when another column is taken in hand.
type desk struct {
	*column // in hand
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
	optionBoxes         []optionsBox
	options             []*worldOption
}

type textSlot struct {
	slot
	read func() string
}

type chart struct {
	*run.Chart
	element       js.Value
	lane          bool // it is a row's
	revision      any
	width, height float64 // of its box; 0: folded away
	drawn         bool    // in that box
}

// newDesk binds all there is inside root, to show a column.
func newDesk(root js.Value, of *column) *desk {
	c := &desk{column: of, root: root}
	c.linkState, c.runState = attribute(root, "data-link"), attribute(root, "data-state")
	c.gauge, c.tasks = find(root, `[data-panel="gauge"]`), find(root, `[data-panel="tasks"]`)
	c.pace = model.Pace{Every: 50 * time.Millisecond, After: c.after, Send: c.set}
	for i := range run.Texts {
		c.bindText(run.Texts[i].Name, func() string { return run.Texts[i].Read(c.run) })
	}
	for i := range model.Texts {
		c.bindText(model.Texts[i].Name, func() string { return model.Texts[i].Read(c.model, c.run) })
	}
	for i := range run.Charts {
		one := &run.Charts[i]
		if element := find(root, `[data-chart="`+one.Name+`"]`); element.Truthy() {
			inLane := element.Call("closest", ".lane").Truthy()
			c.charts = append(c.charts, &chart{Chart: one, element: element, lane: inLane})
		}
	}
	c.measure()
	c.bindControls()
	c.bindButtons()
	c.bindOptions()
	c.bindWatch()
	c.bindBench()
	c.bindGrips()
	c.bindSeeds()
	c.bindFind()
	c.bindCarry()
	return c
}

func (c *desk) bindText(name string, read func() string) {
	for _, element := range findAll(c.root, `[data-text="`+name+`"]`) {
		c.texts = append(c.texts, textSlot{text(element), read})
	}
}

// take shows another column.
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
		one.revision = nil
	}
	c.lock()
	c.drawLine()
}

// drawLine says whether the line to the server stands.
func (c *desk) drawLine() {
	if c != nil { // not bound yet
		c.linkState.mark(c.line.String())
	}
}

// words are what the page calls a choice's value: the text of its option.
func (c *desk) words(key, value string) string {
	for _, one := range c.controls {
		if one.Row.Key == key {
			if words, ok := one.options[value]; ok {
				return words
			}
			if words, ok := one.options[run.PlainWorld(value)]; ok && key == "world" {
				return run.WorldWords(words, value)
			}
		}
	}
	return value
}
