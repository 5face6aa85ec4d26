//go:build js && wasm

package page

import (
	"math/rand/v2"
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/conn"
	"impalab/wasm/run"
	"impalab/wasm/view"
	"impalab/web/play"
	"impalab/web/wire"
)

// column is one run of the page: its connection, its cell of the stage, and the display's frames that move it. The desk
// shows everything else of the selected run.
type column struct {
	*Page
	*conn.Link // nil until it may connect
	run        *run.Run
	line       conn.State
	cell       int // of the stage
	picture    *view.Cell

	charted *play.Map   // in the cell, or nil
	shown   *wire.Frame // in the cell, or nil
	moving  bool
	frame   js.Func
	closed  bool

	inBrowser bool // the link leads to a worker
}

func (p *Page) newColumn(r *run.Run, cell int) *column {
	c := &column{Page: p, run: r, cell: cell, picture: p.stage.Cell(cell)}
	r.Line, c.picture.Tumble = c, &r.Tumble
	c.frame = browser.Callback(func(now js.Value) { c.animate(time.Duration(now.Float() * float64(time.Millisecond))) })
	return c
}

// close ends the column. The server keeps its run.
func (c *column) close() {
	c.closed = true
	if c.Link != nil {
		c.Link.Close()
	}
	c.picture.Show(nil)
}

func (c *column) connect() {
	http := c.base()
	options := conn.Options{
		Socket:  conn.Socket{URL: "ws" + strings.TrimPrefix(http, "http") + "ws"},
		Stream:  conn.Stream{Down: http + "api/stream", Up: http + "api/send"},
		After:   c.after,
		Jitter:  rand.Float64,
		Hello:   c.run.Hello,
		Message: c.message,
		State: func(s conn.State) {
			c.line = s
			c.run.Lost = s == conn.Closed || c.run.Lost // until the next Welcome
			c.scheduleDraw()
		},
		Problem: func(err error) { c.notice(err.Error()) },
	}
	if c.inBrowser = c.run.InBrowser; c.inBrowser {
		options.Socket, options.Stream = &c.home.Workers, nil
	}
	c.Link = conn.Start(options)
}

// Redial empties the cell and opens another session where the run should train. A column without a session says its
// Hello when it connects.
func (c *column) Redial() {
	c.picture.Show(nil)
	switch {
	case c.Link == nil:
	case c.inBrowser != c.run.InBrowser:
		c.Close()
		c.connect()
	default:
		c.Restart()
	}
}

func (c *column) message(m wire.Message) {
	c.model.Apply(c.run, m)
	if c.first != nil {
		c.first.Heard(c.run, m)
	} else if !c.model.Runs[0].Link.Embed() && c.run.Falls() && c.pauses() {
		c.model.PauseFell(c.run)
	}
	if c.first == nil && !c.model.Runs[0].Link.Embed() {
		if speed := c.run.Travel(); speed != "" {
			c.model.Travel(c.run, speed)
		}
	}
	switch m := m.(type) {
	case *wire.Welcome:
		if m.Key != "" {
			c.store(keyName, m.Key)
			c.connectAll()
		}
		if m.Fresh {
			c.show(c.run.Frame) // nil, or a person's game, which continues
		}
		if built := c.data("build"); built != "" && m.Build != "" && built != m.Build {
			c.model.Notice("The server runs another build than this page: reload it.")
		}
	case *wire.Weights:
		c.drawMap()
	case *wire.Frame:
		if c.run.Frame == m {
			c.show(m)
		}
	}
	c.run.SendWant()
	c.scheduleDraw()
}

// animate plays the due steps of a world that the page plays.
func (c *column) animate(now time.Duration) {
	if c.closed {
		return
	}
	played := c.model.Tick(c.run, now)
	for _, f := range played { // the ribbon needs every frame
		c.show(f)
	}
	c.moving = c.model.Lively(c.run)
	if c.moving {
		c.window.Call("requestAnimationFrame", c.frame)
	}
	if len(played) > 0 || !c.moving || c.run.Tumble.Falls() && !c.run.Tumble.Rests() {
		c.scheduleDraw()
	}
}

// startAnimation plays with the display's frames while the page plays a world. A hidden page has no frames, so it
// rests.
func (c *column) startAnimation() {
	if !c.moving && !c.closed && c.model.Lively(c.run) {
		c.moving = true
		c.window.Call("requestAnimationFrame", c.frame)
	}
}

// show puts a frame into the cell; nil empties it. While the cursor holds a moment, the cell shows its frame.
func (c *column) show(f *wire.Frame) {
	if then := c.run.Watched(); f != nil && then != c.run.Frame {
		f = then
	}
	c.picture.Tumble = &c.run.Tumble
	if f != nil && f != c.run.Frame { // a moment that is held
		c.picture.Tumble = nil
	}
	if f != nil && f == c.shown {
		return
	}
	c.shown = f
	if err := c.picture.Show(f); err != nil {
		c.notice(err.Error())
	}
}

// drawMap hands the map to the cell.
func (c *column) drawMap() {
	c.charted = c.run.Chart()
	c.picture.Map(c.charted, c.run.Arrows, c.run.Values)
}

// name writes what stands on the stage.
func (c *column) name() {
	var t view.Title
	t.Name, t.Score, t.Unit, t.Weak = c.run.Staged()
	c.picture.Name(t)
}

// changeMoment shows the frame and the map of the cursor, if they differ.
func (c *column) changeMoment() {
	if c.run.Chart() != c.charted {
		c.drawMap()
	}
	if f := c.run.Frame; f != nil {
		c.show(f)
	}
}
