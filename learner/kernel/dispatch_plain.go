//go:build !wasm && (!amd64 || purego)

package kernel

// Plain versions of the routines that a browser has in WebAssembly: see dispatch_wasm.go.

func biasAdd(y, bias []float32, rows int) { biasAddGo(y, bias, rows) }
func colSum(dst, x []float32, rows int)   { colSumGo(dst, x, rows) }
func (Set) tanh(dst, src []float32)       { tanhGo(dst, src) }
func axpy(y, x []float32, a float32)      { axpyGo(y, x, a) }
