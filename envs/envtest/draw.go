package envtest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"

	"impalab/envs"
)

// drawingPure also keeps shapes within the view: the page cuts off all drawing outside.
func drawingPure(e *envs.Entry) error {
	p := newPlayer(e, 1)
	inks := map[envs.Ink]bool{}
	for i := range 500 {
		before, chance := p.State(nil), p.world.State()
		first, second := recorder{view: e.Spec.View}, recorder{view: e.Spec.View}
		p.Draw(&first)
		p.Draw(&second)
		switch {
		case !bytes.Equal(before, p.State(nil)) || chance != p.world.State():
			return fmt.Errorf("step %d: drawing changed the state", i)
		case !slices.Equal(first.shapes, second.shapes):
			return fmt.Errorf("step %d: one state, two drawings", i)
		case len(first.shapes) == 0:
			return fmt.Errorf("step %d: nothing is drawn", i)
		case first.fault != nil:
			return fmt.Errorf("step %d: %w", i, first.fault)
		}
		for ink := range first.inks {
			inks[ink] = true
		}
		p.advance()
	}
	if !inks[envs.Agent] {
		return fmt.Errorf("nothing shows what the policy moves")
	}
	return nil
}

// recorder keeps a drawing as one list of numbers.
type recorder struct {
	view   [2]float32
	shapes []float32
	inks   map[envs.Ink]bool
	fault  error
}

func (r *recorder) shape(ink envs.Ink, numbers ...float32) {
	if ink > envs.Past {
		r.fault = fmt.Errorf("ink %d is not in the drawing language", ink)
	}
	for _, x := range numbers {
		if !finite(x) {
			r.fault = fmt.Errorf("a shape has %v in it", x)
		}
	}
	if r.inks == nil {
		r.inks = map[envs.Ink]bool{}
	}
	r.inks[ink] = true
	r.shapes = append(append(r.shapes, float32(ink)), numbers...)
}

// inside allows a twentieth of the view for shapes that lean out on their way to an end.
func (r *recorder) inside(x, y float32) {
	slack := .05 * max(r.view[0], r.view[1])
	if !(x >= -slack && x <= r.view[0]+slack && y >= -slack && y <= r.view[1]+slack) {
		r.fault = fmt.Errorf("a shape reaches (%v, %v), the view is %v", x, y, r.view)
	}
}

func (r *recorder) Rect(x, y, w, h float32, ink envs.Ink) {
	r.shape(ink, x, y, w, h)
	r.inside(x, y)
	r.inside(x+w, y+h)
}

func (r *recorder) Circle(x, y, radius float32, ink envs.Ink) {
	r.shape(ink, x, y, radius)
	r.inside(x-radius, y-radius)
	r.inside(x+radius, y+radius)
}

func (r *recorder) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	r.shape(ink, x0, y0, x1, y1, width)
	r.inside(x0, y0)
	r.inside(x1, y1)
}

func (r *recorder) Polygon(xy []float32, ink envs.Ink) {
	r.shape(ink, xy...)
	if len(xy) < 6 || len(xy)%2 != 0 {
		r.fault = fmt.Errorf("a polygon of %d numbers", len(xy))
		return
	}
	for i := 0; i < len(xy); i += 2 {
		r.inside(xy[i], xy[i+1])
	}
}

func (r *recorder) Picture(x, y, w, h float32, rgb []byte, columns int) {
	r.inside(x, y)
	r.inside(x+w, y+h)
	if columns < 1 || len(rgb) == 0 || len(rgb)%(3*columns) != 0 {
		r.fault = fmt.Errorf("a picture of %d bytes in rows of %d", len(rgb), columns)
		return
	}
	sum := fnv.New32a()
	sum.Write(rgb)
	s := sum.Sum32()
	r.shape(envs.Ground, x, y, w, h, float32(columns), float32(s>>16), float32(s&0xFFFF))
}
