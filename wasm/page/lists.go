//go:build js && wasm

package page

import (
	"cmp"
	"syscall/js"

	"impalab/wasm/run"
	"impalab/web/number"
)

// listRuns opens the dialog with the runs of this browser's key, which can be opened here.
func (c *desk) listRuns() {
	dialog := c.openDialog("runs")
	said, list := text(part(dialog, "runs-said")), part(dialog, "runs")
	list.Set("textContent", "")
	said.write("Asking the server.")
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

func (c *desk) offerRun(one, dialog js.Value) js.Value {
	id, preset, seed := one.Get("id").String(), one.Get("preset").String(), one.Get("settings").Get("seed").String()
	words := cmp.Or(run.PresetOf(preset).Title, preset)
	words += ", seed " + seed + ": " + number.Count(uint64(one.Get("steps").Float())) + " steps"
	if mean := one.Get("return_mean_100"); mean.Type() == js.TypeNumber {
		words += ", return " + number.Score(mean.Float())
	}
	words += ", " + one.Get("state").String()
	if id == c.run.ID {
		words += " (here)"
	}
	button := c.element("button", words)
	button.Set("type", "button")
	button.Set("disabled", id == c.run.ID)
	clicks(button, func() {
		dialog.Call("close")
		c.model.Send(c.run, c.run.Visit(id, preset, seed), nil)
	})
	return c.element("li", button)
}

func (c *desk) bindTables() { changes(part(c.document, "tables-chart"), c.fillTable) }

// showTable opens the dialog with a chart of the selected run as a table: the chart that was chosen last.
func (c *desk) showTable() {
	choice := part(c.document, "tables-chart")
	last, chosen := value(choice), "return"
	choice.Set("textContent", "")
	for _, one := range c.run.Tables() {
		option := c.element("option", one.Title)
		option.Set("value", one.Name)
		choice.Call("append", option)
		if one.Name == last {
			chosen = last
		}
	}
	choice.Set("value", chosen)
	c.fillTable(chosen)
	c.openDialog("tables")
}

func (c *desk) fillTable(name string) {
	t, dialog := c.run.Table(name), find(c.document, "#tables")
	find(dialog, "caption").Set("textContent", t.Caption)
	find(dialog, "thead").Call("replaceChildren", c.tableRow(t.Head, "th"))
	body := find(dialog, "tbody")
	body.Set("textContent", "")
	for _, row := range t.Rows {
		body.Call("append", c.tableRow(row, "td"))
	}
	said := ""
	if len(t.Rows) == 0 {
		said = "Nothing to show yet."
	}
	part(dialog, "tables-said").Set("textContent", said)
}

func (c *desk) tableRow(texts []string, tag string) js.Value {
	row := c.element("tr")
	for _, words := range texts {
		cell := c.element(tag, words)
		if tag == "th" {
			cell.Set("scope", "col")
		}
		row.Call("append", cell)
	}
	return row
}
