//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/run"
)

// finder is the panel of all other settings and its search field.
type finder struct {
	panel, field js.Value
	found        slot
}

func (c *desk) bindFind() {
	f := &c.find
	f.panel = find(c.root, "#more")
	f.field, f.found = find(c.root, `[data-part="find"]`), text(find(c.root, `[data-part="found"]`))
	on(f.field, "input", func(js.Value) { c.search(f.field.Get("value").String()) })
}

// search leaves the settings that fit in sight, with their groups unfolded.
func (c *desk) search(query string) {
	fits := 0
	for _, one := range c.controls {
		if c.find.panel.Call("contains", one.root).Bool() {
			one.passed = !run.Fits(one.Row, query)
			if !one.passed && c.run.Has(one.Row) {
				fits++
			}
		}
	}
	for _, g := range c.groups {
		g.element.Set("open", query != "")
	}
	switch {
	case query == "":
		c.find.found.write("")
	case fits == 0:
		c.find.found.write("No setting is called that.")
	default:
		c.find.found.write(strconv.Itoa(fits) + " found")
	}
	c.scheduleDraw()
}

func (f *finder) open() bool {
	return f.panel.Truthy() && f.panel.Call("matches", ":popover-open").Bool()
}

func (f *finder) close() {
	if f.open() {
		f.panel.Call("hidePopover")
	}
}
