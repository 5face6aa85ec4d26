//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/number"
)

// listRuns opens the dialog with the runs of this browser's key, which can be opened here.
func (c *column) listRuns() {
	dialog := find(c.document, "#runs")
	said, list := text(part(dialog, "runs-said")), part(dialog, "runs")
	list.Set("textContent", "")
	said.write("Asking the server.")
	openDialog(dialog)
	c.fetch(c.base()+"api/v1/runs", asOwner(c.run.Key), func(body js.Value) {
		runs := body.Get("runs")
		for i := range runs.Length() {
			list.Call("append", c.offerRun(runs.Index(i), dialog))
		}
		said.write("The runs that this browser began, newest first. Opening one continues it.")
		if runs.Length() == 0 {
			said.write("The server has no runs of this browser.")
		}
	}, func(why string) { said.write(run.Sentence(why)) })
}

func (c *column) offerRun(one, dialog js.Value) js.Value {
	id, preset, seed := one.Get("id").String(), one.Get("preset").String(), one.Get("settings").Get("seed").String()
	words := preset
	for i := range hyper.Presets {
		if hyper.Presets[i].Name == preset {
			words = hyper.Presets[i].Title
		}
	}
	words += ", seed " + seed + ": " + number.Count(uint64(one.Get("steps").Float())) + " steps"
	if mean := one.Get("return_mean_100"); mean.Type() == js.TypeNumber {
		words += ", return " + number.Score(mean.Float())
	}
	words += ", " + one.Get("state").String()
	if id == c.run.ID {
		words += " (here)"
	}
	item, button := c.element("li", ""), c.element("button", words)
	button.Set("type", "button")
	button.Set("disabled", id == c.run.ID)
	on(button, "click", func(js.Value) {
		dialog.Call("close")
		c.model.Send(c.run, c.run.Visit(id, preset, seed), nil)
	})
	item.Call("append", button)
	return item
}
