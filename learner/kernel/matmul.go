package kernel

// The three products of a dense layer: forward, weight gradient, input gradient. They are one
// routine that reads A and B through strides; only the packing differs (see gemm_vectors.go).

// MatMul is C[m,n] = A[m,k]·B[k,n], or C += with accumulate.
func (s Set) MatMul(c, a, b []float32, m, n, k int, accumulate bool) {
	checkProduct(c, a, b, m, n, k)
	s.gemm(c, a, b, m, n, k, k, 1, n, 1, accumulate)
}

// MatMulAT is C[m,n] = Aᵀ·B with A[k,m] and B[k,n]: weight gradients, the sum over the batch's k rows.
func (s Set) MatMulAT(c, a, b []float32, m, n, k int, accumulate bool) {
	checkProduct(c, a, b, m, n, k)
	s.gemm(c, a, b, m, n, k, 1, m, n, 1, accumulate)
}

// MatMulBT is C[m,n] = A·Bᵀ with A[m,k] and B[n,k]: input gradients.
func (s Set) MatMulBT(c, a, b []float32, m, n, k int, accumulate bool) {
	checkProduct(c, a, b, m, n, k)
	s.gemm(c, a, b, m, n, k, k, 1, 1, k, accumulate)
}

// Transpose writes a [rows, cols] to dst [cols, rows].
func Transpose(dst, a []float32, rows, cols int) {
	need(len(dst), rows*cols)
	need(len(a), rows*cols)
	transpose(dst, a, rows, cols, rows, cols)
}

func checkProduct(c, a, b []float32, m, n, k int) {
	if m < 0 || n < 0 || k < 0 {
		panic("kernel: negative dimension")
	}
	need(len(c), m*n)
	need(len(a), m*k)
	need(len(b), k*n)
}
