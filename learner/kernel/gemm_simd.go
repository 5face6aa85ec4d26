//go:build wasm && simd128

package kernel

// How a product is cut for the vectors of a browser. An element accumulates over k in order, whatever the cuts.

const (
	blockDepth = 256 // of k at once, so that a strip of B stays in the first cache
	packDepth  = 64  // of k at once where B is transposed
	packCols   = 32  // columns of B at once there
	restRows   = 64  // rows of C at once, where fewer columns remain than a vector has
)

func (Set) gemm(c, a, b []float32, m, n, k, ra, ca, rb, cb int, accumulate bool) {
	gemmFours(c, a, b, m, n, k, n, ra, ca, rb, cb, accumulate)
}

func (Set) multiply(p *patches, c, a, b []float32, accumulate bool) {
	for g := range p.groups {
		for r := range p.images {
			for q := range p.bands {
				gemmFours(c[g*p.cGroup:], a[g*p.aGroup+r*p.aImage+q*p.aBand:], b[r*p.bImage+q*p.bBand:], p.m, p.n, p.k, p.ldc,
					p.ra, p.ca, p.n, 1, accumulate || r+q > 0)
			}
		}
	}
}

// gemmFours is gemmGo on vectors. Either cb or rb is 1.
func gemmFours(c, a, b []float32, m, n, k, ldc, ra, ca, rb, cb int, accumulate bool) {
	if !accumulate {
		for i := range m {
			clear(c[i*ldc : i*ldc+n])
		}
	}
	if m == 0 || n == 0 || k == 0 {
		return
	}
	// The kernels check nothing.
	_, _, _ = c[(m-1)*ldc+n-1], a[(m-1)*ra+(k-1)*ca], b[(k-1)*rb+(n-1)*cb]
	whole := n &^ 3
	switch {
	case whole == 0:
	case cb == 1:
		for p := 0; p < k; p += blockDepth {
			fours(c, a[p*ca:], b[p*rb:], m, whole, min(blockDepth, k-p), ldc, ra, ca, rb)
		}
	default:
		gemmPacked(c, a, b, m, whole, k, ldc, ra, ca, cb)
	}
	if whole < n {
		gemmRest(c[whole:], a, b[whole*cb:], m, n-whole, k, ldc, ra, ca, rb, cb)
	}
}

// gemmPacked is C += A·B for Bᵀ (rb = 1): each strip of B is transposed once and used by every row of A.
func gemmPacked(c, a, b []float32, m, n, k, ldc, ra, ca, cb int) {
	var panel [packDepth * packCols]float32
	for j := 0; j < n; j += packCols {
		cols := min(packCols, n-j)
		for p := 0; p < k; p += packDepth {
			depth := min(packDepth, k-p)
			transpose(panel[:], b[j*cb+p:], cols, depth, packCols, cb)
			fours(c[j:], a[p*ca:], panel[:], m, cols, depth, ldc, ra, ca, packCols)
		}
	}
}

// gemmRest is C += A·B for fewer columns than a vector has: it fills vectors with zeros, beside C.
func gemmRest(c, a, b []float32, m, n, k, ldc, ra, ca, rb, cb int) {
	var panel [blockDepth][4]float32
	var sums [restRows][4]float32
	for p := 0; p < k; p += blockDepth {
		depth := min(blockDepth, k-p)
		for q := range depth {
			for j := range n {
				panel[q][j] = b[(p+q)*rb+j*cb]
			}
		}
		for i := 0; i < m; i += restRows {
			rows := min(restRows, m-i)
			for r := range rows {
				copy(sums[r][:n], c[(i+r)*ldc:])
			}
			fours(sums[0][:], a[i*ra+p*ca:], panel[0][:], rows, 4, depth, 4, ra, ca, 4)
			for r := range rows {
				copy(c[(i+r)*ldc:][:n], sums[r][:])
			}
		}
	}
}

// fours hands a product of whole vectors to its kernel.
func fours(c, a, b []float32, m, n, k, ldc, ra, ca, rb int) {
	productFours(first(c), first(a), first(b), int32(m), int32(n), int32(k), bytes(ldc), bytes(ra), bytes(ca), bytes(rb))
}

// transpose writes src [rows, cols], rows srcWidth apart, to dst [cols, rows], rows dstWidth apart.
func transpose(dst, src []float32, rows, cols, dstWidth, srcWidth int) {
	wholeRows, wholeCols := rows&^3, cols&^3
	if wholeRows > 0 && wholeCols > 0 {
		_, _ = dst[(cols-1)*dstWidth+rows-1], src[(rows-1)*srcWidth+cols-1]
		transposeFours(first(dst), first(src), int32(wholeRows), int32(wholeCols), bytes(dstWidth), bytes(srcWidth))
	} else {
		wholeRows = 0
	}
	for r := range rows {
		from := 0
		if r < wholeRows {
			from = wholeCols
		}
		for j, v := range src[r*srcWidth+from : r*srcWidth+cols] {
			dst[(from+j)*dstWidth+r] = v
		}
	}
}
