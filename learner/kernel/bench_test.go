package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The shapes of the engine's table and of a small network: rows×columns, k.
func BenchmarkProducts(b *testing.B) {
	for _, f := range []struct {
		name   string
		run    func(c, a, b []float32, m, n, k int, accumulate bool)
		shapes [][3]int
	}{
		{"MatMul", Auto.MatMul, [][3]int{{640, 64, 64}, {640, 128, 400}, {32, 64, 64}, {8, 64, 64}, {8, 64, 4}, {640, 64, 4},
			{640, 104, 50}, {640, 5, 64}, {640, 1, 64}, {8, 5, 64}, {1, 64, 64}}},
		{"MatMulAT", Auto.MatMulAT, [][3]int{{64, 64, 640}, {50, 104, 640}, {4, 64, 640}, {64, 5, 640}, {64, 1, 640}}},
		{"MatMulBT", Auto.MatMulBT, [][3]int{{640, 64, 64}, {32, 64, 64}, {8, 64, 64}, {640, 64, 5}, {640, 50, 104}}},
	} {
		for _, level := range append(Vectors(), "go") {
			for _, s := range f.shapes {
				m, n, k := s[0], s[1], s[2]
				b.Run(fmt.Sprintf("%s/%s/%dx%d,%d", f.name, level, m, n, k), func(b *testing.B) {
					defer Use(level)()
					r := rand.New(rand.NewPCG(1, 1))
					x, y, z := random(r, m*n), random(r, m*k), random(r, k*n)
					for b.Loop() {
						f.run(x, y, z, m, n, k, false)
					}
					b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

func BenchmarkElementwise(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const rows, cols = 640, 64
	const n = rows * cols
	x, y, z, w := random(r, n), random(r, n), squares(r, n), random(r, n)
	for _, f := range []struct {
		name string
		run  func()
	}{
		{"BiasReLU", func() { Auto.BiasAct(x, y, rows, cols, ReLU) }},
		{"BiasTanh", func() { Auto.BiasAct(x, y, rows, cols, Tanh) }},
		{"BiasNarrow", func() { Auto.BiasAct(x, y, rows, 5, Identity) }},
		{"ReLUGrad", func() { Auto.ActGrad(x, y, z, ReLU) }},
		{"ColSum", func() { ColSum(x, y, rows, cols, false) }},
		{"ColSumNarrow", func() { ColSum(x, y, rows, 5, false) }},
		{"Exp", func() { Auto.Exp(x, y) }},
		{"Sigmoid", func() { Auto.Sigmoid(x, y) }},
		{"SumSq", func() { Auto.SumSq(y) }},
		{"RMSProp", func() { Auto.RMSProp(x, z, y, RMSPropRates{Decay: 0.99, EpsInside: 0.1, RateInside: 1e-9, Rate: 1}) }},
		{"Adam", func() { Auto.Adam(x, w, z, y, AdamRates{Beta1: 0.9, Beta2: 0.999, Root: 1, Eps: 1e-8, Rate: 1e-9}) }},
	} {
		for _, level := range append(Vectors(), "go") {
			b.Run(f.name+"/"+level, func(b *testing.B) {
				defer Use(level)()
				for b.Loop() {
					f.run()
				}
			})
		}
	}
}

// Convolutions beside the product of the same (m, n, k): MinAtar's small network, and the first and
// the second section of IMPALA's deep one on images of 36×48.
func BenchmarkConv(b *testing.B) {
	for _, g := range []Conv{
		{H: 10, W: 10, In: 4, Out: 16, Size: 3, Stride: 1},
		{H: 10, W: 10, In: 10, Out: 16, Size: 3, Stride: 1},
		{H: 36, W: 48, In: 3, Out: 16, Size: 3, Stride: 1, Pad: 1},
		{H: 18, W: 24, In: 16, Out: 16, Size: 3, Stride: 1, Pad: 1},
		{H: 18, W: 24, In: 16, Out: 32, Size: 3, Stride: 1, Pad: 1},
		{H: 9, W: 12, In: 32, Out: 32, Size: 3, Stride: 1, Pad: 1},
	} {
		const rows = 16
		m, n, k := rows*g.OutH()*g.OutW(), g.Out, g.Size*g.Size*g.In
		r := rand.New(rand.NewPCG(1, 1))
		x, w, y, scratch := random(r, rows*g.InSize()), random(r, g.Weights()), random(r, rows*g.OutSize()),
			random(r, g.Weights())
		columns := random(r, m*k)
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"Forward", func() { Auto.ConvForward(g, y, x, w, rows, false) }},
			{"MatMul", func() { Auto.MatMul(y, columns, w, m, n, k, false) }},
			{"BackInput", func() { Auto.ConvInput(g, x, y, w, scratch, rows, false) }},
			{"MatMulBT", func() { Auto.MatMulBT(columns, y, w, m, k, n, false) }},
			{"BackWeights", func() { Auto.ConvWeights(g, w, x, y, rows, false) }},
			{"MatMulAT", func() { Auto.MatMulAT(w, columns, y, k, n, m, false) }},
		} {
			for _, level := range append(Vectors(), "go") {
				b.Run(fmt.Sprintf("%dx%dx%d to %d/%s/%s", g.H, g.W, g.In, g.Out, f.name, level), func(b *testing.B) {
					defer Use(level)()
					for b.Loop() {
						f.run()
					}
					b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

func BenchmarkPool(b *testing.B) {
	const rows = 16
	g := Pool{H: 36, W: 48, C: 16, Size: 3, Stride: 2, Pad: 1}
	r := rand.New(rand.NewPCG(1, 1))
	x, y, dy := random(r, rows*g.InSize()), make([]float32, rows*g.OutSize()), random(r, rows*g.OutSize())
	dx := make([]float32, len(x))
	g.Forward(y, x, rows)
	for _, f := range []struct {
		name string
		run  func()
	}{
		{"Forward", func() { g.Forward(y, x, rows) }},
		{"Back", func() { g.Back(dx, dy, x, y, rows, false) }},
		{"Pick", func() { g.Pick(dy, dx, x, y, rows) }},
	} {
		for _, level := range append(Vectors(), "go") {
			b.Run(f.name+"/"+level, func(b *testing.B) {
				defer Use(level)()
				for b.Loop() {
					f.run()
				}
			})
		}
	}
}
