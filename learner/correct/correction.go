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
	WeightRho Weight = iota // ρ_t with ρ̄_pg
	WeightOne               // 1
	WeightIS                // min(ρ̄, IS_t), while the value target uses no ratios
)

// Correction is one way to learn from another policy's data.
type Correction struct {
	Name    string // as settings and URLs spell it
	Title   string // as people call it
	Words   string // effect in one sentence, for the page
	Formula string // value target; weight of the policy gradient
	Paper   string

	NStep       bool    // the value target is the n-step return, without ratios
	Weight      Weight  // of the policy gradient
	Leak        Leak    // of the truncation
	LogEpsilon  float64 // the policy gradient is of log(π(a) + this)
	TrustRegion bool    // requires m_t, which TrustMask computes
}

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
		Paper:   "IMPALA §5.2.2", NStep: true, Weight: WeightIS},
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
}

// Weights reports whether the ratios weight the targets or the policy gradient.
func (c *Correction) Weights() bool { return !c.NStep || c.Weight == WeightIS }

// Cuts reports whether ρ̄ and c̄ truncate ratios.
func (c *Correction) Cuts() (rho, trace bool) {
	if c.Leak == LeakFull {
		return false, false
	}
	return c.Weights(), !c.NStep
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

// Apply computes the targets under correction c, whose truncation InForce has made; out.RhoPG then multiplies the
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
	if !c.NStep {
		sameLen(len(in.Ratio), in.T*in.B)
		vTrace(out, in, clip, adv, from, to)
		return
	}
	nStep(out, in, adv, from, to)
	if c.Weight == WeightIS {
		sameLen(len(in.Ratio), len(out.RhoPG))
		for i := from; i < to; i++ {
			out.RhoPG[i] *= finite(clip.Rho(in.Ratio[i])) // nStep left m_t there
		}
	}
}
