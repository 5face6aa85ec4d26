package kernel

import "math"

// Elementary functions by polynomial, element by element. dst may be src; NaN stays NaN.
//
// All three rest on one reduction: x = n·ln 2 + r with n the nearest integer and |r| ≤ ln 2 / 2, and
// expm1(r) = r + r²·P(r). P is a minimax fit made for this package (relative error of e^r 3.1e-9,
// a twentieth of a float32's last place).

const (
	log2e = math.Log2E
	ln2Hi = 0.693145751953125 // ln 2 cut to 15 bits, so that n·ln2Hi is exact
	ln2Lo = 1.4286068203094173e-06

	expP0 = 0.49999993431900736
	expP1 = 0.1666652039672944
	expP2 = 0.04166839082873499
	expP3 = 0.008368745323895328
	expP4 = 0.0013814538048359485

	expMax  = 89   // e^89 is beyond the largest float32
	expMin  = -105 // e^−105 is below half the smallest
	tanhMax = 20   // of 2|x|: tanh 10 rounds to 1
)

// TanhOf is dst = tanh src, in [−1, 1]. (Tanh alone names the activation.)
func (s Set) TanhOf(dst, src []float32) {
	same(len(dst), len(src))
	s.tanh(dst, src)
}

// roundMagic is 1.5·2²³: adding it to a small float32 rounds it to an integer, ties to even.
const roundMagic = 12582912

// reduce returns n and expm1(r). x must lie in [expMin, expMax] or be NaN.
func reduce(x float32) (n, q float32) {
	n = float32(x*log2e) + roundMagic
	n -= roundMagic
	r := x - float32(n*ln2Hi)
	r -= float32(n * ln2Lo)
	p := float32(expP4*r) + expP3
	p = float32(p*r) + expP2
	p = float32(p*r) + expP1
	p = float32(p*r) + expP0
	return n, float32(float32(r*r)*p) + r
}

// pow2 is 2^n for integers n in [−126, 127].
func pow2(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// exp1 scales in two steps, so that results too small for a normal float32 round once, at the end.
func exp1(x float32) float32 {
	switch { // min and max would be calls in a browser
	case x < expMin:
		x = expMin
	case x > expMax:
		x = expMax
	}
	n, q := reduce(x)
	if q != q {
		return q
	}
	low := int32(n) >> 1
	return (1 + q) * pow2(low) * pow2(int32(n)-low)
}

func expGo(dst, src []float32) {
	for i, x := range src {
		dst[i] = exp1(x)
	}
}

func sigmoidGo(dst, src []float32) {
	for i, x := range src {
		dst[i] = 1 / (1 + exp1(-x))
	}
}

// tanh |x| = t/(t + 2) with t = expm1(2|x|) = 2ⁿ·expm1(r) + (2ⁿ − 1), exact to a few last places
// also near 0, where n = 0. The sign comes back at the end.
func tanhGo(dst, src []float32) {
	for i, x := range src {
		n, q := reduce(min(2*abs(x), tanhMax))
		if q != q {
			dst[i] = q
			continue
		}
		s := pow2(int32(n))
		t := float32(s*q) + (s - 1)
		dst[i] = float32(math.Copysign(float64(t/(t+2)), float64(x)))
	}
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
