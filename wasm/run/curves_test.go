package run

import (
	"math"
	"testing"

	"impalab/web/wire"
)

// The band follows the middle half: a single spike among many episodes does not widen it.
func TestTheBandOfReturnsHoldsTheMiddleHalf(t *testing.T) {
	m := open("")
	greet(m)
	for i := range uint64(5000) {
		m.Apply(&wire.Point{Event: i + 1, Step: i * 100, Return: 50, Low: 40, High: 60, Ended: 8})
	}
	for _, c := range m.Return.Columns {
		if q := c.Quartiles; math.Abs(float64(q.Low-40)) > 1e-3 || math.Abs(float64(q.High-60)) > 1e-3 {
			t.Fatalf("at step %d the quartiles are %+v", c.Step, q)
		}
	}
}
