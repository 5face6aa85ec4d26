//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/run"
)

// watching is the part of the page about the watched world: where it is played, and which map it shows.
type watching struct {
	place                js.Value // the choice between server and here
	note                 slot
	noteBox              js.Value
	maps, arrows, values js.Value
	reach                slot
}

func (c *desk) bindWatch() {
	w := &c.watching
	w.place, w.noteBox, w.maps = part(c.root, "watch"), part(c.root, "watch-note"), part(c.root, "maps")
	w.note, w.reach = text(w.noteBox), text(part(c.root, "map-range"))
	on(w.place, "change", func(js.Value) {
		c.run.Choice = run.Server
		if value(w.place) == run.Here.String() {
			c.run.Choice = run.Here
		}
		c.run.SendWant()
		c.scheduleDraw()
	})
	w.arrows, w.values = part(c.root, "arrows"), part(c.root, "values")
	for _, box := range [...]js.Value{w.arrows, w.values} {
		on(box, "change", func(js.Value) {
			c.run.Map(w.arrows.Get("checked").Bool(), w.values.Get("checked").Bool())
			c.run.SendWant()
			c.drawMap()
			c.scheduleDraw()
		})
	}
}

func (c *desk) drawWatch() {
	w := &c.watching
	unfit := c.run.Unfit()
	put(w.place, c.run.Watching().String())
	set(w.place, "disabled", unfit != "")
	hide(w.maps, !c.run.Mappable())
	w.reach.write(c.run.MapRange())
	w.note.write(unfit)
	hide(w.noteBox, unfit == "")
}
