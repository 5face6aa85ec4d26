package kernel

// Convolution as three products, in the images themselves: it writes no matrix of windows and pads none. A window that
// reaches over an image's edge is a smaller window: it would see 0 there, and 0·w changes no sum. Pixels that see the
// same part of their windows form a rectangle. One product covers the rectangle in all images.

// Conv is the geometry of a convolution with a square window. Images are rows of a matrix, the channel
// running fastest: x[rows, H·W·In] to y[rows, OutH·OutW·Out] with weights w[Size·Size·In, Out], whose
// rows are in the order (window row, window column, channel).
//
//	y[oy,ox,o] = Σ_{ky,kx,i} x[oy·Stride+ky−Pad, ox·Stride+kx−Pad, i]·w[ky,kx,i; o]
type Conv struct {
	H, W, In int // of the image
	Out      int // channels of the result
	Size     int // of the window, ≥ 1
	Stride   int // ≥ 1
	Pad      int // rows and columns of zeros on each side, ≥ 0
}

// Valid reports whether every size is positive and the window fits into the padded image.
func (g Conv) Valid() bool {
	return g.H > 0 && g.W > 0 && g.In > 0 && g.Out > 0 && g.Size > 0 && g.Stride > 0 && g.Pad >= 0 &&
		min(g.H, g.W)+2*g.Pad >= g.Size
}

func (g Conv) OutH() int    { return (g.H+2*g.Pad-g.Size)/g.Stride + 1 }
func (g Conv) OutW() int    { return (g.W+2*g.Pad-g.Size)/g.Stride + 1 }
func (g Conv) InSize() int  { return g.H * g.W * g.In }               // numbers in an image
func (g Conv) OutSize() int { return g.OutH() * g.OutW() * g.Out }    // numbers in a result
func (g Conv) Weights() int { return g.Size * g.Size * g.In * g.Out } // numbers in w

// Products returns the number of multiplications for an image, without its padding.
func (g Conv) Products() int {
	return g.windows(g.H, g.OutH()).seen() * g.windows(g.W, g.OutW()).seen() * g.In * g.Out
}

// ConvForward is y = x∗w, or y += with add.
func (s Set) ConvForward(g Conv, y, x, w []float32, rows int, add bool) {
	g.check(x, y, w, rows)
	s.slide(&slide{
		images: rows, y: g.windows(g.H, g.OutH()), x: g.windows(g.W, g.OutW()), in: g.In, out: g.Out,
		cImage: g.OutSize(), cRow: g.OutW() * g.Out, cPixel: g.Out, aImage: g.InSize(), aRow: g.W * g.In,
	}, y, x, w, add)
}

// ConvInput is dx = ∂L/∂x from dy = ∂L/∂y, or dx += with add. It needs scratch as long as w, which may hold anything;
// calls that run at once need one each.
//
// A pixel of the padded image at row Y = Stride·q + py is seen by the window rows ky = py + Stride·j from
// the results' rows oy = q − j. So the pixels of one phase (py, px) are a convolution of stride 1 of dy
// with the weights of that phase, turned round; Stride² of them make up dx.
func (s Set) ConvInput(g Conv, dx, dy, w, scratch []float32, rows int, add bool) {
	g.check(dx, dy, w, rows)
	need(len(scratch), g.Weights())
	if rows == 0 {
		return
	}
	if g.Stride > g.Size && !add {
		clear(dx[:rows*g.InSize()]) // between the windows are pixels that nothing sees
	}
	for py := range min(g.Stride, g.Size) {
		for px := range min(g.Stride, g.Size) {
			y, x := g.first(py), g.first(px)
			if y >= g.H || x >= g.W {
				continue
			}
			g.flip(scratch, w, py, px)
			s.slide(&slide{
				images: rows, y: g.results(py, g.H, g.OutH()), x: g.results(px, g.W, g.OutW()), in: g.Out, out: g.In,
				cImage: g.InSize(), cRow: g.Stride * g.W * g.In, cPixel: g.Stride * g.In,
				aImage: g.OutSize(), aRow: g.OutW() * g.Out,
			}, dx[(y*g.W+x)*g.In:], dy, scratch, add)
		}
	}
}

// ConvWeights is dw = Σ_rows of ∂L/∂w from x and dy = ∂L/∂y, or dw += with add.
func (s Set) ConvWeights(g Conv, dw, x, dy []float32, rows int, add bool) {
	g.check(x, dy, dw, rows)
	if rows == 0 {
		sumOfNothing(dw[:g.Weights()], add)
	}
	block := max(1, near/(g.InSize()+g.OutSize()))
	for r := 0; r < rows; r += block {
		x, dy := x[r*g.InSize():], dy[r*g.OutSize():]
		for ky := range g.Size {
			oy, endY := g.sees(ky, g.H, g.OutH())
			for kx, taps := 0, 0; kx < g.Size; kx += taps {
				ox, endX := g.sees(kx, g.W, g.OutW())
				for taps = 1; kx+taps < g.Size; taps++ { // side by side, if the same results see them
					if from, end := g.sees(kx+taps, g.W, g.OutW()); from != ox || end != endX {
						break
					}
				}
				tap := dw[(ky*g.Size+kx)*g.In*g.Out:]
				if oy >= endY || ox >= endX { // nothing but padding
					sumOfNothing(tap[:taps*g.In*g.Out], add || r > 0)
					continue
				}
				p := patches{
					groups: 1, m: taps * g.In, n: g.Out, ldc: g.Out, ra: 1,
					images: min(block, rows-r), bands: endY - oy, k: endX - ox,
					aImage: g.InSize(), aBand: g.Stride * g.W * g.In, ca: g.Stride * g.In,
					bImage: g.OutSize(), bBand: g.OutW() * g.Out,
				}
				at := (oy*g.Stride+ky-g.Pad)*g.W + ox*g.Stride + kx - g.Pad
				s.multiply(&p, tap, x[at*g.In:], dy[(oy*g.OutW()+ox)*g.Out:], add || r > 0)
			}
		}
	}
}

// near is how many numbers of the images a product goes over at once, so that they stay in the first cache.
const near = 1 << 13

// sees is the rows, or columns, of the results that see row k of the window inside an image with that number of rows.
func (g Conv) sees(k, in, out int) (from, end int) {
	before := g.Pad - k // rows of the padding that row k of the first window lies before the image
	return max(0, (before+g.Stride-1)/g.Stride), max(0, min(out, (in-1+before+g.Stride)/g.Stride))
}

// windows returns the windows of the results on the rows, or columns, of an image.
func (g Conv) windows(in, out int) windows {
	return windows{n: out, step: g.Stride, first: -g.Pad, size: g.Size, extent: in}
}

// results returns the windows of a phase's pixels on the rows, or columns, of the results.
func (g Conv) results(phase, in, out int) windows {
	from := g.first(phase)
	q, taps := (from+g.Pad-phase)/g.Stride, g.taps(phase)
	return windows{n: (in-1-from)/g.Stride + 1, step: 1, first: q - (taps - 1), size: taps, extent: out}
}

// taps is how many of the window's rows, or columns, are of a phase.
func (g Conv) taps(phase int) int { return (g.Size - phase + g.Stride - 1) / g.Stride }

// first is the first row, or column, of the image that is of a phase: row y lies at y + Pad in the padded one.
func (g Conv) first(phase int) int {
	return ((phase-g.Pad)%g.Stride + g.Stride) % g.Stride
}

// flip packs the taps of a phase of w from the last to the first, as [tap, Out, In].
func (g Conv) flip(turned, w []float32, py, px int) {
	tap := g.In * g.Out
	for ky := py + g.Stride*(g.taps(py)-1); ky >= 0; ky -= g.Stride {
		for kx := px + g.Stride*(g.taps(px)-1); kx >= 0; kx -= g.Stride {
			transpose(turned, w[(ky*g.Size+kx)*tap:], g.In, g.Out, g.In, g.Out)
			turned = turned[tap:]
		}
	}
}

func (g Conv) check(x, y, w []float32, rows int) {
	if !g.Valid() || rows < 0 {
		panic("kernel: no such convolution")
	}
	need(len(x), rows*g.InSize())
	need(len(y), rows*g.OutSize())
	need(len(w), g.Weights())
}
