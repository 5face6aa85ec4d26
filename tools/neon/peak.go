package main

import "fmt"

// peakSums is the number of sums that the loop keeps at once, in pairs of vectors, which are as long as AVX2's.
const peakSums = 12

// peak is a loop of fused multiply-adds only. Its speed is the measure for the other loops.
func peak() {
	function("fmaLoop", fmt.Sprintf("adds n products to each of %d registers.", 2*peakSums), "n int")
	n, x := arg("n"), constant("one")
	pin(x)
	sums := make([]vec, 2*peakSums)
	for i := range sums {
		sums[i] = zero()
		pin(sums[i])
	}
	label("loop")
	for _, sum := range sums {
		change(fmla, sum, x, x)
	}
	line("SUBS $1, %s", n)
	jump("BNE loop")
	done()
}
