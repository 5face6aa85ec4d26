//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/web/number"
)

// listRuns asks the server for the runs of this browser's key, and offers them to be opened here.
func (c *column) listRuns() {
	dialog := find(c.document, "#runs")
	if !dialog.Truthy() {
		return
	}
	said, list := text(find(dialog, `[data-part="runs-said"]`)), find(dialog, `[data-part="runs"]`)
	list.Set("textContent", "")
	said.write("Asking the server.")
	openDialog(dialog)
	failed := func(js.Value) { said.write("The server did not tell; try again in a moment.") }
	options := map[string]any{"headers": map[string]any{"Authorization": "Bearer " + c.run.Key}}
	then(c.window.Call("fetch", c.base()+"api/v1/runs", options), func(answer js.Value) {
		if !answer.Get("ok").Bool() {
			failed(answer)
			return
		}
		then(answer.Call("json"), func(body js.Value) {
			runs := body.Get("runs")
			for i := range runs.Length() {
				list.Call("append", c.offer(runs.Index(i), dialog))
			}
			said.write("Those that this browser began, the newest first. They go on when they are opened.")
			if runs.Length() == 0 {
				said.write("This browser has begun none that the server still has.")
			}
		}, failed)
	}, failed)
}

// offer is one run's line.
func (c *column) offer(one, dialog js.Value) js.Value {
	item, button := c.document.Call("createElement", "li"), c.document.Call("createElement", "button")
	id, preset, seed := one.Get("id").String(), one.Get("preset").String(), one.Get("settings").Get("seed").String()
	title := preset
	for i := range hyper.Presets {
		if hyper.Presets[i].Name == preset {
			title = hyper.Presets[i].Title
		}
	}
	words := title + ", seed " + seed + ": " + number.Count(uint64(one.Get("steps").Float())) + " steps"
	if mean := one.Get("return_mean_100"); mean.Type() == js.TypeNumber {
		words += ", return " + number.Score(mean.Float())
	}
	words += ", " + one.Get("state").String()
	if id == c.run.ID {
		words += " (here)"
		button.Set("disabled", true)
	}
	button.Set("type", "button")
	button.Set("textContent", words)
	on(button, "click", func(js.Value) {
		dialog.Call("close")
		c.send(c.run.Visit(id, preset, seed), nil)
	})
	item.Call("append", button)
	return item
}

// then waits for a promise.
func then(promise js.Value, done, failed func(js.Value)) {
	var yes, no js.Func
	settle := func(f func(js.Value)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			yes.Release()
			no.Release()
			f(args[0])
			return nil
		})
	}
	yes, no = settle(done), settle(failed)
	promise.Call("then", yes, no)
}
