package kernel

// patches is a product C (+)= A·B whose rows of A lie in an image, overlapping: several groups of m rows,
// each row made of bands of k elements.
//
//	C[g,i,j] lies at c[g·cGroup + i·ldc + j],
//	A[g,i,(q,p)] at a[g·aGroup + i·ra + q·aBand + p·ca], B[(q,p),j] at b[(q·k+p)·n + j]
//
// Like any product, an element accumulates over (q, p) in order.
type patches struct {
	groups, m, n, bands, k int
	cGroup, ldc            int
	aGroup, ra, aBand, ca  int
}

// multiplyGo is the plain Go twin.
func (s *patches) multiplyGo(c, a, b []float32, accumulate bool) {
	for g := range s.groups {
		for q := range s.bands {
			gemmPlain(c[g*s.cGroup:], a[g*s.aGroup+q*s.aBand:], b[q*s.k*s.n:], s.m, s.n, s.k, s.ldc, s.ra, s.ca, s.n, 1,
				accumulate || q > 0)
		}
	}
}
