//go:build linux

package kernel

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n numbers beside protected memory, which lies behind the last of them or before the first. An access
// to that memory is a fault, which ends the test program.
func guarded(t *testing.T, n int, behind bool) []float32 {
	page := syscall.Getpagesize()
	size := (4*n + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, page+size+page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	for _, edge := range [][]byte{m[:page], m[page+size:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	from := page
	if behind {
		from += size - 4*n
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(m[from:page+size]))), n)
}

func TestNoKernelTouchesMemoryBesideItsSlices(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 150 {
			of := func(n int) []float32 { return guarded(t, n, i%2 == 0) }
			m, n, k := 1+r.IntN(20), 1+r.IntN(36), 1+r.IntN(9)
			a, b, c := of(m*k), of(k*n), of(m*n)
			Auto.MatMul(c, a, b, m, n, k, true)
			Auto.MatMulAT(c, a, b, m, n, k, true)
			Auto.MatMulBT(c, a, b, m, n, k, true)
			Auto.Exp(c, c)
			Auto.TanhOf(a, a)
			Auto.BiasAct(b, of(n), k, n, ReLU)
			Auto.ActGrad(c, c, of(m*n), Tanh)
			Auto.Adam(of(n), of(n), of(n), of(n), AdamRates{Rate: 1})
			Add(a, a)
			ColSum(of(n), b, k, n, true)
			Auto.LSTMStep(of(m*n), of(m*n), of(4*m*n), m, n)
			PackBits(of((m*n+31)/32), c)
			if g := (Pool{H: m, W: k, C: n, Size: 2, Stride: 1, Pad: 1}); g.Valid() {
				y, x := of(g.OutSize()), of(g.InSize())
				g.Forward(y, x, 1)
				g.Back(of(g.InSize()), y, x, y, 1, true)
				g.Pick(of(g.OutSize()), x, x, y, 1)
			}
		}
	})
}
