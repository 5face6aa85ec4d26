//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/model"
)

// Page is the HTML and the state behind it. Everything runs in callbacks on the browser's one thread.
type Page struct {
	window, document, root, body js.Value // of the page, not of the frame the program runs in

	model       *model.Model
	columns     []*column // one for each of the model's runs
	dialogs     dialogs
	ready       slot
	writtenLink uint32 // Run.SettingsRevision when the address was last written
	draws       drawing
	playing     playing
}

// Open finds the page around the stage and begins its session. It returns at once.
func Open(picture Picture) *Page {
	window := js.Global()
	attempt(func() { // a foreign page around the stage does not let us in
		if parent := window.Get("parent"); parent.Get("document").Truthy() {
			window = parent
		}
	})
	document := window.Get("document")
	p := &Page{
		window: window, document: document, root: document.Get("documentElement"), body: document.Get("body"),
		model: model.New(window.Get("location").Get("hash").String(), storedKey(window)),
	}
	p.ready = attribute(p.root, "data-ready")
	p.model.Runs[0].Resume(storedRun(window, window.Get("location").Get("hash").String()))
	for _, r := range p.model.Runs { // there is one, and the whole body is its column
		p.columns = append(p.columns, newColumn(p, p.body, r, picture))
	}
	p.bindKeys()
	p.bindDialogs()
	p.bindTheme()
	p.bindHand()
	p.applyView()
	on(window, "hashchange", func(js.Value) { p.hashChanged() })
	on(window, "resize", func(js.Value) { p.scheduleDraw() })
	for _, c := range p.columns {
		c.connect()
	}
	p.scheduleDraw()
	return p
}

// first is the column whose link is the page's address, and whose world a person plays and the keyboard steers.
func (p *Page) first() *column { return p.columns[0] }

// after is the clock: it works in a hidden page too.
func (p *Page) after(d time.Duration, f func()) { time.AfterFunc(d, f) }

// hashChanged opens the link that was put into the address, unless it is the one in force or a place on the page.
func (p *Page) hashChanged() {
	hash := p.window.Get("location").Get("hash").String()
	if !strings.Contains(hash, "=") || p.first().run.Ready && hash == p.first().run.Fragment() {
		return
	}
	p.model.Open(hash)
	p.writtenLink = 0
	p.applyView()
	p.applyTheme()
	for _, c := range p.columns {
		c.picture.Show(nil)
		c.link.Restart()
	}
	p.scheduleDraw()
}
