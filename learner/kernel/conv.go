package kernel

// Convolution as three products, in the images themselves: a row of outputs reads its windows out of the
// image through strides, so no matrix of windows is ever written. Only images with padding are copied
// once, into a frame of zeros.

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

// Scratch is how long a scratch every call needs. Calls that run at once need one each; between calls it
// may hold anything.
func (g Conv) Scratch() int {
	h, w := g.spread()
	return max(g.padded(), h*w*g.Out+g.Weights())
}

// ConvForward is y = x∗w, or y += with add.
func (s Set) ConvForward(g Conv, y, x, w, scratch []float32, rows int, add bool) {
	g.check(x, y, w, scratch, rows)
	width := g.W + 2*g.Pad
	p := patches{
		groups: g.OutH(), m: g.OutW(), n: g.Out, bands: g.Size, k: g.Size * g.In,
		cGroup: g.OutW() * g.Out, ldc: g.Out,
		aGroup: g.Stride * width * g.In, ra: g.Stride * g.In, aBand: width * g.In, ca: 1,
	}
	if g.Pad > 0 {
		clear(scratch[:g.padded()])
	}
	for r := range rows {
		s.multiply(&p, y[r*g.OutSize():], g.image(scratch, x, r), w, add)
	}
}

// ConvWeights is dw = Σ_rows of ∂L/∂w from x and dy = ∂L/∂y, or dw += with add.
func (s Set) ConvWeights(g Conv, dw, x, dy, scratch []float32, rows int, add bool) {
	g.check(x, dy, dw, scratch, rows)
	width := g.W + 2*g.Pad
	p := patches{
		groups: g.Size, m: g.Size * g.In, n: g.Out, bands: g.OutH(), k: g.OutW(),
		cGroup: g.Size * g.In * g.Out, ldc: g.Out,
		aGroup: width * g.In, ra: 1, aBand: g.Stride * width * g.In, ca: g.Stride * g.In,
	}
	if g.Pad > 0 {
		clear(scratch[:g.padded()])
	}
	if rows == 0 && !add {
		clear(dw[:g.Weights()])
	}
	for r := range rows {
		s.multiply(&p, dw, g.image(scratch, x, r), dy[r*g.OutSize():], add || r > 0)
	}
}

// ConvInput is dx = ∂L/∂x from dy = ∂L/∂y, or dx += with add.
//
// A pixel of the padded image at row Y = Stride·q + py is seen by the window rows ky = py + Stride·j from
// the results' rows oy = q − j. So the pixels of one phase (py, px) are a convolution of stride 1 of dy
// with the weights of that phase, turned round; Stride² of them make up dx.
func (s Set) ConvInput(g Conv, dx, dy, w, scratch []float32, rows int, add bool) {
	g.check(dx, dy, w, scratch, rows)
	height, width := g.spread()
	size, taps := height*width*g.Out, g.taps(0)
	frame, turned := scratch[:size], scratch[size:size+g.Weights()]
	clear(frame)
	g.turn(turned, w)
	if g.Stride > g.Size && !add {
		clear(dx[:rows*g.InSize()]) // between the windows are pixels that nothing sees
	}
	for r := range rows {
		from, line := dy[r*g.OutSize():], g.OutW()*g.Out
		for y := range g.OutH() {
			copy(frame[((y+taps-1)*width+taps-1)*g.Out:], from[y*line:(y+1)*line])
		}
		image, weights := dx[r*g.InSize():], turned
		for py := range min(g.Stride, g.Size) {
			for px := range min(g.Stride, g.Size) {
				s.convPhase(g, image, frame, weights, py, px, add)
				weights = weights[g.taps(py)*g.taps(px)*g.In*g.Out:]
			}
		}
	}
}

// convPhase makes the pixels of one phase from dy in its frame and the turned weights of that phase.
func (s Set) convPhase(g Conv, dx, frame, weights []float32, py, px int, add bool) {
	y, x := g.first(py), g.first(px)
	if y >= g.H || x >= g.W {
		return
	}
	_, width := g.spread()
	taps, ny, nx := g.taps(0), g.taps(py), g.taps(px)
	qy, qx := (y+g.Pad-py)/g.Stride, (x+g.Pad-px)/g.Stride
	p := patches{
		groups: (g.H-1-y)/g.Stride + 1, m: (g.W-1-x)/g.Stride + 1, n: g.In, bands: ny, k: nx * g.Out,
		cGroup: g.Stride * g.W * g.In, ldc: g.Stride * g.In,
		aGroup: width * g.Out, ra: g.Out, aBand: width * g.Out, ca: 1,
	}
	// The first result these pixels see is q − (n−1), and the frame begins taps−1 before the first.
	from := frame[((qy+taps-ny)*width+qx+taps-nx)*g.Out:]
	s.multiply(&p, dx[(y*g.W+x)*g.In:], from, weights, add)
}

// taps is how many of the window's rows, or columns, are of a phase.
func (g Conv) taps(phase int) int { return (g.Size - phase + g.Stride - 1) / g.Stride }

// first is the first row, or column, of the image that is of a phase: row y lies at y + Pad in its frame.
func (g Conv) first(phase int) int {
	return ((phase-g.Pad)%g.Stride + g.Stride) % g.Stride
}

// spread is the size of the frame in which ConvInput sets dy: taps−1 zeros before it, and after it as
// many as the last pixel of the image asks for.
func (g Conv) spread() (h, w int) {
	along := func(in, out int) int { return g.taps(0) - 1 + max(out, (g.Pad+in-1)/g.Stride+1) }
	return along(g.H, g.OutH()), along(g.W, g.OutW())
}

// turn packs w phase by phase, the taps of each from the last to the first, as [tap, Out, In].
func (g Conv) turn(turned, w []float32) {
	at := 0
	for py := range min(g.Stride, g.Size) {
		for px := range min(g.Stride, g.Size) {
			for ky := py + g.Stride*(g.taps(py)-1); ky >= 0; ky -= g.Stride {
				for kx := px + g.Stride*(g.taps(px)-1); kx >= 0; kx -= g.Stride {
					tap := w[(ky*g.Size+kx)*g.In*g.Out:]
					for o := range g.Out {
						for i := range g.In {
							turned[at] = tap[i*g.Out+o]
							at++
						}
					}
				}
			}
		}
	}
}

// image is image r, set in its frame of zeros if it has one.
func (g Conv) image(frame, x []float32, r int) []float32 {
	x = x[r*g.InSize() : (r+1)*g.InSize()]
	if g.Pad == 0 {
		return x
	}
	line, width := g.W*g.In, (g.W+2*g.Pad)*g.In
	for y := range g.H {
		copy(frame[(y+g.Pad)*width+g.Pad*g.In:], x[y*line:(y+1)*line])
	}
	return frame
}

func (g Conv) padded() int {
	if g.Pad == 0 {
		return 0
	}
	return (g.H + 2*g.Pad) * (g.W + 2*g.Pad) * g.In
}

func (g Conv) check(x, y, w, scratch []float32, rows int) {
	if !g.Valid() || rows < 0 {
		panic("kernel: no such convolution")
	}
	need(len(x), rows*g.InSize())
	need(len(y), rows*g.OutSize())
	need(len(w), g.Weights())
	need(len(scratch), g.Scratch())
}
