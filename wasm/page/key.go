//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"
)

// The browser's key lies in its own storage: who has it owns the runs that were begun here. A browser that keeps
// nothing has a key as long as the page is open.

const keyName = "impalab-key"

func storedKey(window js.Value) (key string) { return stored(window, keyName) }
func storeKey(window js.Value, key string)   { store(window, keyName, key) }

// stored is what this browser keeps under a name; "" where it keeps nothing.
func stored(window js.Value, name string) (text string) {
	attempt(func() {
		if v := window.Get("localStorage").Call("getItem", name); v.Type() == js.TypeString {
			text = v.String()
		}
	})
	return text
}

func store(window js.Value, name, text string) {
	attempt(func() { window.Get("localStorage").Call("setItem", name, text) })
}

// A reload, or a second page with the same link, comes back to the same run.

const (
	runName   = "impalab-run"   // of the Lab
	firstName = "impalab-first" // of the first experiment
	seedsName = "impalab-seeds" // on its charts, a line for each
	hereName  = "impalab-here"  // that train in this browser: Model.Kept
)

// storedRun is what Model.IDs was of a link when this browser last saw it on a screen; "" for another link.
func storedRun(window js.Value, screen, fragment string) (id string) {
	if was, of, ok := strings.Cut(stored(window, screen), " "); ok && of == fragment {
		return was
	}
	return ""
}

func storeRun(window js.Value, screen, id, fragment string) { store(window, screen, id+" "+fragment) }

// storedHere is the link under which a run of this browser goes on; "" where none is kept, or it cannot.
func (p *Page) storedHere(id string) string {
	if p.home == nil {
		return ""
	}
	for line := range strings.Lines(stored(p.window, hereName)) {
		if name, link, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == id {
			return link
		}
	}
	return ""
}

// keepEvery is how far a run may come before it is kept again: a page that crashes is not told that it is left.
const keepEvery = 3 * time.Second

// keepRuns keeps how far this browser's runs have come, in place of what was kept before. They are functions of their
// settings and changes, so that is all it takes.
func (p *Page) keepRuns() {
	p.kept = time.Now()
	if kept := p.model.Kept(); kept != "" {
		store(p.window, hereName, kept)
	}
}
