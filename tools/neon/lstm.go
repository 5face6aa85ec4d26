package main

import "strings"

// parts writes a loop over rows that consist of parts of n columns each: load and store name a pointer
// and a part of its row, 0 to 6.
func parts(name, doc, pointers string,
	body func(load func(from string, part int) vec, store func(v vec, to string, part int))) {
	function(name, doc, strings.ReplaceAll(pointers, " ", ", ")+" *float32, n int")
	base := map[string]gp{}
	for _, p := range strings.Fields(pointers) {
		base[p] = arg(p)
	}
	n, size := arg("n"), general()
	at := make([]gp, 7) // bytes from the row's start to a place in each part
	line("LSL $2, %s, %s", n, size)
	for part := range at {
		at[part] = general()
		if part == 0 {
			line("MOVD $0, %s", at[0])
			continue
		}
		line("ADD %s, %s, %s", size, at[part-1], at[part])
	}
	sweep(n, func(numbers int) {
		body(func(from string, part int) vec { return load(base[from], at[part], numbers) },
			func(v vec, to string, part int) { store(v, base[to], at[part], numbers) })
		for _, place := range at {
			line("ADD $%d, %s", 4*numbers, place)
		}
	})
	done()
}

// lstm: the cell and its derivatives, as lstm.go and lstmgrad.go write them.
func lstm() {
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
	sigmoidSlope := func(y vec) vec { return op(fmul, op(fsub, constant("one"), y), y) }
	tanhSlope := func(y vec) vec {
		slope := constant("one")
		change(fmls, slope, y, y)
		return slope
	}
	slope := func(gate int, y vec) vec {
		if gate == g {
			return tanhSlope(y)
		}
		return sigmoidSlope(y)
	}

	parts("lstmCell", "is one row of the cell.", "h c tanhC gates z cPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			gate := func(k int, of func(vec) vec) vec {
				y := of(load("z", k))
				store(y, "gates", k)
				return y
			}
			in := gate(0, sigmoid)
			next := op(fmul, gate(1, sigmoid), load("cPrev", 0))
			change(fmla, next, in, gate(2, tanh))
			store(next, "c", 0)
			out := gate(3, sigmoid)
			y := tanh(next)
			store(y, "tanhC", 0)
			store(op(fmul, out, y), "h", 0)
		})

	parts("lstmCellBack", "is one row of the cell's derivative.", "dz dc dh dCells cells cPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			y := load("cells", tanhC)
			dh := op(fadd, load("dh", 0), load("dCells", h))
			dy := load("dCells", tanhC)
			change(fmla, dy, dh, load("cells", o))
			dc := op(fadd, load("dc", 0), load("dCells", c))
			change(fmla, dc, dy, tanhSlope(y))
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
				change(fmla, dGate, grad, partner)
				store(op(fmul, dGate, slope(x, a)), "dz", k)
			}
			store(op(fmul, dc, load("cells", f)), "dc", 0)
		})

	parts("lstmCellTangent", "is one row of the cell's derivative along a direction.", "tCells tz cells cPrev tcPrev",
		func(load func(string, int) vec, store func(vec, string, int)) {
			a, t := map[int]vec{}, map[int]vec{}
			for k, x := range gates {
				a[x] = load("cells", x)
				t[x] = op(fmul, load("tz", k), slope(x, a[x]))
				store(t[x], "tCells", x)
			}
			tc := op(fmul, t[f], load("cPrev", 0))
			change(fmla, tc, a[f], load("tcPrev", 0))
			change(fmla, tc, t[i], a[g])
			change(fmla, tc, a[i], t[g])
			store(tc, "tCells", c)
			y := load("cells", tanhC)
			ty := op(fmul, tc, tanhSlope(y))
			store(ty, "tCells", tanhC)
			th := op(fmul, t[o], y)
			change(fmla, th, a[o], ty)
			store(th, "tCells", h)
		})
}
