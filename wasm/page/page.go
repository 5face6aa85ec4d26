//go:build js && wasm

package page

import (
	"slices"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/firstpage"
	"impalab/wasm/model"
)

// Page is the HTML and the state behind it. Everything runs in callbacks on the browser's one thread.
type Page struct {
	window, document, root, body js.Value // of the page, not of the frame the program runs in

	model       *model.Model
	stage       Stage
	columns     []*column // one for each of the model's runs
	desk        *desk     // shows the one in hand
	badges      badges
	dialogs     dialogs
	ready       slot
	writtenLink model.Revision // when the address was last written
	draws       drawing
	playing     playing
	opening     *opening // the first experiment, in the Lab's place
	home        *home    // nil: there is a server behind the page
	again       askedAgain
	kept        time.Time // when this browser's runs were kept last
}

// Open finds the page around the stage and begins its session. It returns at once.
func Open(stage Stage) *Page {
	p := around(stage)
	if screen := p.body.Get("dataset").Get("screen"); screen.Truthy() && screen.String() == firstpage.Name {
		p.openFirst()
		return p
	}
	hash := p.window.Get("location").Get("hash").String()
	p.model = model.New(hash, storedKey(p.window))
	p.resume(runName, hash)
	p.sync()
	p.desk = newDesk(p.body, p.columns[0])
	p.bindColumns()
	p.bindKeys()
	p.bindDialogs()
	p.bindTheme()
	p.bindPauses()
	p.bindHand()
	p.applyView()
	on(p.window, "hashchange", func(js.Value) { p.hashChanged() })
	on(p.window, "resize", func(js.Value) { p.scheduleDraw() })
	on(p.window, "pagehide", func(js.Value) { p.keepRuns() })
	p.scheduleDraw()
	return p
}

// around is the page that the stage stands in, before anything is known of it.
func around(stage Stage) *Page {
	window := js.Global()
	attempt(func() { // a foreign page around the stage does not let us in
		if parent := window.Get("parent"); parent.Get("document").Truthy() {
			window = parent
		}
	})
	document := window.Get("document")
	p := &Page{
		window: window, document: document, root: document.Get("documentElement"), body: document.Get("body"),
		stage: stage,
	}
	p.ready = attribute(p.root, "data-ready")
	p.home = p.atHome()
	return p
}

// Drawn reports whether the world is to be drawn. An address with ?stage=0 leaves it out, so that the rest of the page
// can be measured without a graphics card.
func (p *Page) Drawn() bool {
	return !slices.Contains(strings.Split(strings.TrimPrefix(p.window.Get("location").Get("search").String(), "?"), "&"),
		"stage=0")
}

// resume comes back to the runs that this link had when it was last seen here. Those of the browser itself are learned
// again, but for the first experiment's, whose link is the whole story.
func (p *Page) resume(name, hash string) {
	if name == runName || !p.alone() {
		p.model.Resume(storedRun(p.window, name, hash), p.storedHere)
	}
}

// after is the clock: it works in a hidden page too.
func (p *Page) after(d time.Duration, f func()) { time.AfterFunc(d, f) }

// hashChanged opens the link that was put into the address, unless it is the one in force or a place on the page.
func (p *Page) hashChanged() {
	hash := p.window.Get("location").Get("hash").String()
	if !strings.Contains(hash, "=") || p.model.Ready() && hash == p.model.Fragment() {
		return
	}
	p.model.Open(hash)
	p.model.Runs[0].InBrowser = p.alone() // where a link opens
	p.sync()
	p.applyView()
	p.applyTheme()
	p.columns[0].picture.Show(nil) // the others are new
	p.columns[0].redial()
	p.scheduleDraw()
}
