package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The claims of this file: AVX2 and AVX-512 give the same bits, and plain Go agrees to tolerance.

// routine runs one function of the package on inputs drawn from r and returns everything it wrote.
type routine struct {
	name string
	tol  float64 // of plain Go against vectors, relative to 1 + |value|
	run  func(r *rand.Rand) []float32
}

func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func squares(r *rand.Rand, n int) []float32 {
	x := random(r, n)
	for i, v := range x {
		x[i] = v * v
	}
	return x
}

// size covers every tail of both widths and more than one whole vector or block.
func size(r *rand.Rand) int { return r.IntN(150) }

func join(parts ...[]float32) (all []float32) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// product surrounds C with a border that must stay as it was.
func product(f func(c, a, b []float32, m, n, k int, accumulate bool)) func(r *rand.Rand) []float32 {
	return func(r *rand.Rand) []float32 {
		m, n, k := r.IntN(70), r.IntN(70), r.IntN(90)
		switch r.IntN(4) {
		case 0:
			n = r.IntN(8)
		case 1:
			k = 250 + r.IntN(300) // more than one block
		case 2:
			m = 90 + r.IntN(60)
		}
		c := random(r, m*n+32)
		f(c[16:16+m*n:16+m*n], random(r, m*k), random(r, k*n), m, n, k, r.IntN(2) == 0)
		return c
	}
}

func flat(f func(dst, src []float32), spread float32) func(r *rand.Rand) []float32 {
	return func(r *rand.Rand) []float32 {
		x := random(r, size(r))
		Scale(x, spread)
		dst := make([]float32, len(x))
		f(dst, x)
		f(x, x) // dst may be src
		return join(dst, x)
	}
}

func routines() []routine {
	list := []routine{
		{"MatMul", 1e-4, product(MatMul)},
		{"MatMulAT", 1e-4, product(MatMulAT)},
		{"MatMulBT", 1e-4, product(MatMulBT)},
		{"Conv", 1e-4, func(r *rand.Rand) []float32 {
			g, rows, add := someConv(r), r.IntN(3), r.IntN(2) == 0
			x, w, y := random(r, rows*g.InSize()+8), random(r, g.Weights()+8), random(r, rows*g.OutSize()+8)
			dx, dw, dy := slices.Clone(x), slices.Clone(w), slices.Clone(y)
			scratch := random(r, g.Scratch())
			g.Forward(y, x, w, scratch, rows, add)
			g.BackInput(dx, dy, w, scratch, rows, add)
			g.BackWeights(dw, x, dy, scratch, rows, add)
			return join(y, dx, dw)
		}},
		{"Pool", 1e-6, func(r *rand.Rand) []float32 {
			g, rows := somePool(r), r.IntN(3)
			x, v, dy := few(r, rows*g.InSize()), random(r, rows*g.InSize()), random(r, rows*g.OutSize())
			y, picked, dx := random(r, rows*g.OutSize()+8), random(r, rows*g.OutSize()+8), random(r, rows*g.InSize()+8)
			g.Forward(y, x, rows)
			g.Back(dx, dy, x, y, rows, r.IntN(2) == 0)
			g.Pick(picked, v, x, y, rows)
			return join(y, picked, dx)
		}},
		{"ColSum", 1e-4, func(r *rand.Rand) []float32 {
			rows, cols := r.IntN(50), size(r)
			dst := random(r, cols+8)
			ColSum(dst[:cols:cols], random(r, rows*cols), rows, cols, r.IntN(2) == 0)
			return dst
		}},
		{"Exp", 1e-6, flat(Exp, 0.5)},
		{"TanhOf", 1e-6, flat(TanhOf, 1)},
		{"Sigmoid", 1e-6, flat(Sigmoid, 3)},
		{"Axpy", 1e-6, func(r *rand.Rand) []float32 {
			n := size(r)
			y := random(r, n)
			Axpy(y, random(r, n), 0.37)
			return y
		}},
		{"Scale", 0, func(r *rand.Rand) []float32 {
			x := random(r, size(r))
			Scale(x, 0.37)
			return x
		}},
		{"Dot", 1e-4, func(r *rand.Rand) []float32 {
			n := 5 * size(r)
			x := random(r, n)
			return []float32{float32(Dot(x, random(r, n))), float32(SumSq(x))}
		}},
		{"RMSProp", 1e-5, func(r *rand.Rand) []float32 {
			n := size(r)
			theta, nu := random(r, n), squares(r, n)
			RMSProp(theta, nu, random(r, n), RMSPropRates{Decay: 0.99, EpsInside: 0.1, EpsOutside: 0.01, RateInside: 0.1,
				Rate: 1})
			return join(theta, nu)
		}},
		{"RMSPropMomentum", 1e-5, func(r *rand.Rand) []float32 {
			n := size(r)
			theta, nu, u := random(r, n), squares(r, n), random(r, n)
			RMSPropMomentum(theta, nu, u, random(r, n), RMSPropRates{Decay: 0.99, EpsInside: 0.1, EpsOutside: 0.01,
				Momentum: 0.9, RateInside: 0.1, Rate: 0.5})
			return join(theta, nu, u)
		}},
		{"Adam", 1e-5, func(r *rand.Rand) []float32 {
			n := size(r)
			theta, m, v := random(r, n), random(r, n), squares(r, n)
			Adam(theta, m, v, random(r, n), AdamRates{Beta1: 0.9, Beta2: 0.999, Root: 1.5, Eps: 1e-2, Rate: 0.01})
			return join(theta, m, v)
		}},
		{"LSTM", 1e-4, func(r *rand.Rand) []float32 {
			u := newUnroll(r, 1+r.IntN(4), 1+r.IntN(5), 1+r.IntN(40))
			u.run()
			return join(u.cells, u.previous, u.dz, u.tCells)
		}},
	}
	for act, name := range []string{"Identity", "ReLU", "Tanh"} {
		list = append(list, routine{"BiasAct " + name, 1e-5, func(r *rand.Rand) []float32 {
			rows, cols := r.IntN(20), size(r)
			y := random(r, rows*cols+8)
			BiasAct(y[:rows*cols:rows*cols], random(r, cols), rows, cols, Activation(act))
			return y
		}}, routine{"ActGrad " + name, 1e-5, func(r *rand.Rand) []float32 {
			n := size(r)
			dy, y := random(r, n), random(r, n)
			dz := make([]float32, n)
			ActGrad(dz, dy, y, Activation(act))
			ActGrad(dy, dy, y, Activation(act)) // dz may be dy
			Act(y, y, Activation(act))
			return join(dz, dy, y)
		}})
	}
	return list
}

// at runs f at a level with a seed of its own.
func at(level string, seed uint64, f func(r *rand.Rand) []float32) []float32 {
	defer Use(level)()
	return f(rand.New(rand.NewPCG(seed, 7)))
}

func TestVectorWidthCannotBeSeenInTheBits(t *testing.T) {
	levels := Vectors()
	if len(levels) < 2 {
		t.Skipf("this machine has only %v", levels)
	}
	for _, f := range routines() {
		for seed := range uint64(300) {
			wide, narrow := at(levels[0], seed, f.run), at(levels[1], seed, f.run)
			if where := differ(wide, narrow); where != "" {
				t.Errorf("%s, seed %d: %s and %s differ: %s", f.name, seed, levels[0], levels[1], where)
				break
			}
		}
	}
}

func differ(x, y []float32) string {
	for i := range x {
		if math.Float32bits(x[i]) != math.Float32bits(y[i]) {
			return fmt.Sprintf("element %d of %d, %v and %v", i, len(x), x[i], y[i])
		}
	}
	return ""
}

func TestPlainGoAgreesWithTheAssembly(t *testing.T) {
	for _, level := range Vectors() {
		for _, f := range routines() {
			for seed := range uint64(100) {
				fast, plain := at(level, seed, f.run), at("go", seed, f.run)
				for i, v := range plain {
					if !(math.Abs(float64(fast[i]-v)) <= f.tol*(1+math.Abs(float64(v)))) {
						t.Fatalf("%s, seed %d: element %d is %v in %s, %v in plain Go", f.name, seed, i, fast[i], level, v)
					}
				}
			}
		}
	}
}
