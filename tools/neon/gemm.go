package main

import "fmt"

// gemm multiplies into one strip of C, at most four vectors wide. A tile of rows stays in registers while k runs; each
// step loads one row of B and one element of A for each row of C. A is read through two strides, so A and Aᵀ use the
// same loop without a copy.
//
// For convolutions A may lie in images: k runs over bands, the rows of a window, and these over images, with jumps in A
// and B after each. There may be groups of rows of C, each with its own place in A. Products have one of each. A
// convolution's sums have 0 added, so no sum is −0.
//
// The last vector of a row ends where the row ends, and may share columns with the vector before it. Both have the same
// bits: a tile loads its C before it stores any. A row of less than a vector has two columns, one, or both.
//
// The tile of an element does not change its bits: it accumulates over k in order anyway.
func gemm() {
	function("gemm", "is C (+)= A·B for a strip of cols ≤ 16 columns; strides and jumps are in bytes.",
		"c, a, b *float32, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups, cGroup, "+
			"aGroup, accumulate, plusZero int")
	s := strip{c: arg("c"), a: arg("a"), m: arg("m"), ca: arg("ca"), rb: arg("rb"), last: arg("cols"), b: general(),
		k: general(), bands: general(), images: general(), offset: general(), some: general(), row: general()}
	for range 12 {
		s.rows = append(s.rows, general())
	}

	narrow := []int{12, 8, 4, 2, 1}
	shapes := []struct {
		name    string
		cols    int // more than these
		vectors []part
		tiles   []int // rows of C held in registers, down to 1
	}{
		{"four", 12, []part{{16, 0}, {16, 16}, {16, 32}, {atEnd, 0}}, []int{6, 5, 4, 3, 2, 1}}, // 24 of 32 accumulate
		{"three", 8, []part{{16, 0}, {16, 16}, {atEnd, 0}}, []int{8, 6, 4, 3, 2, 1}},
		{"two", 4, []part{{16, 0}, {atEnd, 0}}, []int{12, 8, 6, 4, 3, 2, 1}},
		{"one", 3, []part{{16, 0}}, narrow},
		{"threeColumns", 2, []part{{8, 0}, {4, 8}}, narrow},
		{"twoColumns", 1, []part{{8, 0}}, narrow},
		{"oneColumn", 0, []part{{4, 0}}, narrow},
	}
	line("MOVD %s, %s", s.last, s.some)
	line("LSL $2, %s", s.last)
	line("SUB $16, %s", s.last)
	for _, shape := range shapes {
		line("CMP $%d, %s", shape.cols, s.some)
		jump("BGT %s0", shape.name)
	}
	jump("B end")
	for _, shape := range shapes {
		tile := func(n int) string { return fmt.Sprintf("%s%d", shape.name, n) }
		label("%s", tile(0))
		if shape.tiles[0] == 6 { // 4 + 4 rows are better than 6 + 2
			line("CMP $8, %s", s.m)
			jump("BEQ %s", tile(4))
		}
		for _, n := range shape.tiles {
			line("CMP $%d, %s", n, s.m)
			jump("BGE %s", tile(n))
		}
		line("MOVD %s, %s", param("groups"), s.some)
		line("SUBS $1, %s", s.some)
		line("MOVD %s, %s", s.some, param("groups"))
		jump("BEQ end")
		for _, p := range []struct {
			name  string
			place gp
		}{{"c", s.c}, {"a", s.a}} {
			line("MOVD %s, %s", param(p.name+"Group"), s.some)
			line("MOVD %s, %s", param(p.name), p.place)
			line("ADD %s, %s", s.some, p.place)
			line("MOVD %s, %s", p.place, param(p.name))
		}
		line("MOVD %s, %s", param("m"), s.m)
		jump("B %s", tile(0))
		for _, n := range shape.tiles {
			label("%s", tile(n))
			s.tile(tile(n), n, shape.vectors)
			line("SUB $%d, %s", n, s.m)
			jump("B %s", tile(0))
		}
	}
	label("end")
	done()
}

// strip has the general registers of a product. C and a move down the rows of C, and b down its own.
type strip struct {
	c, a, b, m, k, ca, rb, bands, images gp

	offset gp   // from the first element of each row of A
	rows   []gp // of A
	last   gp   // bytes from a row's start to its last four columns
	some   gp   // for the next instruction alone
	row    gp   // of C
}

// part is how a vector of a row lies in memory: its bytes, and its place from the row's start.
type part struct{ bytes, at int }

// atEnd are the last four columns of a row.
const atEnd = 0

// move loads or stores the part of a row in vector register n.
func (s *strip) move(name string, p part, row gp, n int) {
	if p.bytes == atEnd {
		line("%s", move(name, n, row, s.last, 4))
		return
	}
	code := map[int]string{16: "FMOVQ", 8: "FMOVD", 4: "FMOVS"}[p.bytes]
	if name == "LDR" {
		line("%s %d(%s), F%d", code, p.at, row, n)
	} else {
		line("%s F%d, %d(%s)", code, n, p.at, row)
	}
}

// tile does n rows and moves c and a past them. It chooses its vector registers itself: first the sums, row by row,
// then a row of B, and at the end up to eight elements of A.
func (s *strip) tile(name string, n int, vectors []part) {
	acc := func(i, v int) int { return i*len(vectors) + v }
	bv := func(v int) int { return n*len(vectors) + v }
	spare := min(8, 32-(n+1)*len(vectors))
	x := func(i int) int { return 31 - i%spare }
	each := func(do func(i, v int)) {
		for i := range n {
			for v := range vectors {
				do(i, v)
			}
		}
	}
	toZero := func(v int) { line("%s", eor.word(v, v, v)) }

	line("MOVD %s, %s", param("ra"), s.some)
	line("MOVD %s, %s", s.a, s.rows[0])
	for i := range n - 1 {
		line("ADD %s, %s, %s", s.some, s.rows[i], s.rows[i+1])
	}
	each(func(i, v int) { toZero(acc(i, v)) })
	line("MOVD %s, %s", param("accumulate"), s.some)
	jump("CBZ %s, %sbegin", s.some, name)
	line("MOVD %s, %s", param("ldc"), s.some)
	line("MOVD %s, %s", s.c, s.row)
	each(func(i, v int) {
		s.move("LDR", vectors[v], s.row, acc(i, v))
		if v == len(vectors)-1 {
			line("ADD %s, %s", s.some, s.row)
		}
	})

	label("%sbegin", name)
	line("MOVD %s, %s", param("b"), s.b)
	line("MOVD %s, %s", param("images"), s.images)
	line("MOVD $0, %s", s.offset)
	label("%simage", name)
	line("MOVD %s, %s", param("bands"), s.bands)
	label("%sband", name)
	line("MOVD %s, %s", param("k"), s.k)
	label("%sk", name)
	for v, p := range vectors {
		s.move("LDR", p, s.b, bv(v))
	}
	element := func(i int) { line("FMOVS (%s)(%s), F%d", s.rows[i], s.offset, x(i)) }
	for i := range min(spare, n) {
		element(i)
	}
	each(func(i, v int) {
		line("%s", fmlaBy.word(acc(i, v), bv(v), x(i)))
		if v == len(vectors)-1 && i+spare < n {
			element(i + spare)
		}
	})
	line("ADD %s, %s", s.rb, s.b)
	line("ADD %s, %s", s.ca, s.offset)
	line("SUBS $1, %s", s.k)
	jump("BNE %sk", name)
	for _, loop := range []struct {
		left         gp
		again, jumps string
	}{{s.bands, "band", "Band"}, {s.images, "image", "Image"}} {
		line("SUBS $1, %s", loop.left)
		jump("BEQ %sno%s", name, loop.jumps)
		line("MOVD %s, %s", param("a"+loop.jumps), s.some)
		line("ADD %s, %s", s.some, s.offset)
		line("MOVD %s, %s", param("b"+loop.jumps), s.some)
		line("ADD %s, %s", s.some, s.b)
		jump("B %s%s", name, loop.again)
		label("%sno%s", name, loop.jumps)
	}

	line("MOVD %s, %s", param("plusZero"), s.some)
	jump("CBZ %s, %sstore", s.some, name)
	toZero(31)
	each(func(i, v int) { line("%s", fadd.word(acc(i, v), acc(i, v), 31)) })
	label("%sstore", name)
	line("MOVD %s, %s", param("ldc"), s.some)
	each(func(i, v int) {
		s.move("STR", vectors[v], s.c, acc(i, v))
		if v == len(vectors)-1 {
			line("ADD %s, %s", s.some, s.c)
		}
	})
	line("MOVD %s, %s", param("ra"), s.some)
	line("MOVD $%d, %s", n, s.row)
	line("MUL %s, %s", s.some, s.row)
	line("ADD %s, %s", s.row, s.a)
}

// transpose packs Bᵀ, or A for products with few columns.
func transpose() {
	text("transpose8", "is dst[p,j] = src[j,p] for eight rows j and 8·blocks columns p; strides are in bytes.",
		"dst, src *float32, ldd, lds, blocks int")
	to, from, ldd, lds, blocks := arg("dst"), make([]gp, 8), arg("ldd"), arg("lds"), arg("blocks")
	from[0] = arg("src")
	for j := range 7 {
		from[j+1] = general()
		line("ADD %s, %s, %s", lds, from[j], from[j+1])
	}
	label("block")
	for half := range 2 { // columns 0–3, then 4–7, of the eight rows
		var columns [2][4]vec // of rows 0–3 and 4–7
		for i := range columns {
			var r [4]vec
			for j := range r {
				r[j] = loadAt(from[4*i+j], 16*half)
			}
			l02, h02, l13, h13 := op(zip1, r[0], r[2]), op(zip2, r[0], r[2]), op(zip1, r[1], r[3]), op(zip2, r[1], r[3])
			columns[i] = [4]vec{op(zip1, l02, l13), op(zip2, l02, l13), op(zip1, h02, h13), op(zip2, h02, h13)}
		}
		for p := range 4 {
			storeAt(columns[0][p], to, 0)
			storeAt(columns[1][p], to, 16)
			line("ADD %s, %s", ldd, to)
		}
	}
	for _, row := range from {
		line("ADD $32, %s", row)
	}
	line("SUBS $1, %s", blocks)
	jump("BNE block")
	done()
}
