package correct

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The table of IMPALA §5.2.2 and ours, written out by hand: value target and weight.
func TestCorrectionsDoAsTheTableSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, rng := draw(t)
		clip.LeakRho, clip.LeakC = rng.Float64(), rng.Float64()
		got, want := NewTargets[float64](in.T, in.B), NewTargets[float64](in.T, in.B)
		hard, free := clip, clip
		hard.LeakRho, hard.LeakC = 1, 1
		free.RhoBar, free.CBar, free.RhoBarPG, free.LeakRho, free.LeakC = inf, inf, inf, 1, 1
		vtrace := func(clip Truncation[float64]) func() { return func() { VTrace(want, in, clip, AdvantageVTrace) } }
		nstep := func() { NStep(want, in, AdvantageVTrace) }
		one := func(float64) float64 { return 1 }
		for _, c := range []struct {
			method Method
			values func()
			weight func(is float64) float64
		}{
			{MethodNone, nstep, one},
			{MethodEpsilon, nstep, one},
			{MethodOneStep, nstep, func(is float64) float64 { return min(clip.RhoBar, is) }},
			{MethodVTrace, vtrace(hard), func(is float64) float64 { return min(clip.RhoBarPG, is) }},
			{MethodLeaky, vtrace(clip), clip.RhoPG},
			{MethodTrustRegion, vtrace(hard), func(is float64) float64 { return min(clip.RhoBarPG, is) }},
			{MethodIS, vtrace(free), func(is float64) float64 { return is }},
		} {
			correction, name := &Corrections[c.method], c.method.String()
			Apply(got, correction, in, InForce(correction, clip), AdvantageVTrace)
			c.values()
			same(t, name+": v", got.VS, want.VS)
			same(t, name+": A", got.Advantage, want.Advantage)
			for i, is := range in.Ratio {
				if w := in.Mask[i] * c.weight(is); !near(got.Weight[i], w, 1e-12) {
					t.Fatalf("%s: ratio %v weighs %v, want %v", name, is, got.Weight[i], w)
				}
			}
			epsilon := map[string]float64{"epsilon": 1e-6}[name] // IMPALA §5.2.2
			if correction.LogEpsilon != epsilon || correction.TrustRegion != (name == "trust-region") {
				t.Fatalf("%s: ε = %v, trust region %v", name, correction.LogEpsilon, correction.TrustRegion)
			}
		}
	})
}

func TestCorrectionsAreDescribed(t *testing.T) {
	for _, c := range Corrections {
		if c.Words == "" || c.Formula == "" || c.Paper == "" {
			t.Errorf("%q is not described", c.Name)
		}
	}
}

// A name of a correction elsewhere stands in the page of the sources, with the place where it is printed.
func TestNamesElsewhereHaveASourceThatWasRead(t *testing.T) {
	page, err := os.ReadFile("../../docs/corrections.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, c := range Corrections {
		for _, also := range c.Also {
			seen++
			name, _, _ := strings.Cut(strings.TrimSuffix(also.Name, "'s weight"), " ")
			source, _, _ := strings.Cut(strings.TrimPrefix(also.Source, "arXiv:"), ",")
			if !strings.Contains(string(page), name) || !strings.Contains(string(page), source) {
				t.Errorf("%s: docs/corrections.md has no %q of %q", c.Name, name, source)
			}
		}
	}
	if seen == 0 {
		t.Error("no correction has a name elsewhere")
	}
}

func TestMisshapenUnrollsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	clip := Truncation[float64]{1, 1, 1, 1, 1, 1}
	trust := &Corrections[MethodTrustRegion]
	vtrace := func(in *Unroll[float64]) { VTrace(NewTargets[float64](3, 2), in, clip, AdvantageVTrace) }
	for name, run := range map[string]func(in *Unroll[float64]){
		"short ratios":    func(in *Unroll[float64]) { in.Ratio = in.Ratio[1:]; vtrace(in) },
		"no ratios":       func(in *Unroll[float64]) { in.Ratio = nil; vtrace(in) },
		"short bootstrap": func(in *Unroll[float64]) { in.Bootstrap = in.Bootstrap[1:]; vtrace(in) },
		"short mask":      func(in *Unroll[float64]) { in.Mask = in.Mask[1:]; vtrace(in) },
		"other targets":   func(in *Unroll[float64]) { VTrace(NewTargets[float64](3, 3), in, clip, AdvantageVTrace) },
		"no steps": func(in *Unroll[float64]) {
			VTrace(NewTargets[float64](0, 2), &Unroll[float64]{B: 2}, clip,
				0)
		},
		"no such advantage": func(in *Unroll[float64]) { VTrace(NewTargets[float64](3, 2), in, clip, 3) },
		"trust without a mask": func(in *Unroll[float64]) {
			in.Mask = nil
			Apply(NewTargets[float64](3, 2), trust, in, clip,
				0)
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			run(randomUnroll(rng, 3, 2))
		}()
	}
}

// What the page and the settings ask of each correction: whether ratios weigh anything, what ρ̄ and c̄ cut, whether it
// is a form of 2025 or later, whether it compares probabilities, and whether the mean score is subtracted.
func TestEachCorrectionSaysWhatItWeighsAndCuts(t *testing.T) {
	type says struct{ weights, rho, trace, forms, probabilities, centred bool }
	want := map[Method]says{
		MethodNone: {}, MethodEpsilon: {}, MethodIS: {weights: true}, MethodCentred: {probabilities: true, centred: true},
		MethodOneStep: {weights: true, rho: true},
		MethodVTrace:  {weights: true, rho: true, trace: true},
		MethodLeaky:   {weights: true, rho: true, trace: true}, MethodTrustRegion: {weights: true, rho: true, trace: true},
		MethodTaper: {weights: true, forms: true}, MethodClip: {weights: true, forms: true},
		MethodBand: {weights: true, forms: true}, MethodMoment: {weights: true, forms: true},
		MethodShift: {weights: true, forms: true, probabilities: true},
		MethodOwn:   {weights: true, forms: true, probabilities: true},
	}
	for i := range Corrections {
		c := &Corrections[i]
		rho, trace := c.Cuts()
		if got := (says{c.Weights(), rho, trace, c.Forms(), c.Probabilities, c.Centred}); got != want[Method(i)] {
			t.Errorf("%s: %+v, want %+v", c.Name, got, want[Method(i)])
		}
	}
}
