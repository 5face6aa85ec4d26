//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/learner/telemetry"
	"impalab/wasm/link"
	"impalab/wasm/model"
	"impalab/web/play"
	"impalab/web/wire"
)

// Picture is what the page needs of the stage.
type Picture interface {
	Show(*wire.Frame) error               // nil: nothing to show
	Map(m *play.Map, arrows, values bool) // over the world; nil: none
	Dark(bool)
}

// Page is the HTML and the state behind it. Everything runs in callbacks on the browser's one thread.
type Page struct {
	window, document, root, body js.Value // of the page, not of the frame the program runs in

	model   *model.Model
	link    *link.Link
	picture Picture
	pace    model.Pace

	controls []*control
	groups   []group
	preset   js.Value
	texts    []textSlot
	charts   []*chart
	dialogs  dialogs

	linkState, runState, ready slot
	gauge, tasks               js.Value
	traces                     js.Value
	traced                     []tracePanel
	writtenLink                uint32 // model.SettingsRevision when the address was last written
	draws                      drawing
	watching                   watching
	optionBoxes                []optionsBox
	options                    []*worldOption
	playing                    playing
}

type textSlot struct {
	slot
	read func(*model.Model) string
}

// tracePanel is the chart of a quantity with all that stands around it.
type tracePanel struct {
	*telemetry.Quantity
	element js.Value
}

type chart struct {
	*model.Chart
	element  js.Value
	revision any
	width    float64
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
		model: model.New(window.Get("location").Get("hash").String()), picture: picture,
	}
	p.model.Words = p.words
	p.linkState, p.runState = attribute(p.body, "data-link"), attribute(p.body, "data-state")
	p.ready = attribute(p.root, "data-ready")
	p.gauge, p.traces = find(document, `[data-panel="gauge"]`), find(document, `[data-panel="traces"]`)
	p.tasks = find(document, `[data-panel="tasks"]`)
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		p.traced = append(p.traced, tracePanel{q, find(document, `[data-trace="`+q.Name+`"]`)})
	}
	p.pace = model.Pace{Every: 50 * time.Millisecond, After: p.after, Send: p.set}
	for i := range model.Texts {
		t := &model.Texts[i]
		for _, element := range findAll(document, `[data-text="`+t.Name+`"]`) {
			p.texts = append(p.texts, textSlot{text(element), t.Read})
		}
	}
	for i := range model.Charts {
		c := &model.Charts[i]
		if element := find(document, `[data-chart="`+c.Name+`"]`); element.Truthy() {
			p.charts = append(p.charts, &chart{Chart: c, element: element})
		}
	}
	p.bindControls()
	p.bindActs()
	p.bindDialogs()
	p.bindTheme()
	p.bindOptions()
	p.bindWatch()
	p.bindHand()
	p.applyView()
	on(window, "hashchange", func(js.Value) { p.hashChanged() })
	on(window, "resize", func(js.Value) { p.scheduleDraw() })
	p.link = link.Start(p.line())
	p.scheduleDraw()
	return p
}

// line is how the page reaches its server: beside the page, under its base.
func (p *Page) line() link.Options {
	location := p.window.Get("location")
	base := "/"
	if b := p.body.Get("dataset").Get("base"); b.Truthy() {
		base = b.String()
	}
	http := location.Get("origin").String() + base
	return link.Options{
		Socket:  link.Socket{URL: "ws" + strings.TrimPrefix(http, "http") + "ws"},
		Stream:  link.Stream{Down: http + "api/stream", Up: http + "api/send"},
		After:   p.after,
		Jitter:  func() float64 { return js.Global().Get("Math").Call("random").Float() },
		Hello:   p.model.Hello,
		Message: p.message,
		State: func(s link.State) {
			p.linkState.mark(s.String())
			p.model.Lost = s == link.Closed || p.model.Lost // until the next Welcome
			p.scheduleDraw()
		},
		Problem: func(err error) { p.notice(err.Error()) },
	}
}

// after is the clock: it works in a hidden page too.
func (p *Page) after(d time.Duration, f func()) { time.AfterFunc(d, f) }

func (p *Page) message(m wire.Message) {
	p.model.Apply(m)
	switch m := m.(type) {
	case *wire.Welcome:
		if m.Fresh {
			p.show(p.model.Frame) // nothing, or the person's game, which goes on
		}
		if built := p.body.Get("dataset").Get("build"); built.Truthy() && m.Build != "" && built.String() != m.Build {
			p.notice("The server runs another build than this page: reload it.")
		}
	case *wire.Weights:
		p.drawMap()
	case *wire.Frame:
		if p.model.Frame == m {
			p.show(m)
		}
	}
	p.sendWant()
	p.scheduleDraw()
}

// send sends what a person asked for, or takes it back.
func (p *Page) send(m wire.Message, err error) {
	switch {
	case err != nil:
		p.model.Announcements = append(p.model.Announcements, err.Error())
	case m != nil && (p.model.Waiting() || !p.link.Send(m)):
		p.model.Unsent(m)
	}
	p.scheduleDraw()
}

func (p *Page) set(key, value string) { p.send(p.model.Set(key, value)) }

// hashChanged opens the link that was put into the address, unless it is the one in force or a place on the page.
func (p *Page) hashChanged() {
	hash := p.window.Get("location").Get("hash").String()
	if !strings.Contains(hash, "=") || p.model.Ready && hash == p.model.Fragment() {
		return
	}
	p.model.Open(hash)
	p.writtenLink = 0
	p.applyView()
	p.applyTheme()
	p.picture.Show(nil)
	p.link.Restart()
	p.scheduleDraw()
}

// words are what the page calls a choice's value: the text of its option.
func (p *Page) words(key, value string) string {
	for _, c := range p.controls {
		if c.Row.Key == key {
			if words, ok := c.options[value]; ok {
				return words
			}
			if words, ok := c.options[model.PlainWorld(value)]; ok && key == "world" {
				return model.WorldWords(words, value)
			}
		}
	}
	return value
}
