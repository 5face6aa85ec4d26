package correct

import "math"

// The corrections of 2025 and later weight the policy gradient alone: v_t is the n-step return, without ratios, and
// c_t multiplies A_t·∇log π(a_t). (The c_t of vtrace.go is another: it cuts the recursion.) Each weight is a function
// of one step in a file of its own: band.go, clip.go, taper.go, shift.go, moment.go. level.go has what the ratio of a
// step may be the ratio of.

// Step is what a weight sees of one step.
type Step struct {
	Ratio     float64 // w = π(a_t|x_t)/μ(a_t|x_t), at the level of Limits
	Advantage float64 // A_t
	Pi        float64 // π(a_t|x_t); 0 unless the correction compares probabilities
}

// Limits are the numbers of these weights. A number that a correction does not use has no effect on it.
type Limits struct {
	Floor, Ceiling    float64  // band: the least and the greatest w that counts
	ClipLow, ClipHigh float64  // clip: how far w may go below and above 1
	Half              Half     // taper: which steps it weighs
	TaperLow          float64  // taper: the least weight of these steps
	TaperHigh         float64  // taper: the greatest
	Shift             float64  // shift: how far π(a) may go from μ(a)
	Moment            float64  // moment: τ, the bound of the mean squared log-ratio
	MomentOf          MomentOf // moment: which steps it may leave out
	Centre            CentreOf // centred: the steps from which it subtracts the mean score of μ
	Level             Level    // of w, for corrections with levels
	Lift              float64  // β: β times the batch's mean |A| joins every advantage, under any correction
}

// WholeBatch reports whether c under l needs all rows of a batch at once: for a stretch of an episode, or for a mean
// over the batch.
func (c *Correction) WholeBatch(l *Limits) bool {
	return l.Lift != 0 || c.Weight == WeightMoment || c.Levels && l.Level != LevelStep
}

// weigh multiplies Weight, which holds m_t, by c_t in rows from to to−1. The advantages of these rows are present. The
// weight of V-trace's family is there already.
func weigh[F Float](out *Targets[F], c *Correction, in *Unroll[F], clip Truncation[F], from, to int) {
	if !c.NStep || c.Weight == WeightOne || c.Weight == WeightOwn {
		return
	}
	ratio, l := out.Weighed(c, in), &in.Limits
	sameLen(len(ratio), len(out.Weight))
	if c.Probabilities {
		sameLen(len(in.Pi), len(ratio))
	}
	switch c.Weight {
	case WeightCutRatio:
		for i := from; i < to; i++ {
			out.Weight[i] *= finite(clip.Rho(ratio[i]))
		}
	case WeightForm:
		for i := from; i < to; i++ {
			s := Step{Ratio: float64(ratio[i]), Advantage: float64(out.Advantage[i])}
			if c.Probabilities {
				s.Pi = float64(in.Pi[i])
			}
			out.Weight[i] *= finite(F(c.Form(*l, s)))
		}
	case WeightMoment:
		out.moments(in)
	default:
		panic("correct: an n-step return has no such weight")
	}
}

// lift adds β times the batch's mean |A| to every advantage. Steps of mask 0 do not count in the mean.
func lift[F Float](out *Targets[F], in *Unroll[F]) {
	sum, n := 0.0, 0
	for i, a := range out.Advantage {
		if in.Mask == nil || in.Mask[i] != 0 {
			sum += math.Abs(float64(a))
			n++
		}
	}
	by := finite(F(in.Limits.Lift * sum / float64(max(1, n))))
	for i := range out.Advantage {
		out.Advantage[i] += by
	}
}

// logRatio is log w, held within ±log of the ceiling of all weights, so that sums of ratios of 0 and ∞ are numbers.
func logRatio[F Float](w F) float64 { return max(-logCeiling, min(logCeiling, math.Log(float64(w)))) }

var logCeiling = math.Log(ceiling)
