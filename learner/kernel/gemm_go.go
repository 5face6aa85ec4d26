package kernel

// goDepth is how much of k the plain Go product does at once.
const goDepth = 256

// gemmGo is the plain Go twin. A browser's products have the same bits (gemm_simd.go). It gathers four columns of B
// into a panel that stays in cache. Then a 4×4 tile of C stays in registers while k runs, so each loaded element of A
// and B is used four times.
//
// C[i,j] lies at c[i*ldc+j], A[i,p] at a[i*ra+p*ca], B[p,j] at b[p*rb+j*cb].
func gemmGo(c, a, b []float32, m, n, k, ldc, ra, ca, rb, cb int, accumulate bool) {
	if !accumulate {
		for i := range m {
			clear(c[i*ldc : i*ldc+n])
		}
	}
	var panel [goDepth][4]float32
	fullRows, fullCols := m&^3, n&^3
	if fullRows == 0 {
		fullCols = 0 // a row or two would not pay for the panel
	}
	for j := 0; j < fullCols; j += 4 {
		for p := 0; p < k; p += goDepth {
			strip := panel[:min(goDepth, k-p)]
			for q := range strip {
				at := (p+q)*rb + j*cb
				strip[q] = [4]float32{b[at], b[at+cb], b[at+2*cb], b[at+3*cb]}
			}
			for i := 0; i < fullRows; i += 4 {
				tile4x4(c[i*ldc+j:], a[i*ra+p*ca:], strip, ldc, ra, ca)
			}
		}
	}
	edge(c, a, b, 0, fullRows, fullCols, n, ldc, k, ra, ca, rb, cb)
	edge(c, a, b, fullRows, m, 0, n, ldc, k, ra, ca, rb, cb)
}

// tile4x4 adds four rows of A times the strip to a tile of C. Four slices of A, one for each row, cost
// one bounds check for each load and no address arithmetic.
func tile4x4(c, a []float32, strip [][4]float32, ldc, ra, ca int) {
	c0, c1, c2, c3 := c[:4], c[ldc:ldc+4], c[2*ldc:2*ldc+4], c[3*ldc:3*ldc+4]
	s00, s01, s02, s03 := c0[0], c0[1], c0[2], c0[3]
	s10, s11, s12, s13 := c1[0], c1[1], c1[2], c1[3]
	s20, s21, s22, s23 := c2[0], c2[1], c2[2], c2[3]
	s30, s31, s32, s33 := c3[0], c3[1], c3[2], c3[3]
	a1, a2, a3 := a[ra:], a[2*ra:], a[3*ra:]
	at := 0
	for q := range strip {
		b := &strip[q]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		x := a[at]
		s00 += float32(x * b0)
		s01 += float32(x * b1)
		s02 += float32(x * b2)
		s03 += float32(x * b3)
		x = a1[at]
		s10 += float32(x * b0)
		s11 += float32(x * b1)
		s12 += float32(x * b2)
		s13 += float32(x * b3)
		x = a2[at]
		s20 += float32(x * b0)
		s21 += float32(x * b1)
		s22 += float32(x * b2)
		s23 += float32(x * b3)
		x = a3[at]
		s30 += float32(x * b0)
		s31 += float32(x * b1)
		s32 += float32(x * b2)
		s33 += float32(x * b3)
		at += ca
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
	c2[0], c2[1], c2[2], c2[3] = s20, s21, s22, s23
	c3[0], c3[1], c3[2], c3[3] = s30, s31, s32, s33
}

// edge adds the remainder outside the tiles to rows [i0,i1) and columns [j0,j1) of C: by rows of B if these are long
// and contiguous, else one element at a time. In both cases k runs in order.
func edge(c, a, b []float32, i0, i1, j0, j1, ldc, k, ra, ca, rb, cb int) {
	for i := i0; i < i1; i++ {
		row := c[i*ldc+j0 : i*ldc+j1]
		if cb == 1 && len(row) >= 4 {
			for p := range k {
				x := a[i*ra+p*ca]
				for j, v := range b[p*rb+j0 : p*rb+j1] {
					row[j] += float32(x * v)
				}
			}
			continue
		}
		for j := range row {
			s := row[j]
			for p, ia, ib := 0, i*ra, (j0+j)*cb; p < k; p, ia, ib = p+1, ia+ca, ib+rb {
				s += float32(a[ia] * b[ib])
			}
			row[j] = s
		}
	}
}
