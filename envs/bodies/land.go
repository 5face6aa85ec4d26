package bodies

import (
	"math"

	"impalab/envs/world"
)

// Kinds of ground, the values of the option "terrain".
const (
	flat = iota
	gaps
	hills
)

// land is the ground of an episode. It begins flat. From start on, each stretch has its own gap or knot, drawn from
// the seed of the episode and the number of the stretch. Between knots the ground is a cubic, which is level at both
// ends.
type land struct {
	kind int
	seed uint64
}

const (
	start    = 2   // m: the ground is flat up to here
	stretch  = 2.5 // m, with one gap each
	gapDepth = .4  // m
	bank     = .15 // m: the width of a gap's side
	rise     = 1.5 // m between the knots of hills
	tallest  = .25 // m
)

// drawn returns a number that is uniform on [0, 1), the same for the same stretch.
func (l *land) drawn(stretch float64) float64 {
	return float64(world.Avalanche(l.seed^world.Avalanche(uint64(int64(stretch))))>>11) * 0x1p-53
}

// ease rises from 0 at t = 0 to 1 at t = 1 and is level at both; slope is its derivative.
func ease(t float64) (value, slope float64) {
	t = min(max(t, 0), 1)
	return float64(float64(t*t) * (3 - float64(2*t))), float64(6*t) * (1 - t)
}

// height returns the ground's height and slope at x.
func (l *land) height(x float64) (z, slope float64) {
	switch {
	case l.kind == flat || x < start:
		return 0, 0
	case l.kind == hills:
		n := math.Floor((x - start) / rise)
		from, to := 0.0, float64(tallest*l.drawn(n+1))
		if n > 0 {
			from = float64(tallest * l.drawn(n))
		}
		e, d := ease((x-start)/rise - n)
		return from + float64((to-from)*e), float64((to-from)*d) / rise
	}
	// A gap is .2 to .5 m wide between its banks' middles and lies in the middle metre of its stretch.
	n := math.Floor((x - start) / stretch)
	luck := l.drawn(n)
	middle := start + float64(stretch*(n+.5)) + luck - .5
	half := .1 + float64(.15*l.drawn(-1-n))
	side := math.Abs(x - middle)
	e, d := ease((side-half)/bank + .5)
	return float64(gapDepth * (e - 1)), math.Copysign(float64(gapDepth*d)/bank, x-middle)
}

// above returns the distance of a sphere at x, z from the ground, and the ground's upward normal. The ground is taken
// as the plane that touches it under the sphere's centre.
func (l *land) above(x, z, radius float64) (distance, nx, nz float64) {
	ground, slope := l.height(x)
	nz = 1 / math.Sqrt(1+float64(slope*slope))
	return float64((z-ground)*nz) - radius, -float64(slope * nz), nz
}
