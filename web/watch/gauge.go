package watch

import (
	"math"
	"time"

	"impalab/envs"
	"impalab/envs/exact"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/web/hub"
	"impalab/web/play"
	"impalab/web/wire"
)

// gauge solves a finite world for the present policies: the network's values, the values that the correction leads to,
// and the true values (IMPALA §4.1, eq. 3 and theorem 1).
type gauge struct {
	mdp     *envs.MDP
	forward *net.Forward
	obs     []float32 // [S, obs]: every state as the network sees it
	problem *exact.Problem
	gamma   float64
	worst   float64 // values of the worst and the best policy; NaN if unbounded
	best    float64
	next    time.Time
}

// gaugeEvery is the time between two solutions. A hundred states take a few milliseconds.
const gaugeEvery = 250 * time.Millisecond

// gaugeStates limits the states of a solved world. A dense solution takes the cube of them.
const gaugeStates = 300

// gaugeFor returns the gauge of a world. It returns nil if the world is not finite or too large, or if the network has
// a memory, since a state alone then has no value.
func gaugeFor(player *play.Player, spec net.Spec) *gauge {
	memory := spec.States() > 0 || spec.Feedback > 0
	finite, ok := player.World().(envs.Finite)
	if !ok || player.Tasks() > 1 || memory || finite.MDP().States > gaugeStates {
		return nil
	}
	return newGauge(finite, spec)
}

func newGauge(w envs.Finite, spec net.Spec) *gauge {
	mdp := w.MDP()
	g := &gauge{mdp: mdp, forward: net.NewForward(spec, mdp.States), obs: make([]float32, mdp.States*spec.Obs)}
	for s := range mdp.States {
		w.Show(s, g.obs[s*spec.Obs:(s+1)*spec.Obs])
	}
	return g
}

// refresh solves the world again if it is time. It reports whether it has offered the result.
func (g *gauge) refresh(p *Policies, topic *hub.Topic) (shown bool) {
	now := time.Now()
	if now.Before(g.next) {
		return false
	}
	m := g.solve(p)
	if m == nil {
		return false
	}
	g.next = now.Add(gaugeEvery)
	topic.Offer(m)
	return true
}

// solve returns the gauge of the policies. It returns nil if a reward transform changes the problem.
func (g *gauge) solve(p *Policies) *wire.Gauge {
	if p.Config.Reward != loss.RewardAsIs {
		return nil
	}
	if g.problem == nil || g.gamma != p.Config.Gamma {
		g.problem, g.gamma = exact.Of(g.mdp, p.Config.Gamma), p.Config.Gamma
		var err error
		if g.worst, g.best, err = g.problem.Extremes(); err != nil {
			g.worst, g.best = math.NaN(), math.NaN()
		}
	}
	target, learned := g.policy(p.Target)
	behaviour, _ := g.policy(p.Behaviour)
	if p.Config.Behave == hyper.BehaveUniform {
		for i := range behaviour {
			behaviour[i] = 1 / float64(g.mdp.Actions)
		}
	}
	for i := range learned {
		learned[i] = (float64(p.Scale[0])*learned[i] + float64(p.Shift[0])) / p.Config.RewardScale
	}
	implied, k, corrected := g.impliedBy(p, target, behaviour)

	values := func(policy []float64) []float64 {
		v := make([]float64, g.mdp.States)
		if err := g.problem.Value(v, policy); err != nil {
			for s := range v {
				v[s] = math.NaN() // shown as "—"
			}
		}
		return v
	}
	vMu, vPi, vImplied := values(behaviour), values(target), values(implied)
	m := &wire.Gauge{
		Behaviour: float32(g.problem.Mean(vMu)), Target: float32(g.problem.Mean(vPi)),
		Implied: float32(g.problem.Mean(vImplied)),
		Learned: float32(g.problem.Mean(learned)), FromTarget: float32(g.rms(learned, vPi)),
		FromImplied: float32(g.rms(learned, vImplied)),
		Contraction: float32(math.NaN()), Worst: float32(g.worst), Best: float32(g.best),
	}
	if corrected {
		if c, err := g.problem.Contraction(target, behaviour, k); err == nil {
			m.Contraction = float32(c.Max)
		}
	}
	return m
}

// impliedBy returns the policy whose value the correction leads to, and its weights. Without ratios in the target that
// policy is μ, and theorem 1 does not apply.
func (g *gauge) impliedBy(p *Policies, target, behaviour []float64) (implied []float64, k exact.Correction,
	corrected bool) {
	clip := hyper.InForce[float64](&p.Config)
	k = exact.Correction{RhoBar: clip.RhoBar, CBar: clip.CBar, LeakRho: clip.LeakRho, LeakC: clip.LeakC,
		Lambda: clip.Lambda}
	if correct.Corrections[p.Config.Correction].NStep {
		return behaviour, k, false
	}
	implied = make([]float64, len(target))
	g.problem.Implied(implied, target, behaviour, k)
	return implied, k, true
}

// policy returns π(a|s) and V(s) of every state.
func (g *gauge) policy(theta []float32) (pi, v []float64) {
	n, actions := g.mdp.States, g.mdp.Actions
	logits, values := g.forward.Run(theta, g.obs, nil, n)
	logPi, prob := make([]float32, n*actions), make([]float32, n*actions)
	correct.Softmax(prob, logPi, logits, actions)
	pi, v = make([]float64, n*actions), make([]float64, n)
	for s := range n {
		sum := 0.0
		for a := range actions {
			sum += float64(prob[s*actions+a])
		}
		for a := range actions {
			pi[s*actions+a] = float64(prob[s*actions+a]) / sum // rows must sum to 1 in float64
		}
		v[s] = float64(values[s])
	}
	return pi, v
}

// rms returns the root mean square of a difference over the states of an episode.
func (g *gauge) rms(x, y []float64) float64 {
	sum, n := 0.0, 0
	for s := range x {
		if !g.mdp.Over[s] {
			d := x[s] - y[s]
			sum += d * d
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}
