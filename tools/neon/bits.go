package main

import "fmt"

// bits: numbers that are 0 or 1, as bits.
func bits() {
	function("packBits", "writes 32 numbers of 0 or 1 to each word; odd is 0 where all are.",
		"words, x *float32, blocks int) (odd uint32")
	words, x, blocks := arg("words"), arg("x"), arg("blocks")
	one, four, bad := constant("one"), constant("fourBits"), zero()
	for _, v := range []vec{one, four, bad} {
		pin(v)
	}
	label("loop")
	word := zero()
	for v := 7; v >= 0; v-- { // four numbers each, the last first
		number := loadAt(x, 16*v)
		up := op1(sshr31, op1(shl2, number)) // 1 has a bit there, where the sign is
		change(orr, bad, bad, op(eor, number, op(and, up, one)))
		word = op(orr, op1(shl4, word), op(and, up, four))
	}
	sum := op1(addv, word)
	put(0, func(number func(vec) int) string { return fmt.Sprintf("FMOVS F%d, (%s)", number(sum), words) }, sum)
	line("ADD $4, %s", words)
	line("ADD $128, %s", x)
	line("SUBS $1, %s", blocks)
	jump("BNE loop")
	most, odd := op1(umaxv, bad), general()
	put(0, func(number func(vec) int) string { return fmt.Sprintf("FMOVS F%d, %s", number(most), odd) }, most)
	line("MOVW %s, %s", odd, param("odd"))
	done()
}
