//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/model"
)

// playing is the part of the page with which a person plays the world.
type playing struct {
	panel, button, pad js.Value
	keys, pressed      slot
	shown              bool
	release            []js.Func // of the pad's buttons
}

func (p *Page) bindHand() {
	h := &p.playing
	h.panel, h.button = find(p.document, `[data-panel="hand"]`), find(p.document, `[data-verb="hand"]`)
	h.pad, h.keys = find(p.document, `[data-part="hand-pad"]`), text(find(p.document, `[data-part="hand-keys"]`))
	h.pressed = attribute(h.button, "aria-pressed")
	on(find(p.document, `[data-part="hand-leave"]`), "click", func(js.Value) { p.leaveHand() })
	documents := []js.Value{p.document}
	if stage := js.Global().Get("document"); !stage.Equal(p.document) {
		documents = append(documents, stage)
	}
	for _, document := range documents {
		capture(document, "keydown", p.handDown)
		capture(document, "keyup", func(event js.Value) { p.model.Release(event.Get("key").String()) })
	}
	on(p.window, "blur", func(js.Value) { p.model.ReleaseAll() })
}

// capture listens before anything on the page does.
func capture(target js.Value, event string, f func(event js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}), true)
}

// toggleHand begins a person's game, or ends it.
func (p *Page) toggleHand() {
	if p.model.Playing() {
		p.leaveHand()
		return
	}
	if err := p.model.PlayHand(p.model.InHand()); err != nil {
		p.notice(err.Error())
		return
	}
	p.desk.show(p.desk.run.Frame)
	p.desk.sendWant()
	p.drawHand()
	p.playing.panel.Call("focus", map[string]any{"preventScroll": true}) // Space is not to press the button again
	p.scheduleDraw()
}

func (p *Page) leaveHand() {
	player := p.columnOf(p.model.Player())
	p.model.LeaveHand()
	p.arrange(player)
	p.playing.button.Call("focus", map[string]any{"preventScroll": true})
	p.scheduleDraw()
}

// handDown gives a person's keys to the world; the page's own rest until Escape.
func (p *Page) handDown(event js.Value) {
	if !p.model.Playing() || find(p.document, "dialog[open]").Truthy() {
		return
	}
	key := pressed(event)
	if key.Modified || key.Typing() {
		return
	}
	switch {
	case key.Name == "Escape":
		p.leaveHand()
	case p.model.Press(key.Name):
	case model.KeyAct(key) != model.Nothing:
		event.Call("stopPropagation")
		return
	default:
		return
	}
	event.Call("preventDefault")
	event.Call("stopPropagation")
	p.scheduleDraw()
}

func (p *Page) drawHand() {
	h := &p.playing
	on := p.model.Playing()
	h.pressed.mark(strconv.FormatBool(on))
	hide(h.panel, !on)
	if on == h.shown {
		return
	}
	h.shown = on
	for _, f := range h.release {
		f.Release()
	}
	h.release = nil
	if !h.pad.Truthy() {
		return
	}
	h.pad.Set("textContent", "")
	h.keys.write("")
	if !on {
		return
	}
	if p.model.Waits() {
		h.keys.write("The world waits for a key. Esc leaves.")
	} else {
		h.keys.write("The world does not wait. Esc leaves.")
	}
	for _, b := range p.model.Bindings() {
		h.pad.Call("appendChild", p.padButton(&b))
	}
}

// padButton is held with a finger or a mouse as its keys are on a keyboard.
func (p *Page) padButton(b *model.Binding) js.Value {
	button, kbd := p.document.Call("createElement", "button"), p.document.Call("createElement", "kbd")
	button.Set("type", "button")
	kbd.Set("textContent", b.Label())
	button.Call("append", kbd, " "+b.Words)
	keys := b.Keys
	listen := func(name string, f func(js.Value)) {
		handler := js.FuncOf(func(_ js.Value, args []js.Value) any {
			f(args[0])
			return nil
		})
		p.playing.release = append(p.playing.release, handler)
		button.Call("addEventListener", name, handler)
	}
	down := func() {
		for _, key := range keys {
			p.model.Press(key)
		}
		p.scheduleDraw()
	}
	up := func() {
		for _, key := range keys {
			p.model.Release(key)
		}
	}
	listen("pointerdown", func(event js.Value) {
		event.Call("preventDefault") // a long touch would select the words
		down()
	})
	for _, name := range [...]string{"pointerup", "pointercancel", "pointerleave"} {
		listen(name, func(js.Value) { up() })
	}
	listen("contextmenu", func(event js.Value) { event.Call("preventDefault") })
	listen("click", func(event js.Value) {
		if event.Get("detail").Int() == 0 { // by keyboard or a screen reader
			down()
			up()
		}
	})
	return button
}
