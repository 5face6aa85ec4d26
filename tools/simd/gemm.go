package main

// product is C += A·B: C[i,j] at c + i·ldc + 4j, A[i,p] at a + i·ra + p·ca, B[p,j] at b + p·rb + 4j, all in bytes. It
// has m rows, n columns, a multiple of 4, and k ≥ 1. Lanes run along the columns. An element accumulates over p in
// order, and each product and each sum is rounded by itself.
func product() *function {
	f, p := begin("product", "c a b m n k ldc ra ca rb", "")
	for _, columns := range []int{8, 4} {
		f.while(p["n"], columns, func() {
			c, a, m := f.let(i32, p["c"].get()), f.let(i32, p["a"].get()), f.let(i32, p["m"].get())
			for _, rows := range []int{4, 2, 1} {
				f.while(m, rows, func() {
					tile(f, p, c, a, rows, columns/4)
					f.move(m, whole(-rows))
				})
			}
			f.move(p["c"], whole(4*columns))
			f.move(p["b"], whole(4*columns))
			f.move(p["n"], whole(-columns))
		})
	}
	return f
}

// tile adds to a tile of C, whose sums stay in registers, and moves c and a to the rows after it.
func tile(f *function, p map[string]local, c, a local, rows, vectors int) {
	at := make([]local, rows)
	sums := make([][]local, rows)
	for i := range rows {
		for j := range vectors {
			sums[i] = append(sums[i], f.let(v128, load(c.get(), 16*j)))
		}
		at[i] = f.let(i32, a.get())
		f.move(c, p["ldc"].get())
		f.move(a, p["ra"].get())
	}
	b, k := f.let(i32, p["b"].get()), f.let(i32, p["k"].get())
	f.repeat(k, func() {
		row := make([]local, vectors)
		for j := range row {
			row[j] = f.let(v128, load(b.get(), 16*j))
		}
		f.move(b, p["rb"].get())
		for i := range rows {
			x := f.let(v128, loadAll(at[i].get(), 0))
			f.move(at[i], p["ca"].get())
			for j := range row {
				f.set(sums[i][j], add(sums[i][j].get(), mul(x.get(), row[j].get())))
			}
		}
	})
	back := f.let(i32, c.get())
	for i := rows - 1; i >= 0; i-- {
		f.set(back, minus(back.get(), p["ldc"].get()))
		for j := range vectors {
			f.store(back.get(), sums[i][j].get(), 16*j)
		}
	}
}

// transpose writes src [rows, cols], rows srcStep bytes apart, to dst [cols, rows]. Both counts are multiples of 4.
func transpose() *function {
	f, p := begin("transpose", "dst src rows cols dstStep srcStep", "")
	f.while(p["rows"], 4, func() {
		dst, src, cols := f.let(i32, p["dst"].get()), f.let(i32, p["src"].get()), f.let(i32, p["cols"].get())
		f.while(cols, 4, func() {
			from, to := f.let(i32, src.get()), f.let(i32, dst.get())
			var r, pairs [4]local
			for i := range r {
				r[i] = f.let(v128, load(from.get(), 0))
				f.move(from, p["srcStep"].get())
			}
			for i := range 2 { // rows i and i+2, word by word
				pairs[2*i] = f.let(v128, blend(r[i].get(), r[i+2].get(), 0, 4, 1, 5))
				pairs[2*i+1] = f.let(v128, blend(r[i].get(), r[i+2].get(), 2, 6, 3, 7))
			}
			for i := range 4 {
				first := 2 * (i % 2)
				f.store(to.get(), blend(pairs[i/2].get(), pairs[2+i/2].get(), first, first+4, first+1, first+5), 0)
				f.move(to, p["dstStep"].get())
			}
			f.set(dst, to.get())
			f.move(src, whole(16))
			f.move(cols, whole(-4))
		})
		f.move(p["dst"], whole(16))
		f.set(p["src"], plus(p["src"].get(), op(0x74, p["srcStep"].get(), whole(2))))
		f.move(p["rows"], whole(-4))
	})
	return f
}
