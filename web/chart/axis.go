package chart

import (
	"math"

	"impalab/web/number"
)

// scale maps values to pixels. lo and hi differ.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 { return s.from + (v-s.lo)/(s.hi-s.lo)*(s.to-s.from) }

// room returns a finite range a little wider than lo to hi, and never empty.
func room(lo, hi float64) (float64, float64) {
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

// Ticks returns about n round numbers in [lo, hi], and their labels.
func Ticks(lo, hi float64, n int) (at []float64, labels []string) {
	at = ticks(lo, hi, n)
	return at, tickLabels(at)
}

// ticks returns about n round numbers in [lo, hi], 1, 2 or 5 times a power of ten apart.
func ticks(lo, hi float64, n int) []float64 {
	if !(hi > lo) || n < 1 {
		return nil
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
		return nil
	}
	var out []float64
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9 && len(out) < 4*n; i++ {
		out = append(out, i*step)
	}
	return out
}

// tickLabels writes ticks with the decimals that their distance needs.
func tickLabels(at []float64) []string {
	out := make([]string, len(at))
	step := 1.0
	if len(at) > 1 {
		step = at[1] - at[0]
	}
	most := 0.0
	for _, v := range at {
		most = max(most, math.Abs(v))
	}
	for i, v := range at {
		switch {
		case v == 0:
			out[i] = "0"
		case most >= 1e15 || most < 1e-4:
			out[i] = number.Figures(v)
		case most >= 1e4:
			unit, name := 1e3, "k"
			for _, next := range [...]struct {
				size float64
				name string
			}{{1e6, "M"}, {1e9, "G"}, {1e12, "T"}} {
				if most >= next.size {
					unit, name = next.size, next.name
				}
			}
			out[i] = number.Fixed(v/unit, decimals(step/unit)) + number.Thin + name
		default:
			out[i] = number.Fixed(v, decimals(step))
		}
	}
	return out
}

// decimals returns the decimals that tell multiples of a round step apart.
func decimals(step float64) int {
	return min(6, max(0, int(math.Ceil(-math.Log10(step)-1e-9))))
}
