package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func somePool(r *rand.Rand) Pool {
	for {
		g := Pool{
			H: 1 + r.IntN(12), W: 1 + r.IntN(12), C: 1 + r.IntN(40),
			Size: 1 + r.IntN(4), Stride: 1 + r.IntN(3), Pad: r.IntN(3),
		}
		if g.Valid() {
			return g
		}
	}
}

// few are numbers with many ties.
func few(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.IntN(4)) - 2
	}
	return x
}

// picks is, for every result, where the first of the largest values of its window lies.
func (g Pool) picks(x []float32, rows int) []int {
	var at []int
	for r := range rows {
		for oy := range g.OutH() {
			for ox := range g.OutW() {
				for c := range g.C {
					best := -1
					for ky := range g.Size {
						for kx := range g.Size {
							y, z := oy*g.Stride+ky-g.Pad, ox*g.Stride+kx-g.Pad
							if y < 0 || y >= g.H || z < 0 || z >= g.W {
								continue
							}
							if p := ((r*g.H+y)*g.W+z)*g.C + c; best < 0 || x[p] > x[best] {
								best = p
							}
						}
					}
					at = append(at, best)
				}
			}
		}
	}
	return at
}

func TestPoolingPicksTheFirstOfTheLargest(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			g, rows := somePool(r), 1+r.IntN(3)
			x, v, dy := few(r, rows*g.InSize()), random(r, rows*g.InSize()), random(r, rows*g.OutSize())
			y, picked, dx := make([]float32, len(dy)), random(r, len(dy)), random(r, len(x))
			add := r.IntN(2) == 0
			wantDx := append([]float32(nil), dx...)
			if !add {
				clear(wantDx)
			}
			g.Forward(y, x, rows)
			g.Back(dx, dy, x, y, rows, add)
			g.Pick(picked, v, x, y, rows)
			for i, at := range g.picks(x, rows) {
				if y[i] != x[at] || picked[i] != v[at] {
					t.Fatalf("%+v: result %d is %v and picks %v, want %v and %v", g, i, y[i], picked[i], x[at], v[at])
				}
				wantDx[at] += dy[i]
			}
			if !slices.Equal(dx, wantDx) {
				t.Fatalf("%+v, add %v: dx %v, want %v", g, add, dx, wantDx)
			}
		}
	})
}

// IMPALA, figure 3: windows of 3 with stride 2 halve an image, rounding up.
func TestPoolingHalvesRoundingUp(t *testing.T) {
	for n, want := range map[int]int{1: 1, 9: 5, 10: 5, 36: 18, 48: 24} {
		if got := (Pool{H: n, W: n, C: 1, Size: 3, Stride: 2, Pad: 1}).OutH(); got != want {
			t.Errorf("%d rows become %d, want %d", n, got, want)
		}
	}
}

func TestPoolingLetsNaNThrough(t *testing.T) {
	nan := float32(math.NaN())
	everyLevel(t, func(t *testing.T) {
		for at := range 9 {
			for _, c := range []int{1, 16, 19} {
				g := Pool{H: 3, W: 3, C: c, Size: 3, Stride: 1}
				x, y := make([]float32, g.InSize()), make([]float32, c)
				for i := range c {
					x[at*c+i] = nan
				}
				g.Forward(y, x, 1)
				for i, v := range y {
					if v == v {
						t.Errorf("NaN in pixel %d of %d channels: channel %d is %v", at, c, i, v)
					}
				}
			}
		}
	})
}
