//go:build js && wasm

package view

import (
	"errors"
	"image"
	"math"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/web/palette"
)

// Stage is the picture: a cell for each run of the page. It draws when there is something new, and otherwise leaves the
// screen and the processor alone. Everything runs on the browser's one thread: Show and Dark may come between two
// frames, never within one.
type Stage struct {
	paint *paint
	words *words
	scale float64 // pixels of the screen to a CSS pixel

	cells  []*Cell // all there are
	shown  []*Cell // those on the screen, in reading order
	chosen int     // the place of the one in hand
	plain  bool    // the worlds alone
	boxes  []box   // where they were drawn last

	calm   js.Value // the media query for reduced motion
	again  js.Func
	moving bool // another frame of the display is asked for

	drawn   int
	onDrawn func(frames int)
}

// New makes the stage. OnDrawn hears how many frames were drawn so far.
func New(onDrawn func(frames int)) *Stage {
	return &Stage{
		paint: newPaint(), words: newWords(), scale: 1, onDrawn: onDrawn,
		calm: js.Global().Call("matchMedia", "(prefers-reduced-motion: reduce)"),
		again: js.FuncOf(func(js.Value, []js.Value) any {
			ebiten.ScheduleFrame()
			return nil
		}),
	}
}

// Cell is one of the stage's by its number, from 0; it is made when it is first asked for, and empty.
func (g *Stage) Cell(number int) *Cell {
	for len(g.cells) <= number {
		g.cells = append(g.cells, &Cell{Stage: g})
	}
	return g.cells[number]
}

// Arrange says which cells are shown, by their numbers, in reading order; they are lettered from A. Chosen is the place
// of the one in hand.
func (g *Stage) Arrange(numbers []int, chosen int) {
	g.shown = g.shown[:0]
	for _, n := range numbers {
		g.shown = append(g.shown, g.Cell(n))
	}
	g.chosen = chosen
	ebiten.ScheduleFrame()
}

// At is the place of the cell at a point of the canvas, in CSS pixels; −1 for none.
func (g *Stage) At(x, y float64) int { return at(g.boxes, float32(x*g.scale), float32(y*g.scale)) }

// Dark chooses the theme's colours.
func (g *Stage) Dark(dark bool) {
	g.paint.dark = dark
	ebiten.ScheduleFrame()
}

// Plain leaves letters, values and policies to the page around.
func (g *Stage) Plain() { g.plain = true }

// Run draws until the page goes. An error means that this browser has no WebGL; all but the picture works without.
func (g *Stage) Run() error {
	document := js.Global().Get("document")
	if !document.Call("createElement", "canvas").Call("getContext", "webgl2").Truthy() {
		return errors.New("it has no WebGL 2") // Ebiten would begin, and end the program when the window changes its size
	}
	if canvas := document.Call("querySelector", "canvas"); canvas.Truthy() {
		// Ebiten would take the wheel, touch and the keyboard; the page needs them to scroll and to be operated.
		canvas.Get("style").Set("pointerEvents", "none")
		canvas.Set("tabIndex", -1)
		canvas.Call("setAttribute", "aria-hidden", "true")
	}
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum)
	return ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true})
}

func (g *Stage) Update() error { return nil }

// Layout is never asked while LayoutF is there.
func (g *Stage) Layout(w, h int) (int, int) { return w, h }

func (g *Stage) LayoutF(w, h float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	return math.Ceil(w * g.scale), math.Ceil(h * g.scale)
}

func (g *Stage) Draw(screen *ebiten.Image) {
	screen.Fill(palette.Of(palette.Ground, g.paint.dark))
	w, h, s := float32(screen.Bounds().Dx()), float32(screen.Bounds().Dy()), float32(g.scale)
	g.moving = false
	g.boxes = arrange(len(g.shown), w, h, round(cellGap*s))
	for i, c := range g.shown {
		switch b := g.boxes[i]; {
		case g.plain:
			c.plain(screen, b, s)
		case len(g.shown) == 1:
			c.draw(screen, b, s, "", true)
		default: // cut, so that no word runs into the next cell
			part := screen.SubImage(image.Rect(int(b.x), int(b.y), int(b.x+b.w), int(b.y+b.h))).(*ebiten.Image)
			c.draw(part, b, s, letter(i), i == g.chosen)
		}
	}
	g.drawn++
	g.onDrawn(g.drawn)
}

// move asks for another frame of the display.
func (g *Stage) move() {
	if !g.moving {
		g.moving = true
		js.Global().Call("requestAnimationFrame", g.again)
	}
}
