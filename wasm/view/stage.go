//go:build js && wasm

package view

import (
	"math"
	"syscall/js"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

// low is how much wider than high a stage is that has no room for anything below the world.
const low = 1.8

// Stage is the picture. It draws when there is something new, and otherwise leaves the screen and the processor alone.
// Everything runs on the browser's one thread: Show and Dark may come between two frames, never within one.
type Stage struct {
	paint *paint
	words *words
	trace trace

	frame *wire.Frame
	world envs.World // of the frame; nil before the first
	scale float64    // pixels of the screen to a CSS pixel

	film    film
	glides  bool          // the world's picture moves between its steps
	arrived time.Time     // when the newest frame came
	each    time.Duration // between two steps
	calm    js.Value      // the media query for reduced motion
	again   js.Func

	chart          *play.Map // over the world; nil: none
	arrows, values bool

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

// Show is the newest frame; nil empties the stage. An error means that the frame cannot be shown: the last one stays.
func (g *Stage) Show(f *wire.Frame) error {
	if f == nil {
		g.frame, g.world, g.trace = nil, nil, trace{}
		ebiten.ScheduleFrame()
		return nil
	}
	if g.world == nil || g.world.Spec().Name != f.World {
		world, err := envs.New(f.World)
		if err != nil {
			return err
		}
		g.world, g.trace, g.film, g.glides = world, trace{}, film{}, glides(world)
		g.each = time.Duration(float64(time.Second) / float64(world.Spec().Rate))
	}
	if err := g.world.SetState(f.State); err != nil {
		return err
	}
	if g.glides {
		g.film.take(g.world, g.frame != nil && f.Number == g.frame.Number+1 && f.Length > 1)
		g.arrived = time.Now()
	}
	g.frame = f
	g.trace.add(f)
	ebiten.ScheduleFrame()
	return nil
}

// Map is drawn over the world it is of: the policy of each state as arrows, its value as a tint.
func (g *Stage) Map(m *play.Map, arrows, values bool) {
	g.chart, g.arrows, g.values = m, arrows, values
	ebiten.ScheduleFrame()
}

// Dark chooses the theme's colours.
func (g *Stage) Dark(dark bool) {
	g.paint.dark = dark
	ebiten.ScheduleFrame()
}

// Run draws until the page goes. An error means that this browser has no WebGL; all but the picture works without.
func (g *Stage) Run() error {
	if canvas := js.Global().Get("document").Call("querySelector", "canvas"); canvas.Truthy() {
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

// picture draws the world: as it is, or on its way there.
func (g *Stage) picture() {
	if world, ok := g.mapped(); ok {
		g.overlay(world)
		return
	}
	if !g.glides {
		g.world.Draw(g.paint)
		return
	}
	way := float32(time.Since(g.arrived)) / float32(g.each)
	if way >= 1 || g.calm.Get("matches").Bool() {
		way = 1
	} else {
		js.Global().Call("requestAnimationFrame", g.again)
	}
	g.film.show(g.paint, way)
}

func (g *Stage) Draw(screen *ebiten.Image) {
	screen.Fill(palette.Of(palette.Ground, g.paint.dark))
	w, h, s := float32(screen.Bounds().Dx()), float32(screen.Bounds().Dy()), float32(g.scale)
	if g.frame == nil {
		g.words.write(screen, "Waiting for the world", sans, 13*s, centre, w/2, h/2, palette.Of(palette.Quiet, g.paint.dark))
	} else {
		spec := g.world.Spec()
		policy := g.frame.Ratio == g.frame.Ratio // a person has none
		top, under := h, strip{}
		switch {
		case policy && w > low*h: // the policies stand beside the world
			under = g.stripOf(g.frame, spec, w/2, w, s)
			top = max(0, (h-under.tall())/2)
			g.paint.fit(spec.View, aside*s, 26*s, w/2-2*aside*s, h-(26+8)*s)
		case policy:
			under = g.stripOf(g.frame, spec, 0, w, s)
			top -= under.tall()
			fallthrough
		default:
			g.paint.fit(spec.View, aside*s, 26*s, w-2*aside*s, top-(26+8)*s)
		}
		g.picture()
		g.paint.flush(screen)
		if policy {
			g.strip(screen, g.frame, spec, &under, top)
		}
	}
	g.drawn++
	g.onDrawn(g.drawn)
}
