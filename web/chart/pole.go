package chart

import (
	"math"
	"strconv"
)

// Pole is the place of a stick on a cart in a picture, in pixels. The stage's canvas and the page's SVG share it.
type Pole struct {
	W, H  float64
	Floor float64 // height at which the cart stands
	Long  float64 // of the stick
	Unit  float64 // of the cart's parts
}

// LayPole returns the place of the cart and its stick in a picture of w × h pixels.
func LayPole(w, h float64) Pole {
	floor, top := .86*h, .12*h
	switch {
	case h >= 300:
		floor = .91 * h
	case w < 220:
		top = .2 * h // of a phone: the name and the score stand above
	}
	long := math.Min((floor-top)/1.2, .52*w)
	return Pole{w, h, floor, long, long / 92}
}

// PoleTrack is the share of the picture's width on either side of its middle that a cart's track has.
const PoleTrack = .4

// Reach is how far a lying stick, with the strokes at its tip, reaches from the middle of its cart.
func (p *Pole) Reach() float64 { return p.Long*math.Sin(lying) + 14*p.Unit }

// X is the place of a cart at x metres of a track that ends at ±track.
func (p *Pole) X(x, track float64) float64 {
	return p.W/2 + p.W*PoleTrack*math.Max(-1, math.Min(1, x/math.Max(track, .1)))
}

// DrawPole draws a stick on a cart, or lying on the floor with the images of its fall, for a page without its canvas.
func DrawPole(class string, x, track, lean float64, lies bool, fan []float32, w, h float64) string {
	s, p := &svg{}, LayPole(w, h)
	k, cart := p.Unit, p.X(x, track)
	hinge := p.Floor - 17*k
	rod := func(class string, lean, width, opacity float64) {
		sin, cos := math.Sincos(lean)
		s.begin("line", class, "x1 y1 x2 y2 stroke-width", cart, hinge, cart+p.Long*sin, hinge-p.Long*cos, width)
		s.WriteString(` opacity="` + strconv.FormatFloat(opacity, 'f', 2, 64) + `"/>`)
	}
	s.rect("ground", 0, p.Floor, w, h-p.Floor)
	s.line("rail", 0, p.Floor, w, p.Floor)
	for i, lean := range fan {
		share := float64(i) / float64(len(fan))
		rod("rod lies", float64(lean), 5.5*k, .06+.3*share*share)
	}
	s.begin("g", class, "")
	s.WriteByte('>')
	s.rect("cart", cart-24*k, p.Floor-21*k, 48*k, 16*k)
	s.WriteString("</g>")
	for _, wheel := range [...]float64{-12, 12} {
		s.circle("wheel", cart+wheel*k, p.Floor-4.5*k, 5*k)
	}
	if lies {
		rod("rod lies", math.Copysign(lying, lean), 7.5*k, 1)
		sin, cos := math.Sincos(math.Copysign(lying, lean))
		tx, ty, side := cart+p.Long*sin, hinge-p.Long*cos, math.Copysign(1, lean)
		for _, to := range [...]XY{{8, -11}, {14, -4}, {-2, -14}} {
			s.line("stroke lies", tx+side*to.X*k*.6, ty+to.Y*k*.6, tx+side*to.X*k, ty+to.Y*k)
		}
	} else {
		rod("rod "+class, lean, 7.5*k, 1)
	}
	s.circle("hinge", cart, hinge, 2.6*k)
	return s.String()
}
