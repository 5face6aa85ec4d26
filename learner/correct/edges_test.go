package correct

import (
	"math"
	"slices"
	"testing"
)

// steps is a batch of one trajectory whose steps end their episodes: A_t is the reward.
func steps(l Limits, advantage, ratio, pi []float64) *Unroll[float64] {
	n := len(ratio)
	return &Unroll[float64]{T: n, B: 1, Reward: advantage, Discount: make([]float64, n), Value: make([]float64, n),
		Bootstrap: []float64{0}, Ratio: ratio, Pi: pi, Limits: l}
}

// What a limit names belongs to the side that counts, and a step with A = 0 has no direction to go far in.
func TestStepsOnALimitCount(t *testing.T) {
	band := Limits{Floor: 0.5, Ceiling: 2}
	clip := Limits{ClipLow: 0.25, ClipHigh: 0.25}
	shift := Limits{Shift: 0.25}
	taper := Limits{TaperHigh: 1}
	log2 := math.Log(2) * math.Log(2)
	for _, c := range []struct {
		method                     Method
		limits                     Limits
		advantage, ratio, pi, want []float64
	}{
		{MethodBand, band, []float64{1, -1}, []float64{0.5, 2}, nil, []float64{0.5, 2}},
		{MethodClip, clip, []float64{1, -1}, []float64{1.25, 0.75}, nil, []float64{1.25, 0.75}},
		{MethodClip, clip, []float64{0, 0}, []float64{8, 0.125}, nil, []float64{8, 0.125}},
		{MethodShift, shift, []float64{1, -1}, []float64{2, 0.5}, []float64{0.5, 0.25}, []float64{2, 0.5}},
		{MethodShift, shift, []float64{0, 0}, []float64{8, 0.125}, []float64{0.8, 0.1}, []float64{8, 0.125}},
		{MethodShift, shift, []float64{1, -1}, []float64{0, 0}, []float64{0, 0}, []float64{0, 0}},
		{MethodTaper, taper, []float64{0}, []float64{0.5}, nil, []float64{1}},
		{MethodTaper, Limits{Half: HalfGood, TaperHigh: 1}, []float64{0}, []float64{0.5}, nil, []float64{0.5}},
		// Neither A = 0 nor w = 1 leads away, so they do not dilute the mean of the steps that do: log² 1.3 is .069.
		{MethodMoment, Limits{Moment: 0.04}, []float64{0, 0, 1}, []float64{0.1, 9, 1.2}, nil, []float64{0.1, 9, 1.2}},
		{MethodMoment, Limits{Moment: 0.04}, []float64{1, -1, 1}, []float64{1, 1, 1.3}, nil, []float64{1, 1, 0}},
		// A mean of τ is small enough for M2PO, and not for AReaL's variant, which must come below.
		{MethodMoment, Limits{Moment: log2}, []float64{1, 1}, []float64{2, 2}, nil, []float64{2, 2}},
		{MethodMoment, Limits{Moment: log2 / 2, MomentOf: MomentAny}, []float64{1, 1}, []float64{1, 2}, nil,
			[]float64{1, 0}},
	} {
		if got := weightsOf(c.method, steps(c.limits, c.advantage, c.ratio, c.pi), 1); !slices.Equal(got, c.want) {
			t.Errorf("%s, A %v, ratios %v: weights %v, want %v", c.method, c.advantage, c.ratio, got, c.want)
		}
	}
}

func TestTheHalvesOfCentringPartAtZero(t *testing.T) {
	for of, want := range map[CentreOf][3]bool{CentreAll: {true, true, true}, CentreBad: {true, false, false},
		CentreGood: {false, true, true}} {
		for i, a := range []float64{-0.5, 0, 0.5} {
			if of.Has(a) != want[i] {
				t.Errorf("%v has A = %v: %v", of, a, of.Has(a))
			}
		}
	}
}

// A level means nothing to a correction without levels: it weighs steps, in parts too.
func TestALevelIsOfCorrectionsWithLevels(t *testing.T) {
	in := steps(Limits{Shift: 0.9, Level: LevelResponse}, []float64{1, 1}, []float64{0.5, 0.25}, []float64{0.1, 0.1})
	in.Discount[0] = 1
	if got := weightsOf(MethodShift, in, 1); !slices.Equal(got, in.Ratio) {
		t.Errorf("weights %v, want the steps' ratios %v", got, in.Ratio)
	}
	if c := &Corrections[MethodShift]; c.WholeBatch(&in.Limits) {
		t.Error("shift needs the whole batch")
	}
	if c := &Corrections[MethodTaper]; c.WholeBatch(&Limits{}) || !c.WholeBatch(&Limits{Level: LevelMean}) {
		t.Error("taper needs the whole batch for the ratios of stretches, and only then")
	}
}

// A step outside the trust region does not dilute the mean of the others: log² 1.3 is .069, log² 1.05 is .002.
func TestStepsThatDoNotCountLeaveTheMomentAlone(t *testing.T) {
	in := steps(Limits{Moment: 0.04}, []float64{1, 1}, []float64{1.05, 1.3}, nil)
	in.Mask = []float64{0, 1}
	if got := weightsOf(MethodMoment, in, 1); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("weights %v, want none", got)
	}
	in.Mask[0] = 1
	if got := weightsOf(MethodMoment, in, 1); !slices.Equal(got, in.Ratio) {
		t.Errorf("weights %v, want %v", got, in.Ratio)
	}
}

// Only shift reads π(a), and it wants one for each step.
func TestProbabilitiesAreOfShiftAlone(t *testing.T) {
	for _, method := range []Method{MethodClip, MethodBand, MethodTaper} {
		weightsOf(method, steps(someLimits, []float64{1}, []float64{1.1}, nil), 1)
	}
	for _, pi := range [][]float64{nil, {0.1, 0.2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("shift took %d probabilities of one step", len(pi))
				}
			}()
			weightsOf(MethodShift, steps(someLimits, []float64{1}, []float64{1.1}, pi), 1)
		}()
	}
}

// Without a mask every step counts in the mean |A|; where no step counts, the mean is 0.
func TestALiftCountsTheStepsThatCount(t *testing.T) {
	for _, c := range []struct{ mask, want []float64 }{{nil, []float64{3, -1}}, {[]float64{0, 0}, []float64{2, -2}}} {
		in := steps(Limits{Lift: 0.5}, []float64{2, -2}, []float64{1, 1}, nil)
		in.Mask = c.mask
		out := NewTargets[float64](2, 1)
		Apply(out, &Corrections[MethodNone], in, Truncation[float64]{1, 1, 1, 1, 1, 1}, AdvantageVTrace)
		if !slices.Equal(out.Advantage, c.want) {
			t.Errorf("mask %v: advantages %v, want %v", c.mask, out.Advantage, c.want)
		}
	}
}

// A reason names the limit that holds for a step of its half.
func TestReasonsNameTheHalfAndTheLimit(t *testing.T) {
	ends := Limits{TaperLow: 0.25, TaperHigh: 0.75, ClipLow: 0.25, ClipHigh: 0.5, Shift: 0.25}
	swapped := ends
	swapped.Half, swapped.Centre = HalfGood, CentreGood
	centred := Limits{Centre: CentreBad}
	none := math.NaN()
	const whole = "counts whole"
	for _, c := range []struct {
		method           Method
		limits           Limits
		advantage, ratio float64
		begins, ends     string
		bound            float64
	}{
		{MethodTaper, ends, -0.5, 0.125, "a step of", "at least", 0.25},
		{MethodTaper, ends, -0.5, 0.25, "a step of", "at most", 0.75},
		{MethodTaper, ends, 0, 0.125, "a step of", whole, none},
		{MethodTaper, ends, 0.5, 0.5, "a step of", whole, none},
		{MethodTaper, swapped, 0.5, 0.125, "a step of", "at least", 0.25},
		{MethodTaper, swapped, 0.5, 0.25, "a step of", "at most", 0.75},
		{MethodTaper, swapped, -0.5, 0.5, "a step of", whole, none},
		{MethodClip, ends, 0.5, 2, "its ratio", "above 1 + the upper clip =", 1.5},
		{MethodClip, ends, -0.5, 0.5, "its ratio", "below 1 − the lower clip =", 0.75},
		{MethodClip, ends, 0.5, 1, "its ratio", "at most 1 + the upper clip =", 1.5},
		{MethodClip, ends, -0.5, 1, "its ratio", "at least 1 − the lower clip =", 0.75},
		{MethodClip, ends, 0, 9, "no clip", "", none},
		{MethodShift, ends, 0.5, 4, "", "π − μ is above δ =", 0.25},
		{MethodShift, ends, -0.5, 0.25, "", "μ − π is above δ =", 0.25},
		{MethodCentred, centred, -0.5, 1, "it counts once", "is subtracted", none},
		{MethodCentred, centred, 0, 1, "a step of", "nothing subtracted", none},
		{MethodCentred, swapped, -0.5, 1, "a step of", "nothing subtracted", none},
	} {
		pi := map[bool]float64{true: 0.8, false: 0.1}[c.ratio > 1] // μ is .2 and .4 where shift leaves the step out
		s := Step{Ratio: c.ratio, Advantage: c.advantage, Pi: pi}
		weight := weightsOf(c.method, steps(c.limits, []float64{c.advantage}, []float64{c.ratio}, []float64{pi}), 1)[0]
		why := c.method.Why(c.limits, 1, s, weight)
		same := why.Bound == c.bound || math.IsNaN(why.Bound) && math.IsNaN(c.bound)
		if !same || len(why.Words) < len(c.begins)+len(c.ends) || why.Words[:len(c.begins)] != c.begins ||
			why.Words[len(why.Words)-len(c.ends):] != c.ends {
			t.Errorf("%s, A %v, ratio %v: %q %v, want %q … %q %v", c.method, c.advantage, c.ratio, why.Words, why.Bound,
				c.begins, c.ends, c.bound)
		}
	}
}
