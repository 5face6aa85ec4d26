//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"impalab/wasm/model"
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

func (p *Page) bindWatch() {
	w := &p.watching
	w.place = find(p.document, `[data-part="watch"]`)
	w.noteBox = find(p.document, `[data-part="watch-note"]`)
	w.note = text(w.noteBox)
	on(w.place, "change", func(js.Value) {
		place := model.Server
		if w.place.Get("value").String() == model.Here.String() {
			place = model.Here
		}
		p.model.Watch(place)
		p.sendWant()
		p.scheduleDraw()
	})
	w.maps, w.arrows, w.values = find(p.document, `[data-part="maps"]`), find(p.document, `[data-part="arrows"]`), find(p.document, `[data-part="values"]`)
	w.reach = text(find(p.document, `[data-part="map-range"]`))
	for _, box := range [...]js.Value{w.arrows, w.values} {
		on(box, "change", func(js.Value) {
			p.model.Map(w.arrows.Get("checked").Bool(), w.values.Get("checked").Bool())
			p.sendWant()
			p.drawMap()
			p.scheduleDraw()
		})
	}
	w.frame = js.FuncOf(func(_ js.Value, args []js.Value) any {
		now := time.Duration(args[0].Float() * float64(time.Millisecond))
		played := p.model.Tick(now)
		for _, f := range played { // the ribbon needs them all
			p.show(f)
		}
		w.moving = p.model.Lively()
		if w.moving {
			p.window.Call("requestAnimationFrame", w.frame)
		}
		if len(played) > 0 || !w.moving {
			p.scheduleDraw()
		}
		return nil
	})
}

// startAnimation plays with the display's frames for as long as the page plays anything. A hidden page has no frames,
// so it rests.
func (p *Page) startAnimation() {
	if w := &p.watching; !w.moving && p.model.Lively() {
		w.moving = true
		p.window.Call("requestAnimationFrame", w.frame)
	}
}

// show puts a frame on the stage; nil empties it.
func (p *Page) show(f *wire.Frame) {
	if err := p.picture.Show(f); err != nil {
		p.notice(err.Error())
	}
}

// sendWant tells the server which of the world's messages the page wants, when that has changed.
func (p *Page) sendWant() {
	if want := p.model.Unsaid(); want != nil && p.link.Send(want) {
		p.model.Said(want)
	}
}

// drawMap hands the map to the stage.
func (p *Page) drawMap() { p.picture.Map(p.model.Chart(), p.model.Arrows, p.model.Values) }

func (p *Page) drawWatch() {
	w := &p.watching
	unfit := p.model.Unfit()
	put(w.place, p.model.Watching().String())
	if w.place.Truthy() {
		w.place.Set("disabled", unfit != "")
	}
	hide(w.maps, !p.model.Mappable())
	w.reach.write(p.model.MapRange())
	if mapped := p.model.Chart() != nil; mapped != w.mapped { // a new run has none yet
		w.mapped = mapped
		p.drawMap()
	}
	w.note.write(unfit)
	hide(w.noteBox, unfit == "")
}
