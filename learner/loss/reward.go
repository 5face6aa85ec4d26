// Reward transforms, which the learner applies. Returns shown to people are never transformed.
package loss

import "math"

// Reward names a transform of rewards: it is the index of its row in Rewards.
type Reward uint8

const (
	RewardAsIs Reward = iota
	RewardClip
	RewardAsymmetric
	RewardSoftAsymmetric
)

func (r Reward) String() string { return Rewards[r].Name }

// Of returns the transform of one reward.
func (r Reward) Of(x float64) float64 { return Rewards[r].Of(x) }

// RewardRow is one transform of a single reward.
type RewardRow struct {
	Name    string // as settings and URLs spell it
	Words   string
	Formula string
	Paper   string
	Of      func(r float64) float64
}

// Rewards in the order in which the page offers them. IMPALA's optimistic clipping exists in two forms: the figure's
// and the form in its authors' public code. The figure's caption prints a minus sign before 0.3 that would reward
// losses; the plot beside it has no such sign, and neither has this table.
var Rewards = [...]RewardRow{
	RewardAsIs: {Name: "none", Words: "As the world gives it", Formula: "r", Of: func(r float64) float64 { return r }},
	RewardClip: {Name: "clip", Words: "Clipped to [−1, 1]", Formula: "max(−1, min(1, r))", Paper: "IMPALA appendix G",
		Of: func(r float64) float64 { return max(-1, min(1, r)) }},
	RewardAsymmetric: {Name: "asymmetric", Words: "Optimistic: gains count more than losses",
		Formula: "0.3·min(tanh r, 0) + 5·max(tanh r, 0)", Paper: "IMPALA figure D.1",
		Of: func(r float64) float64 { return 0.3*min(math.Tanh(r), 0) + 5*max(math.Tanh(r), 0) }},
	RewardSoftAsymmetric: {Name: "soft-asymmetric", Words: "Optimistic, as in IMPALA's public code",
		Formula: "5·tanh(r/5), times 0.3 below zero", Paper: "IMPALA's public code",
		Of: func(r float64) float64 {
			soft := 5 * math.Tanh(r/5)
			if r < 0 {
				return 0.3 * soft
			}
			return soft
		}},
}

// Transform writes the transform r of each reward. dst may be reward.
func Transform[F Float](dst, reward []F, r Reward) {
	sameLen(len(dst), len(reward))
	of := Rewards[r].Of
	for i, x := range reward {
		dst[i] = F(of(float64(x)))
	}
}
