package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
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

func TestAConvolutionCountsItsProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 150 {
		g, visited := someConv(r), 0
		g.visitTaps(1, func(_, _, _ int) { visited++ })
		if g.Products() != visited {
			t.Fatalf("%+v has %d products, not %d", g, visited, g.Products())
		}
	}
}

func TestConvolutionIsTheSumItSays(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 150 {
			g, rows := someConv(r), 1+r.IntN(3)
			x, w, y := random(r, rows*g.InSize()), random(r, g.Weights()), random(r, rows*g.OutSize())
			scratch := random(r, g.Weights()) // whatever an earlier call left
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
					Auto.ConvForward(g, got, x, w, rows, add)
				case 1:
					Auto.ConvInput(g, got, y, w, scratch, rows, add)
				case 2:
					Auto.ConvWeights(g, got, x, y, rows, add)
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
		Auto.ConvForward(g, got, x, w, rows, false)
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
		Auto.ConvForward(g, y, x, ones(g.Weights()), 1, false)
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
		Auto.ConvWeights(g, dw, x, ones(3*g.OutSize()), 3, false)
		check("BackWeights", dw)
	})
}

// padded is the convolution's products as matrices, with their padding written down and multiplied: windows
// [rows·OutH·OutW, Size·Size·In] of x, and seen [rows·H·W, Size·Size·Out], which of dy each pixel saw, in the order in
// which it is added up; turned [Size·Size·Out, In] is w for the latter.
func (g Conv) padded(x, dy, w []float32, rows int) (windows, seen, turned []float32) {
	taps := g.Size * g.Size
	windows = make([]float32, rows*g.OutH()*g.OutW()*taps*g.In)
	seen = make([]float32, rows*g.H*g.W*taps*g.Out)
	turned = make([]float32, g.Weights())
	g.visitTaps(rows, func(in, weight, out int) {
		pixel, i := in/g.In, in%g.In
		result, o := out/g.Out, out%g.Out
		tap := weight / g.Out / g.In
		windows[(result*taps+tap)*g.In+i] = x[in]
		seen[(pixel*taps+taps-1-tap)*g.Out+o] = dy[out]
		turned[((taps-1-tap)*g.Out+o)*g.In+i] = w[weight]
	})
	return windows, seen, turned
}

// Neither how pixels and images are put together to products nor that padding is left out may be seen in any bit.
func TestConvolutionsHaveTheBitsOfTheirPaddedProducts(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		small := func() Conv { // as pooling leaves them
			return Conv{H: 1 + r.IntN(4), W: 1 + r.IntN(4), In: 1 + r.IntN(18), Out: 1 + r.IntN(40), Size: 3, Stride: 1, Pad: 1}
		}
		for range 200 {
			g, rows, add := someConv(r), 1+r.IntN(4), r.IntN(2) == 0
			if r.IntN(2) == 0 {
				g, rows = small(), 1+r.IntN(60)
			}
			x, w, y := random(r, rows*g.InSize()), random(r, g.Weights()), random(r, rows*g.OutSize())
			windows, seen, turned := g.padded(x, y, w, rows)
			results, pixels, taps := rows*g.OutH()*g.OutW(), rows*g.H*g.W, g.Size*g.Size
			check := func(product string, start []float32, conv, matrix func(c []float32)) {
				t.Helper()
				got, want := slices.Clone(start), slices.Clone(start)
				conv(got)
				matrix(want)
				if where := differ(got, want); where != "" {
					t.Fatalf("%s of %+v, %d images, add %v: %s", product, g, rows, add, where)
				}
			}
			check("forward", y, func(c []float32) { Auto.ConvForward(g, c, x, w, rows, add) },
				func(c []float32) { Auto.MatMul(c, windows, w, results, g.Out, taps*g.In, add) })
			check("input", x, func(c []float32) { Auto.ConvInput(g, c, y, w, random(r, g.Weights()), rows, add) },
				func(c []float32) { Auto.MatMul(c, seen, turned, pixels, g.In, taps*g.Out, add) })
			check("weights", w, func(c []float32) { Auto.ConvWeights(g, c, x, y, rows, add) },
				func(c []float32) { Auto.MatMulAT(c, windows, y, taps*g.In, g.Out, results, add) })
		}
	})
}

// A device multiplies the padding. The sign of a sum of 0 would tell.
func TestNoConvolutionComesToMinusZero(t *testing.T) {
	if len(Vectors()) == 0 {
		t.Skip("plain arithmetic is compared with no device")
	}
	minus := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(math.Copysign(0, -1))
		}
		return x
	}
	for _, g := range []Conv{
		{H: 3, W: 3, In: 4, Out: 5, Size: 3, Stride: 1, Pad: 1}, {H: 1, W: 1, In: 4, Out: 5, Size: 3, Stride: 1, Pad: 1},
		{H: 4, W: 4, In: 4, Out: 5, Size: 2, Stride: 2},
	} {
		x, y, w := minus(3*g.InSize()), minus(3*g.OutSize()), minus(g.Weights())
		ones := make([]float32, len(x)+len(y)+len(w))
		for i := range ones {
			ones[i] = 1
		}
		Auto.ConvForward(g, y, x, ones, 3, true)
		Auto.ConvInput(g, x, minus(3*g.OutSize()), ones, make([]float32, g.Weights()), 3, true)
		Auto.ConvWeights(g, w, minus(3*g.InSize()), ones, 3, true)
		for i, v := range join(x, y, w) {
			if math.Float32bits(v) != 0 {
				t.Fatalf("%+v: number %d is %g", g, i, v)
			}
		}
	}
}
