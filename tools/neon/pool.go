package main

import (
	"slices"
	"strings"
)

// pool: the windows of max pooling, lanes along the channels.
func pool() {
	windows("poolMax", "is y = the largest x of each window; NaN stays.", "y", "x",
		func(load func(string) vec, store func(vec, string)) (tap, finish func()) {
			largest := constant("lowest")
			pin(largest)
			tap = func() {
				x := load("x")
				// Where one is NaN, the greater is the second: one of the two is NaN, and so is their union.
				change(orr, largest, greater(largest, x), greater(x, largest))
			}
			return tap, func() { store(largest, "y") }
		})
	windows("poolBack", "adds dy to dx where each window first has x = y.", "dy y", "dx x",
		func(load func(string) vec, store func(vec, string)) (tap, finish func()) {
			dy, y := load("dy"), load("y")
			pin(dy)
			pin(y)
			find := finder(y)
			tap = func() {
				found := find(load("x"))
				store(op(fadd, load("dx"), op(and, dy, found)), "dx")
			}
			return tap, func() {}
		})
	windows("poolPick", "is out = v where each window first has x = y, 0 where it never has.", "out y", "v x",
		func(load func(string) vec, store func(vec, string)) (tap, finish func()) {
			y, picked := load("y"), zero()
			pin(y)
			pin(picked)
			find := finder(y)
			tap = func() {
				found := find(load("x"))
				change(orr, picked, picked, op(and, load("v"), found))
			}
			return tap, func() { store(picked, "out") }
		})
}

// greater is the greater of two, and the second where they are equal or one is NaN. That is amd64's VMAXPS. FMAX would
// choose +0 of both zeros.
func greater(first, second vec) vec {
	mask := op(fcmgt, first, second)
	change(bsl, mask, first, second)
	return mask
}

// windows walks the windows of a stretch (see pool.go of the kernels). The vectors in outs have c channels for each
// window; the vectors in ins are laid out as the image. For each vector of channels, body sets itself up and returns
// the code for each element of the window, in reading order, and for the end. Strides are in bytes.
func windows(name, doc, outs, ins string, body func(load func(string) vec, store func(vec, string)) (tap,
	finish func())) {
	vectors := strings.Fields(outs + " " + ins)
	function(name, doc, strings.Join(vectors, ", ")+" *float32, count, c, ny, nx, row, step int")
	base := map[string]gp{}
	for _, v := range vectors {
		base[v] = arg(v)
	}
	count, pixel, ny, nx, row, step := arg("count"), arg("c"), arg("ny"), arg("nx"), arg("row"), arg("step")
	i, left := general(), general()       // bytes of a pixel that are done, and that are not
	place, p := general(), general()      // places in the window relative to the stretch's place
	rows, columns := general(), general() // that are left
	line("LSL $2, %s", pixel)             // bytes
	label("window")
	line("MOVD $0, %s", i)
	for _, pass := range []struct {
		name, next string
		numbers    int
	}{{"vector", "tail", 4}, {"tail", "next", 1}} {
		index := func(v string) gp {
			if slices.Contains(strings.Fields(ins), v) {
				return p
			}
			return i
		}
		label("%s", pass.name)
		line("SUB %s, %s, %s", i, pixel, left)
		line("CMP $%d, %s", 4*pass.numbers, left)
		jump("BLT %s", pass.next)
		tap, finish := body(func(from string) vec { return load(base[from], index(from), pass.numbers) },
			func(x vec, to string) { store(x, base[to], index(to), pass.numbers) })
		line("MOVD %s, %s", i, place)
		line("MOVD %s, %s", ny, rows)
		label("%sRow", pass.name)
		line("MOVD %s, %s", place, p)
		line("MOVD %s, %s", nx, columns)
		label("%sColumn", pass.name)
		tap()
		line("ADD %s, %s", pixel, p)
		line("SUBS $1, %s", columns)
		jump("BNE %sColumn", pass.name)
		line("ADD %s, %s", row, place)
		line("SUBS $1, %s", rows)
		jump("BNE %sRow", pass.name)
		finish()
		line("ADD $%d, %s", 4*pass.numbers, i)
		jump("B %s", pass.name)
	}
	label("next")
	for _, v := range strings.Fields(outs) {
		line("ADD %s, %s", pixel, base[v])
	}
	for _, v := range strings.Fields(ins) {
		line("ADD %s, %s", step, base[v])
	}
	line("SUBS $1, %s", count)
	jump("BNE window")
	done()
}

// finder finds, over the elements of a window, where x = y for the first time. It returns a function whose result has
// all bits of these lanes, and no other.
func finder(y vec) func(x vec) vec {
	left := op(fcmeq, zero(), zero()) // lanes without a match so far
	pin(left)
	return func(x vec) vec {
		found := op(and, op(fcmeq, x, y), left)
		change(bic, left, left, found)
		return found
	}
}
