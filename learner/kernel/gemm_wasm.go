package kernel

// gemmPlain is gemmGo with its tiles in WebAssembly: the same products and sums, in the same order.
func gemmPlain(c, a, b []float32, m, n, k, ldc, ra, ca, rb, cb int, accumulate bool) {
	if !accumulate {
		for i := range m {
			clear(c[i*ldc : i*ldc+n])
		}
	}
	if m == 0 || n == 0 || k == 0 {
		return
	}
	// The assembly checks nothing.
	_, _, _ = c[(m-1)*ldc+n-1], a[(m-1)*ra+(k-1)*ca], b[(k-1)*rb+(n-1)*cb]
	const size = 4
	rows, cols := m&^1, n&^3
	if rows > 0 && cols > 0 {
		tiles(&c[0], &a[0], &b[0], rows, cols, k, size*ldc, size*ra, size*ca, size*rb, size*cb)
	}
	whole := m &^ 3
	if whole > 0 {
		for j := cols; j < n; j++ {
			column(&c[j], &a[0], &b[j*cb], whole, k, size*ldc, size*ra, size*ca, size*rb)
		}
	}
	edge(c, a, b, whole, m, cols, n, ldc, k, ra, ca, rb, cb)
	edge(c, a, b, rows, m, 0, cols, ldc, k, ra, ca, rb, cb)
}

//go:noescape
func tiles(c, a, b *float32, m, n, k, ldc, ra, ca, rb, cb int)

//go:noescape
func column(c, a, b *float32, m, k, ldc, ra, ca, rb int)
