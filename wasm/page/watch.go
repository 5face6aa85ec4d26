//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"impalab/wasm/run"
	"impalab/web/wire"
)

// watching is the part of the page beside the world: where it is played, and the display's frames that move it.
type watching struct {
	place   js.Value // the choice between server and here
	note    slot
	noteBox js.Value

	maps, arrows, values js.Value // what is shown of the map
	reach                slot
	mapped               bool

	moving bool
	frame  js.Func
}

func (c *column) bindWatch() {
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
	w.frame = js.FuncOf(func(_ js.Value, args []js.Value) any {
		now := time.Duration(args[0].Float() * float64(time.Millisecond))
		played := c.model.Tick(c.run, now)
		for _, f := range played { // the ribbon needs them all
			c.show(f)
		}
		w.moving = c.model.Lively(c.run)
		if w.moving {
			c.window.Call("requestAnimationFrame", w.frame)
		}
		if len(played) > 0 || !w.moving {
			c.scheduleDraw()
		}
		return nil
	})
}

// startAnimation plays with the display's frames for as long as the page plays anything. A hidden page has no frames,
// so it rests.
func (c *column) startAnimation() {
	if w := &c.watching; !w.moving && c.model.Lively(c.run) {
		w.moving = true
		c.window.Call("requestAnimationFrame", w.frame)
	}
}

// show puts a frame on the stage; nil empties it.
func (c *column) show(f *wire.Frame) {
	if err := c.picture.Show(f); err != nil {
		c.notice(err.Error())
	}
}

// sendWant tells the server which of the world's messages the page wants, when that has changed.
func (c *column) sendWant() {
	if want := c.run.Unsaid(); want != nil && c.link.Send(want) {
		c.run.Said(want)
	}
}

// drawMap hands the map to the stage.
func (c *column) drawMap() { c.picture.Map(c.run.Chart(), c.run.Arrows, c.run.Values) }

func (c *column) drawWatch() {
	w := &c.watching
	unfit := c.run.Unfit()
	put(w.place, c.run.Watching().String())
	if w.place.Truthy() {
		w.place.Set("disabled", unfit != "")
	}
	hide(w.maps, !c.run.Mappable())
	w.reach.write(c.run.MapRange())
	if mapped := c.run.Chart() != nil; mapped != w.mapped { // a new run has none yet
		w.mapped = mapped
		c.drawMap()
	}
	w.note.write(unfit)
	hide(w.noteBox, unfit == "")
}
