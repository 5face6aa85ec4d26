package view

import (
	"slices"

	"impalab/envs"
)

// A world of motion takes fewer steps than the display has frames. Between two steps its picture glides. Both pictures
// are lists of shapes, and a shape in both moves from its old to its new place.

// reel is a picture as a list of shapes, and a Canvas that records it.
type reel struct {
	shapes  []shape
	numbers []float32 // of all shapes, in order
	bitmap  bool      // it has a bitmap, which cannot move
}

type shape struct {
	kind outline
	ink  envs.Ink
	n    int // numbers
}

type outline uint8

const (
	rectangle outline = iota
	disc
	stroke
	polygon
)

func (r *reel) clear() { r.shapes, r.numbers, r.bitmap = r.shapes[:0], r.numbers[:0], false }

func (r *reel) add(kind outline, ink envs.Ink, numbers ...float32) {
	r.shapes = append(r.shapes, shape{kind, ink, len(numbers)})
	r.numbers = append(r.numbers, numbers...)
}

func (r *reel) Rect(x, y, w, h float32, ink envs.Ink)     { r.add(rectangle, ink, x, y, w, h) }
func (r *reel) Circle(x, y, radius float32, ink envs.Ink) { r.add(disc, ink, x, y, radius) }
func (r *reel) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	r.add(stroke, ink, x0, y0, x1, y1, width)
}
func (r *reel) Polygon(xy []float32, ink envs.Ink) { r.add(polygon, ink, xy...) }

func (r *reel) Picture(_, _, _, _ float32, _ []byte, _ int) { r.bitmap = true }

// between makes r the picture at a share of the way from one to the next. Equal shapes at the beginning and at the end
// of both lists move; the others are as in the next.
func (r *reel) between(before, next *reel, share float32) {
	r.shapes, r.numbers = append(r.shapes[:0], next.shapes...), append(r.numbers[:0], next.numbers...)
	r.bitmap = next.bitmap
	move := func(from, to []float32) {
		for i := range to {
			to[i] = from[i] + (to[i]-from[i])*share
		}
	}
	at, common := 0, min(len(before.shapes), len(next.shapes))
	head := 0
	for head < common && before.shapes[head] == next.shapes[head] {
		at += next.shapes[head].n
		head++
	}
	move(before.numbers[:at], r.numbers[:at])
	tail := 0
	for k := 1; k <= common-head; k++ {
		s := next.shapes[len(next.shapes)-k]
		if before.shapes[len(before.shapes)-k] != s {
			break
		}
		tail += s.n
	}
	move(before.numbers[len(before.numbers)-tail:], r.numbers[len(r.numbers)-tail:])
}

// foot returns how many shapes come before the agent and its trail. They are the floor.
func (r *reel) foot() int {
	for i, s := range r.shapes {
		if s.ink == envs.Agent || s.ink == envs.Past {
			return i
		}
	}
	return len(r.shapes)
}

// draw draws the shapes from one index up to another.
func (r *reel) draw(c envs.Canvas, from, to int) {
	rest := r.numbers
	for i, s := range r.shapes[:to] {
		x := rest[:s.n]
		rest = rest[s.n:]
		if i < from {
			continue
		}
		switch s.kind {
		case rectangle:
			c.Rect(x[0], x[1], x[2], x[3], s.ink)
		case disc:
			c.Circle(x[0], x[1], x[2], s.ink)
		case stroke:
			c.Line(x[0], x[1], x[2], x[3], x[4], s.ink)
		case polygon:
			c.Polygon(x, s.ink)
		}
	}
}

// glides reports whether a world's picture moves smoothly. A board, a map of states and a page do not.
func glides(w envs.World) bool {
	_, finite := w.(envs.Finite)
	_, writes := envs.WritingOf(w)
	return !finite && !writes && len(w.Spec().Obs) == 1
}

// film is the last two pictures of a world and the one between them.
type film struct{ before, next, shown reel }

// add records the newest picture. If it follows the last one, the motion starts from the current picture.
func (f *film) add(w envs.World, follows bool) {
	f.before, f.shown = f.shown, f.before
	f.next.clear()
	w.Draw(&f.next)
	if !follows || len(f.before.shapes) == 0 {
		f.before.shapes, f.before.numbers = slices.Clone(f.next.shapes), slices.Clone(f.next.numbers)
	}
}

// at returns the picture at a share of the way.
func (f *film) at(share float32) *reel {
	f.shown.between(&f.before, &f.next, share)
	return &f.shown
}
