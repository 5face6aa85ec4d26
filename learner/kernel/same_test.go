package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"
)

// plainBits is how the SHA-256 of each routine's results in plain arithmetic begins: on any processor, and in a browser
// with vectors (-tags simd128) and without.
var plainBits = map[string]string{
	"MatMul": "b4e4bd361512afc1", "MatMulAT": "b3381560045d139c", "MatMulBT": "f169e7fa550af5f3",
	"Conv": "d534cfa2a222ec93", "Pool": "b5beda9fee7996fd", "ColSum": "64586ae9385d58d1",
	"Exp": "6d81312ec65a8c45", "TanhOf": "f861e47af30eae79", "Sigmoid": "ae6f1824e9b55f51",
	"Add": "27b52d51e34abfcb", "Scale": "ef03b434b19288e8", "Dot": "95e0f0db9b46134c",
	"RMSProp": "6b753f08115aab21", "RMSPropMomentum": "9211a44a9369721a", "Adam": "6c4f6687cda05f03",
	"LSTM": "e513ad97c37345f4", "BiasAct Identity": "46f0f5a37c0cbb8f", "ActGrad Identity": "54fd4504d6d50a48",
	"BiasAct ReLU": "59a1c3fb13c6c5de", "ActGrad ReLU": "71e440e3d71c3564", "BiasAct Tanh": "54e88b2de2ee08d9",
	"ActGrad Tanh": "133ce325cef3eb8d", "BiasAct Sigmoid": "1caca98b39c8a66f", "ActGrad Sigmoid": "5ba24fdca8b31047",
	"Attention": "2340e07325ed5afb", "Norm": "610319082defbb29", "Multiply": "6c8575b69f7f47dd",
}

// fusedBits is the same in fused arithmetic, on any processor with vectors.
var fusedBits = map[string]string{
	"MatMul": "28571fefed20bfcc", "MatMulAT": "f288db3e19a9a157", "MatMulBT": "fcab95bd525e08c2",
	"Conv": "a7eb016238f2066e", "Pool": "b5beda9fee7996fd", "ColSum": "64586ae9385d58d1",
	"Exp": "38ab64eecdb5a80f", "TanhOf": "44528342eae6f486", "Sigmoid": "3aa4ae122e56d805",
	"Add": "27b52d51e34abfcb", "Scale": "ef03b434b19288e8", "Dot": "472b1962509f4190",
	"RMSProp": "d495f64874fc8b4a", "RMSPropMomentum": "9c9c11f41d41a4fc", "Adam": "8b0ed690ab6f9245",
	"LSTM": "9ffa5fedd7de78e8", "BiasAct Identity": "46f0f5a37c0cbb8f", "ActGrad Identity": "54fd4504d6d50a48",
	"BiasAct ReLU": "59a1c3fb13c6c5de", "ActGrad ReLU": "71e440e3d71c3564", "BiasAct Tanh": "f027e90ba5aa6125",
	"ActGrad Tanh": "ddc56a48e22dea14", "BiasAct Sigmoid": "e67b1346fc32bcef", "ActGrad Sigmoid": "40342efe9bc228a8",
	"Attention": "eb286adaee57798c", "Norm": "610319082defbb29", "Multiply": "6c8575b69f7f47dd",

	"odd Exp": "d05595aeef06d5c1", "odd TanhOf": "7f14e619ebbf67d5", "odd Sigmoid": "9fa14b9a6d73837f",
	"odd MatMul": "fdfef75e59fb8b17", "odd MatMulAT": "07edd4379b424874", "odd MatMulBT": "257cb0ff8ab1d450",
	"odd layers": "08210febd47542ac", "odd Pool": "7141080def9954a0", "odd optimisers": "fbd43a1718bfec3b",
}

func TestPlainArithmeticHasTheSameBitsEverywhere(t *testing.T) {
	defer Use(levelGo)()
	sameBits(t, routines(), plainBits)
}

func TestFusedArithmeticHasTheSameBitsEverywhere(t *testing.T) {
	for _, level := range Vectors() {
		t.Run(level, func(t *testing.T) {
			defer Use(level)()
			sameBits(t, append(routines(), edges()...), fusedBits)
		})
	}
}

// sameBits compares each routine's results with the beginning of their SHA-256.
func sameBits(t *testing.T, list []routine, want map[string]string) {
	seen := map[string]bool{}
	for _, f := range list {
		sum := sha256.New()
		for seed := range uint64(200) {
			for _, v := range f.run(Auto, rand.New(rand.NewPCG(seed, 9))) {
				if v != v {
					v = float32(math.NaN()) // processors make different ones
				}
				sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
			}
		}
		if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != want[f.name] {
			t.Errorf("%q: %q, want %q", f.name, got, want[f.name])
		}
		seen[f.name] = true
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("%s has bits, and no routine", name)
		}
	}
}

// edges are routines on numbers that instructions treat differently, and functions on so many numbers that a last place
// is seen.
func edges() []routine {
	inf, minusZero := float32(math.Inf(1)), float32(math.Copysign(0, -1))
	odd := []float32{0, minusZero, 1e-45, -1e-45, 1.1754942e-38, 1.17549435e-38, 88.7228, 88.73, -87.34, -103.9, -103.98,
		-104, 1e30, -1e30, math.MaxFloat32, inf, -inf, 0.34657359, -0.34657359, 10, -10, 0.5, 1.5, 2.5, 1 << 24,
		9.0109131e-05, -9e-8, float32(math.NaN())}
	some := func(r *rand.Rand, n int) []float32 {
		x := random(r, n)
		for i := range x {
			switch r.IntN(4) {
			case 0:
				x[i] = odd[r.IntN(len(odd))]
			case 1:
				x[i] *= float32(math.Exp(40 * r.NormFloat64()))
			}
		}
		return x
	}
	// signs have zeros of both signs, and sometimes a NaN.
	signs := func(r *rand.Rand, n int) []float32 {
		x := few(r, n)
		for i := range x {
			if r.IntN(2) == 0 {
				x[i] = minusZero
			}
			if r.IntN(60) == 0 {
				x[i] = float32(math.NaN())
			}
		}
		return x
	}
	function := func(f func(s Set, dst, src []float32), spread float32) func(s Set, r *rand.Rand) []float32 {
		return func(s Set, r *rand.Rand) []float32 {
			x := some(r, 2000+r.IntN(5))
			for range 10_000 {
				x = append(x, (r.Float32()-0.5)*spread)
			}
			f(s, x, x)
			return x
		}
	}
	product := func(f func(s Set, c, a, b []float32, m, n, k int, accumulate bool)) func(s Set, r *rand.Rand) []float32 {
		return func(s Set, r *rand.Rand) []float32 {
			m, n, k := 1+r.IntN(40), 1+r.IntN(40), 1+r.IntN(40)
			c, a, b := some(r, m*n), some(r, m*k), some(r, k*n)
			tiny, x, y := random(r, m*n), random(r, m*k), random(r, k*n) // sums that are subnormal
			Scale(tiny, 1e-39)
			Scale(x, 1e-20)
			Scale(y, 1e-20)
			f(s, c, a, b, m, n, k, r.IntN(2) == 0)
			f(s, tiny, x, y, m, n, k, true)
			return join(c, tiny)
		}
	}
	return []routine{
		{"odd Exp", exact, function(Set.Exp, 180)},
		{"odd TanhOf", exact, function(Set.TanhOf, 20)},
		{"odd Sigmoid", exact, function(Set.Sigmoid, 60)},
		{"odd MatMul", exact, product(Set.MatMul)},
		{"odd MatMulAT", exact, product(Set.MatMulAT)},
		{"odd MatMulBT", exact, product(Set.MatMulBT)},
		{"odd layers", exact, func(k Set, r *rand.Rand) []float32 {
			rows, cols := 1+r.IntN(9), 1+r.IntN(40)
			y, dz := signs(r, rows*cols), some(r, rows*cols)
			k.BiasAct(y, signs(r, cols), rows, cols, ReLU)
			k.ActGrad(dz, dz, signs(r, rows*cols), ReLU)
			tanh := some(r, rows*cols)
			k.ActGrad(tanh, tanh, some(r, rows*cols), Tanh)
			return join(y, dz, tanh)
		}},
		{"odd Pool", exact, func(_ Set, r *rand.Rand) []float32 {
			g, rows := somePool(r), 1+r.IntN(2)
			x, dy := signs(r, rows*g.InSize()), some(r, rows*g.OutSize())
			y, picked, dx := make([]float32, len(dy)), make([]float32, len(dy)), some(r, len(x))
			g.Forward(y, x, rows)
			g.Back(dx, dy, x, y, rows, true)
			g.Pick(picked, some(r, len(x)), x, y, rows)
			return join(y, picked, dx)
		}},
		{"odd optimisers", exact, func(k Set, r *rand.Rand) []float32 {
			n := size(r)
			theta, m, v, g := some(r, n), some(r, n), some(r, n), some(r, n)
			k.Adam(theta, m, v, g, AdamRates{Beta1: 0.9, Beta2: 0.999, Root: 1.5, Eps: 1e-2, Rate: 0.01})
			k.RMSPropMomentum(theta, v, m, g, RMSPropRates{Decay: 0.99, EpsInside: 0.1, EpsOutside: 0.01, Momentum: 0.9,
				RateInside: 0.1, Rate: 0.5})
			return join(theta, m, v)
		}},
	}
}
