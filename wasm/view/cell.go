//go:build js && wasm

package view

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

// Cell is the picture of one run: its world and its recent past.
type Cell struct {
	*Stage
	trace trace
	frame *wire.Frame
	world envs.World // of the frame; nil before the first

	film    film
	glides  bool          // the world's picture moves between its steps
	arrived time.Time     // when the newest frame came
	each    time.Duration // two steps

	chart          *play.Map // over the world, or nil
	arrows, values bool
}

// Show shows a frame; nil empties the cell. A frame that cannot be shown is an error, and the last one stays.
func (g *Cell) Show(f *wire.Frame) error {
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

// Map draws a map over its world: the policy of each state as arrows, its value as a tint.
func (g *Cell) Map(m *play.Map, arrows, values bool) {
	g.chart, g.arrows, g.values = m, arrows, values
	ebiten.ScheduleFrame()
}

// draw draws the cell into its box, s pixels to a CSS pixel, with its letter if it has one.
func (g *Cell) draw(screen *ebiten.Image, b box, s float32, letter string, chosen bool) {
	if g.frame == nil {
		g.words.write(screen, "Waiting for the world", sans, 13*s, centre, b.x+b.w/2, b.y+b.h/2,
			g.paint.colour(palette.Quiet))
		g.head(screen, b, s, letter, chosen)
		return
	}
	spec := g.world.Spec()
	under := g.stripOf(g.frame, spec, b, s)
	wide, top := b.w, b.y+b.h-under.tall()
	foot := top
	if under.policy && beside(b) {
		wide, foot, top = b.w/2, b.y+b.h, max(b.y, b.y+(b.h-under.tall())/2)
	}
	g.paint.fit(spec.View, b.x+aside*s, b.y+headTall*s, wide-2*aside*s, foot-b.y-(headTall+worldBelow)*s)
	g.picture()
	g.paint.flush(screen)
	if under.policy {
		g.strip(screen, g.frame, spec, &under, top)
	}
	g.head(screen, b, s, letter, chosen)
}

func (g *Cell) plain(screen *ebiten.Image, b box, s float32) {
	g.paint.rect(b.x, b.y, b.w, b.h, g.paint.colour(palette.Sunk), 1)
	g.paint.flush(screen)
	if g.frame == nil {
		return
	}
	g.paint.fit(g.world.Spec().View, b.x+aside*s, b.y, b.w-2*aside*s, b.h-worldBelow*s)
	g.picture()
	g.paint.flush(screen)
}

// head writes the run's letter and its value.
func (g *Cell) head(screen *ebiten.Image, b box, s float32, letter string, chosen bool) {
	x, y := b.x+aside*s, b.y+14*s
	if letter != "" {
		ink := g.paint.colour(palette.Strong)
		if chosen {
			ink = g.paint.colour(palette.Target)
			g.paint.rect(b.x, b.y, b.w, 2*s, ink, 1)
			g.paint.flush(screen)
		}
		x += g.words.write(screen, letter, sans, 15*s, left, x, y, ink) + 8*s
	}
	if g.frame != nil && g.judges() {
		x += g.words.write(screen, "V(x)", serif, 15*s, left, x, y, g.paint.colour(palette.Quiet)) + 4*s
		g.words.figures(screen, number(g.frame.Value), 13*s, x, y, g.paint.colour(palette.Strong))
	}
}

// judges reports whether the player has a policy and values; a person has neither.
func (g *Cell) judges() bool { return g.frame.Ratio == g.frame.Ratio }

// picture draws the world, or its map, or its motion between two steps.
func (g *Cell) picture() {
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
		g.move()
	}
	g.film.show(g.paint, way)
}
