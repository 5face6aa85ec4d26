// What the learner sees of a reward. Returns shown to people are never transformed.
package loss

import (
	"fmt"
	"math"
)

// Reward is one transform of a single reward.
type Reward struct {
	Name    string // as settings and URLs spell it
	Words   string
	Formula string
	Paper   string
	Of      func(r float64) float64
}

// Rewards in the order in which they are offered. IMPALA's optimistic clipping exists in two
// forms that differ: the figure's, whose caption prints a minus sign before 0.3 that would reward
// losses and that the plot beside it does not have (dropped here), and the one its authors' public
// code runs.
var Rewards = []Reward{
	{Name: "none", Words: "As the world gives it", Formula: "r", Of: func(r float64) float64 { return r }},
	{Name: "clip", Words: "Clipped to [−1, 1]", Formula: "max(−1, min(1, r))", Paper: "IMPALA appendix G",
		Of: func(r float64) float64 { return max(-1, min(1, r)) }},
	{Name: "asymmetric", Words: "Optimistic: gains count more than losses",
		Formula: "0.3·min(tanh r, 0) + 5·max(tanh r, 0)", Paper: "IMPALA figure D.1",
		Of: func(r float64) float64 { return 0.3*min(math.Tanh(r), 0) + 5*max(math.Tanh(r), 0) }},
	{Name: "soft-asymmetric", Words: "Optimistic, as in IMPALA's public code",
		Formula: "5·tanh(r/5), times 0.3 below zero", Paper: "IMPALA's public code",
		Of: func(r float64) float64 {
			soft := 5 * math.Tanh(r/5)
			if r < 0 {
				return 0.3 * soft
			}
			return soft
		}},
}

// LookupReward finds the transform that settings and URLs call name.
func LookupReward(name string) (Reward, error) {
	var names []string // made only for the error: the learner looks up at every update
	for i := range Rewards {
		if Rewards[i].Name == name {
			return Rewards[i], nil
		}
	}
	for _, r := range Rewards {
		names = append(names, r.Name)
	}
	return Reward{}, fmt.Errorf("no reward transform is called %q; there are %q", name, names)
}

// Transform writes what r makes of each reward. dst may be reward.
func Transform[F Float](dst, reward []F, r Reward) {
	sameLen(len(dst), len(reward))
	for i, x := range reward {
		dst[i] = F(r.Of(float64(x)))
	}
}
