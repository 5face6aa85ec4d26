//go:build js && wasm

// Package browser is the part of the browser's interface that the client's packages share: callbacks, media
// queries, promises and bytes.
package browser

import "syscall/js"

// Callback returns a function for the browser that passes its first argument to f.
func Callback(f func(js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		first := js.Undefined()
		if len(args) > 0 {
			first = args[0]
		}
		f(first)
		return nil
	})
}

// On listens as long as the program runs. It ignores a missing target.
func On(target js.Value, event string, f func(event js.Value)) {
	if target.Truthy() {
		target.Call("addEventListener", event, Callback(f))
	}
}

// Media is a media query. It holds its answer: to ask the browser makes it lay out the page at once.
type Media struct {
	list    js.Value
	matches bool
}

// NewMedia returns the query of a window.
func NewMedia(window js.Value, query string) *Media {
	m := &Media{list: window.Call("matchMedia", query)}
	m.matches = m.list.Get("matches").Bool()
	m.Changed(func() {})
	return m
}

// Matches reports whether the query matches now.
func (m *Media) Matches() bool { return m.matches }

// Changed calls f when the answer has changed, as long as the program runs.
func (m *Media) Changed(f func()) {
	On(m.list, "change", func(js.Value) {
		m.matches = m.list.Get("matches").Bool()
		f()
	})
}

// Then calls done with the value of a promise, or failed with the reason why there is none.
func Then(promise js.Value, done, failed func(js.Value)) {
	var yes, no js.Func
	settle := func(f func(js.Value)) js.Func {
		return Callback(func(value js.Value) {
			yes.Release()
			no.Release()
			f(value)
		})
	}
	yes, no = settle(done), settle(failed)
	promise.Call("then", yes, no)
}

// Bytes returns a copy of the bytes of an array or a buffer.
func Bytes(data js.Value) []byte {
	if data.Get("length").IsUndefined() { // a buffer
		data = js.Global().Get("Uint8Array").New(data)
	}
	b := make([]byte, data.Length())
	js.CopyBytesToGo(b, data)
	return b
}

// Array returns a Uint8Array with a copy of bytes.
func Array(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}
