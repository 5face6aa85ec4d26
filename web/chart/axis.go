package chart

import (
	"math"

	"impalab/web/number"
)

// scale maps values to pixels. lo and hi differ.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 { return s.from + (v-s.lo)/(s.hi-s.lo)*(s.to-s.from) }

// inside returns the place of a value, or the nearer end of the scale.
func (s scale) inside(v float64) float64 { return s.at(min(max(v, s.lo), s.hi)) }

// share returns the place of a pixel between the ends of the scale, from 0 to 1.
func (s scale) share(px float64) float64 { return min(max(0, (px-s.from)/(s.to-s.from)), 1) }

// padRange returns a finite range a little wider than lo to hi, and never empty.
func padRange(lo, hi float64) (float64, float64) {
	if lo > hi { // no values
		return 0, 1
	}
	if hi-lo < 1e-9*max(1, math.Abs(lo), math.Abs(hi)) {
		pad := max(1, math.Abs(lo)/10)
		return lo - pad, hi + pad
	}
	pad := (hi - lo) * 0.06
	return lo - pad, hi + pad
}

// Ticks returns about n round numbers in [lo, hi], 1, 2 or 5 times a power of ten apart, and their labels.
func Ticks(lo, hi float64, n int) (at []float64, labels []string) {
	if !(hi > lo) || n < 1 {
		return nil, nil
	}
	raw := (hi - lo) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	switch ratio := raw / power; {
	case ratio < 1.5:
		step = power
	case ratio < 3.5:
		step = 2 * power
	case ratio < 7.5:
		step = 5 * power
	}
	if step == 0 || math.IsInf(step, 0) {
		return nil, nil
	}
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9 && len(at) < 4*n; i++ {
		at = append(at, i*step)
	}
	return at, tickLabels(at)
}

// units are the prefixes of numbers from 10 000 on.
var units = [...]struct {
	size float64
	name string
}{{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}

// tickLabels writes ticks with the decimals that their distance needs.
func tickLabels(at []float64) []string {
	step, most := 1.0, 0.0
	if len(at) > 1 {
		step = at[1] - at[0]
	}
	for _, v := range at {
		most = max(most, math.Abs(v))
	}
	unit, name := 1.0, ""
	for _, next := range units {
		if most >= max(1e4, next.size) {
			unit, name = next.size, number.Thin+next.name
		}
	}
	out := make([]string, len(at))
	for i, v := range at {
		switch {
		case v == 0:
			out[i] = "0"
		case most >= 1e15 || most < 1e-4:
			out[i] = number.Figures(v)
		default:
			out[i] = number.Fixed(v/unit, decimals(step/unit)) + name
		}
	}
	return out
}

// decimals returns the decimals that tell multiples of a round step apart.
func decimals(step float64) int {
	return min(6, max(0, int(math.Ceil(-math.Log10(step)-1e-9))))
}
