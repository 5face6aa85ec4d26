package learner

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// How ValueBias measures: so many copies of the world for so many steps. A state counts when what comes back from it
// is known but for this weight of a V at the end.
const (
	streamBias = 1 << 23
	biasCopies = 8
	biasSteps  = 1024
	biasLean   = 0.05
)

// ValueBias is the mean of V(x) − G(x) over the states that the present policy visits, G the discounted return that
// followed, in rewards as the learner sees them: how wrong it is about its own policy. A learner that takes someone
// else's data for its own knows the values of theirs. It plays fresh episodes and changes nothing in the run; NaN when
// γ looks further than it plays.
func (l *Learner) ValueBias() (float64, error) {
	transform, err := loss.LookupReward(l.cfg.Reward)
	if err != nil {
		return 0, err
	}
	spec := l.machine.Spec
	player, err := actor.New(l.cfg.World, spec, biasCopies, l.cfg.Seed, streamBias)
	if err != nil {
		return 0, err
	}
	unrolls := make([]*traj.Unroll, biasCopies)
	for i := range unrolls {
		unrolls[i] = traj.NewUnroll(biasSteps, spec.Obs, spec.Actions)
	}
	player.Play(l.algo.Acting(), l.updates, unrolls, func(telemetry.Episode) {})

	sum, n := 0.0, 0
	for _, u := range unrolls {
		loss.Transform(u.Reward, u.Reward, transform)
		cuts := make([]float64, len(u.Cuts))
		for k := range u.Cuts {
			cuts[k] = float64(l.machine.Values(u.Cuts[k].Obs, 1)[0])
		}
		values := l.machine.Values(u.Obs, u.T+1)
		// G_t = r_t + γ·G_{t+1}, an episode's end a wall; lean is the weight of V in it.
		g, lean := float64(values[u.T]), 1.0
		for t := u.T - 1; t >= 0; t-- {
			switch envs.End(u.End[t]) {
			case envs.Terminated:
				g, lean = 0, 0
			case envs.Truncated:
				last := len(cuts) - 1
				g, lean, cuts = cuts[last], 1, cuts[:last]
			}
			g = float64(u.Reward[t])*l.cfg.RewardScale + l.cfg.Gamma*g
			if lean *= l.cfg.Gamma; lean <= biasLean {
				sum += float64(values[t]) - g
				n++
			}
		}
	}
	if n == 0 {
		return math.NaN(), nil
	}
	return sum / float64(n), nil
}
