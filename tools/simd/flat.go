package main

// The loops over vectors, element by element. A loop takes four numbers at once and then the rest singly, with the same
// instructions on vectors that have one number.

// pass is one pass of a loop: it loads from and stores to the pointers of its function.
type pass struct {
	f    *function
	load func(at expr, offset int) expr
	put  func(at, value expr, offset int)
}

func (p pass) get(at local) local       { return p.f.let(v128, p.load(at.get(), 0)) }
func (p pass) set(at local, value expr) { p.put(at.get(), value, 0) }
func (p pass) let(value expr) local     { return p.f.let(v128, value) }

// sweep is the loop over n numbers at each of the pointers, which it moves.
func (f *function) sweep(n local, pointers []local, body func(p pass)) {
	for _, p := range []struct {
		numbers int
		pass
	}{{4, pass{f, load, f.store}}, {1, pass{f, loadOne, f.storeOne}}} {
		f.while(n, p.numbers, func() {
			body(p.pass)
			for _, at := range pointers {
				f.move(at, whole(4*p.numbers))
			}
			f.move(n, whole(-p.numbers))
		})
	}
}

// elementwise is a function of so many numbers n of each of some vectors.
func elementwise(name, vectors, floats string, body func(p pass, by map[string]local)) *function {
	f, by := begin(name, vectors+" n", floats)
	var pointers []local
	for i := range f.params {
		if f.kinds[i] == i32 && i != by["n"].index {
			pointers = append(pointers, local{i, i32})
		}
	}
	f.sweep(by["n"], pointers, func(p pass) { body(p, by) })
	return f
}

// addRows is y += x for rows of cols numbers, stepY and stepX bytes apart.
func addRows() *function {
	f, by := begin("addRows", "y x rows cols stepY stepX", "")
	f.while(by["rows"], 1, func() {
		y, x, n := f.let(i32, by["y"].get()), f.let(i32, by["x"].get()), f.let(i32, by["cols"].get())
		f.sweep(n, []local{y, x}, func(p pass) { p.set(y, add(p.get(y).get(), p.get(x).get())) })
		f.move(by["y"], by["stepY"].get())
		f.move(by["x"], by["stepX"].get())
		f.move(by["rows"], whole(-1))
	})
	return f
}

// biasReLU is y = y + bias where that is not below 0, else 0, for rows of cols numbers. NaN stays.
func biasReLU() *function {
	f, by := begin("biasReLU", "y bias rows cols", "")
	f.while(by["rows"], 1, func() {
		bias, n := f.let(i32, by["bias"].get()), f.let(i32, by["cols"].get())
		f.sweep(n, []local{by["y"], bias}, func(p pass) {
			p.set(by["y"], greater(add(p.get(by["y"]).get(), p.get(bias).get()), four(0)))
		})
		f.move(by["rows"], whole(-1))
	})
	return f
}

// dots adds the products of x and y to 64 lanes, in blocks of 64, of which there is at least one.
func dots() *function {
	f, by := begin("dots", "lanes x y blocks", "")
	part := f.let(i32, whole(4))
	f.repeat(part, func() {
		x, y, n := f.let(i32, by["x"].get()), f.let(i32, by["y"].get()), f.let(i32, by["blocks"].get())
		var sums [4]local
		for i := range sums {
			sums[i] = f.let(v128, load(by["lanes"].get(), 16*i))
		}
		f.repeat(n, func() {
			for i, s := range sums {
				f.set(s, add(s.get(), mul(load(x.get(), 16*i), load(y.get(), 16*i))))
			}
			f.move(x, whole(256))
			f.move(y, whole(256))
		})
		for i, s := range sums {
			f.store(by["lanes"].get(), s.get(), 16*i)
		}
		for _, at := range []string{"lanes", "x", "y"} {
			f.move(by[at], whole(64))
		}
	})
	return f
}

// flat are the sweeps without a function of their own.
func flat() []*function {
	return []*function{
		elementwise("axpy", "y x", "a", func(p pass, by map[string]local) {
			p.set(by["y"], add(p.get(by["y"]).get(), mul(by["a"].get(), p.get(by["x"]).get())))
		}),
		elementwise("scale", "x", "a", func(p pass, by map[string]local) {
			p.set(by["x"], mul(p.get(by["x"]).get(), by["a"].get()))
		}),
		elementwise("reluGrad", "dz dy y", "", func(p pass, by map[string]local) {
			p.set(by["dz"], without(p.get(by["dy"]).get(), atMost(p.get(by["y"]).get(), four(0))))
		}),
		elementwise("tanhGrad", "dz dy y", "", func(p pass, by map[string]local) {
			y := p.get(by["y"])
			p.set(by["dz"], mul(p.get(by["dy"]).get(), sub(four(1), mul(y.get(), y.get()))))
		}),
		elementwise("rmsprop", "theta nu grad", "decay fresh epsIn epsOut rate", func(p pass, by map[string]local) {
			g := p.get(by["grad"])
			v := p.meanSquare(by, g)
			p.set(by["theta"], sub(p.get(by["theta"]).get(), mul(by["rate"].get(), p.normed(by, g, v))))
		}),
		elementwise("rmspropMomentum", "theta nu u grad", "decay fresh epsIn epsOut rateIn momentum rate",
			func(p pass, by map[string]local) {
				g := p.get(by["grad"])
				v := p.meanSquare(by, g)
				u := p.let(add(mul(by["momentum"].get(), p.get(by["u"]).get()), mul(by["rateIn"].get(), p.normed(by, g, v))))
				p.set(by["u"], u.get())
				p.set(by["theta"], sub(p.get(by["theta"]).get(), mul(by["rate"].get(), u.get())))
			}),
		elementwise("adam", "theta m v grad", "beta1 fresh1 beta2 fresh2 root eps rate", func(p pass, by map[string]local) {
			g := p.get(by["grad"])
			m := p.let(add(mul(by["beta1"].get(), p.get(by["m"]).get()), mul(by["fresh1"].get(), g.get())))
			v := p.let(add(mul(by["beta2"].get(), p.get(by["v"]).get()), mul(by["fresh2"].get(), mul(g.get(), g.get()))))
			p.set(by["m"], m.get())
			p.set(by["v"], v.get())
			step := div(m.get(), add(mul(by["root"].get(), sqrt(v.get())), by["eps"].get()))
			p.set(by["theta"], sub(p.get(by["theta"]).get(), mul(by["rate"].get(), step)))
		}),
	}
}

// meanSquare is RMSProp's ν, which it stores.
func (p pass) meanSquare(by map[string]local, g local) local {
	nu := by["nu"]
	v := p.let(add(mul(by["decay"].get(), p.get(nu).get()), mul(by["fresh"].get(), mul(g.get(), g.get()))))
	p.set(nu, v.get())
	return v
}

// normed is a gradient over its root mean square.
func (p pass) normed(by map[string]local, g, v local) expr {
	return div(g.get(), add(sqrt(add(v.get(), by["epsIn"].get())), by["epsOut"].get()))
}
