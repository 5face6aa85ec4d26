package program

import (
	"math"
	"slices"
	"testing"
)

// looked is attention in float64, as Dai et al. 2019 §3.3 print it: keys, values and distances of each head by
// themselves, a step at a time.
type looked struct{ steps, rows, units, heads, memory int }

// cells is y, then the shares, q+u in the units of n, and the mean n that each head sees, for each row.
func (l looked) cells(n, q, w, state, keep []float64) (cells []float64) {
	d, each := l.units, l.units/l.heads
	cells = make([]float64, 0, l.steps*l.rows)
	for t := range l.steps {
		for b := range l.rows {
			seen := l.window(n, state, keep, t, b)
			y, shares, asked, means := make([]float64, d), []float64(nil), []float64(nil), []float64(nil)
			for h := range l.heads {
				wk, wr, wv := w[h*each*d:], w[d*d+h*each*d:], w[2*d*d+h*d*each:]
				query := q[(t*l.rows+b)*d+h*each:][:each]
				share, sum := make([]float64, l.memory+1), 0.0
				for k, x := range seen {
					if x == nil {
						continue
					}
					score := 0.0
					for i := range each {
						key, far := 0.0, 0.0
						for j := range d {
							key += wk[i*d+j] * x[j]
							far += wr[i*d+j] * wave(l.memory-k, j, d)
						}
						score += query[i]*key + (query[i]+w[3*d*d+h*each+i])*far
					}
					share[k] = math.Exp(score / math.Sqrt(float64(each)))
					sum += share[k]
				}
				mean := make([]float64, d)
				for k, x := range seen {
					share[k] /= sum
					for i := range each {
						for j := range x {
							y[h*each+i] += share[k] * x[j] * wv[j*each+i]
						}
					}
					for j := range x {
						mean[j] += share[k] * x[j]
					}
				}
				turned := make([]float64, d)
				for j := range turned {
					for i, v := range query {
						turned[j] += v * wk[i*d+j]
					}
				}
				shares, asked, means = append(shares, share...), append(asked, turned...), append(means, mean...)
			}
			cells = slices.Concat(cells, y, shares, asked, means)
		}
	}
	return cells
}

// window returns n of each step that step t sees, the oldest first, nil where there is none.
func (l looked) window(n, state, keep []float64, t, b int) [][]float64 {
	seen := make([][]float64, l.memory+1)
	own := state[b*(1+l.memory*l.units):]
	for k := l.memory; k >= 0; k-- {
		at := t - l.memory + k
		if at >= 0 {
			seen[k] = n[(at*l.rows+b)*l.units:][:l.units]
			if keep[at*l.rows+b] == 0 {
				break
			}
		} else if -at <= int(own[0]) {
			seen[k] = own[1+(l.memory+at)*l.units:][:l.units]
		}
	}
	return seen
}

// wave is number j of d of the encoding of a distance: sines, then cosines.
func wave(distance, j, d int) float64 {
	half := (d + 1) / 2
	if j < half {
		return math.Sin(float64(distance) / math.Pow(1e4, float64(j)/float64(half)))
	}
	return math.Cos(float64(distance) / math.Pow(1e4, float64(j-half)/float64(half)))
}

func norm64(x []float64, rows, cols int) (y []float64) {
	for r := range rows {
		row, mean, square := x[r*cols:(r+1)*cols], 0.0, 0.0
		for _, v := range row {
			mean += v / float64(cols)
		}
		for _, v := range row {
			square += (v - mean) * (v - mean) / float64(cols)
		}
		for _, v := range row {
			y = append(y, (v-mean)/math.Sqrt(square+1e-5))
		}
	}
	return y
}

var looks = []looked{{steps: 5, rows: 3, units: 6, heads: 2, memory: 4}, {1, 2, 5, 1, 7}, {9, 1, 4, 4, 1}}

func (l looked) size() [8]int { return [8]int{l.steps, l.rows, l.units, l.heads, l.memory} }

func attentionCases() (cases []opCase) {
	for _, l := range looks {
		cases = append(cases, opCase{step: Step{Op: Attend, Size: l.size()}, keep: 4,
			want: func(in [][]float64) []float64 { return l.cells(in[0], in[1], in[2], in[3], in[4]) }})
	}
	cases = append(cases,
		opCase{step: Step{Op: Norm, Size: [8]int{5, 7}}, want: func(in [][]float64) []float64 {
			return norm64(in[0], 5, 7)
		}},
		opCase{step: Step{Op: NormBack, Size: [8]int{5, 7}}, want: func(in [][]float64) []float64 {
			return gradient(in[1], func(x []float64) (sum float64) {
				for i, v := range norm64(x, 5, 7) {
					sum += v * in[0][i]
				}
				return sum
			})
		}},
		opCase{step: Step{Op: Multiply, Size: [8]int{37}}, want: func(in [][]float64) (y []float64) {
			for i, v := range in[0] {
				y = append(y, v*in[1][i])
			}
			return y
		}},
		opCase{step: Step{Op: Negate, Size: [8]int{37}}, want: func(in [][]float64) (y []float64) {
			for _, v := range in[0] {
				y = append(y, -v)
			}
			return y
		}})
	return cases
}

// gradient is the gradient of f at x, by differences.
func gradient(x []float64, f func(x []float64) float64) (grad []float64) {
	const eps = 1e-5
	for i := range x {
		moved := slices.Clone(x)
		moved[i] += eps
		up := f(moved)
		moved[i] -= 2 * eps
		grad = append(grad, (up-f(moved))/(2*eps))
	}
	return grad
}

func TestAttentionsDerivativesAreDifferencesOfItsDefinition(t *testing.T) {
	for _, l := range looks {
		forward := Step{Op: Attend, Size: l.size()}
		in, cells := lay(&forward, 2, 4)
		cells.run(forward)
		dCells := make([]float32, cells.extents[0])
		width := len(dCells) / (l.steps * l.rows)
		for i := range dCells {
			if i%width < l.units {
				dCells[i] = float32(math.Sin(float64(i)))
			}
		}
		f := func(n, q, w []float64) (sum float64) {
			for i, v := range l.cells(n, q, w, in[3], in[4]) {
				sum += v * float64(dCells[i])
			}
			return sum
		}
		n, q, w, state := cells.of(1), cells.of(2), cells.of(3), cells.of(4)
		back := alone(Step{Op: AttendBack, Size: l.size()}, [][]float32{dCells, cells.dst(), n, w, state})
		dw := alone(Step{Op: AttendWeights, Size: l.size()}, [][]float32{dCells, cells.dst(), back, q, w})
		var dn, dq []float32
		for r := range l.steps * l.rows {
			row := back[r*len(back)/(l.steps*l.rows):]
			dn, dq = append(dn, row[:l.units]...), append(dq, row[l.units:2*l.units]...)
		}
		close := func(what string, got []float32, want []float64) {
			t.Helper()
			for i, v := range want {
				if !(math.Abs(float64(got[i])-v) <= 1e-4*(1+math.Abs(v))) {
					t.Errorf("%+v: %s is %g at %d, the difference says %g", l, what, got[i], i, v)
					return
				}
			}
		}
		close("∂n", dn, gradient(in[0], func(x []float64) float64 { return f(x, in[1], in[2]) }))
		close("∂q", dq, gradient(in[1], func(x []float64) float64 { return f(in[0], x, in[2]) }))
		close("∂W", dw, gradient(in[2], func(x []float64) float64 { return f(in[0], in[1], x) }))
	}
}
