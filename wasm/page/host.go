//go:build js && wasm

package page

import (
	"cmp"
	"syscall/js"

	"impalab/wasm/browser"
)

type host struct {
	window, document, root, body js.Value

	shows  bindings
	seen   string            // the last hash that this page read or wrote
	memory map[string]string // for a browser that denies its storage
}

func hostOf(window js.Value) host {
	document := window.Get("document")
	return host{window: window, document: document, root: document.Get("documentElement"), body: document.Get("body"),
		memory: map[string]string{}}
}

// data returns a data attribute of the body, or "".
func (h *host) data(name string) string { return data(h.body, name) }

// resolve returns an address of the page in full.
func (h *host) resolve(address string) string {
	return js.Global().Get("URL").New(address, h.document.Get("baseURI")).Get("href").String()
}

// base returns the address below which the site has all its pages.
func (h *host) base() string { return h.resolve(cmp.Or(h.data("base"), "/")) }

// hash returns the part of the address from '#' on.
func (h *host) hash() string {
	h.seen = h.window.Get("location").Get("hash").String()
	return h.seen
}

// replaceHash changes that part without a new entry in the browser's history. It keeps the address of a link that the
// visitor has just followed: the event that opens the link is still to come.
func (h *host) replaceHash(hash string) {
	if now := h.window.Get("location").Get("hash").String(); now != h.seen || now == hash {
		return
	}
	attempt(func() { h.window.Get("history").Call("replaceState", js.Null(), "", hash) })
	h.hash()
}

func (h *host) visit(address string) { h.window.Get("location").Set("href", address) }

// The names under which this browser stores something. A browser that denies its storage forgets it with the page.
const (
	keyName    = "impalab-key"    // the key that owns this browser's runs
	runName    = "impalab-run"    // the runs of the Lab, and their link
	firstName  = "impalab-first"  // the runs of the first experiment, and their link
	seedsName  = "impalab-seeds"  // the seeds on the Lab's charts, a line for each
	hereName   = "impalab-here"   // the runs that train in this browser: Model.Kept
	pausesName = "impalab-pauses" // "off": a run that falls is not paused
	themeName  = "theme"          // the chosen theme
)

func (h *host) stored(name string) (text string) {
	if !attempt(func() { text = words(h.window.Get("localStorage"), name) }) {
		text = h.memory[name]
	}
	return text
}

func (h *host) store(name, text string) {
	h.memory[name] = text
	attempt(func() { h.window.Get("localStorage").Call("setItem", name, text) })
}

// fetch asks the server for JSON. Failed hears the server's reason, or that the server did not answer.
func (h *host) fetch(address string, options map[string]any, heard func(body js.Value), failed func(why string)) {
	lost := func(js.Value) { failed("the server did not answer; try again in a moment") }
	browser.Then(h.window.Call("fetch", address, options), func(answer js.Value) {
		browser.Then(answer.Call("json"), func(body js.Value) {
			if answer.Get("ok").Bool() {
				heard(body)
			} else {
				failed(body.Get("error").Get("message").String())
			}
		}, lost)
	}, lost)
}

// asOwner returns the options of a fetch by the owner of a key.
func asOwner(key string) map[string]any {
	if key == "" {
		return map[string]any{}
	}
	return map[string]any{"headers": map[string]any{"Authorization": "Bearer " + key}}
}

// post returns the options of a fetch that posts a body, as the owner of a key.
func post(key string, body map[string]any) map[string]any {
	options := asOwner(key)
	options["method"] = "POST"
	if body != nil {
		options["body"] = stringify(js.ValueOf(body))
	}
	return options
}

func stringify(v js.Value) string { return js.Global().Get("JSON").Call("stringify", v).String() }

// element returns a new element with words and other elements inside.
func (h *host) element(tag string, inside ...any) js.Value {
	e := h.document.Call("createElement", tag)
	e.Call("append", inside...)
	return e
}
