package view

import (
	"image/color"
	"math"
)

// mesh collects filled convex shapes as triangles with soft edges: colour fades from half a pixel inside an outline to
// half a pixel outside. That is smooth on every screen and needs one draw call a frame.
type mesh struct {
	vertices []vertex
	indices  []uint32
	outline  []float32 // scratch
}

// vertex is a corner of a triangle: its place in pixels, and its colour in [0, 1], not multiplied by alpha.
type vertex struct{ x, y, r, g, b, a float32 }

func (m *mesh) clear() { m.vertices, m.indices = m.vertices[:0], m.indices[:0] }

func (m *mesh) add(x, y float32, c color.RGBA, alpha float32) {
	const unit = 1.0 / 255
	m.vertices = append(m.vertices, vertex{x, y, float32(c.R) * unit, float32(c.G) * unit, float32(c.B) * unit, alpha})
}

// rect fills whole pixels, so that neighbours in a grid have no seam.
func (m *mesh) rect(x, y, w, h float32, c color.RGBA, alpha float32) {
	x0, y0, x1, y1 := round(x), round(y), round(x+w), round(y+h)
	if w > 0 && x1 == x0 {
		x1++ // at least one pixel
	}
	if h > 0 && y1 == y0 {
		y1++
	}
	m.band(x0, y0, y1, x1, y0, y1, c, alpha)
}

// band fills from top0 to foot0 at x0, and from top1 to foot1 at x1. Its edges are sharp, so that another can join it.
func (m *mesh) band(x0, top0, foot0, x1, top1, foot1 float32, c color.RGBA, alpha float32) {
	at := uint32(len(m.vertices))
	m.add(x0, top0, c, alpha)
	m.add(x0, foot0, c, alpha)
	m.add(x1, foot1, c, alpha)
	m.add(x1, top1, c, alpha)
	m.indices = append(m.indices, at, at+1, at+2, at, at+2, at+3)
}

// line draws a stroke; one thinner than a pixel is a pixel wide and fainter.
func (m *mesh) line(x0, y0, x1, y1, width float32, c color.RGBA, alpha float32) {
	dx, dy := x1-x0, y1-y0
	length := hypot(dx, dy)
	if length == 0 {
		return
	}
	if width < 1 {
		alpha *= max(width, 0.35)
		width = 1
	}
	nx, ny := -dy/length*width/2, dx/length*width/2
	m.convex([]float32{x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny}, c, alpha)
}

// circle draws a polygon whose outline is right to a tenth of a pixel.
func (m *mesh) circle(x, y, r float32, c color.RGBA, alpha float32) {
	if r <= 0 {
		return
	}
	n := int(math.Ceil(math.Pi / math.Acos(1-0.1/math.Max(float64(r), 0.2))))
	n = min(128, max(12, n))
	m.outline = m.outline[:0]
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		m.outline = append(m.outline, x+r*float32(cos), y+r*float32(sin))
	}
	m.convex(m.outline, c, alpha)
}

// rounded draws a rectangle whose upper and lower corners have radii.
func (m *mesh) rounded(x, y, w, h, upper, lower float32, c color.RGBA, alpha float32) {
	if w <= 0 || h <= 0 {
		return
	}
	const each = 5 // points of a corner
	m.outline = m.outline[:0]
	for k, corner := range [...]struct{ x, y, r float32 }{{x + w, y + h, lower}, {x, y + h, lower}, {x, y, upper},
		{x + w, y, upper}} {
		r := min(corner.r, w/2, h/2)
		cx, cy := corner.x, corner.y-r
		if k >= 2 {
			cy = corner.y + r
		}
		if cx -= r; k == 1 || k == 2 {
			cx = corner.x + r
		}
		for i := range each {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(k) + float64(i)/(each-1)))
			m.outline = append(m.outline, cx+r*float32(cos), cy+r*float32(sin))
			if r == 0 {
				break
			}
		}
	}
	m.convex(m.outline, c, alpha)
}

// convex fills an outline x0 y0 x1 y1 …, in either direction.
func (m *mesh) convex(xy []float32, c color.RGBA, alpha float32) {
	n := len(xy) / 2
	if n < 3 {
		return
	}
	side := float32(1)
	if area(xy) < 0 {
		side = -1
	}
	soft := min(0.5, thickness(xy)/2)
	first := uint32(len(m.vertices))
	for i := range n {
		x, y := xy[2*i], xy[2*i+1]
		before, after := (i+n-1)%n, (i+1)%n
		ax, ay := normal(xy[2*before], xy[2*before+1], x, y, side)
		bx, by := normal(x, y, xy[2*after], xy[2*after+1], side)
		// The mitre is half a pixel from both edges, and at most two pixels at a sharp tip.
		mx, my := ax+bx, ay+by
		scale := 2 / max(mx*mx+my*my, 0.25)
		mx, my = mx*scale, my*scale
		m.add(x-mx*soft, y-my*soft, c, alpha)
		m.add(x+mx*0.5, y+my*0.5, c, 0)
	}
	for i := range n {
		in, out := first+uint32(2*i), first+uint32(2*i+1)
		nextIn, nextOut := first+uint32(2*((i+1)%n)), first+uint32(2*((i+1)%n)+1)
		m.indices = append(m.indices, in, out, nextIn, out, nextOut, nextIn)
		if i > 1 {
			m.indices = append(m.indices, first, first+uint32(2*(i-1)), in)
		}
	}
}

// normal returns the unit vector that points out of the shape, on the edge from a to b.
func normal(ax, ay, bx, by, side float32) (x, y float32) {
	dx, dy := bx-ax, by-ay
	length := hypot(dx, dy)
	if length == 0 {
		return 0, 0
	}
	return dy / length * side, -dx / length * side
}

// area returns twice the signed area.
func area(xy []float32) (sum float32) {
	n := len(xy) / 2
	for i := range n {
		j := (i + 1) % n
		sum += xy[2*i]*xy[2*j+1] - xy[2*j]*xy[2*i+1]
	}
	return sum
}

// thickness estimates the least width of a shape: twice its area over its girth, doubled.
func thickness(xy []float32) float32 {
	girth := float32(0)
	n := len(xy) / 2
	for i := range n {
		j := (i + 1) % n
		girth += hypot(xy[2*j]-xy[2*i], xy[2*j+1]-xy[2*i+1])
	}
	if girth == 0 {
		return 0
	}
	return 2 * float32(math.Abs(float64(area(xy)))) / girth
}

func hypot(x, y float32) float32 { return float32(math.Sqrt(float64(x*x + y*y))) }

func round(v float32) float32 { return float32(math.Round(float64(v))) }

func share(p float32) float32 {
	if p != p {
		return 0
	}
	return min(1, max(0, p))
}
