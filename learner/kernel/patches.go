package kernel

// patches is a product C (+)= A·B whose rows of A lie in images, overlapping: several groups of m rows, each row a sum
// over images of bands of k elements.
//
//	C[g,i,j] lies at c[g·cGroup + i·ldc + j],
//	A[g,i,(r,q,p)] at a[g·aGroup + i·ra + r·aImage + q·aBand + p·ca],
//	B[(r,q,p),j] at b[r·bImage + q·bBand + p·n + j]
//
// Like any product, an element accumulates over (r, q, p) in order. Where arithmetic is fused, one that comes to −0 is
// written as 0: so a padding's zeros do not change it.
type patches struct {
	groups, m, n     int
	cGroup, ldc      int
	aGroup, ra       int
	images, bands, k int
	aImage, bImage   int
	aBand, bBand, ca int
}

// multiplyGo is the plain Go twin.
func (s *patches) multiplyGo(c, a, b []float32, accumulate bool) {
	for g := range s.groups {
		for r := range s.images {
			for q := range s.bands {
				gemmGo(c[g*s.cGroup:], a[g*s.aGroup+r*s.aImage+q*s.aBand:], b[r*s.bImage+q*s.bBand:], s.m, s.n, s.k, s.ldc,
					s.ra, s.ca, s.n, 1, accumulate || r+q > 0)
			}
		}
	}
}
