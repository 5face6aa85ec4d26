package learner

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// ValueBias plays biasCopies copies of the world for biasSteps steps. A state counts if a V at the end has at most the
// weight biasLean in its return.
const (
	biasCopies = 8
	biasSteps  = 1024
	biasLean   = 0.05
)

// ValueBias returns the mean of V(x) − G(x) over the states that the current policy visits: how wrong V is about its
// own policy. G is the discounted return that followed, in rewards as the learner sees them. A learner that treats
// other agents' data as its own learns their values. ValueBias plays fresh episodes and does not change the run. It
// returns NaN if γ looks further than it plays.
func (l *Learner) ValueBias() (float64, error) {
	tasks := l.cfg.Tasks()
	copies := max(1, biasCopies/tasks) * tasks
	player, err := actor.New(l.cfg.World, l.machine.Spec, copies, l.cfg.Seed, stream.ValueBias)
	if err != nil {
		return 0, err
	}
	player.Forget = l.cfg.Forgets()
	unrolls := traj.NewUnrolls(copies, biasSteps, l.batch.Shape)
	if err := player.Play(l.algo.Acting(), l.updates, unrolls, func(telemetry.Episode) {}); err != nil {
		return math.NaN(), nil // the policy cannot act
	}

	sum, n := 0.0, 0
	forward := net.NewForward(l.machine.Spec, 1)
	for _, u := range unrolls {
		values, cuts := l.valuesOf(u, forward, player.Forget)
		loss.Transform(u.Reward, u.Reward, l.cfg.Reward)
		// G_t = r_t + γ·G_{t+1} within an episode; lean is the weight of V in it.
		g, lean := values[u.T], 1.0
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
				sum += values[t] - g
				n++
			}
		}
	}
	if n == 0 {
		return math.NaN(), nil
	}
	return sum / float64(n), nil
}

// valuesOf returns V at the T+1 states of an unroll that began with an episode, and at the states in which its episodes
// were cut. The network forgets after every forget steps, or with 0 only when an episode ends.
func (l *Learner) valuesOf(u *traj.Unroll, forward *net.Forward, forget int) (values, cuts []float64) {
	state := make([]float32, u.States)
	value := func(input []float32) float64 {
		_, v := forward.Run(l.machine.Theta, input, state, 1)
		return float64(l.machine.RealValue(v[int(u.Task)%len(v)], int(u.Task))) // one value, or one for each task
	}
	for t := range u.T + 1 {
		if t > 0 && envs.End(u.End[t-1]) != envs.Running {
			if envs.End(u.End[t-1]) == envs.Truncated {
				cuts = append(cuts, value(u.Cuts[len(cuts)].Obs))
			}
			clear(state)
		}
		if forget > 0 && t%forget == 0 {
			clear(state)
		}
		values = append(values, value(u.Obs[t*u.Size:(t+1)*u.Size]))
	}
	return values, cuts
}
