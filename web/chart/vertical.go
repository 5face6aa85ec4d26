package chart

import "math"

// vertical is the scale of a chart's values: linear or logarithmic. The lower end of a logarithmic scale is above 0.
type vertical struct {
	scale
	log bool
}

// extend extends the scale to a span. It compares: WebAssembly calls a function for min or max of floats.
func (v *vertical) extend(s Span) {
	if s.Empty() {
		return
	}
	if low := float64(s.Low); low < v.lo {
		v.lo = low
	}
	if high := float64(s.High); high > v.hi {
		v.hi = high
	}
}

// at returns the place of a value. A value below a logarithmic scale is at its lower end.
func (v vertical) at(value float64) float64 {
	if !v.log {
		return v.scale.at(value)
	}
	return v.from + math.Log(max(value, v.lo)/v.lo)/math.Log(v.hi/v.lo)*(v.to-v.from)
}

// inside returns the place of a value, or the nearer end of the scale.
func (v vertical) inside(value float64) float64 { return v.at(min(max(value, v.lo), v.hi)) }

// logarithmic makes the scale of the values logarithmic, from the least value above 0. It stays linear if there are not
// two such values.
func (f *frame) logarithmic(lines []Line) {
	least, most := math.Inf(1), 0.0
	for i := range lines {
		columns := f.columns(lines[i].Curve)
		for k := range columns {
			if s := columns[k].Value; !s.Empty() {
				most = max(most, float64(s.High))
				for _, v := range [...]float32{s.Low, s.Last, s.High} {
					if v > 0 {
						least = min(least, float64(v))
					}
				}
			}
		}
	}
	if least < most {
		f.y.lo, f.y.hi, f.y.log, f.high = least/1.1, most*1.1, true, 0
	}
}

// logTicks returns the powers of ten in a range above 0 or, where there are few, also their doubles and fives.
func logTicks(lo, hi float64) (at []float64, labels []string) {
	factors := []float64{1}
	if hi/lo < 300 {
		factors = []float64{1, 2, 5}
	}
	for power := math.Floor(math.Log10(lo)); power <= math.Log10(hi); power++ {
		for _, factor := range factors {
			if v := factor * math.Pow(10, power); v >= lo && v <= hi {
				at = append(at, v)
				labels = append(labels, tickLabels([]float64{0, v})[1])
			}
		}
	}
	return at, labels
}
