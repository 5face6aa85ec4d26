//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
)

// A sweep is begun here, from the run in hand, and seen on a page of its own.

// openSweep offers what a sweep of the run in hand may go over.
func (c *desk) openSweep() {
	dialog := find(c.document, "#sweep")
	if !dialog.Truthy() || dialog.Get("open").Bool() {
		return
	}
	plan := c.run.Plan()
	part := func(name string) js.Value { return find(dialog, `[data-part="sweep-`+name+`"]`) }
	part("seeds").Set("value", plan.Seeds)
	part("steps").Set("value", plan.Steps)
	part("error").Set("hidden", true)
	if !dialog.Get("dataset").Get("bound").Truthy() {
		dialog.Get("dataset").Set("bound", "1")
		for _, n := range []string{"1", "2"} {
			on(part("key-"+n), "change", func(js.Value) { propose(part("key-"+n), part("values-"+n)) })
		}
		on(find(dialog, "form"), "submit", func(event js.Value) {
			if event.Get("submitter").Truthy() && event.Get("submitter").Get("value").String() == "close" {
				return
			}
			event.Call("preventDefault")
			c.submitSweep(part)
		})
	}
	for _, n := range []string{"1", "2"} {
		propose(part("key-"+n), part("values-"+n))
	}
	openDialog(dialog)
	part("key-1").Call("focus")
}

// propose fills in the values of the setting that was chosen.
func propose(key, values js.Value) {
	row, err := hyper.Lookup(key.Get("value").String())
	values.Set("disabled", err != nil)
	if err != nil { // none was
		values.Set("value", "")
		return
	}
	values.Set("value", run.Proposed(row))
}

func (c *desk) submitSweep(part func(string) js.Value) {
	plan := c.run.Plan()
	body := c.sweepBody(plan)
	body["seeds"], body["steps"] = part("seeds").Get("value").String(), part("steps").Get("value").String()
	failed := func(sentence string) {
		part("error").Set("textContent", sentence)
		part("error").Set("hidden", false)
	}
	var keys []any
	for _, n := range []string{"1", "2"} {
		key := part("key-" + n).Get("value").String()
		if key == "" {
			continue
		}
		var values []any
		for _, v := range strings.Split(part("values-"+n).Get("value").String(), ",") {
			if _, err := hyper.ParseChange(key, v); err != nil {
				failed(err.Error())
				return
			}
			values = append(values, strings.TrimSpace(v))
		}
		keys = append(keys, map[string]any{"key": key, "values": values})
	}
	body["keys"] = keys
	c.beginSweep(body, c.visitSweep, failed)
}

// sweepBody is what the server is asked for.
func (c *desk) sweepBody(plan run.Plan) map[string]any {
	settings := map[string]any{}
	for _, s := range plan.Settings {
		settings[s.Key] = s.Value
	}
	return map[string]any{"preset": plan.Preset, "settings": settings, "turns": plan.Turns, "seeds": plan.Seeds,
		"steps": plan.Steps}
}

// beginSweep asks for a sweep; begun is told its id, failed in the server's words why there is none.
func (c *desk) beginSweep(body map[string]any, begun, failed func(string)) {
	options := map[string]any{"method": "POST", "body": js.Global().Get("JSON").Call("stringify", js.ValueOf(body))}
	if c.run.Key != "" {
		options["headers"] = map[string]any{"Authorization": "Bearer " + c.run.Key}
	}
	lost := func(js.Value) { failed("The server did not answer; try again in a moment.") }
	then(c.window.Call("fetch", c.base()+"api/v1/sweeps", options), func(answer js.Value) {
		then(answer.Call("json"), func(said js.Value) {
			if !answer.Get("ok").Bool() {
				failed(said.Get("error").Get("message").String())
				return
			}
			begun(said.Get("id").String())
		}, lost)
	}, lost)
}

// visitSweep goes to the page of a sweep.
func (c *desk) visitSweep(id string) { c.window.Get("location").Set("href", c.base()+"s/"+id) }
