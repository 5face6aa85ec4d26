package kernel

// In a browser the routines on which a small network spends its time are WebAssembly; the others are the plain Go
// twins. The assembly checks nothing and needs at least one number. Its bits are the twins'.

func (Set) tanh(dst, src []float32) {
	if len(src) > 0 {
		tanhs(&dst[:len(src)][0], &src[0], len(src))
	}
}

func biasAdd(y, bias []float32, rows int) {
	if cols := len(bias); cols > 0 && rows > 0 {
		addRows(&y[:rows*cols][0], &bias[0], rows, cols, 4*cols, 0)
	}
}

func colSum(dst, x []float32, rows int) {
	if cols := len(dst); cols > 0 && rows > 0 {
		addRows(&dst[0], &x[:rows*cols][0], rows, cols, 0, 4*cols)
	}
}

func axpy(y, x []float32, a float32) {
	switch {
	case a != 1:
		axpyGo(y, x, a)
	case len(x) > 0:
		addRows(&y[:len(x)][0], &x[0], 1, len(x), 0, 0)
	}
}

//go:noescape
func addRows(y, x *float32, rows, cols, stepY, stepX int)

//go:noescape
func tanhs(dst, src *float32, n int)
