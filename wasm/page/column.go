//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/link"
	"impalab/wasm/model"
	"impalab/wasm/run"
	"impalab/web/play"
	"impalab/web/wire"
)

// Picture is what the page needs of the stage.
type Picture interface {
	Show(*wire.Frame) error               // nil: nothing to show
	Map(m *play.Map, arrows, values bool) // over the world; nil: none
	Dark(bool)
}

// column is the part of the page that shows and steers one run. It has a connection of its own, and looks for its
// elements inside its own root only.
type column struct {
	*Page
	root    js.Value
	run     *run.Run
	link    *link.Link
	picture Picture
	pace    model.Pace

	controls []*control
	groups   []group
	preset   js.Value
	texts    []textSlot
	charts   []*chart

	linkState, runState slot
	gauge, tasks        js.Value
	bench               bench
	find                finder
	watching            watching
	optionBoxes         []optionsBox
	options             []*worldOption
}

type textSlot struct {
	slot
	read func() string
}

type chart struct {
	*run.Chart
	element  js.Value
	revision any
	width    float64
	height   float64
}

// newColumn binds all there is of a run inside root.
func newColumn(p *Page, root js.Value, r *run.Run, picture Picture) *column {
	c := &column{Page: p, root: root, run: r, picture: picture}
	r.Words = c.words
	c.linkState, c.runState = attribute(root, "data-link"), attribute(root, "data-state")
	c.gauge, c.tasks = find(root, `[data-panel="gauge"]`), find(root, `[data-panel="tasks"]`)
	c.pace = model.Pace{Every: 50 * time.Millisecond, After: p.after, Send: c.set}
	for i := range run.Texts {
		c.bindText(run.Texts[i].Name, func() string { return run.Texts[i].Read(r) })
	}
	for i := range model.Texts {
		c.bindText(model.Texts[i].Name, func() string { return model.Texts[i].Read(p.model, r) })
	}
	for i := range run.Charts {
		one := &run.Charts[i]
		if element := find(root, `[data-chart="`+one.Name+`"]`); element.Truthy() {
			c.charts = append(c.charts, &chart{Chart: one, element: element})
		}
	}
	c.bindControls()
	c.bindButtons()
	c.bindOptions()
	c.bindWatch()
	c.bindBench()
	c.bindFind()
	return c
}

func (c *column) bindText(name string, read func() string) {
	for _, element := range findAll(c.root, `[data-text="`+name+`"]`) {
		c.texts = append(c.texts, textSlot{text(element), read})
	}
}

// connect begins the run's session.
func (c *column) connect() { c.link = link.Start(c.line()) }

// base is the address below which the server has everything.
func (c *column) base() string {
	base := "/"
	if b := c.body.Get("dataset").Get("base"); b.Truthy() {
		base = b.String()
	}
	return c.window.Get("location").Get("origin").String() + base
}

// line is how the run reaches its server: beside the page, under its base.
func (c *column) line() link.Options {
	http := c.base()
	return link.Options{
		Socket:  link.Socket{URL: "ws" + strings.TrimPrefix(http, "http") + "ws"},
		Stream:  link.Stream{Down: http + "api/stream", Up: http + "api/send"},
		After:   c.after,
		Jitter:  func() float64 { return js.Global().Get("Math").Call("random").Float() },
		Hello:   c.run.Hello,
		Message: c.message,
		State: func(s link.State) {
			c.linkState.mark(s.String())
			c.run.Lost = s == link.Closed || c.run.Lost // until the next Welcome
			c.scheduleDraw()
		},
		Problem: func(err error) { c.notice(err.Error()) },
	}
}

func (c *column) message(m wire.Message) {
	c.model.Apply(c.run, m)
	switch m := m.(type) {
	case *wire.Welcome:
		if m.Key != "" {
			c.model.Own(m.Key)
			storeKey(c.window, m.Key)
		}
		if m.Fresh {
			c.show(c.run.Frame) // nothing, or the person's game, which goes on
		}
		if built := c.body.Get("dataset").Get("build"); built.Truthy() && m.Build != "" && built.String() != m.Build {
			c.notice("The server runs another build than this page: reload it.")
		}
	case *wire.Weights:
		c.drawMap()
	case *wire.Frame:
		if c.run.Frame == m {
			c.show(m)
		}
	}
	c.sendWant()
	c.scheduleDraw()
}

// send sends what a person asked for, or takes it back.
func (c *column) send(m wire.Message, err error) {
	_, another := m.(*wire.Hello)
	switch {
	case another:
		c.writtenLink = 0
		c.picture.Show(nil)
		c.link.Restart()
	case err != nil:
		c.run.Announcements = append(c.run.Announcements, err.Error())
	case m != nil && (c.run.Waiting() || !c.link.Send(m)):
		c.run.Unsent(m)
	}
	c.scheduleDraw()
}

func (c *column) set(key, value string) { c.send(c.run.Set(key, value)) }

// words are what the page calls a choice's value: the text of its option.
func (c *column) words(key, value string) string {
	for _, one := range c.controls {
		if one.Row.Key == key {
			if words, ok := one.options[value]; ok {
				return words
			}
			if words, ok := one.options[run.PlainWorld(value)]; ok && key == "world" {
				return run.WorldWords(words, value)
			}
		}
	}
	return value
}
