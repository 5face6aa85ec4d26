package kernel

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// everyLevel runs f at each level of this machine.
func everyLevel(t *testing.T, f func(t *testing.T)) {
	for _, level := range append(Vectors(), "go") {
		t.Run(level, func(t *testing.T) {
			defer Use(level)()
			f(t)
		})
	}
}

func TestProductsAreTheSumsTheySay(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			m, n, k := 1+r.IntN(100), 1+r.IntN(70), r.IntN(300)
			if r.IntN(2) == 0 {
				n = 1 + r.IntN(7)
			}
			a, b, start := random(r, m*k), random(r, k*n), random(r, m*n)
			accumulate := r.IntN(2) == 0
			for kind, f := range []func(c, a, b []float32, m, n, k int, accumulate bool){Auto.MatMul, Auto.MatMulAT,
				Auto.MatMulBT} {
				c := append([]float32(nil), start...)
				f(c, a, b, m, n, k, accumulate)
				for i := range m {
					for j := range n {
						want, size := 0.0, 1.0
						if accumulate {
							want = float64(start[i*n+j])
						}
						for p := range k {
							x, y := a[i*k+p], b[p*n+j]
							if kind == 1 {
								x = a[p*m+i]
							}
							if kind == 2 {
								y = b[j*k+p]
							}
							want += float64(x) * float64(y)
							size += math.Abs(float64(x) * float64(y))
						}
						if got := float64(c[i*n+j]); !(math.Abs(got-want) <= 1e-6*size) {
							t.Fatalf("product %d, m %d n %d k %d: c[%d,%d] = %v, want %v", kind, m, n, k, i, j, got, want)
						}
					}
				}
			}
		}
	})
}

// Values of which only one order of addition gives 1.
func TestElementsAccumulateInOrder(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 5, 17, 40} {
			const m, k = 30, 3
			a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
			for i := range m {
				copy(a[i*k:], []float32{1e8, -1e8, 1}) // only in order: (1e8 − 1e8) + 1 = 1
			}
			for i := range b {
				b[i] = 1
			}
			Auto.MatMul(c, a, b, m, n, k, false)
			for i, v := range c {
				if v != 1 {
					t.Fatalf("n %d: element %d is %v, want 1", n, i, v)
				}
			}
		}
	})
}

func TestElementaryFunctionsAreAccurate(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		for _, f := range []struct {
			name   string
			got    func(dst, src []float32)
			want   func(float64) float64
			lo, hi float64
			ulps   float64
		}{
			{"Exp", Auto.Exp, math.Exp, -87, 88.7, 2},
			{"TanhOf", Auto.TanhOf, math.Tanh, -12, 12, 4},
			{"TanhOf near 0", Auto.TanhOf, math.Tanh, -1e-3, 1e-3, 4},
			{"Sigmoid", Auto.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, -80, 80, 3},
		} {
			x := make([]float32, 100001)
			for i := range x {
				x[i] = float32(f.lo + (f.hi-f.lo)*float64(i)/float64(len(x)-1))
			}
			y := make([]float32, len(x))
			f.got(y, x)
			worst := 0.0
			for i := range x {
				want := f.want(float64(x[i]))
				size := float32(math.Abs(want))
				ulp := float64(math.Nextafter32(size, 1e38) - size)
				worst = max(worst, math.Abs(float64(y[i])-want)/ulp)
			}
			t.Logf("%s: worst error %.2f units in the last place", f.name, worst)
			if !(worst <= f.ulps) {
				t.Errorf("%s: error %.2f units in the last place, want at most %v", f.name, worst, f.ulps)
			}
		}
	})
}

func TestInfinitiesAndNaNGoThrough(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	zero := float32(math.Copysign(0, -1))
	everyLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			name    string
			f       func(dst, src []float32)
			x, want []float32
		}{
			{"Exp", Auto.Exp, []float32{inf, -inf, nan, 89, 500, -104, 0}, []float32{inf, 0, nan, inf, inf, 0, 1}},
			{"Exp, gradual underflow", Auto.Exp, []float32{-100}, []float32{3.783506e-44}},
			{"TanhOf", Auto.TanhOf, []float32{inf, -inf, nan, zero, 50, -50}, []float32{1, -1, nan, zero, 1, -1}},
			{"Sigmoid", Auto.Sigmoid, []float32{inf, -inf, nan, 0}, []float32{1, 0, nan, 0.5}},
			{"ReLU", func(dst, src []float32) {
				copy(dst, src)
				Auto.BiasAct(dst, make([]float32, len(dst)), 1, len(dst), ReLU)
			}, []float32{inf, -inf, nan, -2, 3}, []float32{inf, 0, nan, 0, 3}},
			{"ReLU's gradient", func(dst, src []float32) {
				Auto.ActGrad(dst, []float32{5, 5, nan}, src, ReLU)
			}, []float32{nan, 0, 1}, []float32{5, 0, nan}},
			{"MatMul", func(dst, src []float32) { Auto.MatMul(dst, src, []float32{0, 0, 0}, 3, 3, 1, false) },
				[]float32{1, inf, nan}, []float32{0, 0, 0, nan, nan, nan, nan, nan, nan}},
		} {
			got := make([]float32, len(c.want))
			c.f(got, c.x)
			for i, want := range c.want {
				if got[i] != want && !(got[i] != got[i] && want != want) ||
					math.Signbit(float64(got[i])) != math.Signbit(float64(want)) && want == want {
					t.Errorf("%s: element %d is %v, want %v", c.name, i, got[i], want)
				}
			}
		}
	})
}

func TestKernelsAllocateNothing(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		conv := Conv{H: 6, W: 7, In: 3, Out: 5, Size: 3, Stride: 2, Pad: 1}
		pool := Pool{H: 6, W: 7, C: 5, Size: 3, Stride: 2, Pad: 1}
		x, y, z, w := make([]float32, 10000), make([]float32, 10000), make([]float32, 10000), make([]float32, 10000)
		if n := testing.AllocsPerRun(10, func() {
			for _, cols := range []int{1, 5, 50} {
				Auto.MatMul(x, y, z, 40, cols, 70, true)
				Auto.MatMulAT(x, y, z, 40, cols, 70, true)
				Auto.MatMulBT(x, y, z, 40, cols, 70, true)
				Auto.BiasAct(x, y, 10, cols, Tanh)
				ColSum(x, y, 10, cols, true)
			}
			Auto.ConvForward(conv, x, y, z, 9, true)
			Auto.ConvInput(conv, x, y, z, w, 9, true)
			Auto.ConvWeights(conv, x, y, z, 9, true)
			pool.Forward(x, y, 9)
			pool.Back(x, y, z, w, 9, true)
			pool.Pick(x, y, z, w, 9)
			Auto.SumSq(x[:77])
			Auto.Exp(x, y)
			Auto.RMSPropMomentum(x, y, z, w, RMSPropRates{})
			Auto.Adam(x, y, z, w, AdamRates{})
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestTwoGoroutinesShareNothing(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		const m, n, k = 64, 50, 70
		a, b := random(r, m*k), random(r, n*k)
		want, got := make([]float32, m*n), make([]float32, m*n)
		Auto.MatMulBT(want, a, b, m, n, k, false)
		finished := make(chan bool)
		go func() {
			other := make([]float32, m*n)
			for range 200 {
				Auto.MatMulBT(other, b, a, n, m, k, false)
			}
			close(finished)
		}()
		for range 200 {
			Auto.MatMulBT(got, a, b, m, n, k, false)
			if where := differ(got, want); where != "" {
				t.Fatal(where)
			}
		}
		<-finished
	})
}

func TestWrongShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"a product's A":   func() { Auto.MatMul(make([]float32, 4), make([]float32, 3), make([]float32, 4), 2, 2, 2, false) },
		"a negative size": func() { Auto.MatMul(nil, nil, nil, -1, -1, 1, false) },
		"a bias":          func() { Auto.BiasAct(make([]float32, 4), make([]float32, 1), 2, 2, ReLU) },
		"a convolution's scratch": func() {
			g := Conv{H: 2, W: 2, In: 1, Out: 1, Size: 3, Stride: 1, Pad: 1}
			Auto.ConvInput(g, make([]float32, 4), make([]float32, 4), make([]float32, 9), make([]float32, g.Weights()-1, 99), 1,
				false)
		},
		"a window larger than its image": func() {
			Auto.ConvForward(Conv{H: 2, W: 2, In: 1, Out: 1, Size: 3, Stride: 1}, nil, nil, nil, 0, false)
		},
		"a window beside its image": func() { Pool{H: 2, W: 2, C: 1, Size: 2, Stride: 1, Pad: 2}.Forward(nil, nil, 0) },
		"unequal vectors":           func() { Add(make([]float32, 4), make([]float32, 3)) },
		"unknown activation":        func() { Auto.BiasAct(make([]float32, 4), make([]float32, 2), 2, 2, 77) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			f()
		}()
	}
}

// The environment is read at start, so the test starts itself again.
func TestEnvironmentForcesTheLevel(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("a browser starts no processes")
	}
	if want := os.Getenv("KERNEL_TEST_WANT"); want != "" {
		if Level() != want {
			t.Errorf("level %s, want %s", Level(), want)
		}
		return
	}
	again := func(level, want string) (string, error) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironmentForcesTheLevel$")
		cmd.Env = append(os.Environ(), "IMPALAB_SIMD="+level, "KERNEL_TEST_WANT="+want)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, level := range append(Vectors(), "go") {
		if out, err := again(level, level); err != nil {
			t.Errorf("IMPALAB_SIMD=%s: %v\n%s", level, err, out)
		}
	}
	out, err := again("mmx", "go")
	if err == nil || !strings.HasPrefix(out, "IMPALAB_SIMD=mmx: this machine and build have") ||
		strings.Contains(out, "goroutine") {
		t.Errorf("IMPALAB_SIMD=mmx is not refused with a clear sentence: %v\n%s", err, out)
	}
}

// Normalisation refuses a slice that is one number short before it writes anything.
func TestNormalisationRefusesAShortSliceFirst(t *testing.T) {
	const rows, cols = 2, 3
	for _, c := range []struct {
		slices int
		run    func(s [][]float32)
	}{
		{2, func(s [][]float32) { Norm(s[0], s[1], rows, cols) }},
		{3, func(s [][]float32) { NormBack(s[0], s[1], s[2], rows, cols, false) }},
	} {
		for short := range c.slices {
			var s [][]float32
			for range c.slices {
				s = append(s, []float32{1, 2, 4, 7, 7, 9})
			}
			s[short] = s[short][:rows*cols-1]
			func() {
				defer func() {
					said, first := recover(), s[0][:cols]
					if said != "kernel: slice shorter than its shape" || !slices.Equal(first, []float32{1, 2, 4}) {
						t.Errorf("slice %d of %d: %v, and the first is %v", short, c.slices, said, first)
					}
				}()
				c.run(s)
			}()
		}
	}
}
