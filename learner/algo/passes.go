package algo

import "impalab/learner/hyper"

// Passes is how often an update takes the whole batch through the network.
type Passes struct {
	Forward int // there
	Back    int // to the parameters and the inputs; a directional derivative costs the same
}

// PassesOf counts the passes of an update of cfg's algorithm, without the few rows of which only the value is used.
func PassesOf(cfg *hyper.Config) Passes {
	switch a := cfg.Algorithm(); {
	case a.TunesItself: // at θ, at θ' and at θ again; the inner loss, the outer one, and the motion of the heads
		return Passes{Forward: 3, Back: 3}
	case a.TargetNetwork: // the target network sees the batch too
		return Passes{Forward: 2, Back: 1}
	}
	return Passes{Forward: 1, Back: 1}
}
