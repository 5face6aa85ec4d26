package main

import (
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pool: the windows of max pooling, lanes along the channels.
func (w width) pool() {
	w.windows("poolMax", "is y = the largest x of each window; NaN stays.", "y", "x",
		func(at func(string) Mem, mask reg.Register) (tap, finish func()) {
			largest := w.vec()
			VMOVUPS(table["lowest"], largest)
			tap = func() {
				x := w.vec()
				w.load(at("x"), x, mask)
				// Where one is NaN, the maximum is its second operand: one of the two is NaN, and so is their union.
				a, b := w.op(VMAXPS, x, largest), w.op(VMAXPS, largest, x)
				VORPS(a, b, largest)
			}
			return tap, func() { w.store(largest, at("y"), mask) }
		})
	w.windows("poolBack", "adds dy to dx where each window first has x = y.", "dy y", "dx x",
		func(at func(string) Mem, mask reg.Register) (tap, finish func()) {
			dy, y := w.vec(), w.vec()
			w.load(at("dy"), dy, mask)
			w.load(at("y"), y, mask)
			find := w.finder(y, mask)
			tap = func() {
				found, dx := find(at("x")), w.vec()
				w.load(at("dx"), dx, mask)
				VADDPS(found(dy), dx, dx)
				w.store(dx, at("dx"), mask)
			}
			return tap, func() {}
		})
	w.windows("poolPick", "is out = v where each window first has x = y, 0 where it never has.", "out y", "v x",
		func(at func(string) Mem, mask reg.Register) (tap, finish func()) {
			y, picked := w.vec(), w.zero()
			w.load(at("y"), y, mask)
			find := w.finder(y, mask)
			tap = func() {
				found, v := find(at("x")), w.vec()
				w.load(at("v"), v, mask)
				VORPS(found(v), picked, picked)
			}
			return tap, func() { w.store(picked, at("out"), mask) }
		})
}

// windows walks the windows of a stretch (see pool.go of the kernels). The vectors in outs have c channels for each
// window; the vectors in ins are laid out as the image. For each vector of channels, body sets itself up and returns
// the code for each element of the window, in reading order, and for the end. Strides are in bytes.
func (w width) windows(name, doc, outs, ins string, body func(at func(string) Mem, mask reg.Register) (tap,
	finish func())) {
	vectors := strings.Fields(outs + " " + ins)
	w.function(name, doc, strings.Join(vectors, ", ")+" *float32, count, c, ny, nx, row, step int")
	base := map[string]reg.GPVirtual{}
	for _, v := range vectors {
		base[v] = arg(v)
	}
	pixel, rest, i := arg("c"), GP64(), GP64() // pixel: bytes of one, i: of them done
	MOVQ(pixel, rest)
	ANDQ(I32(w.lanes-1), rest)
	SHLQ(Imm(2), pixel)
	tail := w.mask(rest)
	line, p, rows, columns := GP64(), GP64(), GP64(), GP64() // places in the window relative to the stretch's place
	at := func(v string) Mem {
		index := i
		if slices.Contains(strings.Fields(ins), v) {
			index = p
		}
		return Mem{Base: base[v], Index: index, Scale: 1}
	}
	Label("window")
	XORQ(i, i)
	Label("vector")
	MOVQ(pixel, p)
	SUBQ(i, p)
	CMPQ(p, I32(w.bytes()))
	JL(LabelRef("tail"))
	for _, part := range []struct {
		name string
		mask reg.Register
	}{{"vector", nil}, {"tail", tail}} {
		if part.mask != nil {
			Label(part.name)
			TESTQ(p, p)
			JZ(LabelRef("next"))
		}
		tap, finish := body(at, part.mask)
		MOVQ(i, line)
		MOVQ(param("ny"), rows)
		Label(part.name + "Row")
		MOVQ(line, p)
		MOVQ(param("nx"), columns)
		Label(part.name + "Column")
		tap()
		ADDQ(pixel, p)
		DECQ(columns)
		JNZ(LabelRef(part.name + "Column"))
		ADDQ(param("row"), line)
		DECQ(rows)
		JNZ(LabelRef(part.name + "Row"))
		finish()
		if part.mask == nil {
			ADDQ(I32(w.bytes()), i)
			JMP(LabelRef("vector"))
		}
	}
	Label("next")
	for _, v := range strings.Fields(outs) {
		ADDQ(pixel, base[v])
	}
	for _, v := range strings.Fields(ins) {
		ADDQ(param("step"), base[v])
	}
	DECQ(param("count"))
	JNZ(LabelRef("window"))
	done()
}

// finder finds, over the elements of a window, where x = y for the first time. It returns a function that clears all
// other lanes of a vector.
func (w width) finder(y vec, mask reg.Register) func(x Mem) func(vec) vec {
	const equal = 0 // false for NaN
	if w.lanes == 16 {
		left := K() // lanes without a match so far
		if mask == nil {
			KXNORW(left, left, left)
		} else {
			KMOVW(mask, left)
		}
		return func(from Mem) func(vec) vec {
			x, found := ZMM(), K()
			w.load(from, x, mask)
			VCMPPS(Imm(equal), y, x, left, found)
			KANDNW(left, found, left)
			return func(v vec) vec {
				kept := ZMM()
				VMOVAPS_Z(v, found, kept)
				return kept
			}
		}
	}
	left := YMM()
	VCMPPS(Imm(equal), w.zero(), w.zero(), left)
	return func(from Mem) func(vec) vec {
		x, found := YMM(), YMM()
		w.load(from, x, mask)
		VCMPPS(Imm(equal), y, x, found)
		VANDPS(left, found, found)
		VANDNPS(left, found, left)
		return func(v vec) vec { return w.op(VANDPS, found, v) }
	}
}
