package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// This file claims: AVX2 and AVX-512 give the same bits; plain Go agrees to a tolerance; plain functions give the same
// bits everywhere; a set of plain Go equals a process without vectors. same_test.go compares processors.

// exact is the tolerance of operations that round the same everywhere.
const exact = 0

// routine runs one function of the package on inputs drawn from r and returns everything it wrote.
type routine struct {
	name string
	tol  float64 // of plain Go against vectors, relative to 1 + |value|; exact: none
	run  func(k Set, r *rand.Rand) []float32
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
func product(f func(s Set, c, a, b []float32, m, n, k int, accumulate bool)) func(s Set, r *rand.Rand) []float32 {
	return func(s Set, r *rand.Rand) []float32 {
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
		f(s, c[16:16+m*n:16+m*n], random(r, m*k), random(r, k*n), m, n, k, r.IntN(2) == 0)
		return c
	}
}

func flat(f func(s Set, dst, src []float32), spread float32) func(s Set, r *rand.Rand) []float32 {
	return func(s Set, r *rand.Rand) []float32 {
		x := random(r, size(r))
		Scale(x, spread)
		dst := make([]float32, len(x))
		f(s, dst, x)
		f(s, x, x) // dst may be src
		return join(dst, x)
	}
}

func routines() []routine {
	list := []routine{
		{"MatMul", 1e-4, product(Set.MatMul)},
		{"MatMulAT", 1e-4, product(Set.MatMulAT)},
		{"MatMulBT", 1e-4, product(Set.MatMulBT)},
		{"Conv", 1e-4, func(k Set, r *rand.Rand) []float32 {
			g, rows, add := someConv(r), r.IntN(3), r.IntN(2) == 0
			x, w, y := random(r, rows*g.InSize()+8), random(r, g.Weights()+8), random(r, rows*g.OutSize()+8)
			dx, dw, dy := slices.Clone(x), slices.Clone(w), slices.Clone(y)
			scratch := random(r, g.Weights())
			k.ConvForward(g, y, x, w, rows, add)
			k.ConvInput(g, dx, dy, w, scratch, rows, add)
			k.ConvWeights(g, dw, x, dy, rows, add)
			return join(y, dx, dw)
		}},
		{"Pool", exact, func(_ Set, r *rand.Rand) []float32 {
			g, rows := somePool(r), r.IntN(3)
			x, v, dy := few(r, rows*g.InSize()), random(r, rows*g.InSize()), random(r, rows*g.OutSize())
			y, picked, dx := random(r, rows*g.OutSize()+8), random(r, rows*g.OutSize()+8), random(r, rows*g.InSize()+8)
			g.Forward(y, x, rows)
			g.Back(dx, dy, x, y, rows, r.IntN(2) == 0)
			g.Pick(picked, v, x, y, rows)
			return join(y, picked, dx)
		}},
		{"ColSum", exact, func(_ Set, r *rand.Rand) []float32 {
			rows, cols := r.IntN(50), size(r)
			dst := random(r, cols+8)
			ColSum(dst[:cols:cols], random(r, rows*cols), rows, cols, r.IntN(2) == 0)
			return dst
		}},
		{"Exp", 1e-6, flat(Set.Exp, 0.5)},
		{"TanhOf", 1e-6, flat(Set.TanhOf, 1)},
		{"Sigmoid", 1e-6, flat(Set.Sigmoid, 3)},
		{"Add", exact, func(_ Set, r *rand.Rand) []float32 {
			n := size(r)
			y := random(r, n)
			Add(y, random(r, n))
			return y
		}},
		{"Scale", exact, func(_ Set, r *rand.Rand) []float32 {
			x := random(r, size(r))
			Scale(x, 0.37)
			return x
		}},
		{"Dot", 1e-4, func(k Set, r *rand.Rand) []float32 {
			n := 5 * size(r)
			x := random(r, n)
			return []float32{float32(k.Dot(x, random(r, n))), float32(k.SumSq(x))}
		}},
		{"RMSProp", 1e-5, func(k Set, r *rand.Rand) []float32 {
			n := size(r)
			theta, nu := random(r, n), squares(r, n)
			k.RMSProp(theta, nu, random(r, n), RMSPropRates{Decay: 0.99, EpsInside: 0.1, EpsOutside: 0.01, RateInside: 0.1,
				Rate: 1})
			return join(theta, nu)
		}},
		{"RMSPropMomentum", 1e-5, func(k Set, r *rand.Rand) []float32 {
			n := size(r)
			theta, nu, u := random(r, n), squares(r, n), random(r, n)
			k.RMSPropMomentum(theta, nu, u, random(r, n), RMSPropRates{Decay: 0.99, EpsInside: 0.1, EpsOutside: 0.01,
				Momentum: 0.9, RateInside: 0.1, Rate: 0.5})
			return join(theta, nu, u)
		}},
		{"Adam", 1e-5, func(k Set, r *rand.Rand) []float32 {
			n := size(r)
			theta, m, v := random(r, n), random(r, n), squares(r, n)
			k.Adam(theta, m, v, random(r, n), AdamRates{Beta1: 0.9, Beta2: 0.999, Root: 1.5, Eps: 1e-2, Rate: 0.01})
			return join(theta, m, v)
		}},
		{"LSTM", 1e-4, func(k Set, r *rand.Rand) []float32 {
			u := newUnroll(k, r, 1+r.IntN(4), 1+r.IntN(5), 1+r.IntN(40))
			u.run()
			return join(u.cells, u.previous, u.dz, u.tCells)
		}},
		{"Attention", 1e-3, func(k Set, r *rand.Rand) []float32 {
			g := newGlance(k, r, 1+r.IntN(9), 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(20), 1+r.IntN(40))
			g.run()
			return join(g.Cells, g.Back, g.dw, g.after)
		}},
		{"Norm", exact, func(_ Set, r *rand.Rand) []float32 {
			rows, cols := r.IntN(20), 1+size(r)
			x, dx := random(r, rows*cols), random(r, rows*cols)
			y := make([]float32, len(x))
			Norm(y, x, rows, cols)
			NormBack(dx, random(r, len(x)), x, rows, cols, r.IntN(2) == 0)
			return join(y, dx)
		}},
		{"Multiply", exact, func(_ Set, r *rand.Rand) []float32 {
			n := size(r)
			y, z := random(r, n), random(r, n)
			Multiply(y, random(r, n), random(r, n), r.IntN(2) == 0)
			Negate(z, y, r.IntN(2) == 0)
			return join(y, z)
		}},
	}
	for act, name := range []string{"Identity", "ReLU", "Tanh", "Sigmoid"} {
		list = append(list, routine{"BiasAct " + name, 1e-5, func(k Set, r *rand.Rand) []float32 {
			rows, cols := r.IntN(20), size(r)
			y := random(r, rows*cols+8)
			k.BiasAct(y[:rows*cols:rows*cols], random(r, cols), rows, cols, Activation(act))
			return y
		}}, routine{"ActGrad " + name, 1e-5, func(k Set, r *rand.Rand) []float32 {
			n := size(r)
			dy, y := random(r, n), random(r, n)
			dz := make([]float32, n)
			k.ActGrad(dz, dy, y, Activation(act))
			k.ActGrad(dy, dy, y, Activation(act)) // dz may be dy
			k.Act(y, y, Activation(act))
			return join(dz, dy, y)
		}})
	}
	return list
}

// at runs f of the process's own set at a level with a seed of its own.
func at(level string, seed uint64, f func(k Set, r *rand.Rand) []float32) []float32 {
	defer Use(level)()
	return f(Auto, rand.New(rand.NewPCG(seed, 7)))
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

func TestAMachineWithoutVectorsHasThePlainSet(t *testing.T) {
	plain, err := In(inGo.Arithmetic())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range routines() {
		for seed := range uint64(50) {
			beside, alone := f.run(plain, rand.New(rand.NewPCG(seed, 7))), at("go", seed, f.run)
			if where := differ(beside, alone); where != "" {
				t.Errorf("%s, seed %d: beside vectors and without them differ: %s", f.name, seed, where)
				break
			}
		}
	}
}

func TestASetIsFoundByItsArithmetic(t *testing.T) {
	for _, name := range []string{"", "fused", "exact"} {
		restore := Use("go")
		if _, err := In(name); err == nil || !strings.Contains(err.Error(), "compute in plain") {
			t.Errorf("%q without vectors: %v", name, err)
		}
		restore()
	}
	if len(Vectors()) == 0 {
		return
	}
	for _, s := range []Set{Auto, inGo} {
		if found, err := In(s.Arithmetic()); err != nil || found != s {
			t.Errorf("%s: %d, %v", s.Arithmetic(), found, err)
		}
	}
	if _, err := In("exact"); err == nil || !strings.Contains(err.Error(), "compute in fused and plain") {
		t.Errorf("with vectors: %v", err)
	}
}
