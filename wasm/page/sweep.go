//go:build js && wasm

package page

import (
	"math"
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
		changes(c.sweepField("key-"+n), func(string) { c.propose(n); c.sizeSweep() })
	}
	browser.On(find(c.document, "#sweep form"), "input", func(js.Value) { c.sizeSweep() })
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
	c.sizeSweep()
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

// sweepBody returns the body of the request for the sweep of the dialog.
func (c *desk) sweepBody() (map[string]any, error) {
	plan := c.run.Plan()
	body := plan.Body()
	body["seeds"], body["steps"] = value(c.sweepField("seeds")), value(c.sweepField("steps"))
	var keys []any
	for _, n := range sweepAxes {
		key := value(c.sweepField("key-" + n))
		if key == "" {
			continue
		}
		var values []any
		for v := range strings.SplitSeq(value(c.sweepField("values-"+n)), ",") {
			if _, err := hyper.ParseChange(key, v); err != nil {
				return nil, err
			}
			values = append(values, strings.TrimSpace(v))
		}
		keys = append(keys, map[string]any{"key": key, "values": values})
	}
	body["keys"] = keys
	return body, nil
}

func (c *desk) submitSweep() {
	refusal := text(c.sweepField("error"))
	body, err := c.sweepBody()
	if err != nil {
		refusal.say(err.Error())
		return
	}
	c.beginSweep(body, func(id string) { c.visit(c.base() + "s/" + id) }, refusal.say)
}

// sizeSweep says how large the sweep of the dialog is, or why it could not begin. Only the newest answer counts.
func (c *desk) sizeSweep() {
	c.sized++
	asked := c.sized
	say := func(runs, rest, time, refusal string) {
		if asked != c.sized {
			return
		}
		for name, says := range map[string]string{"runs": runs, "size": rest, "time": time} {
			c.sweepField(name).Set("textContent", says)
		}
		words := text(c.sweepField("error"))
		words.say(refusal)
	}
	body, err := c.sweepBody()
	if err != nil {
		say("", "", "", err.Error())
		return
	}
	c.fetch(c.base()+"api/v1/estimates", post("", body), func(e js.Value) {
		size := run.Size{Runs: e.Get("runs").Int(), Cells: e.Get("cells").Int(), Steps: uint64(e.Get("steps").Float()),
			Seconds: math.NaN()}
		if s := e.Get("seconds"); s.Type() == js.TypeNumber {
			size.Seconds = s.Float()
		}
		runs, rest, time := size.Words()
		say(runs, rest, time, "")
	}, func(why string) { say("", "", "", run.Sentence(why)) })
}

// beginSweep asks the server for a sweep. Begun hears its id, failed the reason why there is none.
func (c *desk) beginSweep(body map[string]any, begun, failed func(string)) {
	c.fetch(c.base()+"api/v1/sweeps", post(c.run.Key, body), func(sweep js.Value) { begun(sweep.Get("id").String()) },
		func(why string) { failed(run.Sentence(why)) })
}
