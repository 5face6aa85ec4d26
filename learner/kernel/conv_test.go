package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// someConv is a geometry drawn at random: windows larger and smaller than their stride, frames wider
// than the window needs, images with pixels that no window sees.
func someConv(r *rand.Rand) Conv {
	for {
		g := Conv{
			H: 1 + r.IntN(12), W: 1 + r.IntN(12), In: 1 + r.IntN(10), Out: 1 + r.IntN(20),
			Size: 1 + r.IntN(4), Stride: 1 + r.IntN(3), Pad: r.IntN(3),
		}
		switch r.IntN(8) {
		case 0:
			g.Out = 32 + r.IntN(40) // more than one strip
		case 1:
			g.W = 20 + r.IntN(30)
		}
		if g.Valid() {
			return g
		}
	}
}

// visitTaps visits every product of the convolution as it is defined: x[in]·w[weight] is a term of y[out].
func (g Conv) visitTaps(rows int, visit func(in, weight, out int)) {
	for r := range rows {
		for oy := range g.OutH() {
			for ox := range g.OutW() {
				for ky := range g.Size {
					for kx := range g.Size {
						y, x := oy*g.Stride+ky-g.Pad, ox*g.Stride+kx-g.Pad
						if y < 0 || y >= g.H || x < 0 || x >= g.W {
							continue
						}
						for i := range g.In {
							for o := range g.Out {
								visit(((r*g.H+y)*g.W+x)*g.In+i, ((ky*g.Size+kx)*g.In+i)*g.Out+o,
									((r*g.OutH()+oy)*g.OutW()+ox)*g.Out+o)
							}
						}
					}
				}
			}
		}
	}
}

func TestConvolutionIsTheSumItSays(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 150 {
			g, rows := someConv(r), 1+r.IntN(3)
			x, w, y := random(r, rows*g.InSize()), random(r, g.Weights()), random(r, rows*g.OutSize())
			scratch := random(r, g.Scratch()) // whatever an earlier call left
			for product, start := range [][]float32{y, x, w} {
				add := r.IntN(2) == 0
				want, size := make([]float64, len(start)), make([]float64, len(start))
				for i, v := range start {
					size[i] = 1
					if add {
						want[i] = float64(v)
					}
				}
				g.visitTaps(rows, func(in, weight, out int) {
					to, a, b := out, x[in], w[weight]
					switch product {
					case 1:
						to, a = in, y[out]
					case 2:
						to, b = weight, y[out]
					}
					want[to] += float64(a) * float64(b)
					size[to] += math.Abs(float64(a) * float64(b))
				})
				got := append([]float32(nil), start...)
				switch product {
				case 0:
					Auto.ConvForward(g, got, x, w, scratch, rows, add)
				case 1:
					Auto.ConvInput(g, got, y, w, scratch, rows, add)
				case 2:
					Auto.ConvWeights(g, got, x, y, scratch, rows, add)
				}
				for i := range got {
					if !(math.Abs(float64(got[i])-want[i]) <= 1e-6*size[i]) {
						t.Fatalf("product %d of %+v, %d images, add %v: element %d is %v, want %v", product, g, rows, add, i, got[i],
							want[i])
					}
				}
			}
		}
	})
}

// A window that is the whole image is a dense layer, and must be that layer to the bit.
func TestWindowOfTheWholeImageIsADenseLayer(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		g, rows := Conv{H: 3, W: 3, In: 5, Out: 37, Size: 3, Stride: 1}, 7
		x, w := random(r, rows*g.InSize()), random(r, g.Weights())
		got, want := make([]float32, rows*g.Out), make([]float32, rows*g.Out)
		Auto.ConvForward(g, got, x, w, make([]float32, g.Scratch()), rows, false)
		Auto.MatMul(want, x, w, rows, g.Out, g.InSize(), false)
		if where := differ(got, want); where != "" {
			t.Error(where)
		}
	})
}

// Values of which only one order of addition gives 1, along each product's sum.
func TestConvolutionsAccumulateInOrder(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		ones := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = 1
			}
			return x
		}
		check := func(name string, got []float32) {
			t.Helper()
			for i, v := range got {
				if v != 1 {
					t.Fatalf("%s: element %d is %v, want 1", name, i, v)
				}
			}
		}
		// Down the three rows of the window: (1e8 − 1e8) + 1.
		g := Conv{H: 3, W: 9, In: 1, Out: 20, Size: 3, Stride: 3}
		y, x := make([]float32, g.OutSize()), make([]float32, g.InSize())
		for i := range g.W / 3 {
			x[3*i], x[g.W+3*i], x[2*g.W+3*i] = 1e8, -1e8, 1
		}
		Auto.ConvForward(g, y, x, ones(g.Weights()), make([]float32, g.Scratch()), 1, false)
		check("Forward", y)

		// Over the images.
		g = Conv{H: 3, W: 3, In: 4, Out: 20, Size: 3, Stride: 1}
		x = make([]float32, 3*g.InSize())
		for r, v := range []float32{1e8, -1e8, 1} {
			for i := range g.InSize() {
				x[r*g.InSize()+i] = v
			}
		}
		dw := make([]float32, g.Weights())
		Auto.ConvWeights(g, dw, x, ones(3*g.OutSize()), make([]float32, g.Scratch()), 3, false)
		check("BackWeights", dw)
	})
}
