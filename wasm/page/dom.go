//go:build js && wasm

package page

import (
	"math"
	"strconv"
	"syscall/js"

	"impalab/wasm/browser"
)

// find returns the first element that matches, or null: a page may leave out any part.
func find(within js.Value, selector string) js.Value { return within.Call("querySelector", selector) }

// part returns the element with a data-part, or null.
func part(within js.Value, name string) js.Value { return find(within, `[data-part="`+name+`"]`) }

// words returns a property of an object, or "" if it is not a string.
func words(of js.Value, property string) string {
	if v := of.Get(property); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// data returns a data attribute of an element, or "".
func data(element js.Value, name string) string { return words(element.Get("dataset"), name) }

func findAll(within js.Value, selector string) []js.Value {
	return listOf(within.Call("querySelectorAll", selector), func(one js.Value) js.Value { return one })
}

// clicks calls f when a person clicks an element.
func clicks(element js.Value, f func()) { browser.On(element, "click", func(js.Value) { f() }) }

// changes passes on each value that a person chooses or types into an input.
func changes(input js.Value, f func(value string)) {
	browser.On(input, "change", func(js.Value) { f(value(input)) })
}

// drag listens to a pointer. Press reports whether the pointer drags from there. Move hears the pointer while it drags,
// and hover while it does not.
func drag(element js.Value, press func(event js.Value) bool, move, hover func(event js.Value), end func()) {
	held := false
	browser.On(element, "pointerdown", func(event js.Value) {
		if held = press(event); held {
			attempt(func() { element.Call("setPointerCapture", event.Get("pointerId")) })
		}
	})
	browser.On(element, "pointermove", func(event js.Value) {
		if held {
			move(event)
		} else {
			hover(event)
		}
	})
	for _, name := range [...]string{"pointerup", "pointercancel"} {
		browser.On(element, name, func(js.Value) {
			if held {
				held = false
				end()
			}
		})
	}
}

// ignore is for drag.
func ignore(js.Value) {}

func pointer(element, event js.Value) (x, y float64) {
	box := element.Call("getBoundingClientRect")
	return event.Get("clientX").Float() - box.Get("left").Float(), event.Get("clientY").Float() - box.Get("top").Float()
}

func size(element js.Value) (w, h float64) {
	return element.Get("clientWidth").Float(), element.Get("clientHeight").Float()
}

// attempt calls f, which a browser may forbid, and reports whether the browser allowed it.
func attempt(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return
}

// set sets a switch of an element, if the element exists and the switch differs. It reports whether it did.
func set(element js.Value, property string, on bool) bool {
	if !element.Truthy() || element.Get(property).Bool() == on {
		return false
	}
	element.Set(property, on)
	return true
}

func hide(element js.Value, hidden bool) bool { return set(element, "hidden", hidden) }

// setValue sets the value of an input if it differs: setting it moves the caret.
func setValue(input js.Value, text string) {
	if input.Truthy() && value(input) != text {
		input.Set("value", text)
	}
}

func value(input js.Value) string { return words(input, "value") }

func whole(slider js.Value) int {
	at, _ := strconv.Atoi(value(slider))
	return at
}

// listOf reads an array; a missing array has no elements.
func listOf[T any](array js.Value, read func(js.Value) T) (list []T) {
	if array.Truthy() {
		for i := range array.Length() {
			list = append(list, read(array.Index(i)))
		}
	}
	return list
}

// numberOf returns NaN for null.
func numberOf(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}

// slot is the text or an attribute of an element. It writes only a changed value: access to the page is slow.
type slot struct {
	element   js.Value
	attribute string // "": the text
	last      string
	written   bool
	node      js.Value // the text itself, once written: changing it is faster than replacing it
}

func text(element js.Value) slot { return slot{element: element} }

func attribute(element js.Value, name string) slot { return slot{element: element, attribute: name} }

func (s *slot) write(value string) {
	if s.written && s.last == value || !s.element.Truthy() {
		return
	}
	s.last, s.written = value, true
	switch {
	case s.attribute != "":
		s.element.Call("setAttribute", s.attribute, value)
	case s.node.Truthy():
		s.node.Set("data", value)
	default:
		s.element.Set("textContent", value)
		s.node = s.element.Get("firstChild") // null while it is empty
	}
}

// say writes a text, whose element is hidden while there is none.
func (s *slot) say(words string) {
	s.write(words)
	hide(s.element, words == "")
}

// bindings are the parts of a page that follow its state. Each writes what differs. A missing element has none.
type bindings []func()

func (b *bindings) add(write func()) { *b = append(*b, write) }

func (b *bindings) draw() {
	for _, write := range *b {
		write()
	}
}

func (b *bindings) text(element js.Value, read func() string) {
	s := text(element)
	b.add(func() { s.write(read()) })
}

func (b *bindings) attribute(element js.Value, name string, read func() string) {
	s := attribute(element, name)
	b.add(func() { s.write(read()) })
}

// toggle binds a property that is true or false.
func (b *bindings) toggle(element js.Value, property string, on func() bool) {
	if element.Truthy() {
		b.add(func() { set(element, property, on()) })
	}
}

func (b *bindings) hidden(element js.Value, when func() bool) { b.toggle(element, "hidden", when) }
