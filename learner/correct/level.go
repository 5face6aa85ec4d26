package correct

import "math"

// Level says what the ratio w of a step is the ratio of. A stretch is the steps of one episode within one unroll: an
// episode that the unroll's ends cut has a stretch in each of its unrolls.
type Level uint8

const (
	LevelStep     Level = iota // the step: π(a_t|x_t)/μ(a_t|x_t)
	LevelResponse              // its stretch: the product of the steps' ratios
	LevelMean                  // the geometric mean of them
)

// The product is an importance weight: sequence-level truncated importance sampling in verl (rollout_is: sequence), TRL
// (sequence_truncate) and slime. The geometric mean is not. It is GSPO's (arXiv:2507.18071, §4.1, eq. 7), and what
// ms-swift and AReaL call "sequence". GSPO averages responses, and so divides each step's loss by its response's length
// (eq. 10); here steps are averaged.

// LevelNames are the levels as settings and links spell them.
var LevelNames = []string{LevelStep: "step", LevelResponse: "response", LevelMean: "mean"}

func (l Level) String() string { return LevelNames[l] }

// Weighed returns the ratios that c weighs under in's limits: of the steps, or of their stretches.
func (t *Targets[F]) Weighed(c *Correction, in *Unroll[F]) []F {
	if c.Levels && in.Limits.Level != LevelStep {
		return t.levels(in, in.Limits.Level)
	}
	return in.Ratio
}

// levels returns the ratio of each step of the batch at a level. A discount of 0 ends a stretch.
func (t *Targets[F]) levels(in *Unroll[F], level Level) []F {
	if t.level == nil {
		t.level = make([]F, len(t.Weight))
	}
	for b := range in.B {
		sum, first := 0.0, 0
		for step := range in.T {
			at := step*in.B + b
			sum += logRatio(in.Ratio[at])
			if in.Discount[at] != 0 && step+1 < in.T {
				continue
			}
			if level == LevelMean {
				sum /= float64(step + 1 - first)
			}
			w := F(math.Exp(min(logCeiling, sum)))
			for k := first; k <= step; k++ {
				t.level[k*in.B+b] = w
			}
			sum, first = 0, step+1
		}
	}
	return t.level
}
