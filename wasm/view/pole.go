//go:build js && wasm

package view

import (
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/palette"
)

// A stick on a cart is drawn with its newest poses behind it, and its fall is played to the floor.

// trailKept is how many poses stand behind a stick, and trailApart how far from each other, in CSS pixels.
const (
	trailKept  = 8
	trailApart = 5
)

// balance records a stick's newest pose.
func (g *Cell) balance(stick envs.Stick, follows bool) {
	if !follows {
		g.trail = g.trail[:0]
	}
	if len(g.trail) == trailKept+1 {
		g.trail = append(g.trail[:0], g.trail[1:]...)
	}
	g.trail = append(g.trail, stick)
}

func (g *Cell) falls() bool { return g.Tumble != nil && g.Tumble.Falls() }
func (g *Cell) down() bool  { return g.Tumble != nil && g.Tumble.Down() }

// floorColour is the colour of the stage.
func (g *Cell) floorColour() color.RGBA {
	sunk := g.paint.colour(palette.Sunk)
	if !g.down() {
		return sunk
	}
	return blend(sunk, g.paint.colour(palette.Sore), g.Tumble.Sore(g.calm.Matches()))
}

// balanced draws a stick on its cart into a box.
func (g *Cell) balanced(screen *ebiten.Image, b box, s float32) {
	p := chart.LayPole(float64(b.w/s), float64(b.h/s))
	k := float32(p.Unit) * s
	ground, long := b.y+float32(p.Floor)*s, float32(p.Long)*s
	ink, wall := g.paint.colour(g.ink), g.paint.colour(palette.Wall)
	stick := g.trail[len(g.trail)-1]
	if g.falls() {
		stick = g.Tumble.Stick()
		if !g.Tumble.Rests() {
			g.move()
		}
	}
	x := b.x + float32(p.X(float64(stick.X), float64(stick.Track)))*s
	hinge := ground - 17*k
	rod := func(x, lean, width float32, ink color.RGBA, opacity float32) (float32, float32) {
		sin, cos := math.Sincos(float64(lean))
		tx, ty := x+long*float32(sin), hinge-long*float32(cos)
		g.paint.line(x, hinge, tx, ty, width*k, ink, opacity)
		return tx, ty
	}
	g.paint.rounded(b.x, ground, b.w, b.y+b.h-ground, 0, corner*s, blend(g.floorColour(), wall, .16), 1)
	g.paint.rect(b.x, ground, b.w, 1.5*s, wall, 1)
	for _, share := range [...]float32{.06, .5, .94} {
		g.paint.rect(b.x+b.w*share, ground, 1.2*s, 6*s, wall, 1)
	}
	if g.falls() {
		g.fan(x, rod)
	} else {
		faint := g.paint.colour(palette.Faint)
		rod(x, -stick.Bound, 1/k*s, faint, 1)
		rod(x, stick.Bound, 1/k*s, faint, 1)
		g.behind(x, k, s, ground, rod)
	}
	rounded := func(x0, y0, x1, y1, width float32, ink color.RGBA) {
		g.paint.line(x0, y0, x1, y1, width, ink, 1)
		g.paint.circle(x0, y0, width/2, ink, 1)
		g.paint.circle(x1, y1, width/2, ink, 1)
	}
	g.paint.rounded(x-24*k, ground-21*k, 48*k, 16*k, 2.5*k, 2.5*k, ink, 1)
	for _, wheel := range [...]float32{-12, 12} {
		g.paint.circle(x+wheel*k, ground-4.5*k, 5.6*k, g.floorColour(), 1)
		g.paint.circle(x+wheel*k, ground-4.5*k, 5*k, g.paint.colour(palette.Strong), 1)
	}
	if g.down() {
		ink = g.paint.colour(palette.Cut)
	}
	sin, cos := math.Sincos(float64(stick.Lean))
	tx, ty := x+long*float32(sin), hinge-long*float32(cos)
	rounded(x, hinge, tx, ty, 7.5*k, ink)
	g.paint.circle(x, hinge, 2.6*k, g.floorColour(), 1)
	if g.down() {
		side := float32(math.Copysign(1, float64(stick.Lean)))
		for _, to := range [...][2]float32{{8, -11}, {14, -4}, {-2, -14}} {
			g.paint.line(tx+side*to[0]*k*.6, ty+to[1]*k*.6, tx+side*to[0]*k, ty+to[1]*k, 2*s, ink, 1)
		}
	}
	g.paint.flush(screen)
}

// fan draws the images of a fall.
func (g *Cell) fan(x float32, rod func(x, lean, width float32, ink color.RGBA, opacity float32) (float32, float32)) {
	fan, fade := g.Tumble.Fan, g.Tumble.Fade()
	for i, lean := range fan {
		share := float32(i) / float32(len(fan))
		rod(x, lean, 5.5, g.paint.colour(palette.Cut), (.06+.3*share*share)*fade)
	}
}

// behind draws the newest poses of a stick that stands, on the side that its cart comes from.
func (g *Cell) behind(x, k, s, ground float32,
	rod func(x, lean, width float32, ink color.RGBA, opacity float32) (float32, float32)) {
	past := g.trail[:len(g.trail)-1]
	if len(past) == 0 {
		return
	}
	side := float32(1)
	if past[0].X > g.trail[len(g.trail)-1].X {
		side = -1
	}
	for i := range past {
		share := float32(i+1) / float32(len(past))
		rod(x-side*float32(len(past)-i)*trailApart*s, past[i].Lean, 6.5, g.paint.colour(g.ink), .05+.2*share*share)
	}
	middle := x - side*float32(len(past))*trailApart*s*.6
	g.paint.rounded(middle-24*k, ground-21*k, 48*k, 15*k, 2.5*k, 2.5*k, g.paint.colour(g.ink), .1)
}
