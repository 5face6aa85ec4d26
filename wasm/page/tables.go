//go:build js && wasm

package page

import "syscall/js"

// A chart as a table, for those who do not see it or want its numbers: of the run in hand, as it was when it was asked
// for.

// showTable opens the dialog with a chart's table; "" shows the chart that was chosen last.
func (c *desk) showTable(name string) {
	dialog := find(c.document, "#tables")
	if !dialog.Truthy() {
		return
	}
	choice := find(dialog, `[data-part="tables-chart"]`)
	if !dialog.Get("dataset").Get("bound").Truthy() {
		dialog.Get("dataset").Set("bound", "1")
		on(choice, "change", func(js.Value) { c.fillTable(dialog, choice.Get("value").String()) })
	}
	if name == "" {
		name = choice.Get("value").String()
	}
	choice.Set("textContent", "")
	chosen := "return"
	for _, one := range c.run.Tables() {
		option := c.document.Call("createElement", "option")
		option.Set("value", one.Name)
		option.Set("textContent", one.Title)
		choice.Call("append", option)
		if one.Name == name {
			chosen = name
		}
	}
	choice.Set("value", chosen)
	c.fillTable(dialog, chosen)
	openDialog(dialog)
}

func (c *desk) fillTable(dialog js.Value, name string) {
	t := c.run.Table(name)
	find(dialog, "caption").Set("textContent", t.Caption)
	head, body := find(dialog, "thead"), find(dialog, "tbody")
	head.Set("textContent", "")
	body.Set("textContent", "")
	head.Call("append", c.tableRow(t.Head, "th", "col"))
	for _, row := range t.Rows {
		body.Call("append", c.tableRow(row, "td", ""))
	}
	said := text(find(dialog, `[data-part="tables-said"]`))
	if len(t.Rows) == 0 {
		said.write("Nothing to show yet.")
	} else {
		said.write("")
	}
}

// tableRow is a row of a table; scope is of headings.
func (c *desk) tableRow(texts []string, tag, scope string) js.Value {
	row := c.document.Call("createElement", "tr")
	for _, words := range texts {
		cell := c.document.Call("createElement", tag)
		if scope != "" {
			cell.Set("scope", scope)
		}
		cell.Set("textContent", words)
		row.Call("append", cell)
	}
	return row
}
