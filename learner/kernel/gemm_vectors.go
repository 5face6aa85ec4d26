//go:build (amd64 || arm64) && !purego

package kernel

// How a product is cut into the strips that the assembly multiplies. Blocks only bound what must stay
// in cache: an element keeps accumulating over k in order from one block to the next, so neither the
// blocks nor the width of the strips can be seen in the result.

const (
	blockRows  = 96  // of A at once; a multiple of both tiles' rows
	blockDepth = 256 // of k at once: a strip of B, 256×32, fills most of the first cache
	packDepth  = 64  // of k at once where a strip must be packed: 8 kB on the stack
	packCols   = 32  // the widest strip
	narrowCols = 8   // up to this many columns of Aᵀ·B, lanes run along the rows instead
)

// gemm is C[m,n] (+)= A·B with A[i,p] at a[i*ra+p*ca] and B[p,j] at b[p*rb+j*cb].
func (s Set) gemm(c, a, b []float32, m, n, k, ra, ca, rb, cb int, accumulate bool) {
	lanes := s.lanes()
	switch {
	case m == 0 || n == 0:
	case k == 0:
		if !accumulate {
			clear(c[:m*n])
		}
	case lanes == 1:
		gemmGo(c, a, b, m, n, k, n, ra, ca, rb, cb, accumulate)
	case ra == 1 && cb == 1 && n <= narrowCols && m >= 2*n:
		gemmNarrow(c, a, b, m, n, k, ca, rb, accumulate)
	case cb != 1:
		gemmPacked(c, a, b, m, n, k, ra, ca, cb, accumulate)
	default:
		for p := 0; p < k; p += blockDepth {
			depth := min(blockDepth, k-p)
			for i := 0; i < m; i += blockRows {
				rows := min(blockRows, m-i)
				for j := 0; j < n; j += 2 * lanes {
					strip(c[i*n+j:], a[i*ra+p*ca:], b[p*rb+j:], rows, min(2*lanes, n-j), depth, n, ra, ca, rb, accumulate || p > 0)
				}
			}
		}
	}
}

// multiply is the product, strip by strip.
func (s Set) multiply(p *patches, c, a, b []float32, accumulate bool) {
	lanes := s.lanes()
	if lanes == 1 {
		p.multiplyGo(c, a, b, accumulate)
		return
	}
	for j := 0; j < p.n; j += 2 * lanes {
		p.strip(c[j:], a, b[j:], min(2*lanes, p.n-j), accumulate)
	}
}

// gemmPacked is gemm for Bᵀ (rb = 1): each strip of B is transposed once and used by every row of A.
func gemmPacked(c, a, b []float32, m, n, k, ra, ca, cb int, accumulate bool) {
	var panel [packDepth * packCols]float32
	for j := 0; j < n; j += 2 * lanes {
		cols := min(2*lanes, n-j)
		for p := 0; p < k; p += packDepth {
			depth := min(packDepth, k-p)
			transpose(panel[:], b[j*cb+p:], cols, depth, packCols, cb)
			strip(c[j:], a[p*ca:], panel[:], m, cols, depth, n, ra, ca, packCols, accumulate || p > 0)
		}
	}
}

// gemmNarrow is gemm for Aᵀ (ra = 1) and few columns, the weight gradient of a policy's or value's
// head: it makes Cᵀ = Bᵀ·A, so that the lanes that n cannot fill run along m, where A is contiguous.
// Each element accumulates over k in the same order as ever.
func gemmNarrow(c, a, b []float32, m, n, k, ca, rb int, accumulate bool) {
	var turned [narrowCols * packCols]float32 // a strip of Cᵀ: n rows
	for i := 0; i < m; i += 2 * lanes {
		rows := min(2*lanes, m-i)
		out := c[i*n : (i+rows)*n]
		if accumulate {
			for r := range rows {
				for j := range n {
					turned[j*packCols+r] = out[r*n+j]
				}
			}
		}
		strip(turned[:], b, a[i:], n, rows, k, packCols, 1, rb, ca, accumulate)
		for r := range rows {
			for j := range n {
				out[r*n+j] = turned[j*packCols+r]
			}
		}
	}
}

// transpose writes src [rows, cols], rows srcWidth apart, to dst [cols, rows], rows dstWidth apart.
func transpose(dst, src []float32, rows, cols, dstWidth, srcWidth int) {
	const size = 4 // bytes
	blocks, done := 0, 0
	if lanes > 1 {
		blocks = cols / 8
	}
	if blocks > 0 {
		for ; done+8 <= rows; done += 8 {
			transpose8(&dst[done], &src[done*srcWidth], size*dstWidth, size*srcWidth, blocks)
		}
	}
	for r := range rows {
		from := 0
		if r < done {
			from = 8 * blocks
		}
		for p, v := range src[r*srcWidth+from : r*srcWidth+cols] {
			dst[(from+p)*dstWidth+r] = v
		}
	}
}

// strip hands one strip of a product to the assembly, which counts in bytes.
func strip(c, a, b []float32, m, cols, k, ldc, ra, ca, rb int, accumulate bool) {
	const size = 4
	add := 0
	if accumulate {
		add = 1
	}
	gemmStrip(&c[0], &a[0], &b[0], m, cols, k, size*ldc, size*ra, size*ca, size*rb, 1, 0, 0, 1, 0, 0, 1, 0, 0, add, 0)
}

// strip is the same for a product with its rows in images. The assembly is told how far it jumps after each band and
// after each image.
func (s *patches) strip(c, a, b []float32, cols int, accumulate bool) {
	const size = 4
	add := 0
	if accumulate {
		add = 1
	}
	aBand, bBand := s.aBand-s.k*s.ca, s.bBand-s.k*s.n
	aImage, bImage := s.aImage-(s.bands-1)*s.aBand-s.k*s.ca, s.bImage-(s.bands-1)*s.bBand-s.k*s.n
	gemmStrip(&c[0], &a[0], &b[0], s.m, cols, s.k, size*s.ldc, size*s.ra, size*s.ca, size*s.n, s.bands, size*aBand,
		size*bBand, s.images, size*aImage, size*bImage, s.groups, size*s.cGroup, size*s.aGroup, add, 1)
}
