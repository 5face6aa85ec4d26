package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// parts writes a loop over rows that consist of parts of n columns each: load and store name a pointer
// and a part of its row, 0 to 6.
func (w width) parts(name, doc, pointers string,
	body func(load func(from string, part int) vec, store func(v vec, to string, part int))) {
	w.function(name, doc, strings.ReplaceAll(pointers, " ", ", ")+" *float32, n int")
	base := map[string]reg.GPVirtual{}
	for _, p := range strings.Fields(pointers) {
		base[p] = arg(p)
	}
	n, one, three, five := arg("n"), GP64(), GP64(), GP64() // bytes of one, three and five parts
	MOVQ(n, one)
	SHLQ(Imm(2), one)
	LEAQ(Mem{Base: one, Index: one, Scale: 2}, three)
	LEAQ(Mem{Base: one, Index: one, Scale: 4}, five)
	at := func(p string, part int) Mem {
		m := Mem{Base: base[p], Index: one, Scale: uint8(part)}
		switch part {
		case 0:
			m = Mem{Base: base[p]}
		case 3, 6:
			m.Index, m.Scale = three, uint8(part/3)
		case 5:
			m.Index, m.Scale = five, 1
		}
		return m
	}
	step := func(mask reg.Register) {
		body(func(from string, part int) vec {
			v := w.vec()
			w.load(at(from, part), v, mask)
			return v
		}, func(v vec, to string, part int) { w.store(v, at(to, part), mask) })
	}
	Label("loop")
	CMPQ(n, I32(w.lanes))
	JL(LabelRef("tail"))
	step(nil)
	for _, p := range strings.Fields(pointers) {
		ADDQ(I32(w.bytes()), base[p])
	}
	SUBQ(I32(w.lanes), n)
	JMP(LabelRef("loop"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	step(w.mask(n))
	Label("end")
	done()
}

// lstm: the cell and its derivatives, as lstm.go and lstmgrad.go write them.
func (w width) lstm() {
	const ( // of a row of the cells
		h = iota
		c
		i
		f
		g
		o
		tanhC
	)
	gates := []int{i, f, g, o}
	sigmoidSlope := func(y vec) vec { return w.op(VMULPS, y, w.op(VSUBPS, y, w.constant("one"))) }
	tanhSlope := func(y vec) vec {
		slope := w.constant("one")
		VFNMADD231PS(y, y, slope)
		return slope
	}
	slope := func(gate int, y vec) vec {
		if gate == g {
			return tanhSlope(y)
		}
		return sigmoidSlope(y)
	}

	w.parts("lstmCell", "is one row of the cell.", "h c tanhC gates z cPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			gate := func(k int, of func(vec) vec) vec {
				y := of(load("z", k))
				store(y, "gates", k)
				return y
			}
			in := gate(0, w.sigmoid)
			next := w.op(VMULPS, load("cPrev", 0), gate(1, w.sigmoid))
			VFMADD231PS(gate(2, w.tanh), in, next)
			store(next, "c", 0)
			out := gate(3, w.sigmoid)
			y := w.tanh(next)
			store(y, "tanhC", 0)
			store(w.op(VMULPS, y, out), "h", 0)
		})

	w.parts("lstmCellBack", "is one row of the cell's derivative.", "dz dc dh dCells cells cPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			y := load("cells", tanhC)
			dh := w.op(VADDPS, load("dCells", h), load("dh", 0))
			dy := load("dCells", tanhC)
			VFMADD231PS(load("cells", o), dh, dy)
			dc := w.op(VADDPS, load("dCells", c), load("dc", 0))
			VFMADD231PS(tanhSlope(y), dy, dc)
			for k, x := range gates { // the gate's partner in its product, and the product's cotangent
				a, dGate, grad := load("cells", x), load("dCells", x), dc
				var partner vec
				switch x {
				case i:
					partner = load("cells", g)
				case f:
					partner = load("cPrev", 0)
				case g:
					partner = load("cells", i)
				case o:
					partner, grad = y, dh
				}
				VFMADD231PS(partner, grad, dGate)
				store(w.op(VMULPS, slope(x, a), dGate), "dz", k)
			}
			store(w.op(VMULPS, load("cells", f), dc), "dc", 0)
		})

	w.parts("lstmCellTangent", "is one row of the cell's derivative along a direction.", "tCells tz cells cPrev tcPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			a, t := map[int]vec{}, map[int]vec{}
			for k, x := range gates {
				a[x] = load("cells", x)
				t[x] = w.op(VMULPS, slope(x, a[x]), load("tz", k))
				store(t[x], "tCells", x)
			}
			tc := w.op(VMULPS, load("cPrev", 0), t[f])
			VFMADD231PS(load("tcPrev", 0), a[f], tc)
			VFMADD231PS(a[g], t[i], tc)
			VFMADD231PS(t[g], a[i], tc)
			store(tc, "tCells", c)
			y := load("cells", tanhC)
			ty := w.op(VMULPS, tanhSlope(y), tc)
			store(ty, "tCells", tanhC)
			th := w.op(VMULPS, y, t[o])
			VFMADD231PS(ty, a[o], th)
			store(th, "tCells", h)
		})
}
