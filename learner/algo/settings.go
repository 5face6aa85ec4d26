package algo

import (
	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/traj"
)

// What every algorithm makes of the settings and of a raw batch before its own mathematics begins.

// scaleOf is what each step's loss is multiplied by: 1, or 1/T·B for a mean.
func scaleOf(b *traj.Batch, cfg *hyper.Config) float64 {
	if cfg.Reduce == hyper.Mean {
		return 1 / float64(b.T*b.B)
	}
	return 1
}

// returns writes the rewards and discounts the learner sees, an episode's end and a time limit's cut included.
func (a *Impala) returns(b *traj.Batch, cfg *hyper.Config, tail []float32) {
	loss.Transform(a.reward, b.Reward, cfg.Reward)
	gamma, scale := float32(cfg.Gamma), float32(cfg.RewardScale)
	for i := range a.reward {
		a.reward[i] *= scale
		a.discount[i] = gamma
		if envs.End(b.End[i]) == envs.Terminated {
			a.discount[i] = 0
		}
	}
	for k, at := range b.Cuts {
		correct.FoldTruncation(a.reward, a.discount, at, gamma, tail[b.B+k])
	}
}

// entropyRows is where entropy counts: online data only (LASER §5.1), and within the trust region.
func (a *Impala) entropyRows(b *traj.Batch) {
	for i := range a.online {
		a.online[i] = 0
		if b.Online[i%b.B] {
			a.online[i] = 1
			if a.inside != nil {
				a.online[i] = a.inside[i]
			}
		}
	}
}
