//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
)

// hover shows the figures under the pointer, and holds nothing.
func (c *desk) hover(event js.Value) {
	b := &c.bench
	plot := event.Get("target").Call("closest", ".plot")
	lane := ""
	if plot.Truthy() && event.Get("pointerType").String() != "touch" {
		lane = data(plot.Get("parentElement"), "lane")
	}
	hide(b.under.element, lane == "")
	if lane == "" {
		return
	}
	bench := part(c.body, "bench")
	x, _ := pointer(plot, event)
	left, top := pointer(bench, event)
	width, _ := size(plot)
	b.under.write(c.run.Under(lane, c.run.Axis().Step(x/max(width, 1))))
	style := b.under.element.Get("style")
	style.Set("left", strconv.Itoa(int(left))+"px")
	style.Set("top", strconv.Itoa(int(top+bench.Get("scrollTop").Float()))+"px")
	b.under.element.Get("classList").Call("toggle", "before", x > width/2)
}

// bindZoom lets a person drag along the axis of steps to show a part of it.
func (c *desk) bindZoom() {
	c.bench.under = text(part(c.body, "under"))
	axis, mark := part(c.body, "brush"), part(c.body, "brushed")
	from, to := 0.0, 0.0
	share := func(event js.Value) float64 {
		x, _ := pointer(axis, event)
		width, _ := size(axis)
		return min(1, max(0, x/max(width, 1)))
	}
	percent := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 2, 64) + "%" }
	drag(axis, func(event js.Value) bool {
		from = share(event)
		to = from
		return true
	}, func(event js.Value) {
		to = share(event)
		style := mark.Get("style")
		style.Set("left", percent(min(from, to)))
		style.Set("width", percent(max(from, to)-min(from, to)))
		hide(mark, false)
	}, ignore, func() {
		hide(mark, true)
		c.run.Zoom(from, to)
		c.scheduleDraw()
	})
	c.shows.hidden(find(c.body, `[data-verb="whole"]`), func() bool { return c.run.Cursor.View.To == 0 })
	c.shows.attribute(find(c.body, `[data-verb="log"]`), "aria-pressed", func() string {
		return strconv.FormatBool(c.run.Cursor.View.Log)
	})
}

// watch gives the worlds most of the page, or takes it back.
func (c *desk) watch() {
	watching := !c.watching()
	c.body.Call("toggleAttribute", "data-watch", watching)
	find(c.body, `[data-verb="watch"]`).Call("setAttribute", "aria-pressed", strconv.FormatBool(watching))
	words := "Watch"
	if watching {
		words = "Back to the bench"
	}
	part(c.body, "watches").Set("textContent", words)
	c.model.Announce(words)
	c.scheduleDraw()
}

func (c *desk) watching() bool { return c.body.Call("hasAttribute", "data-watch").Bool() }
