package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// layer: the work of a dense layer besides its product.
func (w width) layer() {
	w.bias("biasAdd", "is y[i,j] += bias[j].", func(y vec) vec { return y })
	w.bias("biasReLU", "is y[i,j] = max(0, y[i,j] + bias[j]); NaN stays.", func(y vec) vec {
		return w.op(VMAXPS, y, w.zero()) // NaN returns the second operand, y
	})
	w.each("reluGrad", "is dz = dy where not y ≤ 0, else 0.", "dz dy y", "dy y", "dz", "", func(x map[string]vec) []vec {
		const notLessOrEqual = 0x16 // quiet; true for NaN
		if w.lanes == 16 {
			k, out := K(), ZMM()
			VCMPPS(Imm(notLessOrEqual), w.zero(), x["y"], k)
			VMOVAPS_Z(x["dy"], k, out)
			return []vec{out}
		}
		keep := YMM()
		VCMPPS(Imm(notLessOrEqual), w.zero(), x["y"], keep)
		return []vec{w.op(VANDPS, keep, x["dy"])}
	})
	w.each("tanhGrad", "is dz = dy·(1 − y²).", "dz dy y", "dy y", "dz", "", func(x map[string]vec) []vec {
		slope := w.constant("one")
		VFNMADD231PS(x["y"], x["y"], slope)
		return []vec{w.op(VMULPS, slope, x["dy"])}
	})
	w.colSum()
}

// bias walks the rows of y beside one row of biases.
func (w width) bias(name, doc string, then func(vec) vec) {
	w.function(name, doc, "y, bias *float32, rows, cols int")
	y, bias, rows, cols := arg("y"), arg("bias"), arg("rows"), arg("cols")
	rest, whole, j := GP64(), GP64(), GP64() // whole: bytes of a row in full vectors
	MOVQ(cols, whole)
	ANDQ(I32(-w.lanes), whole)
	MOVQ(cols, rest)
	SUBQ(whole, rest)
	SHLQ(Imm(2), whole)
	mask := w.mask(rest)
	step := func(mask reg.Register) {
		x, b := w.vec(), w.vec()
		w.load(Mem{Base: y}, x, mask)
		w.load(Mem{Base: bias, Index: j, Scale: 1}, b, mask)
		w.store(then(w.op(VADDPS, b, x)), Mem{Base: y}, mask)
	}
	Label("row")
	XORQ(j, j)
	Label("vector")
	CMPQ(j, whole)
	JGE(LabelRef("tail"))
	step(nil)
	ADDQ(I32(w.bytes()), y)
	ADDQ(I32(w.bytes()), j)
	JMP(LabelRef("vector"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("next"))
	step(mask)
	LEAQ(Mem{Base: y, Index: rest, Scale: 4}, y)
	Label("next")
	DECQ(rows)
	JNZ(LabelRef("row"))
	done()
}

// colSum runs down the rows with four vectors of columns at a time, then with one. Four additions in
// flight hide most of the latency, and each column still adds its rows in order.
func (w width) colSum() {
	w.function("colSum", "is dst[j] += Σ_i x[i,j], i in order.", "dst, x *float32, rows, cols int")
	dst, x, cols := arg("dst"), arg("x"), arg("cols")
	stride := GP64()
	MOVQ(cols, stride)
	SHLQ(Imm(2), stride)
	down := func(name string, vectors int, mask reg.Register) {
		at := func(p reg.GPVirtual, v int) Mem { return Mem{Base: p, Disp: v * w.bytes()} }
		acc := make([]vec, vectors)
		for v := range acc {
			acc[v] = w.vec()
			w.load(at(dst, v), acc[v], mask)
		}
		rows, p := arg("rows"), GP64()
		MOVQ(x, p)
		Label(name)
		for v := range acc {
			add := w.vec()
			w.load(at(p, v), add, mask)
			VADDPS(add, acc[v], acc[v])
		}
		ADDQ(stride, p)
		DECQ(rows)
		JNZ(LabelRef(name))
		for v := range acc {
			w.store(acc[v], at(dst, v), mask)
		}
		ADDQ(I32(vectors*w.bytes()), dst)
		ADDQ(I32(vectors*w.bytes()), x)
		SUBQ(I32(vectors*w.lanes), cols)
	}
	Label("four")
	CMPQ(cols, I32(4*w.lanes))
	JL(LabelRef("one"))
	down("fourRows", 4, nil)
	JMP(LabelRef("four"))
	Label("one")
	CMPQ(cols, I32(w.lanes))
	JL(LabelRef("rest"))
	down("oneRows", 1, nil)
	JMP(LabelRef("one"))
	Label("rest")
	TESTQ(cols, cols)
	JZ(LabelRef("end"))
	down("restRows", 1, w.mask(cols))
	Label("end")
	done()
}
