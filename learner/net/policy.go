package net

import "impalab/learner/correct"

// Policy is the meaning of a policy's columns.
type Policy uint8

const (
	Softmax  Policy = iota // a logit for each named action
	Gaussian               // independent components: the means, then the raw spreads
	Tanh                   // the same, and the action is tanh of the draw
)

func (p Policy) String() string { return [...]string{"softmax", "gaussian", "tanh"}[p] }

// Spread is how a Gaussian policy's numbers become means and standard deviations: V-MPO's way, or STAC's.
func (p Policy) Spread() correct.Spread {
	if p == Tanh {
		return correct.SpreadBounded
	}
	return correct.SpreadSoftplus
}
