//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
)

// The browser's key lies in its own storage: who has it owns the runs that were begun here. A browser that keeps
// nothing has a key as long as the page is open.

const keyName = "impalab-key"

func storedKey(window js.Value) (key string) {
	attempt(func() {
		if v := window.Get("localStorage").Call("getItem", keyName); v.Type() == js.TypeString {
			key = v.String()
		}
	})
	return key
}

func storeKey(window js.Value, key string) {
	attempt(func() { window.Get("localStorage").Call("setItem", keyName, key) })
}

// A reload, or a second page with the same link, comes back to the same run.

const (
	runName   = "impalab-run"   // of the Lab
	firstName = "impalab-first" // of the first experiment
)

// storedRun is what Model.IDs was of a link when this browser last saw it on a screen; "" for another link.
func storedRun(window js.Value, screen, fragment string) (id string) {
	attempt(func() {
		if v := window.Get("localStorage").Call("getItem", screen); v.Type() == js.TypeString {
			if was, of, ok := strings.Cut(v.String(), " "); ok && of == fragment {
				id = was
			}
		}
	})
	return id
}

func storeRun(window js.Value, screen, id, fragment string) {
	attempt(func() { window.Get("localStorage").Call("setItem", screen, id+" "+fragment) })
}
