package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// bits: numbers that are 0 or 1, as bits. One width does: it waits for memory.
func bits() {
	w := widths[1]
	w.function("packBits", "writes 32 numbers of 0 or 1 to each word; odd is 0 where all are.",
		"words, x *float32, blocks int) (odd uint32")
	words, x, blocks := arg("words"), arg("x"), arg("blocks")
	one, bad := w.constant("one"), w.zero()
	Label("loop")
	word := GP32()
	for v := range 4 {
		number, up, bit := w.vec(), w.vec(), GP32()
		VMOVUPS(Mem{Base: x, Disp: v * w.bytes()}, number)
		VPSLLD(Imm(2), number, up) // 1 has a bit there, where the sign is
		VMOVMSKPS(up, bit)
		VPSRAD(Imm(31), up, up)
		VPAND(one, up, up)
		VPXOR(number, up, up)
		VPOR(up, bad, bad)
		if v == 0 {
			MOVL(bit, word)
			continue
		}
		SHLL(Imm(uint64(8*v)), bit)
		ORL(bit, word)
	}
	MOVL(word, Mem{Base: words})
	ADDQ(Imm(4), words)
	ADDQ(I32(4*w.bytes()), x)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	odd := GP32()
	XORL(odd, odd)
	VPTEST(bad, bad)
	SETNE(odd.As8())
	Store(odd, ReturnIndex(0))
	done()
}
