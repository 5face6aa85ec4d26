package bodies

import "math"

// Sines and powers with the same bits on every processor. The functions of package math differ in bits if a compiler
// rounds a product and a sum once, or if a processor has its own routine. In this package an explicit conversion
// rounds every product that is added to something; Go then does not fuse the two.

// dot is a·b + c·d, rounded three times.
func dot(a, b, c, d float64) float64 { return float64(a*b) + float64(c*d) }

// rotate turns a vector by the angle with this sine and cosine.
func rotate(sin, cos float64, v vec) (x, z float64) {
	return float64(cos*v.x) - float64(sin*v.z), float64(sin*v.x) + float64(cos*v.z)
}

// sincos is correct to an ulp or two for |x| < 10⁵. Adding a large number rounds x to quarters of a turn; π/2 is
// subtracted in two parts, the first of 33 bits, and the rest lies within an eighth of a turn. The coefficients
// come from fdlibm's __kernel_sin and __kernel_cos. No branch: the quarter swaps and negates bits.
func sincos(x float64) (sin, cos float64) {
	const (
		round = 0x1.8p52
		first = 0x1.921fb544p0
		rest  = 0x1.0b4611a626331p-34
	)
	n := float64(x*(2/math.Pi)) + round
	quarter := math.Float64bits(n)
	n -= round
	r := x - float64(n*first) - float64(n*rest)
	z := float64(r * r)
	s := 1.58969099521155010221e-10
	s = float64(s*z) - 2.50507602534068634195e-08
	s = float64(s*z) + 2.75573137070700676789e-06
	s = float64(s*z) - 1.98412698298579493134e-04
	s = float64(s*z) + 8.33333333332248946124e-03
	s = float64(s*z) - 1.66666666666666324348e-01
	s = r + float64(float64(r*z)*s)
	c := -1.13596475577881948265e-11
	c = float64(c*z) + 2.08757232129817482790e-09
	c = float64(c*z) - 2.75573143513906633035e-07
	c = float64(c*z) + 2.48015872894767294178e-05
	c = float64(c*z) - 1.38888888888741095749e-03
	c = float64(c*z) + 4.16666666666666019037e-02
	c = 1 - (float64(z*.5) - float64(float64(z*z)*c))

	a, b := math.Float64bits(s), math.Float64bits(c)
	swap := (a ^ b) & -(quarter & 1)
	a ^= swap ^ (quarter&2)<<62
	b ^= swap ^ ((quarter+1)&2)<<62
	return math.Float64frombits(a), math.Float64frombits(b)
}

// exp2 returns 2^x for x ≤ 0, to ten digits; below −1000 it is 0. It sums the series of e^(f·ln 2) for |f| ≤ ½.
func exp2(x float64) float64 {
	if x < -1000 {
		return 0
	}
	const round = 0x1.8p52
	n := x + round
	power := math.Float64frombits((math.Float64bits(n) - math.Float64bits(round) + 1023) << 52)
	t := float64((x - (n - round)) * math.Ln2)
	sum := 1.0
	for k := 10.0; k >= 1; k-- {
		sum = 1 + float64(float64(t*sum)/k)
	}
	return power * sum
}
