//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/model"
)

type playing struct {
	panel, button, pad js.Value
	keys, pressed      slot
	shown              bool
	release            []js.Func // of the pad's buttons
}

func (p *Page) bindHand() {
	h := &p.playing
	h.panel, h.button = find(p.document, `[data-panel="hand"]`), find(p.document, `[data-verb="hand"]`)
	h.pad, h.keys = part(p.document, "hand-pad"), text(part(p.document, "hand-keys"))
	h.pressed = attribute(h.button, "aria-pressed")
	on(part(p.document, "hand-leave"), "click", func(js.Value) { p.leaveHand() })
	p.capture("keydown", p.handDown)
	p.capture("keyup", func(event js.Value) { p.model.Release(event.Get("key").String()) })
	on(p.window, "blur", func(js.Value) { p.model.ReleaseAll() })
}

func (p *Page) toggleHand() {
	if p.model.Playing() {
		p.leaveHand()
		return
	}
	if err := p.model.PlayHand(); err != nil {
		p.notice(err.Error())
		return
	}
	p.arrange()
	p.drawHand()
	p.playing.panel.Call("focus", map[string]any{"preventScroll": true}) // Space would press the button again
}

func (p *Page) leaveHand() {
	p.model.LeaveHand()
	p.arrange()
	p.playing.button.Call("focus", map[string]any{"preventScroll": true})
}

// handDown gives a person's keys to the world; the page's own keys rest until Escape.
func (p *Page) handDown(event js.Value) {
	if !p.model.Playing() || p.dialogOpen() {
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
	playing := p.model.Playing()
	h.pressed.write(strconv.FormatBool(playing))
	hide(h.panel, !playing)
	if playing == h.shown {
		return
	}
	h.shown = playing
	for _, f := range h.release {
		f.Release()
	}
	h.release = nil
	h.pad.Set("textContent", "")
	for _, b := range p.model.Bindings() {
		h.pad.Call("append", p.padButton(&b))
	}
	switch {
	case !playing:
		h.keys.write("")
	case p.model.Waits():
		h.keys.write("The world waits for a key. Esc leaves.")
	default:
		h.keys.write("The world does not wait. Esc leaves.")
	}
}

// padButton returns a button that a finger or a mouse holds like the keys of a keyboard.
func (p *Page) padButton(b *model.Binding) js.Value {
	button := p.element("button", "")
	button.Set("type", "button")
	button.Call("append", p.element("kbd", b.Label()), " "+b.Words)
	listen := func(name string, f func(js.Value)) {
		handler := callback(f)
		p.playing.release = append(p.playing.release, handler)
		button.Call("addEventListener", name, handler)
	}
	down := func() {
		for _, key := range b.Keys {
			p.model.Press(key)
		}
		p.scheduleDraw()
	}
	up := func(js.Value) {
		for _, key := range b.Keys {
			p.model.Release(key)
		}
	}
	listen("pointerdown", func(event js.Value) {
		event.Call("preventDefault") // a long touch would select the words
		down()
	})
	for _, name := range [...]string{"pointerup", "pointercancel", "pointerleave"} {
		listen(name, up)
	}
	listen("contextmenu", func(event js.Value) { event.Call("preventDefault") })
	listen("click", func(event js.Value) {
		if event.Get("detail").Int() == 0 { // by keyboard or a screen reader
			down()
			up(event)
		}
	})
	return button
}
