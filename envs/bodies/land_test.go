package bodies

import (
	"math"
	"testing"
)

// The slope is the height's derivative; the ground begins flat, has no jump, and keeps within its heights.
func TestTheGroundIsSmooth(t *testing.T) {
	for _, kind := range []int{gaps, hills} {
		for seed := range uint64(20) {
			l := land{kind: kind, seed: seed}
			low, high := 0.0, 0.0
			for x := -1.; x < 60; x += .001 {
				const d = 1e-6
				z, slope := l.height(x)
				after, _ := l.height(x + d)
				before, _ := l.height(x - d)
				if got := (after - before) / (2 * d); math.Abs(got-slope) > 1e-3 {
					t.Fatalf("kind %d, x=%v: slope %v, the heights say %v", kind, x, slope, got)
				}
				if x < start && z != 0 {
					t.Fatalf("kind %d, x=%v: height %v", kind, x, z)
				}
				low, high = min(low, z), max(high, z)
			}
			if low < -gapDepth || high > tallest || high-low < .1 {
				t.Errorf("kind %d: heights %v to %v", kind, low, high)
			}
		}
	}
}

// A sphere is never farther from the ground than straight down, and the direction is upwards, away from the slope.
func TestAGapsSidePushesOutwards(t *testing.T) {
	l := land{kind: gaps, seed: 3}
	for x := 2.; x < 10; x += .01 {
		ground, slope := l.height(x)
		d, nx, nz := l.above(x, ground+.3, .1)
		if math.Abs(nx*nx+nz*nz-1) > 1e-12 || nz <= 0 || nx*slope > 0 || d > .2 {
			t.Fatalf("x=%v: distance %v, direction %v %v, slope %v", x, d, nx, nz, slope)
		}
	}
}

func TestABodyLeansAsItsTrunk(t *testing.T) {
	for _, task := range tasks {
		w := made(task, task.speed, task.fall, flat, 0)
		obs := make([]float32, w.spec.Size())
		for _, angle := range []float64{0, .5, -1} {
			w.m.angle[0] = angle
			w.body.aim(&w.m, &w.fs)
			w.Observe(obs)
			if lean := float64(w.Lean(obs)); math.Abs(lean+angle) > 1e-6 {
				t.Errorf("%s: a trunk turned by %g leans by %g, want %g", task.name, angle, lean, -angle)
			}
		}
	}
}
