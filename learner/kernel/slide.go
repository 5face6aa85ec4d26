package kernel

// windows is a window of size inputs that slides along one axis. At position p of n it begins at input step·p + first,
// and sees its inputs within [0, extent).
type windows struct{ n, step, first, size, extent int }

// at is the part [from, end) of the window at position p that lies in the image; from ≥ end: nothing.
func (w windows) at(p int) (from, end int) {
	first := w.step*p + w.first
	return max(0, -first), min(w.size, w.extent-first)
}

// run is how many positions from p on see the same part of their windows, and which.
func (w windows) run(p int) (n, from, end int) {
	from, end = w.at(p)
	for n = 1; p+n < w.n; n++ {
		if f, e := w.at(p + n); f != from || e != end {
			break
		}
	}
	return n, from, end
}

// seen is how many inputs all positions see together.
func (w windows) seen() (sum int) {
	for p := range w.n {
		from, end := w.at(p)
		sum += max(0, end-from)
	}
	return sum
}

// slide is a product C (+)= A·B over sliding windows, which make out channels of in.
type slide struct {
	images, in, out      int
	y, x                 windows
	cImage, cRow, cPixel int // how far images, rows and pixels of C lie apart
	aImage, aRow         int // and of A, whose pixels are neighbours
}

// span is one direction in which a rectangle of pixels, one over the other in several images, extends.
type span struct{ n, c, a int }

// atOnce is how many images pass through a convolution together at most: a multiple of both widths' tiles.
const atOnce = 24

// slide computes one rectangle after the other. The rows under a line of pixels, of all images that pass together, stay
// in the first cache. The longest of a rectangle's three directions becomes the rows of a product, so that small images
// and few images also fill a tile.
func (s Set) slide(w *slide, c, a, b []float32, add bool) {
	block := min(atOnce, max(1, near/(w.y.size*w.aRow)))
	for r := 0; r < w.images; r += block {
		images := span{min(block, w.images-r), w.cImage, w.aImage}
		for y, ny := 0, 0; y < w.y.n; y += ny {
			var top, bottom int
			ny, top, bottom = w.y.run(y)
			rows := span{ny, w.cRow, w.y.step * w.aRow}
			for x, nx := 0, 0; x < w.x.n; x += nx {
				var left, right int
				nx, left, right = w.x.run(x)
				columns := span{nx, w.cPixel, w.x.step * w.in}
				outer, group, inner := sorted(rows, columns, images)
				to := c[r*w.cImage+y*w.cRow+x*w.cPixel:]
				if top >= bottom || left >= right {
					w.nothing(to, add, group, inner)
					continue
				}
				p := patches{
					groups: group.n, m: inner.n, n: w.out, cGroup: group.c, ldc: inner.c, aGroup: group.a, ra: inner.a,
					images: 1, bands: bottom - top, k: (right - left) * w.in, ca: 1,
					aBand: w.aRow, bBand: w.x.size * w.in * w.out,
				}
				from := a[r*w.aImage+(w.y.step*y+w.y.first+top)*w.aRow+(w.x.step*x+w.x.first+left)*w.in:]
				for i := range outer.n {
					s.multiply(&p, to[i*outer.c:], from[i*outer.a:], b[(top*w.x.size+left)*w.in*w.out:], add)
				}
			}
		}
	}
}

// nothing computes the pixels of a rectangle whose windows lie wholly outside the image. Such a rectangle is one row
// high or one column wide: run ends it at each pixel, because the windows lie at different distances from the image.
func (w *slide) nothing(c []float32, add bool, group, inner span) {
	for j := range group.n {
		for k := range inner.n {
			sumOfNothing(c[j*group.c+k*inner.c:][:w.out], add)
		}
	}
}

// sumOfNothing is the C of a product whose inner dimension is 0.
func sumOfNothing(c []float32, add bool) {
	for i, v := range c {
		if !add {
			v = 0
		}
		c[i] = v + 0 // no −0
	}
}

// sorted is three spans from the shortest to the longest.
func sorted(a, b, c span) (short, middle, long span) {
	if a.n > b.n {
		a, b = b, a
	}
	if b.n > c.n {
		b, c = c, b
	}
	if a.n > b.n {
		a, b = b, a
	}
	return a, b, c
}
