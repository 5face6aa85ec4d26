//go:build js && wasm

package view

import (
	"errors"
	"image"
	"math"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/wasm/browser"
	"impalab/web/palette"
)

// Stage is the picture: a cell for each run of the page. It draws only when there is something new. Everything runs on
// the browser's only thread: Show and Dark may come between two frames, never within one.
type Stage struct {
	paint *paint
	words *words
	scale float64 // pixels of the screen to a CSS pixel

	cells  []*Cell // by number
	shown  []*Cell // on the screen, in reading order
	chosen int     // the index of the selected one
	plain  bool    // the worlds alone
	boxes  []box   // of the last drawing

	calm   *browser.Media // reduced motion
	again  js.Func
	moving bool // the stage has asked for another frame of the display

	drawn   int
	onDrawn func(frames int)
}

// New makes the stage. OnDrawn hears how many frames it has drawn.
func New(onDrawn func(frames int)) *Stage {
	return &Stage{
		paint: newPaint(), words: newWords(), scale: 1, onDrawn: onDrawn,
		calm:  browser.NewMedia(js.Global(), "(prefers-reduced-motion: reduce)"),
		again: browser.Callback(func(js.Value) { ebiten.ScheduleFrame() }),
	}
}

// Cell returns the cell of a number, from 0. A new cell is empty.
func (g *Stage) Cell(number int) *Cell {
	for len(g.cells) <= number {
		g.cells = append(g.cells, &Cell{Stage: g})
	}
	return g.cells[number]
}

// Arrange shows some cells, by number, in reading order, lettered from A. Chosen is the index of the selected one.
func (g *Stage) Arrange(numbers []int, chosen int) {
	g.shown = g.shown[:0]
	for _, n := range numbers {
		g.shown = append(g.shown, g.Cell(n))
	}
	g.chosen = chosen
	ebiten.ScheduleFrame()
}

// At returns the index of the cell at a point of the canvas, in CSS pixels, or −1. Behind reports whether the point is
// behind a body's hip: a push there goes forward.
func (g *Stage) At(x, y float64) (index int, behind bool) {
	index = at(g.boxes, float32(x*g.scale), float32(y*g.scale))
	if index >= 0 {
		behind = float32(x*g.scale) < g.boxes[index].x+hip*g.boxes[index].w
	}
	return index, behind
}

// Dark chooses the theme's colours.
func (g *Stage) Dark(dark bool) {
	g.paint.dark = dark
	ebiten.ScheduleFrame()
}

// Plain leaves letters, values and policies to the page.
func (g *Stage) Plain() { g.plain = true }

// Run draws until the page closes. It returns an error in a browser without WebGL; everything but the picture works
// there.
func (g *Stage) Run() error {
	document := js.Global().Get("document")
	if !document.Call("createElement", "canvas").Call("getContext", "webgl2").Truthy() {
		return errors.New("it has no WebGL 2") // Ebiten would start, and end the program when the window changes its size
	}
	if canvas := document.Call("querySelector", "canvas"); canvas.Truthy() {
		// Ebiten would take the wheel, touch and the keyboard, which the page needs.
		canvas.Get("style").Set("pointerEvents", "none")
		canvas.Set("tabIndex", -1)
		canvas.Call("setAttribute", "aria-hidden", "true")
	}
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum)
	return ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true})
}

func (g *Stage) Update() error { return nil }

// Layout is not called while LayoutF exists.
func (g *Stage) Layout(w, h int) (int, int) { return w, h }

func (g *Stage) LayoutF(w, h float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	return math.Ceil(w * g.scale), math.Ceil(h * g.scale)
}

func (g *Stage) Draw(screen *ebiten.Image) {
	screen.Fill(g.paint.colour(palette.Ground))
	w, h, s := float32(screen.Bounds().Dx()), float32(screen.Bounds().Dy()), float32(g.scale)
	g.moving = false
	part := func(b box) *ebiten.Image { // clipped: nothing of a cell runs into the next one
		return screen.SubImage(image.Rect(int(b.x), int(b.y), int(b.x+b.w), int(b.y+b.h))).(*ebiten.Image)
	}
	columns, below := across(len(g.shown), w, h), strip{}
	if columns < len(g.shown) && len(g.shown) == 2 && !g.plain { // one above the other, with the policies of one
		below = g.shown[g.chosen].under(w, h, s)
	}
	top := h - below.tall()
	g.boxes = arrange(len(g.shown), columns, w, top, round(cellGap*s))
	for i, c := range g.shown {
		c.ink = palette.Strong
		if i == 0 {
			c.ink = palette.Target
		}
		switch b := g.boxes[i]; {
		case g.plain:
			c.plain(part(b), b, s)
		case len(g.shown) == 1:
			c.draw(screen, b, s, "")
		case columns == 1:
			c.staged(part(b), b, s, letter(i))
		default:
			c.draw(part(b), b, s, letter(i))
		}
		if !g.plain && len(g.shown) > 1 && i == g.chosen {
			g.frame(screen, g.boxes[i], round(2*s))
		}
	}
	if below.policy {
		c := g.shown[g.chosen]
		c.strip(screen, c.frame, c.world.Spec(), &below, top)
	}
	g.drawn++
	g.onDrawn(g.drawn)
}

// frame draws a frame of a width inside a box: of the selected run.
func (g *Stage) frame(screen *ebiten.Image, b box, wide float32) {
	ink := g.paint.colour(palette.Strong)
	g.paint.rect(b.x, b.y, b.w, wide, ink, 1)
	g.paint.rect(b.x, b.y+b.h-wide, b.w, wide, ink, 1)
	g.paint.rect(b.x, b.y, wide, b.h, ink, 1)
	g.paint.rect(b.x+b.w-wide, b.y, wide, b.h, ink, 1)
	g.paint.flush(screen)
}

// move asks for another frame of the display.
func (g *Stage) move() {
	if !g.moving {
		g.moving = true
		js.Global().Call("requestAnimationFrame", g.again)
	}
}
