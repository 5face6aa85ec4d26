//go:build js && wasm

package page

import (
	"math"
	"strconv"
	"syscall/js"
)

// find returns the first element that matches, or null: a page may leave out any part.
func find(within js.Value, selector string) js.Value { return within.Call("querySelector", selector) }

// part returns the element with a data-part, or null.
func part(within js.Value, name string) js.Value { return find(within, `[data-part="`+name+`"]`) }

func findAll(within js.Value, selector string) []js.Value {
	list := within.Call("querySelectorAll", selector)
	out := make([]js.Value, list.Length())
	for i := range out {
		out[i] = list.Index(i)
	}
	return out
}

// callback returns a function for the browser that passes its first argument to f.
func callback(f func(js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		first := js.Undefined()
		if len(args) > 0 {
			first = args[0]
		}
		f(first)
		return nil
	})
}

// on listens as long as the page lives. It ignores a missing element.
func on(target js.Value, event string, f func(event js.Value)) {
	if target.Truthy() {
		target.Call("addEventListener", event, callback(f))
	}
}

// drag listens to a pointer. Press reports whether the pointer drags from there. Move hears the pointer while it drags,
// and hover while it does not.
func drag(element js.Value, press func(event js.Value) bool, move, hover func(event js.Value), end func()) {
	held := false
	on(element, "pointerdown", func(event js.Value) {
		if held = press(event); held {
			attempt(func() { element.Call("setPointerCapture", event.Get("pointerId")) })
		}
	})
	on(element, "pointermove", func(event js.Value) {
		if held {
			move(event)
		} else {
			hover(event)
		}
	})
	for _, name := range [...]string{"pointerup", "pointercancel"} {
		on(element, name, func(js.Value) {
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

func then(promise js.Value, done, failed func(js.Value)) {
	var yes, no js.Func
	settle := func(f func(js.Value)) js.Func {
		return callback(func(value js.Value) {
			yes.Release()
			no.Release()
			f(value)
		})
	}
	yes, no = settle(done), settle(failed)
	promise.Call("then", yes, no)
}

// attempt calls f, which a browser may forbid, and reports whether the browser allowed it.
func attempt(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return
}

// set sets a switch of an element, if the element exists and the switch differs.
func set(element js.Value, property string, on bool) {
	if element.Truthy() && element.Get(property).Bool() != on {
		element.Set(property, on)
	}
}

func hide(element js.Value, hidden bool) { set(element, "hidden", hidden) }

// put sets the value of an input if it differs: setting it moves the caret.
func put(input js.Value, text string) {
	if input.Truthy() && value(input) != text {
		input.Set("value", text)
	}
}

func value(input js.Value) string { return input.Get("value").String() }

func whole(slider js.Value) int {
	at, _ := strconv.Atoi(value(slider))
	return at
}

// numberOf returns NaN for null.
func numberOf(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}

// openDialog opens a dialog that is not open.
func openDialog(dialog js.Value) {
	if dialog.Truthy() && !dialog.Get("open").Bool() {
		dialog.Call("showModal")
	}
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
