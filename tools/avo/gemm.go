package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemm multiplies into one strip of C, at most two vectors wide. A tile of rows stays in registers while k runs; each
// step loads one row of B and broadcasts one element of A for each row of C. A is read through two strides, so A and Aᵀ
// use the same loop without a copy.
//
// For convolutions A may lie in images: k runs over bands, the rows of a window, and these over images, with jumps in A
// and B after each. There may be groups of rows of C, each with its own place in A. Products have one of each. A
// convolution's sums have 0 added, so no sum is −0.
//
// The tile of an element does not change its bits: it accumulates over k in order anyway.
func (w width) gemm() {
	w.function("gemm", "is C (+)= A·B for a strip of cols ≤ 2·lanes columns; strides and jumps are in bytes.",
		"c, a, b *float32, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups, cGroup, "+
			"aGroup, accumulate, plusZero int")
	c, a, m := arg("c"), arg("a"), arg("m")
	bandsLeft, imagesLeft := AllocLocal(8), AllocLocal(8)
	ldc, ra, ca, rb := arg("ldc"), arg("ra"), arg("ca"), arg("rb")
	ra3, cols := GP64(), arg("cols")
	LEAQ(Mem{Base: ra, Index: ra, Scale: 2}, ra3)

	CMPQ(cols, I32(2*w.lanes))
	JE(LabelRef("two"))
	CMPQ(cols, I32(w.lanes))
	JG(LabelRef("twoMasked"))
	for _, shape := range []struct {
		name    string
		vectors int
		masked  bool
	}{{"oneMasked", 1, true}, {"twoMasked", 2, true}, {"two", 2, false}} {
		Label(shape.name)
		var mask reg.Register
		if shape.masked {
			if shape.vectors == 2 {
				SUBQ(I32(w.lanes), cols)
			}
			mask = w.mask(cols)
		}
		tile := func(n int) string { return label("%s%d", shape.name, n) }
		Label(tile(0))
		// 8 + 8 rows are better than 12 + 4, and 4 + 4 than 6 + 2.
		CMPQ(m, I32(w.lanes))
		JE(LabelRef(tile(w.lanes / 2)))
		for _, n := range w.tiles {
			CMPQ(m, I32(n))
			JGE(LabelRef(tile(n)))
		}
		DECQ(param("groups"))
		JZ(LabelRef("end"))
		for _, p := range []struct {
			name  string
			place reg.GPVirtual
		}{{"c", c}, {"a", a}} {
			MOVQ(param(p.name+"Group"), p.place)
			ADDQ(param(p.name), p.place)
			MOVQ(p.place, param(p.name))
		}
		MOVQ(param("m"), m)
		JMP(LabelRef(tile(0)))
		for _, n := range w.tiles {
			Label(tile(n))
			w.tile(tile(n), n, shape.vectors, mask, c, a, ldc, ra, ra3, ca, rb, bandsLeft, imagesLeft)
			SUBQ(I32(n), m)
			JMP(LabelRef(tile(0)))
		}
	}
	Label("end")
	done()
}

// tile does n rows and moves c and a past them.
func (w width) tile(name string, n, vectors int, mask reg.Register, c, a, ldc, ra, ra3, ca, rb reg.GPVirtual,
	bandsLeft, imagesLeft Mem) {
	last := func(v int) reg.Register { // only the last vector of a row can be partial
		if v == vectors-1 {
			return mask
		}
		return nil
	}
	at := func(p reg.GPVirtual, v int) Mem { return Mem{Base: p, Disp: v * w.bytes()} }
	each := func(do func(i, v int)) {
		for i := range n {
			for v := range vectors {
				do(i, v)
			}
		}
	}
	acc := make([][]reg.VecVirtual, n)
	each(func(i, v int) { acc[i] = append(acc[i], w.zero()) })
	accumulate, row := arg("accumulate"), GP64()
	TESTQ(accumulate, accumulate)
	JZ(LabelRef(name + "begin"))
	MOVQ(c, row)
	each(func(i, v int) {
		w.load(at(row, v), acc[i][v], last(v))
		if v == vectors-1 {
			ADDQ(ldc, row)
		}
	})

	Label(name + "begin")
	b, k := arg("b"), arg("images")
	MOVQ(k, imagesLeft)
	from := newRows(a, ra, ra3, n)
	Label(name + "image")
	MOVQ(param("bands"), k)
	MOVQ(k, bandsLeft)
	Label(name + "band")
	MOVQ(param("k"), k)
	Label(name + "k")
	bv := make([]reg.VecVirtual, vectors)
	for v := range bv {
		bv[v] = w.vec()
		w.load(at(b, v), bv[v], last(v))
	}
	for i := range n {
		if w.lanes == 16 && vectors == 1 {
			// Used once, the element is cheaper as an operand: 110 GFLOP/s instead of 80 on an EPYC.
			VFMADD231PS_BCST(from.at(i), bv[0], acc[i][0])
			continue
		}
		x := w.vec()
		VBROADCASTSS(from.at(i), x)
		for v := range bv {
			VFMADD231PS(bv[v], x, acc[i][v])
		}
	}
	ADDQ(rb, b)
	from.advance(ca)
	DECQ(k)
	JNZ(LabelRef(name + "k"))
	for _, loop := range []struct {
		left Mem
		name string
	}{{bandsLeft, "Band"}, {imagesLeft, "Image"}} {
		DECQ(loop.left)
		JZ(LabelRef(name + "no" + loop.name))
		MOVQ(param("a"+loop.name), k)
		from.advance(k)
		ADDQ(param("b"+loop.name), b)
		JMP(LabelRef(name + strings.ToLower(loop.name)))
		Label(name + "no" + loop.name)
	}

	plusZero, zero := arg("plusZero"), w.vec()
	TESTQ(plusZero, plusZero)
	JZ(LabelRef(name + "store"))
	VXORPS(zero, zero, zero)
	each(func(i, v int) { VADDPS(zero, acc[i][v], acc[i][v]) })
	Label(name + "store")
	each(func(i, v int) {
		w.store(acc[i][v], at(c, v), last(v))
		if v == vectors-1 {
			ADDQ(ldc, c)
		}
	})
	next := GP64()
	IMUL3Q(I32(n), ra, next)
	ADDQ(next, a)
}

// transpose packs Bᵀ, or A for products with few columns. It only moves data: one version serves both widths.
func transpose() {
	TEXT("transpose8", NOSPLIT, "func(dst, src *float32, ldd, lds, blocks int)")
	Doc("transpose8 is dst[p,j] = src[j,p] for eight rows j and 8·blocks columns p; strides are in bytes.")
	Pragma("noescape")
	dst, src, ldd, lds, blocks := arg("dst"), arg("src"), arg("ldd"), arg("lds"), arg("blocks")
	lds3, ldd3 := GP64(), GP64()
	LEAQ(Mem{Base: lds, Index: lds, Scale: 2}, lds3)
	LEAQ(Mem{Base: ldd, Index: ldd, Scale: 2}, ldd3)
	Label("block")
	from, to := newRows(src, lds, lds3, 8), newRows(dst, ldd, ldd3, 8)
	for half := range 2 { // columns 0–3, then 4–7, of the eight rows
		var r [4]reg.VecVirtual // r[i] is rows i and i+4
		for i := range r {
			low, high := from.at(i), from.at(i+4)
			low.Disp, high.Disp = 16*half, 16*half
			r[i] = YMM()
			VMOVUPS(low, r[i].AsX())
			VINSERTF128(Imm(1), high, r[i], r[i])
		}
		l01, h01, l23, h23 := YMM(), YMM(), YMM(), YMM()
		VUNPCKLPS(r[1], r[0], l01)
		VUNPCKHPS(r[1], r[0], h01)
		VUNPCKLPS(r[3], r[2], l23)
		VUNPCKHPS(r[3], r[2], h23)
		for i, pick := range []struct {
			a, b reg.VecVirtual
			imm  uint64
		}{{l01, l23, 0x44}, {l01, l23, 0xee}, {h01, h23, 0x44}, {h01, h23, 0xee}} {
			out := YMM()
			VSHUFPS(Imm(pick.imm), pick.b, pick.a, out)
			VMOVUPS(out, to.at(4*half+i))
		}
	}
	ADDQ(I32(32), src)
	LEAQ(Mem{Base: dst, Index: ldd, Scale: 8}, dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	done()
}
