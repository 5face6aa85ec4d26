//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/browser"
	"impalab/wasm/run"
)

// sweepField returns an element of the dialog that starts a sweep. The sweep has a page of its own.
func (c *desk) sweepField(name string) js.Value { return part(c.document, "sweep-"+name) }

// sweepAxes name the two settings of a sweep in the dialog's fields.
var sweepAxes = [...]string{"1", "2"}

func (c *desk) bindSweep() {
	for _, n := range sweepAxes {
		changes(c.sweepField("key-"+n), func(string) { c.propose(n) })
	}
	browser.On(find(c.document, "#sweep form"), "submit", func(event js.Value) {
		if event.Get("submitter").Truthy() && value(event.Get("submitter")) == "close" {
			return
		}
		event.Call("preventDefault")
		c.submitSweep()
	})
}

// openSweep opens the dialog with the plan of the selected run.
func (c *desk) openSweep() {
	plan := c.run.Plan()
	c.sweepField("seeds").Set("value", plan.Seeds)
	c.sweepField("steps").Set("value", plan.Steps)
	hide(c.sweepField("error"), true)
	for _, n := range sweepAxes {
		c.propose(n)
	}
	c.openDialog("sweep")
	c.sweepField("key-1").Call("focus")
}

func (c *desk) propose(axis string) {
	row, err := hyper.Lookup(value(c.sweepField("key-" + axis)))
	values := c.sweepField("values-" + axis)
	values.Set("disabled", err != nil)
	proposed := ""
	if err == nil {
		proposed = run.Proposed(row)
	}
	values.Set("value", proposed)
}

func (c *desk) submitSweep() {
	plan := c.run.Plan()
	body := plan.Body()
	body["seeds"], body["steps"] = value(c.sweepField("seeds")), value(c.sweepField("steps"))
	refusal := text(c.sweepField("error"))
	var keys []any
	for _, n := range sweepAxes {
		key := value(c.sweepField("key-" + n))
		if key == "" {
			continue
		}
		var values []any
		for v := range strings.SplitSeq(value(c.sweepField("values-"+n)), ",") {
			if _, err := hyper.ParseChange(key, v); err != nil {
				refusal.say(err.Error())
				return
			}
			values = append(values, strings.TrimSpace(v))
		}
		keys = append(keys, map[string]any{"key": key, "values": values})
	}
	body["keys"] = keys
	c.beginSweep(body, func(id string) { c.visit(c.base() + "s/" + id) }, refusal.say)
}

// beginSweep asks the server for a sweep. Begun hears its id, failed the reason why there is none.
func (c *desk) beginSweep(body map[string]any, begun, failed func(string)) {
	c.fetch(c.base()+"api/v1/sweeps", post(c.run.Key, body), func(sweep js.Value) { begun(sweep.Get("id").String()) },
		func(why string) { failed(run.Sentence(why)) })
}
