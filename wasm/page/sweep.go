//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
)

// openSweep opens the dialog that starts a sweep from the selected run. The sweep has a page of its own.
func (c *desk) openSweep() {
	dialog := find(c.document, "#sweep")
	if !dialog.Truthy() || dialog.Get("open").Bool() {
		return
	}
	plan := c.run.Plan()
	field := func(name string) js.Value { return part(dialog, "sweep-"+name) }
	field("seeds").Set("value", plan.Seeds)
	field("steps").Set("value", plan.Steps)
	hide(field("error"), true)
	first := !dialog.Get("dataset").Get("bound").Truthy()
	for _, n := range sweepAxes {
		propose(field("key-"+n), field("values-"+n))
		if first {
			on(field("key-"+n), "change", func(js.Value) { propose(field("key-"+n), field("values-"+n)) })
		}
	}
	if first {
		dialog.Get("dataset").Set("bound", "1")
		on(find(dialog, "form"), "submit", func(event js.Value) {
			if event.Get("submitter").Truthy() && value(event.Get("submitter")) == "close" {
				return
			}
			event.Call("preventDefault")
			c.submitSweep(field)
		})
	}
	openDialog(dialog)
	field("key-1").Call("focus")
}

// sweepAxes name the two settings of a sweep in the dialog's fields.
var sweepAxes = [...]string{"1", "2"}

// propose fills in values of the chosen setting.
func propose(key, values js.Value) {
	row, err := hyper.Lookup(value(key))
	values.Set("disabled", err != nil)
	proposed := ""
	if err == nil {
		proposed = run.Proposed(row)
	}
	values.Set("value", proposed)
}

func (c *desk) submitSweep(field func(string) js.Value) {
	body := sweepBody(c.run.Plan())
	body["seeds"], body["steps"] = value(field("seeds")), value(field("steps"))
	failed := func(why string) {
		field("error").Set("textContent", why)
		hide(field("error"), false)
	}
	var keys []any
	for _, n := range sweepAxes {
		key := value(field("key-" + n))
		if key == "" {
			continue
		}
		var values []any
		for _, v := range strings.Split(value(field("values-"+n)), ",") {
			if _, err := hyper.ParseChange(key, v); err != nil {
				failed(err.Error())
				return
			}
			values = append(values, strings.TrimSpace(v))
		}
		keys = append(keys, map[string]any{"key": key, "values": values})
	}
	body["keys"] = keys
	c.beginSweep(body, func(id string) { c.visit(c.base() + "s/" + id) }, failed)
}

// sweepBody returns a plan as the API takes it.
func sweepBody(plan run.Plan) map[string]any {
	settings := map[string]any{}
	for _, s := range plan.Settings {
		settings[s.Key] = s.Value
	}
	return map[string]any{"preset": plan.Preset, "settings": settings, "turns": plan.Turns, "seeds": plan.Seeds,
		"steps": plan.Steps}
}

// beginSweep asks the server for a sweep. Begun hears its id, failed the reason why there is none.
func (c *desk) beginSweep(body map[string]any, begun, failed func(string)) {
	c.fetch(c.base()+"api/v1/sweeps", post(c.run.Key, body), func(sweep js.Value) { begun(sweep.Get("id").String()) },
		func(why string) { failed(run.Sentence(why)) })
}
