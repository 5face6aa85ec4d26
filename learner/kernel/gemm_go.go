package kernel

// gemmGo is the plain Go twin: a 4×4 tile of C stays in registers while k runs, so that each loaded
// element of A and B is used four times. In a browser this is what makes a step bearable.
//
// C[i,j] lies at c[i*n+j], A[i,p] at a[i*ra+p*ca], B[p,j] at b[p*rb+j*cb].
func gemmGo(c, a, b []float32, m, n, k, ra, ca, rb, cb int, accumulate bool) {
	fullRows, fullCols := m&^3, n&^3
	for i := 0; i < fullRows; i += 4 {
		for j := 0; j < fullCols; j += 4 {
			tile4x4(c[i*n+j:], a[min(i*ra, len(a)):], b[min(j*cb, len(b)):], n, k, ra, ca, rb, cb, accumulate)
		}
		edge(c, a, b, i, i+4, fullCols, n, n, k, ra, ca, rb, cb, accumulate)
	}
	edge(c, a, b, fullRows, m, 0, n, n, k, ra, ca, rb, cb, accumulate)
}

func tile4x4(c, a, b []float32, ldc, k, ra, ca, rb, cb int, accumulate bool) {
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 float32
	c0, c1, c2, c3 := c[:4], c[ldc:ldc+4], c[2*ldc:2*ldc+4], c[3*ldc:3*ldc+4]
	if accumulate {
		s00, s01, s02, s03 = c0[0], c0[1], c0[2], c0[3]
		s10, s11, s12, s13 = c1[0], c1[1], c1[2], c1[3]
		s20, s21, s22, s23 = c2[0], c2[1], c2[2], c2[3]
		s30, s31, s32, s33 = c3[0], c3[1], c3[2], c3[3]
	}
	for p, ia, ib := 0, 0, 0; p < k; p, ia, ib = p+1, ia+ca, ib+rb {
		b0, b1, b2, b3 := b[ib], b[ib+cb], b[ib+2*cb], b[ib+3*cb]
		x := a[ia]
		s00 += x * b0
		s01 += x * b1
		s02 += x * b2
		s03 += x * b3
		x = a[ia+ra]
		s10 += x * b0
		s11 += x * b1
		s12 += x * b2
		s13 += x * b3
		x = a[ia+2*ra]
		s20 += x * b0
		s21 += x * b1
		s22 += x * b2
		s23 += x * b3
		x = a[ia+3*ra]
		s30 += x * b0
		s31 += x * b1
		s32 += x * b2
		s33 += x * b3
	}
	c0[0], c0[1], c0[2], c0[3] = s00, s01, s02, s03
	c1[0], c1[1], c1[2], c1[3] = s10, s11, s12, s13
	c2[0], c2[1], c2[2], c2[3] = s20, s21, s22, s23
	c3[0], c3[1], c3[2], c3[3] = s30, s31, s32, s33
}

// edge does rows [i0,i1) and columns [j0,j1) of C one element at a time.
func edge(c, a, b []float32, i0, i1, j0, j1, ldc, k, ra, ca, rb, cb int, accumulate bool) {
	for i := i0; i < i1; i++ {
		for j := j0; j < j1; j++ {
			var s float32
			if accumulate {
				s = c[i*ldc+j]
			}
			for p, ia, ib := 0, i*ra, j*cb; p < k; p, ia, ib = p+1, ia+ca, ib+rb {
				s += a[ia] * b[ib]
			}
			c[i*ldc+j] = s
		}
	}
}
