package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/loss"
)

// Every pixel is looked at once, and belongs to a cell or to the margin around them.
func TestAPseudoRewardIsTheMeanChangeOfItsCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for range 300 {
		c := loss.Cells{Height: 1 + rng.IntN(9), Width: 1 + rng.IntN(9), Channels: 1 + rng.IntN(4)}
		c.Side = 1 + rng.IntN(min(c.Height, c.Width))
		n := c.Height * c.Width * c.Channels
		before, after := make([]float64, n), make([]float64, n)
		for i := range before {
			before[i], after[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		want := make([]float64, c.Count())
		top, left := c.Height%c.Side/2, c.Width%c.Side/2
		for y := range c.Height {
			for x := range c.Width {
				row, column := (y-top)/c.Side, (x-left)/c.Side
				if y < top || x < left || row >= c.Height/c.Side || column >= c.Width/c.Side {
					continue
				}
				for k := range c.Channels {
					i := (y*c.Width+x)*c.Channels + k
					want[row*(c.Width/c.Side)+column] += math.Abs(after[i]-before[i]) / float64(c.Side*c.Side*c.Channels)
				}
			}
		}
		got := make([]float64, c.Count())
		loss.Change(got, c, before, after)
		near(t, "change", got, want, 1e-12)
	}
}

// The returns are the printed sums: discounted changes up to the first step that nothing follows, else Q at the end.
func TestControlReturnsAreDiscountedSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for range 300 {
		steps, b, cells := 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(4)
		reward, discount := make([]float64, steps*b*cells), make([]float64, steps*b)
		final := make([]float64, b*cells)
		for i := range reward {
			reward[i] = rng.Float64()
		}
		for i := range final {
			final[i] = rng.NormFloat64()
		}
		for i := range discount {
			discount[i] = float64(rng.IntN(4)) / 3
		}
		from := rng.IntN(b)
		want := append([]float64(nil), reward...)
		for i := from; i < b; i++ {
			for step := range steps {
				for k := range cells {
					sum, through := 0.0, 1.0
					for s := step; s < steps; s++ {
						sum += through * reward[(s*b+i)*cells+k]
						through *= discount[s*b+i]
					}
					want[(step*b+i)*cells+k] = sum + through*final[i*cells+k]
				}
			}
		}
		loss.ControlReturns(reward, discount, final, b, cells, from, b)
		near(t, "return", reward, want, 1e-12)
	}
}

// duel is Q(a) as Wang et al. print it.
func duel(cell []float64, a int) float64 {
	q := cell[0] + cell[1+a]
	for _, other := range cell[1:] {
		q -= other / float64(len(cell)-1)
	}
	return q
}

func TestPixelControlIsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 1))
	for range 300 {
		cells, actions := 1+rng.IntN(4), 1+rng.IntN(5)
		head, returns := make([]float64, cells*(1+actions)), make([]float64, cells)
		for i := range head {
			head[i] = rng.NormFloat64()
		}
		for i := range returns {
			returns[i] = rng.NormFloat64()
		}
		action := rng.IntN(actions)
		const cost = 0.7
		value := func() (sum float64) {
			for k, r := range returns {
				sum += math.Pow(r-duel(head[k*(1+actions):(k+1)*(1+actions)], action), 2)
			}
			return sum
		}
		d := make([]float64, len(head))
		for i := range d {
			d[i] = math.NaN() // of another update
		}
		got := loss.Control(d, head, returns, action, cost)
		near(t, "value", []float64{got}, []float64{value()}, 1e-12)
		near(t, "derivative", d, slopes(head, func() float64 { return cost * value() }), 1e-7)

		least, largest := make([]float64, cells), make([]float64, cells)
		loss.ControlRange(least, largest, head)
		for k := range cells {
			low, high := math.Inf(1), math.Inf(-1)
			for a := range actions {
				q := duel(head[k*(1+actions):(k+1)*(1+actions)], a)
				low, high = min(low, q), max(high, q)
			}
			near(t, "range", []float64{least[k], largest[k]}, []float64{low, high}, 1e-12)
		}
	}
}
