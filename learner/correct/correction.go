// Corrections is the table of the corrections of IMPALA §5.2.2 and ours. The page lists it, the flag accepts its names
// and the learner applies its rows.
package correct

// Leak names the source of a correction's α.
type Leak uint8

const (
	LeakNone    Leak = iota // α = 1: V-trace's hard truncation
	LeakSetting             // α as set
	LeakFull                // α = 0: no truncation
)

// Weight names the factor of the policy gradient, before the mask.
type Weight uint8

const (
	WeightRho      Weight = iota // ρ_t with ρ̄_pg
	WeightOne                    // 1
	WeightCutRatio               // min(ρ̄, w), while the value target uses no ratios
	WeightForm                   // the row's Form of each step; no ratios in the target
	WeightOwn                    // what the caller's function returns; no ratios in the target
	WeightMoment                 // w, and 0 while the batch's mean squared log-ratio is too large; no ratios in the target
)

// Correction is one way to learn from another policy's data.
type Correction struct {
	Name    string // as settings and URLs spell it
	Title   string // as people call it
	Words   string // effect in one sentence, for the page
	Formula string // value target; weight of the policy gradient
	Paper   string
	Also    []Alias // its names elsewhere, with one gradient step for each batch

	NStep       bool    // the value target is the n-step return, without ratios
	Weight      Weight  // of the policy gradient
	Leak        Leak    // of the truncation
	LogEpsilon  float64 // the policy gradient is of log(π(a) + this)
	TrustRegion bool    // leaves out the steps with m_t = 0, which TrustMask finds

	Form          func(Limits, Step) float64 // c_t, of WeightForm
	Levels        bool                       // w may be the ratio of a stretch
	Probabilities bool                       // compares π(a) and μ(a), so actions must have probabilities
	Centred       bool                       // the mean score of μ is subtracted: loss.Centre
}

// Alias is another name of a correction and where it is printed; docs/corrections.md says what we read there.
type Alias struct{ Name, Source string }

// Method names a correction: it is the index of its row in Corrections.
type Method uint8

const (
	MethodNone Method = iota
	MethodEpsilon
	MethodOneStep
	MethodVTrace
	MethodLeaky
	MethodTrustRegion
	MethodIS
	MethodTaper
	MethodClip
	MethodBand
	MethodMoment
	MethodShift
	MethodCentred
	MethodOwn
)

func (m Method) String() string { return Corrections[m].Name }

// Corrections in the order in which they are taught.
var Corrections = [...]Correction{
	MethodNone: {Name: "none", Title: "none",
		Words: "Treats old data as its own", Formula: "v = n-step return; weight 1",
		Paper: "IMPALA §5.2.2", NStep: true, Weight: WeightOne},
	MethodEpsilon: {Name: "epsilon", Title: "ε-correction",
		Words:   "As none, with a small number inside the logarithm",
		Formula: "v = n-step return; weight 1, ∇log(π + 1e-6)",
		Paper:   "IMPALA §5.2.2", NStep: true, Weight: WeightOne, LogEpsilon: 1e-6},
	MethodOneStep: {Name: "one-step", Title: "one-step importance sampling",
		Words:   "Weights the policy gradient, not the values",
		Formula: "v = n-step return; weight min(ρ̄, π/μ)",
		Paper:   "IMPALA §5.2.2", NStep: true, Weight: WeightCutRatio, Levels: true,
		Also: []Alias{{"TIS", "verl, rollout_corr_math.md §3.3.1"},
			{"CISPO without a lower end", "arXiv:2506.13585, eq. 4"}, {"PipelineRL's weight", "arXiv:2509.19128, eq. 5"}}},
	MethodVTrace: {Name: "vtrace", Title: "V-trace",
		Words:   "Cuts every ratio at ρ̄ and c̄",
		Formula: "v = V-trace; weight ρ_t = min(ρ̄, π/μ)",
		Paper:   "IMPALA §4"},
	MethodLeaky: {Name: "leaky", Title: "leaky V-trace",
		Words:   "Cuts the share α of every ratio",
		Formula: "v = leaky V-trace; weight α·min(ρ̄, π/μ) + (1−α)·π/μ",
		Paper:   "STAC §3.1", Leak: LeakSetting},
	MethodTrustRegion: {Name: "trust-region", Title: "trust region",
		Words:   "V-trace, and leaves out steps that are too far off",
		Formula: "v = V-trace where KL(π‖π̃_μ) < b; weight m_t·ρ_t",
		Paper:   "LASER §4", TrustRegion: true},
	MethodIS: {Name: "is", Title: "full importance sampling",
		Words:   "Full importance sampling, no cut",
		Formula: "v = V-trace with α = 0; weight π/μ",
		Paper:   "IMPALA §4.1", Leak: LeakFull},
	MethodTaper: {Name: "taper", Title: "TOPR's taper",
		Words:   "Weights only the steps that went worse than expected",
		Formula: "v = n-step return; weight 1 if A ≥ 0, min(1, π/μ) if A < 0",
		Paper:   "TOPR eq. 8 (arXiv:2503.14286)", NStep: true, Weight: WeightForm, Form: Limits.Taper, Levels: true},
	MethodClip: {Name: "clip", Title: "PPO's clip",
		Words:   "Leaves out steps that have gone far enough in A's direction",
		Formula: "v = n-step return; weight π/μ, 0 if A > 0 and π/μ > 1 + ε_high, or A < 0 and π/μ < 1 − ε_low",
		Paper:   "PPO eq. 7 (arXiv:1707.06347), DAPO eq. 10", NStep: true, Weight: WeightForm, Form: Limits.Clip,
		Levels: true},
	MethodBand: {Name: "band", Title: "masked importance sampling",
		Words:   "Leaves out steps whose ratio lies outside of a band",
		Formula: "v = n-step return; weight π/μ where floor ≤ π/μ ≤ ceiling, else 0",
		Paper:   "Ring-1T §2.3.2 (arXiv:2510.18855)", NStep: true, Weight: WeightForm, Form: Limits.Band, Levels: true},
	MethodMoment: {Name: "moment", Title: "M2PO's second moment",
		Words:   "Leaves out the batch's largest log-ratios",
		Formula: "v = n-step return; weight π/μ, 0 at the largest (log π/μ)² until the others' mean is at most τ",
		Paper:   "M2PO §5 (arXiv:2510.01161)", NStep: true, Weight: WeightMoment},
	MethodShift: {Name: "shift", Title: "DPPO's shift",
		Words:   "Leaves out steps whose probability has moved far enough",
		Formula: "v = n-step return; weight π/μ, 0 if A > 0 and π − μ > δ, or A < 0 and π − μ < −δ",
		Paper:   "DPPO §4.3 (arXiv:2602.04879)", NStep: true, Weight: WeightForm, Form: Limits.Outward, Probabilities: true},
	MethodCentred: {Name: "centred", Title: "score centring",
		Words:   "As none, without the mean slope of log π under μ",
		Formula: "v = n-step return; weight 1 on ∇log π(a) − Σ_b μ(b)·∇log π(b)",
		Paper:   "arXiv:2609.20807", NStep: true, Weight: WeightOne, Probabilities: true, Centred: true},
	MethodOwn: {Name: "own", Title: "your own",
		Words:   "Weights each step by a function that you write",
		Formula: "v = n-step return; weight(ratio, adv, pi, mu, age), held within 0 and 10",
		Paper:   "yours", NStep: true, Weight: WeightOwn, Probabilities: true},
}

// Weights reports whether the ratios weight the targets or the policy gradient.
func (c *Correction) Weights() bool { return c.Weight != WeightOne }

// Cuts reports whether ρ̄ and c̄ truncate ratios.
func (c *Correction) Cuts() (rho, trace bool) {
	if c.Leak == LeakFull {
		return false, false
	}
	return !c.NStep || c.Weight == WeightCutRatio, !c.NStep
}

// Forms reports whether c weights the policy gradient by a form of 2025 or later or by the caller's own, and not by ρ̄.
func (c *Correction) Forms() bool {
	return c.Weight == WeightForm || c.Weight == WeightMoment || c.Weight == WeightOwn
}

// InForce returns the truncation that correction c makes of the settings.
func InForce[F Float](c *Correction, clip Truncation[F]) Truncation[F] {
	switch c.Leak {
	case LeakNone:
		clip.LeakRho, clip.LeakC = 1, 1
	case LeakFull:
		clip.LeakRho, clip.LeakC = 0, 0
	}
	return clip
}

// Apply computes the targets under correction c, whose truncation InForce has made; out.Weight then multiplies the
// policy gradient of each step. Apply uses a mask in the unroll under every correction. A trust region needs one.
func Apply[F Float](out *Targets[F], c *Correction, in *Unroll[F], clip Truncation[F], adv Advantage) {
	ApplyRows(out, c, in, clip, adv, 0, in.T*in.B)
}

// ApplyRows is Apply for rows from to to−1 alone. The rows from to on must be done already. The recursion reads only
// the input of its rows, and the values and targets of the B rows behind them.
func ApplyRows[F Float](out *Targets[F], c *Correction, in *Unroll[F], clip Truncation[F], adv Advantage, from,
	to int) {
	if c.TrustRegion && in.Mask == nil {
		panic("correct: a trust region needs its mask; TrustMask makes it")
	}
	if c.WholeBatch(&in.Limits) && (from != 0 || to != in.T*in.B) {
		panic("correct: this correction needs all rows of a batch at once")
	}
	if c.NStep {
		nStep(out, in, adv, from, to)
	} else {
		vTrace(out, in, clip, adv, from, to)
	}
	if in.Limits.Lift != 0 {
		lift(out, in)
	}
	weigh(out, c, in, clip, from, to)
}
