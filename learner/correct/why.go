package correct

import "math"

// Why a step has its weight in the policy gradient, in words for people. The table follows Corrections; its rows say
// nothing about the weight itself, which the forms decide.

// Fate is what a correction makes of a step.
type Fate uint8

const (
	Kept    Fate = iota // c = w
	Cut                 // 0 < c < w
	LeftOut             // c = 0 < w
	Tapered             // c is w, held within the taper's ends
	Whole               // c = 1, whatever w is
	Raised              // c > w
)

// FateNames are the fates in words.
var FateNames = [...]string{Kept: "kept", Cut: "cut", LeftOut: "left out", Tapered: "tapered", Whole: "counted whole",
	Raised: "raised"}

func (f Fate) String() string { return FateNames[f] }

// Reason is the fate of a step and why it has it. Bound is the number that the words end with; NaN: they end without.
type Reason struct {
	Fate  Fate
	Words string
	Bound float64
}

// seen is what a row of reasons may ask about.
type seen struct {
	Limits
	Step
	weight, rho float64 // c, and ρ̄ of the policy gradient
}

func (s *seen) out() bool  { return s.weight == 0 && s.Ratio > 0 }
func (s *seen) less() bool { return s.weight < s.Ratio }

// reason is a row: of a correction's rows, the first that holds is the reason.
type reason struct {
	fate  Fate
	holds func(*seen) bool // nil: for every other step
	words string
	bound func(*seen) float64 // nil: none
}

var aboveRho = []reason{
	{Cut, (*seen).less, "its ratio is above ρ̄ =", func(s *seen) float64 { return s.rho }},
	{Kept, nil, "its ratio is at most ρ̄ =", func(s *seen) float64 { return s.rho }},
}

var reasons = [...][]reason{
	MethodNone:        {{Whole, nil, "this correction weighs no step", nil}},
	MethodEpsilon:     {{Whole, nil, "this correction weighs no step", nil}},
	MethodOneStep:     aboveRho,
	MethodVTrace:      aboveRho,
	MethodLeaky:       aboveRho,
	MethodTrustRegion: aboveRho,
	MethodIS:          {{Kept, nil, "this correction cuts nothing", nil}},
	MethodTaper: {
		{Tapered, func(s *seen) bool { return s.tapers(s.Step) && s.Ratio < s.TaperLow },
			"a step of this half counts by its ratio, and at least", func(s *seen) float64 { return s.TaperLow }},
		{Tapered, func(s *seen) bool { return s.tapers(s.Step) }, "a step of this half counts by its ratio, and at most",
			func(s *seen) float64 { return s.TaperHigh }},
		{Whole, nil, "a step of this half counts whole", nil},
	},
	MethodClip: {
		{LeftOut, func(s *seen) bool { return s.out() && s.Advantage > 0 }, "its ratio is above 1 + the upper clip =",
			func(s *seen) float64 { return 1 + s.ClipHigh }},
		{LeftOut, (*seen).out, "its ratio is below 1 − the lower clip =",
			func(s *seen) float64 { return 1 - s.ClipLow }},
		{Kept, func(s *seen) bool { return s.Advantage > 0 }, "its ratio is at most 1 + the upper clip =",
			func(s *seen) float64 { return 1 + s.ClipHigh }},
		{Kept, func(s *seen) bool { return s.Advantage < 0 }, "its ratio is at least 1 − the lower clip =",
			func(s *seen) float64 { return 1 - s.ClipLow }},
		{Kept, nil, "no clip holds for it", nil},
	},
	MethodBand: {
		{LeftOut, func(s *seen) bool { return s.out() && s.Ratio < s.Floor }, "its ratio is below the floor,",
			func(s *seen) float64 { return s.Floor }},
		{LeftOut, (*seen).out, "its ratio is above the ceiling,", func(s *seen) float64 { return s.Ceiling }},
		{Kept, nil, "its ratio lies within the band", nil},
	},
	MethodMoment: {
		{LeftOut, (*seen).out, "its (log π/μ)² is among the largest, which are left out until the mean of the others is at " +
			"most τ =", func(s *seen) float64 { return s.Moment }},
		{Kept, nil, "with it the mean of (log π/μ)² is at most τ, or its update does not lead away from μ", nil},
	},
	MethodShift: {
		{LeftOut, func(s *seen) bool { return s.out() && s.Advantage > 0 }, "π − μ is above δ =",
			func(s *seen) float64 { return s.Shift }},
		{LeftOut, (*seen).out, "μ − π is above δ =", func(s *seen) float64 { return s.Shift }},
		{Kept, nil, "its probability has not moved more than δ in A’s direction, δ =",
			func(s *seen) float64 { return s.Shift }},
	},
	MethodCentred: {
		{Whole, func(s *seen) bool { return s.Centre.Has(s.Advantage) },
			"it counts once, and the mean slope of log π under μ is subtracted", nil},
		{Whole, nil, "a step of this half counts once, with nothing subtracted", nil},
	},
	MethodOwn: {
		{LeftOut, (*seen).out, "your function returned at most 0", nil},
		{Cut, (*seen).less, "your function returned less than its ratio", nil},
		{Kept, func(s *seen) bool { return s.weight == s.Ratio }, "your function returned its ratio", nil},
		{Raised, nil, "your function returned more than its ratio", nil},
	},
}

// Why says why the correction of m gives a step its weight. rho is the ρ̄ of the policy gradient in force.
func (m Method) Why(l Limits, rho float64, s Step, weight float64) Reason {
	of := &seen{l, s, weight, rho}
	for _, r := range reasons[m] {
		if r.holds != nil && !r.holds(of) {
			continue
		}
		if r.bound == nil {
			return Reason{r.fate, r.words, math.NaN()}
		}
		return Reason{r.fate, r.words, r.bound(of)}
	}
	panic("correct: no last row of the reasons of " + m.String())
}
