//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/wasm/model"
)

// bindHand binds a person's game: its panel over the world, and the pad of buttons for its keys.
func (p *Page) bindHand() {
	p.hand, p.handButton = find(p.document, `[data-panel="hand"]`), find(p.document, `[data-verb="hand"]`)
	pad, shown := part(p.document, "hand-pad"), false
	clicks(part(p.document, "hand-leave"), p.leaveHand)
	p.listen("keydown", true, p.handDown)
	p.listen("keyup", true, func(event js.Value) { p.model.Release(event.Get("key").String()) })
	browser.On(p.window, "blur", func(js.Value) { p.model.ReleaseAll() })
	p.bindPad(pad)
	p.shows.attribute(p.handButton, "aria-pressed", func() string { return strconv.FormatBool(p.model.Playing()) })
	p.shows.hidden(p.hand, func() bool { return !p.model.Playing() })
	p.shows.text(part(p.document, "hand-keys"), func() string {
		switch {
		case !p.model.Playing():
			return ""
		case p.model.Waits():
			return "The world waits for a key. Esc leaves."
		}
		return "The world does not wait. Esc leaves."
	})
	p.shows.add(func() {
		if shown == p.model.Playing() {
			return
		}
		shown = !shown
		pad.Set("textContent", "")
		for _, b := range p.model.Bindings() {
			button := p.element("button", p.element("kbd", b.Label()), " "+b.Words)
			button.Set("type", "button")
			pad.Call("append", button)
		}
	})
}

// bindPad lets a finger or a mouse hold the buttons of the pad like the keys of a keyboard.
func (p *Page) bindPad(pad js.Value) {
	keys := func(event js.Value) []string {
		button := event.Get("target").Call("closest", "button")
		i := slices.IndexFunc(findAll(pad, "button"), func(one js.Value) bool { return one.Equal(button) })
		if i < 0 || i >= len(p.model.Bindings()) {
			return nil
		}
		return p.model.Bindings()[i].Keys
	}
	down := func(event js.Value) {
		for _, key := range keys(event) {
			p.model.Press(key)
		}
		p.scheduleDraw()
	}
	up := func(event js.Value) {
		for _, key := range keys(event) {
			p.model.Release(key)
		}
	}
	browser.On(pad, "pointerdown", func(event js.Value) {
		event.Call("preventDefault") // a long touch would select the words
		down(event)
	})
	for _, name := range [...]string{"pointerup", "pointercancel", "pointerout"} {
		browser.On(pad, name, up)
	}
	browser.On(pad, "contextmenu", func(event js.Value) { event.Call("preventDefault") })
	browser.On(pad, "click", func(event js.Value) {
		if event.Get("detail").Int() == 0 { // by keyboard or a screen reader
			down(event)
			up(event)
		}
	})
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
	p.shows.draw()
	p.hand.Call("focus", map[string]any{"preventScroll": true}) // Space would press the button again
}

func (p *Page) leaveHand() {
	p.model.LeaveHand()
	p.arrange()
	p.handButton.Call("focus", map[string]any{"preventScroll": true})
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
