package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// peakSums is the number of sums that the loop keeps at once: more than the latency of fused multiply-adds (four
// cycles, two of them a cycle), and as many as AVX2 has registers for.
const peakSums = 12

// peak is a loop of fused multiply-adds only. Its speed is the measure for the other loops.
func (w width) peak() {
	w.function("fmaLoop", fmt.Sprintf("adds n products to each of %d registers.", peakSums), "n int")
	n, x := arg("n"), w.constant("one")
	sums := make([]vec, peakSums)
	for i := range sums {
		sums[i] = w.zero()
	}
	Label("loop")
	for _, sum := range sums {
		VFMADD231PS(x, x, sum)
	}
	SUBQ(I8(1), n)
	JNZ(LabelRef("loop"))
	done()
}
