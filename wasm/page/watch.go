//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/run"
)

// watching is the part of the page beside the world: where it is played, and what is shown of its map.
type watching struct {
	place   js.Value // the choice between server and here
	note    slot
	noteBox js.Value

	maps, arrows, values js.Value // what is shown of the map
	reach                slot
}

func (c *desk) bindWatch() {
	w := &c.watching
	w.place = find(c.root, `[data-part="watch"]`)
	w.noteBox = find(c.root, `[data-part="watch-note"]`)
	w.note = text(w.noteBox)
	on(w.place, "change", func(js.Value) {
		place := run.Server
		if w.place.Get("value").String() == run.Here.String() {
			place = run.Here
		}
		c.run.Watch(place)
		c.sendWant()
		c.scheduleDraw()
	})
	w.maps = find(c.root, `[data-part="maps"]`)
	w.arrows, w.values = find(c.root, `[data-part="arrows"]`), find(c.root, `[data-part="values"]`)
	w.reach = text(find(c.root, `[data-part="map-range"]`))
	for _, box := range [...]js.Value{w.arrows, w.values} {
		on(box, "change", func(js.Value) {
			c.run.Map(w.arrows.Get("checked").Bool(), w.values.Get("checked").Bool())
			c.sendWant()
			c.drawMap()
			c.scheduleDraw()
		})
	}
}

func (c *desk) drawWatch() {
	w := &c.watching
	unfit := c.run.Unfit()
	put(w.place, c.run.Watching().String())
	if w.place.Truthy() {
		w.place.Set("disabled", unfit != "")
	}
	hide(w.maps, !c.run.Mappable())
	w.reach.write(c.run.MapRange())
	w.note.write(unfit)
	hide(w.noteBox, unfit == "")
}
