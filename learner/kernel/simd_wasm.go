//go:build simd128

package kernel

// In a browser the kernels are WebAssembly with vectors of four numbers, which the Go compiler does not make: a module
// beside the program (static/kernels.js, written by tools/simd), which its importer must provide. They check nothing.
// They give the bits of the plain Go twins. Strides are in bytes.

//go:wasmimport kernels product
//go:noescape
func productFours(c, a, b *float32, m, n, k, ldc, ra, ca, rb int32)

//go:wasmimport kernels transpose
//go:noescape
func transposeFours(dst, src *float32, rows, cols, dstStep, srcStep int32)

//go:wasmimport kernels addRows
//go:noescape
func addRows(y, x *float32, rows, cols, stepY, stepX int32)

//go:wasmimport kernels biasReLU
//go:noescape
func biasReLURows(y, bias *float32, rows, cols int32)

//go:wasmimport kernels dots
//go:noescape
func dots(lanes, x, y *float32, blocks int32)

//go:wasmimport kernels axpy
//go:noescape
func axpyN(y, x *float32, n int32, a float32)

//go:wasmimport kernels scale
//go:noescape
func scaleN(x *float32, n int32, a float32)

//go:wasmimport kernels reluGrad
//go:noescape
func reluGradN(dz, dy, y *float32, n int32)

//go:wasmimport kernels tanhGrad
//go:noescape
func tanhGradN(dz, dy, y *float32, n int32)

//go:wasmimport kernels exp
//go:noescape
func expN(dst, src *float32, n int32)

//go:wasmimport kernels tanh
//go:noescape
func tanhN(dst, src *float32, n int32)

//go:wasmimport kernels sigmoid
//go:noescape
func sigmoidN(dst, src *float32, n int32)

//go:wasmimport kernels rmsprop
//go:noescape
func rmspropN(theta, nu, grad *float32, n int32, decay, fresh, epsIn, epsOut, rate float32)

//go:wasmimport kernels rmspropMomentum
//go:noescape
func rmspropMomentumN(theta, nu, u, grad *float32, n int32, decay, fresh, epsIn, epsOut, rateIn, momentum, rate float32)

//go:wasmimport kernels adam
//go:noescape
func adamN(theta, m, v, grad *float32, n int32, beta1, fresh1, beta2, fresh2, root, eps, rate float32)
