package view

import (
	"image/color"
	"slices"

	"impalab/envs/bodies"
)

// A ghost is a second body in a picture: another run of the same world, at the same step of its own episode.

// course is the way of a body through one episode.
type course struct {
	steps []int         // of each pose
	limbs []bodies.Limb // the same number for each pose
}

func (c *course) clear() { c.steps, c.limbs = c.steps[:0], c.limbs[:0] }

func (c *course) add(p *bodies.Pose) {
	c.steps = append(c.steps, p.Step)
	c.limbs = append(c.limbs, p.Limbs...)
}

// at returns the limbs of the last pose up to a step; nil if the course begins later.
func (c *course) at(step int) []bodies.Limb {
	n, _ := slices.BinarySearch(c.steps, step+1)
	if n == 0 {
		return nil
	}
	each := len(c.limbs) / len(c.steps)
	return c.limbs[(n-1)*each : n*each]
}

// whole reports whether the course has its episode's first steps.
func (c *course) whole() bool {
	const early = 4 // frames that a viewer may miss
	return len(c.steps) > 0 && c.steps[0] <= early
}

// ghost writes the limbs at a share of the way to a step. They belong to the present episode, or to the last one if the
// present episode is younger. A body that fell stays where it fell.
func (g *gait) ghost(out []bodies.Limb, step int, share float32) []bodies.Limb {
	c := &g.course
	if n := len(c.steps); g.fell == 0 && (n == 0 || c.steps[n-1] < step) && len(g.last.steps) > 0 {
		c = &g.last
	}
	out = append(out[:0], c.at(step)...)
	if share < 1 {
		mix(out, c.at(step-1), share)
	}
	return out
}

// mix moves limbs back to a share of their way from another pose.
func mix(limbs, from []bodies.Limb, share float32) {
	if len(from) != len(limbs) {
		return
	}
	for i := range limbs {
		to, from := &limbs[i], &from[i]
		to.X0 = part(from.X0, to.X0, share)
		to.Z0 = part(from.Z0, to.Z0, share)
		to.X1 = part(from.X1, to.X1, share)
		to.Z1 = part(from.Z1, to.Z1, share)
	}
}

func part(from, to, share float32) float32 { return from + (to-from)*share }

// capsule draws a limb.
func (m *mesh) capsule(f *floor, l *bodies.Limb, share float32, ink color.RGBA, opacity float32) {
	x0, y0 := f.at(l.X0, l.Z0)
	x1, y1 := f.at(l.X1, l.Z1)
	r := l.Radius * f.scale * share
	m.line(x0, y0, x1, y1, 2*r, ink, opacity)
	if opacity == 1 { // the ends of a faint one would show twice
		m.circle(x0, y0, r, ink, 1)
		m.circle(x1, y1, r, ink, 1)
	}
}

// ghost draws limbs in one colour, and returns the place of the highest point of their trunk.
func (m *mesh) ghost(f *floor, limbs []bodies.Limb, ink color.RGBA) (x, y float32) {
	x, y = f.x, f.ground
	for i := range limbs {
		l := &limbs[i]
		m.capsule(f, l, 1, ink, 1)
		for _, end := range [2][2]float32{{l.X0, l.Z0}, {l.X1, l.Z1}} {
			if endX, endY := f.at(end[0], end[1]+l.Radius); l.Trunk && endY < y {
				x, y = endX, endY
			}
		}
	}
	return x, y
}
