package kernel

// Pool is max pooling over square windows of images laid out like Conv's: x[rows, H·W·C] to y[rows, OutH·OutW·C]. The
// part of a window outside the image does not count.
//
// If several values in a window are equally large, Pool picks the first in reading order. +0 and −0 are equal.
type Pool struct {
	H, W, C int // of the image
	Size    int // of the window, ≥ 1
	Stride  int // ≥ 1
	Pad     int // rows and columns that windows may reach out of the image on each side, in [0, Size)
}

// Valid reports whether every size is positive and every window covers a part of the image.
func (g Pool) Valid() bool {
	return g.H > 0 && g.W > 0 && g.C > 0 && g.Size > 0 && g.Stride > 0 && g.Pad >= 0 && g.Pad < g.Size &&
		min(g.H, g.W)+2*g.Pad >= g.Size
}

func (g Pool) OutH() int    { return (g.H+2*g.Pad-g.Size)/g.Stride + 1 }
func (g Pool) OutW() int    { return (g.W+2*g.Pad-g.Size)/g.Stride + 1 }
func (g Pool) InSize() int  { return g.H * g.W * g.C }           // numbers in an image
func (g Pool) OutSize() int { return g.OutH() * g.OutW() * g.C } // numbers in a result

// Forward is y = the largest x of each window. NaN counts as larger than any number, so that a failure stays visible.
// Of zeros of both signs, vectors write −0, and plain Go writes the first. No network pools a −0: neither a convolution
// nor its sum with a bias comes to one.
func (g Pool) Forward(y, x []float32, rows int) {
	g.check(x, y, rows)
	g.each(rows, func(in, out int, s stretch) { poolMax(y[out:], x[in:], s) })
}

// Back is dx = ∂L/∂x from dy = ∂L/∂y, or dx += with add: each window's dy goes to the pixel it picked.
// y is Forward's of x.
func (g Pool) Back(dx, dy, x, y []float32, rows int, add bool) {
	g.check(x, y, rows)
	g.check(dx, dy, rows)
	if !add {
		clear(dx[:rows*g.InSize()])
	}
	g.each(rows, func(in, out int, s stretch) { poolBack(dx[in:], dy[out:], x[in:], y[out:], s) })
}

// Pick is the transpose of Back: out[rows, OutH·OutW·C] takes from v[rows, H·W·C] the number at the place of each
// window's largest x. y is Forward's result of x.
func (g Pool) Pick(out, v, x, y []float32, rows int) {
	g.check(x, y, rows)
	g.check(v, out, rows)
	g.each(rows, func(in, at int, s stretch) { poolPick(out[at:], v[in:], x[in:], y[at:], s) })
}

func (g Pool) check(x, y []float32, rows int) {
	if !g.Valid() || rows < 0 {
		panic("kernel: no such pooling")
	}
	need(len(x), rows*g.InSize())
	need(len(y), rows*g.OutSize())
}

// stretch is a run of neighbouring results in one row whose windows have the same part in the image.
type stretch struct {
	count, c, ny, nx int // results, channels, rows and columns of the windows
	row, step        int // from one row of the image to the next, and from one window to the next
}

// each visits the stretches of all images in reading order, with the places of the first pixel and of
// the first result. Windows that reach over the left or right edge are stretches of their own.
func (g Pool) each(rows int, visit func(in, out int, s stretch)) {
	s := stretch{c: g.C, row: g.W * g.C, step: g.Stride * g.C}
	// Windows from whole on, and before part, lie between the edges.
	whole := min((g.Pad+g.Stride-1)/g.Stride, g.OutW())
	part := whole
	if room := g.W + g.Pad - g.Size; room >= 0 {
		part = max(whole, min(room/g.Stride+1, g.OutW()))
	}
	for r := range rows {
		for oy := range g.OutH() {
			y, ny := overlap(oy*g.Stride-g.Pad, g.Size, g.H)
			s.ny = ny
			for ox := 0; ox < g.OutW(); ox += s.count {
				var x int
				x, s.nx = overlap(ox*g.Stride-g.Pad, g.Size, g.W)
				s.count = 1
				if ox == whole && part > whole {
					s.count = part - whole
				}
				visit(r*g.InSize()+(y*g.W+x)*g.C, r*g.OutSize()+(oy*g.OutW()+ox)*g.C, s)
			}
		}
	}
}

// overlap is the part of [from, from+size) that lies in [0, n).
func overlap(from, size, n int) (first, count int) {
	first = max(from, 0)
	return first, min(from+size, n) - first
}

func poolMaxGo(y, x []float32, s stretch) {
	for w := range s.count {
		best := y[w*s.c : (w+1)*s.c]
		copy(best, x[w*s.step:])
		for ky := range s.ny {
			for kx := range s.nx {
				for i, v := range x[w*s.step+ky*s.row+kx*s.c:][:len(best)] {
					if v > best[i] || v != v { // the built-in max takes three times as long in a browser
						best[i] = v
					}
				}
			}
		}
	}
}

func poolBackGo(dx, dy, x, y []float32, s stretch) {
	for w := range s.count {
		for i := range s.c {
			if at := s.picked(x[w*s.step+i:], y[w*s.c+i]); at >= 0 {
				dx[w*s.step+i+at] += dy[w*s.c+i]
			}
		}
	}
}

func poolPickGo(out, v, x, y []float32, s stretch) {
	for w := range s.count {
		for i := range s.c {
			out[w*s.c+i] = 0
			if at := s.picked(x[w*s.step+i:], y[w*s.c+i]); at >= 0 {
				out[w*s.c+i] = v[w*s.step+i+at]
			}
		}
	}
}

// picked is where in a window a channel first has the value y, or −1: NaN equals nothing.
func (s stretch) picked(x []float32, y float32) int {
	for ky := range s.ny {
		for kx := range s.nx {
			if at := ky*s.row + kx*s.c; x[at] == y {
				return at
			}
		}
	}
	return -1
}
