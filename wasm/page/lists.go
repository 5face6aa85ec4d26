//go:build js && wasm

package page

import "syscall/js"

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
