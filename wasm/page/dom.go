//go:build js && wasm

package page

import (
	"syscall/js"
)

// find is the first element that fits, null if there is none: a page may leave any part out.
func find(within js.Value, selector string) js.Value { return within.Call("querySelector", selector) }

func findAll(within js.Value, selector string) []js.Value {
	list := within.Call("querySelectorAll", selector)
	out := make([]js.Value, list.Length())
	for i := range out {
		out[i] = list.Index(i)
	}
	return out
}

// on listens as long as the page lives.
func on(target js.Value, event string, f func(event js.Value)) {
	if !target.Truthy() {
		return
	}
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}))
}

// attempt runs what a browser may forbid, and reports whether it did.
func attempt(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return
}

// slot is one property of an element, written only when it changes: reading and writing the page is what costs.
type slot struct {
	element js.Value
	name    string
	last    string
	set     bool
	node    js.Value // the text itself, once written: to change it costs less than to put another in its place
}

func (s *slot) write(value string) {
	if s.set && s.last == value || !s.element.Truthy() {
		return
	}
	s.last, s.set = value, true
	if s.node.Truthy() {
		s.node.Set("data", value)
		return
	}
	s.element.Set(s.name, value)
	if s.name == "textContent" {
		s.node = s.element.Get("firstChild") // null while it is empty
	}
}

// mark is the same for an attribute.
func (s *slot) mark(value string) {
	if s.set && s.last == value || !s.element.Truthy() {
		return
	}
	s.last, s.set = value, true
	s.element.Call("setAttribute", s.name, value)
}

func text(element js.Value) slot { return slot{element: element, name: "textContent"} }

func attribute(element js.Value, name string) slot { return slot{element: element, name: name} }
