package page

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"strings"

	"impalab/envs"
)

// A world draws its own picture on a canvas that writes SVG. Colours are classes, so one picture serves both themes.
// Consecutive shapes of one ink form one path.

// inks are the classes of envs.Ink, in order.
var inks = [...]string{"ground", "wall", "faint", "strong", "pi", "cut", "corrected", "mu"}

// scene is a canvas for SVG. It scales the units of a world.
type scene struct {
	out    strings.Builder
	ink    int // ink of the open path; −1: none
	scale  float64
	dx, dy float64
}

// worldPicture returns the inside of an SVG of a world a few steps into an episode. The name decides which episode. A
// suite shows its first six worlds side by side.
func worldPicture(world, name string, wide, high float64) (string, error) {
	worlds := []string{world}
	if suite, err := envs.LookupSuite(world); err == nil {
		worlds = worlds[:0]
		for _, t := range suite.Tasks[:min(6, len(suite.Tasks))] {
			worlds = append(worlds, t.World)
		}
	}
	columns := min(3, len(worlds))
	rows := (len(worlds) + columns - 1) / columns
	s := scene{ink: -1}
	w, h := wide/float64(columns), high/float64(rows)
	for i, one := range worlds {
		met, err := meet(one, name)
		if err != nil {
			return "", err
		}
		s.drawWorld(met, float64(i%columns)*w, float64(i/columns)*h, w, h)
	}
	s.close()
	return s.out.String(), nil
}

// drawWorld draws a world into the middle of a box.
func (s *scene) drawWorld(world envs.World, x, y, w, h float64) {
	const margin = 0.08 // of the box, on each side
	view := world.Spec().View
	s.scale = min(w*(1-2*margin)/float64(view[0]), h*(1-2*margin)/float64(view[1]))
	s.dx = x + (w-float64(view[0])*s.scale)/2
	s.dy = y + (h-float64(view[1])*s.scale)/2
	world.Draw(s)
}

// meet returns a world some random steps into its first episode that is long enough.
func meet(world, name string) (envs.World, error) {
	w, err := envs.New(world)
	if err != nil {
		return nil, err
	}
	sum := fnv.New64a()
	sum.Write([]byte(name))
	chance := envs.NewRand(sum.Sum64(), 0)
	w.Reset(&chance)
	for tries, steps := 0, 0; steps < meetSteps && tries < 100; steps++ {
		if w.Step(&chance, chance.IntN(len(w.Spec().Actions))).End != envs.Running {
			w.Reset(&chance)
			tries, steps = tries+1, min(meetSteps-1, tries/4) // episodes may get shorter with each try
		}
	}
	return w, nil
}

const meetSteps = 12

func (s *scene) close() {
	if s.ink >= 0 {
		s.out.WriteString(`"/>`)
	}
	s.ink = -1
}

// path starts a path, unless one of this ink is open.
func (s *scene) path(ink envs.Ink) {
	if s.ink == int(ink) {
		return
	}
	s.close()
	s.ink = int(ink)
	fmt.Fprintf(&s.out, `<path class="%s" d="`, inks[ink])
}

func (s *scene) x(x float32) string     { return coord(s.dx + float64(x)*s.scale) }
func (s *scene) y(y float32) string     { return coord(s.dy + float64(y)*s.scale) }
func (s *scene) long(v float32) string  { return coord(float64(v) * s.scale) }
func (s *scene) at(x, y float32) string { return s.x(x) + " " + s.y(y) }

func (s *scene) Rect(x, y, w, h float32, ink envs.Ink) {
	s.path(ink)
	fmt.Fprintf(&s.out, "M%sh%sv%sh-%sz", s.at(x, y), s.long(w), s.long(h), s.long(w))
}

func (s *scene) Circle(x, y, r float32, ink envs.Ink) {
	s.path(ink)
	d, t := s.long(r), s.long(2*r)
	fmt.Fprintf(&s.out, "M%sa%s %s 0 1 0 %s 0a%s %s 0 1 0-%s 0z", s.at(x-r, y), d, d, t, d, d, t)
}

func (s *scene) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	dx, dy := x1-x0, y1-y0
	long := float32(math.Hypot(float64(dx), float64(dy)))
	if long == 0 {
		return
	}
	nx, ny := -dy/long*width/2, dx/long*width/2
	s.Polygon([]float32{x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny}, ink)
}

func (s *scene) Polygon(xy []float32, ink envs.Ink) {
	s.path(ink)
	for i := 0; i+1 < len(xy); i += 2 {
		s.out.WriteString(move(i) + s.at(xy[i], xy[i+1]))
	}
	s.out.WriteByte('z')
}

// Picture draws pixels, and no more than are visible. It writes large pictures as JPEG and small ones as PNG.
func (s *scene) Picture(x, y, w, h float32, rgb []byte, columns int) {
	s.close()
	rows := len(rgb) / 3 / columns
	wide := min(columns, int(float64(w)*s.scale*pixelsPerUnit)+1)
	high := max(1, rows*wide/columns)
	pixels := image.NewNRGBA(image.Rect(0, 0, wide, high))
	for j := range high {
		for i := range wide {
			pixels.SetNRGBA(i, j, average(rgb, columns, i*columns/wide, (i+1)*columns/wide, j*rows/high, (j+1)*rows/high))
		}
	}
	var b bytes.Buffer
	kind := "png"
	encode := func() error { return png.Encode(&b, pixels) }
	if wide > 32 {
		kind, encode = "jpeg", func() error { return jpeg.Encode(&b, pixels, &jpeg.Options{Quality: 70}) }
	}
	if err := encode(); err != nil {
		panic(err) // a Buffer accepts everything, and the size is valid
	}
	fmt.Fprintf(&s.out, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" `+
		`href="data:image/%s;base64,%s"/>`, s.x(x), s.y(y), s.long(w), s.long(h), kind,
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

// pixelsPerUnit is the highest visible resolution of the SVG's unit.
const pixelsPerUnit = 1.25

// average returns the mean colour of a box of pixels.
func average(rgb []byte, columns, left, right, top, bottom int) color.NRGBA {
	var sum [3]int
	n := 0
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			for k := range sum {
				sum[k] += int(rgb[3*(y*columns+x)+k])
			}
			n++
		}
	}
	return color.NRGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 0xFF}
}
