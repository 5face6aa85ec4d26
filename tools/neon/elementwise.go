package main

import "strings"

// each writes a loop over flat vectors: it loads every vector named in reads, calls body, and stores
// what body returns to the vectors named in writes. Scalars are broadcast before the loop.
func each(name, doc, vectors, reads, writes, scalars string, body func(x map[string]vec) []vec) {
	signature := strings.ReplaceAll(vectors, " ", ", ") + " *float32, n int"
	if scalars != "" {
		signature += ", " + strings.ReplaceAll(scalars, " ", ", ") + " float32"
	}
	function(name, doc, signature)
	at := map[string]gp{}
	for _, v := range strings.Fields(vectors) {
		at[v] = arg(v)
	}
	n, i := arg("n"), general()
	broadcast := map[string]vec{}
	for _, s := range strings.Fields(scalars) {
		broadcast[s] = scalar(s)
	}
	line("MOVD $0, %s", i)
	sweep(n, func(numbers int) {
		x := map[string]vec{}
		for s, v := range broadcast {
			x[s] = v
		}
		for _, r := range strings.Fields(reads) {
			x[r] = load(at[r], i, numbers)
		}
		out := body(x)
		for k, to := range strings.Fields(writes) {
			store(out[k], at[to], i, numbers)
		}
		line("ADD $%d, %s", 4*numbers, i)
	})
	done()
}

// flat: axpy, scale, and the lanes of a dot product.
func flat() {
	each("axpy", "is y += a·x.", "y x", "y x", "y", "a", func(x map[string]vec) []vec {
		change(fmla, x["y"], x["a"], x["x"])
		return []vec{x["y"]}
	})
	each("scale", "is x *= a.", "x", "x", "x", "a", func(x map[string]vec) []vec {
		return []vec{op(fmul, x["x"], x["a"])}
	})

	const lanes = 64 // sumLanes of flat.go
	function("dotLanes", "adds blocks of 64 products to the 64 lanes.", "lanes, x, y *float32, blocks int")
	to, x, y, blocks := arg("lanes"), arg("x"), arg("y"), arg("blocks")
	acc := make([]vec, lanes/4)
	for v := range acc {
		acc[v] = loadAt(to, 16*v)
		pin(acc[v])
	}
	label("loop")
	for v := range acc {
		change(fmla, acc[v], loadAt(x, 16*v), loadAt(y, 16*v))
	}
	line("ADD $%d, %s", 4*lanes, x)
	line("ADD $%d, %s", 4*lanes, y)
	line("SUBS $1, %s", blocks)
	jump("BNE loop")
	for v := range acc {
		storeAt(acc[v], to, 16*v)
	}
	done()
}

// reduce is expm1 of the remainder after n·ln 2: see elementary.go. It changes x.
func reduce(x vec) (n, q vec) {
	p := constant("expP4")
	n = op1(fcvtns, op(fmul, x, constant("log2e")))
	whole, r := op1(scvtf, n), x
	change(fmls, r, whole, constant("ln2Hi"))
	change(fmls, r, whole, constant("ln2Lo"))
	for _, c := range []string{"expP3", "expP2", "expP1", "expP0"} {
		sum := constant(c)
		change(fmla, sum, p, r)
		p = sum
	}
	square := op(fmul, r, r)
	change(fmla, r, square, p)
	return n, r
}

// pow2 builds 2ⁿ from the exponent's bits.
func pow2(n vec) vec { return op1(shl23, op(addWords, n, constant("bias"))) }

// exp clamps with FMIN and FMAX, which let NaN through. No bound is a zero, of which they would choose the sign.
func exp(x vec) vec {
	x = op(fmin, constant("expMax"), x)
	x = op(fmax, constant("expMin"), x)
	n, q := reduce(x)
	low := op1(sshr1, n)
	high := op(subWords, n, low)
	y := op(fadd, q, constant("one"))
	y = op(fmul, y, pow2(low))
	return op(fmul, y, pow2(high))
}

func sigmoid(x vec) vec {
	y := exp(op(fsub, zero(), x))
	return op(fdiv, constant("one"), op(fadd, y, constant("one")))
}

func tanh(x vec) vec {
	size := op1(fabs, x)
	n, q := reduce(op(fmin, constant("tanhMax"), op(fadd, size, size)))
	s := pow2(n)
	t := op(fsub, s, constant("one"))
	change(fmla, t, s, q) // t = 2ⁿ·expm1(r) + (2ⁿ − 1)
	y := op(fdiv, t, op(fadd, t, constant("two")))
	return op(orr, y, op(and, x, constant("sign")))
}

func elementary() {
	each("exp", "is dst = e^src.", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{exp(x["src"])}
	})
	each("sigmoid", "is dst = 1/(1 + e^−src).", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{sigmoid(x["src"])}
	})
	each("tanh", "is dst = tanh src.", "dst src", "src", "dst", "", func(x map[string]vec) []vec {
		return []vec{tanh(x["src"])}
	})
}

// descend: the optimisers, as descend.go writes them.
func descend() {
	meanSquare := func(x map[string]vec, v, decay, fresh string) vec {
		y := op(fmul, x[v], x[decay])
		change(fmla, y, x[fresh], op(fmul, x["grad"], x["grad"]))
		return y
	}
	ratio := func(x map[string]vec, nu vec) vec { // g/(√(ν+ε_in) + ε_out)
		root := op1(fsqrt, op(fadd, nu, x["epsIn"]))
		return op(fdiv, x["grad"], op(fadd, root, x["epsOut"]))
	}
	each("rmsprop", "is one step of RMSProp.", "theta nu grad", "theta nu grad", "theta nu",
		"decay fresh epsIn epsOut rate", func(x map[string]vec) []vec {
			nu := meanSquare(x, "nu", "decay", "fresh")
			change(fmls, x["theta"], x["rate"], ratio(x, nu))
			return []vec{x["theta"], nu}
		})
	each("rmspropMomentum", "is one step of RMSProp with momentum.", "theta nu u grad", "theta nu u grad", "theta nu u",
		"decay fresh epsIn epsOut rateIn momentum rate", func(x map[string]vec) []vec {
			nu := meanSquare(x, "nu", "decay", "fresh")
			u := op(fmul, x["u"], x["momentum"])
			change(fmla, u, x["rateIn"], ratio(x, nu))
			change(fmls, x["theta"], x["rate"], u)
			return []vec{x["theta"], nu, u}
		})
	each("adam", "is one step of Adam.", "theta m v grad", "theta m v grad", "theta m v",
		"beta1 fresh1 beta2 fresh2 root eps rate", func(x map[string]vec) []vec {
			m := op(fmul, x["m"], x["beta1"])
			change(fmla, m, x["fresh1"], x["grad"])
			v := meanSquare(x, "v", "beta2", "fresh2")
			below := op(orr, x["eps"], x["eps"]) // a copy
			change(fmla, below, x["root"], op1(fsqrt, v))
			change(fmls, x["theta"], x["rate"], op(fdiv, m, below))
			return []vec{x["theta"], m, v}
		})
}
