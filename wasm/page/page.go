//go:build js && wasm

// Package page is the HTML around the picture: controls, texts, charts and their events. Package model decides what
// they show. Read Page first, then column.go and desk.go.
package page

import (
	"slices"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/model"
	"impalab/wasm/view"

	"impalab/web/link"
)

// Page is the HTML and the state behind it. All of it runs in callbacks on the browser's only thread.
type Page struct {
	host // of the page, not of the frame in which the program runs

	model       *model.Model
	stage       *view.Stage
	columns     []*column // one for each of the model's runs
	desk        *desk     // shows the selected one
	sharing     sharing
	dark        *browser.Media // the media query of the theme
	calm        *browser.Media // the media query of reduced motion
	writtenLink model.Revision // when the address was last written
	draws       drawing
	hand        js.Value // the panel of a person's game
	handButton  js.Value
	first       *first    // the first experiment, instead of the Lab; or nil
	home        *home     // trains runs in this browser; or nil
	again       again     // the last question for updates that are made again
	asking      js.Value  // ends that question
	kept        time.Time // when this browser's runs were last stored
}

// Open finds the page around the stage and starts its session. It returns at once.
func Open(stage *view.Stage) *Page {
	window := js.Global()
	attempt(func() { // a foreign page around the stage denies access
		if parent := window.Get("parent"); parent.Get("document").Truthy() {
			window = parent
		}
	})
	p := &Page{host: hostOf(window), stage: stage}
	p.home, p.calm = p.newHome(), browser.NewMedia(window, "(prefers-reduced-motion: reduce)")
	if p.data("screen") == link.First {
		p.openFirst()
		return p
	}
	hash := link.Lab(p.hash())
	p.newModel(hash)
	p.resume(runName, hash)
	p.sync()
	p.desk = bindDesk(p.columns[0])
	p.bindColumns()
	p.listen("keydown", false, p.desk.key)
	p.bindDialogs()
	p.bindTheme()
	p.bindPauses()
	p.bindHand()
	browser.On(p.window, "hashchange", func(js.Value) { p.hashChanged() })
	browser.On(p.window, "resize", func(js.Value) { p.scheduleDraw() })
	browser.On(p.window, "pagehide", func(js.Value) { p.saveRuns() })
	p.scheduleDraw()
	return p
}

func (p *Page) newModel(fragment string) {
	p.model = model.New(fragment, p.stored(keyName))
	p.model.Changed = p.scheduleDraw
}

// listen listens on the page and, if the program runs in a frame, there too: first, before anything else hears the
// event, or after.
func (p *Page) listen(event string, first bool, f func(js.Value)) {
	hear := browser.Callback(f)
	for _, document := range [...]js.Value{p.document, js.Global().Get("document")} { // the same twice is heard once
		document.Call("addEventListener", event, hear, first)
	}
}

// Drawn reports whether the page draws the world. An address with ?stage=0 leaves it out, to measure the rest of the
// page without a graphics card.
func (p *Page) Drawn() bool {
	query := strings.TrimPrefix(p.window.Get("location").Get("search").String(), "?")
	return !slices.Contains(strings.Split(query, "&"), "stage=0")
}

// after calls f later, also in a hidden page.
func (p *Page) after(d time.Duration, f func()) { time.AfterFunc(d, f) }

func (p *Page) notice(words string) {
	p.model.Notice(words)
	p.scheduleDraw()
}

// hashChanged opens the link that was put into the address, unless it is in force already or names a place on the page.
func (p *Page) hashChanged() {
	hash := p.hash()
	if !strings.Contains(hash, "=") || p.model.Ready() && hash == p.model.Fragment() {
		return
	}
	p.model.Open(hash)
	p.model.Runs[0].InBrowser = p.alone() // where a link opens
	p.sync()
	p.applyTheme()
	p.columns[0].Redial() // the other columns are new
	p.scheduleDraw()
}

// resume returns to the runs that this link had when this browser last showed it. The browser learns its own runs
// again, except for the first experiment, whose link holds the whole story.
func (p *Page) resume(name, hash string) {
	ids, of, _ := strings.Cut(p.stored(name), " ")
	if of != hash {
		ids = ""
	}
	if name == runName || !p.alone() {
		p.model.Resume(ids, p.storedHere)
	}
}

// storeRuns stores the runs of a link, for a reload and for a second page with the same link.
func (p *Page) storeRuns(name, fragment string) { p.store(name, p.model.IDs()+" "+fragment) }

// storedHere returns the link that continues a run of this browser, or "".
func (p *Page) storedHere(id string) string {
	if p.home == nil {
		return ""
	}
	for line := range strings.Lines(p.stored(hereName)) {
		if name, link, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == id {
			return link
		}
	}
	return ""
}

// keepEvery is how often the page stores its runs: a page that crashes gets no warning.
const keepEvery = 3 * time.Second

// saveRuns stores how far this browser's runs have come. Their settings and changes are enough to retrain them.
func (p *Page) saveRuns() {
	p.kept = time.Now()
	if kept := p.model.Saved(); kept != "" {
		p.store(hereName, kept)
	}
}
