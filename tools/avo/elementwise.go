package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type vec = reg.VecVirtual

// each writes a loop over flat vectors: it loads every vector named in reads, calls body, and stores
// what body returns to the vectors named in writes. Scalars are broadcast before the loop.
func (w width) each(name, doc, vectors, reads, writes, scalars string, body func(x map[string]vec) []vec) {
	signature := strings.ReplaceAll(vectors, " ", ", ") + " *float32, n int"
	if scalars != "" {
		signature += ", " + strings.ReplaceAll(scalars, " ", ", ") + " float32"
	}
	w.function(name, doc, signature)
	at := map[string]reg.GPVirtual{}
	for _, v := range strings.Fields(vectors) {
		at[v] = arg(v)
	}
	n, i := arg("n"), GP64()
	broadcast := map[string]vec{}
	for _, s := range strings.Fields(scalars) {
		broadcast[s] = w.scalar(s)
	}
	XORQ(i, i)
	step := func(mask reg.Register) {
		x := map[string]vec{}
		for s, v := range broadcast {
			x[s] = v
		}
		for _, r := range strings.Fields(reads) {
			x[r] = w.vec()
			w.load(Mem{Base: at[r], Index: i, Scale: 1}, x[r], mask)
		}
		out := body(x)
		for k, to := range strings.Fields(writes) {
			w.store(out[k], Mem{Base: at[to], Index: i, Scale: 1}, mask)
		}
	}
	Label("loop")
	CMPQ(n, I32(w.lanes))
	JL(LabelRef("tail"))
	step(nil)
	ADDQ(I32(w.bytes()), i)
	SUBQ(I32(w.lanes), n)
	JMP(LabelRef("loop"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	step(w.mask(n))
	Label("end")
	done()
}

// op applies a two-operand instruction: out = x ∘ y, where y may lie in memory.
func (w width) op(f func(...Op), y Op, x vec) vec {
	out := w.vec()
	f(y, x, out)
	return out
}

func (w width) constant(name string) vec {
	v := w.vec()
	VMOVUPS(table[name], v)
	return v
}

// flat: axpy, scale, and the lanes of a dot product.
func (w width) flat() {
	w.each("axpy", "is y += a·x.", "y x", "y x", "y", "a", func(x map[string]vec) []vec {
		VFMADD231PS(x["x"], x["a"], x["y"])
		return []vec{x["y"]}
	})
	w.each("scale", "is x *= a.", "x", "x", "x", "a", func(x map[string]vec) []vec {
		return []vec{w.op(VMULPS, x["a"], x["x"])}
	})

	const lanes = 64 // sumLanes of flat.go
	w.function("dotLanes", "adds blocks of 64 products to the 64 lanes.", "lanes, x, y *float32, blocks int")
	to, x, y, blocks := arg("lanes"), arg("x"), arg("y"), arg("blocks")
	acc := make([]vec, lanes/w.lanes)
	at := func(p reg.GPVirtual, v int) Mem { return Mem{Base: p, Disp: v * w.bytes()} }
	for v := range acc {
		acc[v] = w.vec()
		VMOVUPS(at(to, v), acc[v])
	}
	Label("loop")
	for v := range acc {
		xv := w.vec()
		VMOVUPS(at(x, v), xv)
		VFMADD231PS(at(y, v), xv, acc[v])
	}
	ADDQ(I32(4*lanes), x)
	ADDQ(I32(4*lanes), y)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	for v := range acc {
		VMOVUPS(acc[v], at(to, v))
	}
	done()
}

// reduce is expm1 of the remainder after n·ln 2: see elementary.go.
func (w width) reduce(x vec) (n, q vec) {
	n, p := w.vec(), w.constant("expP4")
	scaled, whole := w.op(VMULPS, table["log2e"], x), w.vec()
	VCVTPS2DQ(scaled, n) // to nearest, ties to even
	VCVTDQ2PS(n, whole)
	r := x
	VFNMADD231PS(table["ln2Hi"], whole, r)
	VFNMADD231PS(table["ln2Lo"], whole, r)
	for _, c := range []string{"expP3", "expP2", "expP1", "expP0"} {
		VFMADD213PS(table[c], r, p)
	}
	q = w.op(VMULPS, r, r)
	VFMADD213PS(r, p, q)
	return n, q
}

// pow2 builds 2ⁿ from the exponent's bits.
func (w width) pow2(n vec) vec {
	s := w.op(VPADDD, table["bias"], n)
	VPSLLD(Imm(23), s, s)
	return s
}

// exp clamps with x as the second operand, which is what VMINPS and VMAXPS return for NaN.
func (w width) exp(x vec) vec {
	x = w.op(VMINPS, x, w.constant("expMax"))
	x = w.op(VMAXPS, x, w.constant("expMin"))
	n, q := w.reduce(x)
	low, high := w.vec(), w.vec()
	VPSRAD(Imm(1), n, low)
	VPSUBD(low, n, high)
	y := w.op(VADDPS, table["one"], q)
	y = w.op(VMULPS, w.pow2(low), y)
	return w.op(VMULPS, w.pow2(high), y)
}

func (w width) sigmoid(x vec) vec {
	y := w.exp(w.op(VSUBPS, x, w.zero()))
	return w.op(VDIVPS, w.op(VADDPS, table["one"], y), w.constant("one"))
}

func (w width) tanh(x vec) vec {
	size := w.op(VANDPS, table["magnitude"], x)
	n, t := w.reduce(w.op(VMINPS, w.op(VADDPS, size, size), w.constant("tanhMax")))
	s := w.pow2(n)
	VFMADD213PS(w.op(VSUBPS, table["one"], s), s, t) // t = 2ⁿ·expm1(r) + (2ⁿ − 1)
	y := w.op(VDIVPS, w.op(VADDPS, table["two"], t), t)
	return w.op(VORPS, y, w.op(VANDPS, table["sign"], x))
}

func (w width) elementary() {
	w.each("exp", "is dst = e^src.", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{w.exp(x["src"])}
	})
	w.each("sigmoid", "is dst = 1/(1 + e^−src).", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{w.sigmoid(x["src"])}
	})
	w.each("tanh", "is dst = tanh src.", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{w.tanh(x["src"])}
	})
}

// descend: the optimisers, as descend.go writes them.
func (w width) descend() {
	meanSquare := func(x map[string]vec, v, decay, fresh string) vec {
		y := w.op(VMULPS, x[decay], x[v])
		VFMADD231PS(w.op(VMULPS, x["grad"], x["grad"]), x[fresh], y)
		return y
	}
	ratio := func(x map[string]vec, nu vec) vec { // g/(√(ν+ε_in) + ε_out)
		root := w.op(VADDPS, x["epsIn"], nu)
		VSQRTPS(root, root)
		return w.op(VDIVPS, w.op(VADDPS, x["epsOut"], root), x["grad"])
	}
	w.each("rmsprop", "is one step of RMSProp.", "theta nu grad", "theta nu grad", "theta nu",
		"decay fresh epsIn epsOut rate", func(x map[string]vec) []vec {
			nu := meanSquare(x, "nu", "decay", "fresh")
			VFNMADD231PS(ratio(x, nu), x["rate"], x["theta"])
			return []vec{x["theta"], nu}
		})
	w.each("rmspropMomentum", "is one step of RMSProp with momentum.", "theta nu u grad", "theta nu u grad", "theta nu u",
		"decay fresh epsIn epsOut rateIn momentum rate", func(x map[string]vec) []vec {
			nu := meanSquare(x, "nu", "decay", "fresh")
			u := w.op(VMULPS, x["momentum"], x["u"])
			VFMADD231PS(ratio(x, nu), x["rateIn"], u)
			VFNMADD231PS(u, x["rate"], x["theta"])
			return []vec{x["theta"], nu, u}
		})
	w.each("adam", "is one step of Adam.", "theta m v grad", "theta m v grad", "theta m v",
		"beta1 fresh1 beta2 fresh2 root eps rate", func(x map[string]vec) []vec {
			m := w.op(VMULPS, x["beta1"], x["m"])
			VFMADD231PS(x["grad"], x["fresh1"], m)
			v, below := meanSquare(x, "v", "beta2", "fresh2"), w.vec()
			VSQRTPS(v, below)
			VFMADD213PS(x["eps"], x["root"], below)
			VFNMADD231PS(w.op(VDIVPS, below, m), x["rate"], x["theta"])
			return []vec{x["theta"], m, v}
		})
}
