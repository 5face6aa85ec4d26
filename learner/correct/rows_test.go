package correct

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Parts of a batch, from the last to the first, have the targets of the whole, wherever they are cut.
func TestPartsOfABatchHaveTheTargetsOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps, copies := rapid.IntRange(1, 6).Draw(t, "T"), rapid.IntRange(1, 4).Draw(t, "B")
		n := steps * copies
		draw := func(name string, of []float64, k int) []float64 {
			return rapid.SliceOfN(rapid.SampledFrom(of), k, k).Draw(t, name)
		}
		in := &Unroll[float64]{T: steps, B: copies, Reward: draw("reward", []float64{-1, 0, 0.3, 2}, n),
			Discount: draw("discount", []float64{0, 0.9}, n), Value: draw("value", []float64{-2, 0.1, 3}, n),
			Bootstrap: draw("bootstrap", []float64{1, -0.7}, copies), Ratio: draw("ratio", []float64{0, 0.5, 1, 7}, n)}
		c := &Corrections[rapid.IntRange(0, len(Corrections)-1).Draw(t, "correction")]
		if c.TrustRegion || rapid.Bool().Draw(t, "masked") {
			in.Mask = draw("mask", []float64{0, 1}, n)
		}
		clip := InForce(c, Truncation[float64]{1, 0.8, 2, 0.9, 0.7, 0.5})
		adv := rapid.SampledFrom([]Advantage{AdvantageVTrace, AdvantageBootstrap, AdvantageLASER}).Draw(t, "advantage")
		in.Pi, in.Limits = draw("pi", []float64{0.1, 0.6}, n), Limits{Floor: 0.4, Ceiling: 2, ClipLow: 0.3, ClipHigh: 0.3,
			Shift: 0.2}
		if c.WholeBatch(&in.Limits) {
			t.Skip("it needs the whole batch")
		}
		whole, parts := NewTargets[float64](steps, copies), NewTargets[float64](steps, copies)
		for i := range parts.Advantage {
			parts.Advantage[i] = math.NaN() // of rows that are not done
		}
		Apply(whole, c, in, clip, adv)
		for to := n; to > 0; {
			from := rapid.IntRange(0, to-1).Draw(t, "from")
			ApplyRows(parts, c, in, clip, adv, from, to)
			to = from
		}
		if !reflect.DeepEqual(whole, parts) {
			t.Fatalf("the whole has %+v, the parts %+v", whole, parts)
		}
	})
}
