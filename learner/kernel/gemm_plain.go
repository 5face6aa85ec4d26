//go:build !wasm

package kernel

// gemmPlain is the plain product of this machine.
func gemmPlain(c, a, b []float32, m, n, k, ldc, ra, ca, rb, cb int, accumulate bool) {
	gemmGo(c, a, b, m, n, k, ldc, ra, ca, rb, cb, accumulate)
}
