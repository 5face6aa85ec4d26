package script

import "math"

// Go has assembly of math.Exp and math.Log for some processors, whose last bits differ from a browser's. It computes
// Expm1 and Log1p the same way for all processors that we build for, so programs have e^x and log x of these.

// Exp is e^x, to 2 units of the last place where the result is a normal number. It has the same bits on every machine.
func Exp(x float64) float64 {
	if x < 0 {
		return 1 / (1 + math.Expm1(-x))
	}
	return 1 + math.Expm1(x)
}

// logarithm is log x, as Exp is e^x.
func logarithm(x float64) float64 {
	if x < 0.5 {
		return -math.Log1p(1/x - 1)
	}
	return math.Log1p(x - 1)
}
