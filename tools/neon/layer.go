package main

// layer: the work of a dense layer besides its product.
func layer() {
	bias("biasAdd", "is y[i,j] += bias[j].", func(y vec) vec { return y })
	bias("biasReLU", "is y[i,j] = max(0, y[i,j] + bias[j]); NaN stays.", func(y vec) vec {
		return op(bic, y, op1(fcmlt0, y)) // FMAX would make +0 of −0
	})
	each("reluGrad", "is dz = dy where not y ≤ 0, else 0.", "dz dy y", "dy y", "dz", "", func(x map[string]vec) []vec {
		return []vec{op(bic, x["dy"], op1(fcmle0, x["y"]))}
	})
	each("tanhGrad", "is dz = dy·(1 − y²).", "dz dy y", "dy y", "dz", "", func(x map[string]vec) []vec {
		slope := constant("one")
		change(fmls, slope, x["y"], x["y"])
		return []vec{op(fmul, x["dy"], slope)}
	})
	colSum()
}

// bias walks the rows of y beside one row of biases.
func bias(name, doc string, then func(vec) vec) {
	function(name, doc, "y, bias *float32, rows, cols int")
	y, bias, rows, cols := arg("y"), arg("bias"), arg("rows"), arg("cols")
	n, j, here := general(), general(), general()
	line("MOVD $0, %s", here)
	label("row")
	line("MOVD $0, %s", j)
	line("MOVD %s, %s", cols, n)
	sweep(n, func(numbers int) {
		sum := op(fadd, load(y, here, numbers), load(bias, j, numbers))
		store(then(sum), y, here, numbers)
		line("ADD $%d, %s", 4*numbers, y)
		line("ADD $%d, %s", 4*numbers, j)
	})
	line("SUBS $1, %s", rows)
	jump("BNE row")
	done()
}

// colSum runs down the rows with four vectors of columns at a time, then with one, then with a number. Four additions
// in flight hide most of the latency, and each column still adds its rows in order.
func colSum() {
	function("colSum", "is dst[j] += Σ_i x[i,j], i in order.", "dst, x *float32, rows, cols int")
	dst, x, rows, cols := arg("dst"), arg("x"), arg("rows"), arg("cols")
	stride, p, k := general(), general(), general()
	at := make([]gp, 4) // bytes from the first vector to each
	for v := range at {
		at[v] = general()
		line("MOVD $%d, %s", 16*v, at[v])
	}
	line("LSL $2, %s, %s", cols, stride)
	for _, pass := range []struct {
		name, next       string
		vectors, numbers int
	}{{"four", "one", 4, 4}, {"one", "rest", 1, 4}, {"rest", "end", 1, 1}} {
		columns := pass.vectors * pass.numbers
		label("%s", pass.name)
		line("CMP $%d, %s", columns, cols)
		jump("BLT %s", pass.next)
		acc := make([]vec, pass.vectors)
		for v := range acc {
			acc[v] = load(dst, at[v], pass.numbers)
			pin(acc[v])
		}
		line("MOVD %s, %s", x, p)
		line("MOVD %s, %s", rows, k)
		label("%sRows", pass.name)
		for v := range acc {
			change(fadd, acc[v], acc[v], load(p, at[v], pass.numbers))
		}
		line("ADD %s, %s", stride, p)
		line("SUBS $1, %s", k)
		jump("BNE %sRows", pass.name)
		for v := range acc {
			store(acc[v], dst, at[v], pass.numbers)
		}
		line("ADD $%d, %s", 4*columns, dst)
		line("ADD $%d, %s", 4*columns, x)
		line("SUB $%d, %s", columns, cols)
		jump("B %s", pass.name)
	}
	label("end")
	done()
}
