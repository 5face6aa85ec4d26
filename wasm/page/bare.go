//go:build js && wasm

package page

import (
	"net/url"
	"strings"
	"syscall/js"
)

// bare is a page that the program runs in by itself: no frame, no run, no connection.
type bare struct{ window, document, body js.Value }

// Bare runs such a page where one is open.
func Bare() bool {
	window := js.Global()
	b := bare{window, window.Get("document"), window.Get("document").Get("body")}
	screen := b.body.Get("dataset").Get("screen")
	if !screen.Truthy() {
		return false
	}
	begin, ok := map[string]func(bare){"microscope": openMicroscope, "two-states": openTwoStates,
		"proposition-2": openButtons}[screen.String()]
	if !ok {
		return false
	}
	// Ebitengine dresses every page that it is loaded into for a game.
	for _, canvas := range findAll(b.document, "canvas") {
		canvas.Call("remove")
	}
	b.body.Call("removeAttribute", "style")
	b.document.Get("documentElement").Call("removeAttribute", "style")
	begin(b)
	return true
}

// fragment is the part of the address behind '#'.
func (b *bare) fragment() string { return b.window.Get("location").Get("hash").String() }

// theme takes the theme that the fragment asks for.
func (b *bare) theme() string {
	values, _ := url.ParseQuery(strings.TrimPrefix(b.fragment(), "#"))
	theme := values.Get("theme")
	if theme == "light" || theme == "dark" {
		b.document.Get("documentElement").Get("dataset").Set("theme", theme)
		return theme
	}
	return ""
}

func (b *bare) text(name, words string) {
	find(b.body, `[data-text="`+name+`"]`).Set("textContent", words)
}

// markup writes what is made of numbers and fixed words alone.
func (b *bare) markup(name, inner string) {
	find(b.body, `[data-text="`+name+`"]`).Set("innerHTML", inner)
}

// say is for what went wrong, or is not there; "": nothing.
func (b *bare) say(words string) {
	note := find(b.body, "#note")
	note.Set("textContent", words)
	hide(note, words == "")
}

// ready tells the tests, and whoever waits.
func (b *bare) ready() { b.document.Get("documentElement").Get("dataset").Set("ready", "true") }

// place is where a pointer is in an element.
func place(element, event js.Value) (x, y float64) {
	box := element.Call("getBoundingClientRect")
	return event.Get("clientX").Float() - box.Get("left").Float(), event.Get("clientY").Float() - box.Get("top").Float()
}

// size is an element's room.
func size(element js.Value) (w, h float64) {
	return element.Get("clientWidth").Float(), element.Get("clientHeight").Float()
}
