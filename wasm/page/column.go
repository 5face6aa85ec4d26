//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/link"
	"impalab/wasm/run"
	"impalab/web/play"
	"impalab/web/wire"
)

// Picture is what a column needs of the stage: a cell.
type Picture interface {
	Show(*wire.Frame) error               // nil: nothing to show
	Map(m *play.Map, arrows, values bool) // over the world; nil: none
}

// Stage is what the page needs of it: a cell for each column.
type Stage interface {
	Cell(number int) Picture
	Arrange(numbers []int, chosen int) // the cells in sight, in reading order, and the place of the one in hand
	At(x, y float64) int               // the place at a point, in CSS pixels; −1 for none
	Dark(bool)
	Plain() // the worlds alone, without letters, policies and values
}

// column is one run of the page: its connection, its cell, and the display's frames that move it. All else there is of
// a run is shown of the one in hand only, by the desk.
type column struct {
	*Page
	run     *run.Run
	link    *link.Link // nil until it may be asked for
	line    link.State
	cell    int // of the stage
	picture Picture

	charted *play.Map   // that the cell shows; nil: none
	shown   *wire.Frame // that it was given last
	moving  bool
	frame   js.Func
	away    bool // put away: nothing moves any more

	inBrowser bool // the link leads to a worker
}

func (p *Page) newColumn(r *run.Run, cell int) *column {
	c := &column{Page: p, run: r, cell: cell, picture: p.stage.Cell(cell)}
	c.frame = js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.animate(time.Duration(args[0].Float() * float64(time.Millisecond)))
		return nil
	})
	return c
}

// leave ends what the column does. The server keeps its run.
func (c *column) leave() {
	c.away = true
	if c.link != nil {
		c.link.Close()
	}
	c.picture.Show(nil)
	if !c.moving {
		c.frame.Release()
	}
}

// connect begins the run's session.
func (c *column) connect() { c.link = link.Start(c.options()) }

// base is the address below which the site has everything.
func (c *column) base() string {
	base := "/"
	if b := c.body.Get("dataset").Get("base"); b.Truthy() {
		base = b.String()
	}
	return js.Global().Get("URL").New(base, c.document.Get("baseURI")).Get("href").String()
}

// options are how the run reaches its server: beside the page, under its base.
func (c *column) options() link.Options {
	http := c.base()
	options := link.Options{
		Socket:  link.Socket{URL: "ws" + strings.TrimPrefix(http, "http") + "ws"},
		Stream:  link.Stream{Down: http + "api/stream", Up: http + "api/send"},
		After:   c.after,
		Jitter:  func() float64 { return js.Global().Get("Math").Call("random").Float() },
		Hello:   c.run.Hello,
		Message: c.message,
		State: func(s link.State) {
			c.line = s
			c.run.Lost = s == link.Closed || c.run.Lost // until the next Welcome
			c.desk.drawLine()
			c.scheduleDraw()
		},
		Problem: func(err error) { c.notice(err.Error()) },
	}
	if c.inBrowser = c.run.InBrowser; c.inBrowser {
		options.Socket, options.Stream = &c.home.Workers, nil
	}
	return options
}

func (c *column) message(m wire.Message) {
	c.model.Apply(c.run, m)
	if c.opening != nil {
		c.opening.Heard(c.run, m)
	} else if !c.model.Runs[0].Link.Embed() && c.run.Falls() && c.pauses() {
		c.ask(c.model.PauseFell(c.run))
	}
	switch m := m.(type) {
	case *wire.Welcome:
		if m.Key != "" {
			storeKey(c.window, m.Key)
			c.connectAll()
		}
		if m.Fresh {
			c.show(c.run.Frame) // nothing, or the person's game, which goes on
		}
		if built := c.body.Get("dataset").Get("build"); built.Truthy() && m.Build != "" && built.String() != m.Build {
			c.model.Notice("The server runs another build than this page: reload it.")
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

// animate plays what has come due in the page.
func (c *column) animate(now time.Duration) {
	if c.away {
		c.frame.Release()
		return
	}
	played := c.model.Tick(c.run, now)
	for _, f := range played { // the ribbon needs them all
		c.show(f)
	}
	c.moving = c.model.Lively(c.run)
	if c.moving {
		c.window.Call("requestAnimationFrame", c.frame)
	}
	if len(played) > 0 || !c.moving {
		c.scheduleDraw()
	}
}

// startAnimation plays with the display's frames for as long as the page plays anything. A hidden page has no frames,
// so it rests.
func (c *column) startAnimation() {
	if !c.moving && !c.away && c.model.Lively(c.run) {
		c.moving = true
		c.window.Call("requestAnimationFrame", c.frame)
	}
}

// show puts a frame into the cell; nil empties it. While the cursor holds a moment, the frame of then stays there.
func (c *column) show(f *wire.Frame) {
	if then := c.run.Watched(); f != nil && then != c.run.Frame {
		f = then
	}
	if f != nil && f == c.shown {
		return
	}
	c.shown = f
	if err := c.picture.Show(f); err != nil {
		c.notice(err.Error())
	}
}

// sendWant tells the server which of the world's messages the page wants, when that has changed.
func (c *column) sendWant() {
	if want := c.run.Unsaid(); want != nil && c.link.Send(want) {
		c.run.Said(want)
	}
}

// drawMap hands the map to the cell.
func (c *column) drawMap() {
	c.charted = c.run.Chart()
	c.picture.Map(c.charted, c.run.Arrows, c.run.Values)
}

// changeMoment has the cell show the frame and the map of the cursor, where these are others now: a new run has no map
// yet.
func (c *column) changeMoment() {
	if c.run.Chart() != c.charted {
		c.drawMap()
	}
	if f := c.run.Frame; f != nil {
		c.show(f)
	}
}
