package actor

import (
	"math"
	"slices"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// Policy makes a policy of a network's outputs and draws an action from it, for n rows at once. Actors train with it
// and people watch through it (web/play), so the watched policy is the trained one. It belongs to one goroutine.
type Policy struct {
	Mu     []float32 // [n, actions] log μ; of real numbers the Gaussian, as in Draw
	Action []int32   // [n] named actions that Choose drew; 0 if actions are real numbers
	Draw   Draw      // real actions that Choose drew, n side by side; its Mu is Mu

	Uniform bool // choose every named action equally often, whatever the network says
	Greedy  bool // take the likeliest action, the first of several, or the mean of a policy over real numbers

	kind           net.Policy
	kernels        kernel.Set
	actions, reals int
	prob           []float32 // [n, actions] of a softmax, each row in proportion to μ
	sum            []float32 // [n] the sum of a row of prob
}

// NewPolicy makes room for n rows.
func NewPolicy(spec net.Spec, n int) *Policy {
	p := &Policy{kind: spec.Policy, kernels: spec.Kernels, actions: spec.Actions, reals: spec.Reals(),
		Action: make([]int32, n)}
	if p.reals > 0 {
		p.Draw = NewDraw(n, p.reals)
		p.Mu = p.Draw.Mu
		return p
	}
	p.Mu, p.prob, p.sum = make([]float32, n*p.actions), make([]float32, n*p.actions), make([]float32, n)
	return p
}

// Read makes the policy of raw, the network's numbers [n, actions], and draws nothing. False: a softmax among them is
// not finite. A uniform policy does not look at raw.
func (p *Policy) Read(raw []float32) (finite bool) {
	k := p.actions
	switch {
	case p.reals > 0:
		correct.Gaussian(p.Mu, nil, raw, p.reals, p.kind.Spread())
		return true
	case p.Uniform:
		for i := range p.Mu {
			p.Mu[i], p.prob[i] = -float32(math.Log(float64(k))), 1
		}
		for i := range p.sum {
			p.sum[i] = float32(k)
		}
		return true
	}
	p.kernels.LogSoftmax(p.Mu, p.prob, p.sum, raw, k)
	for _, sum := range p.sum {
		if sum != sum { // a logit is NaN, or the greatest is infinite
			return false
		}
	}
	return true
}

// Choose reads raw and draws an action for each row. Controls are the world's, where actions are real numbers. False:
// there is a policy that is not finite, and no action to take.
func (p *Policy) Choose(raw []float32, controls []envs.Control, chance *envs.Rand) (finite bool) {
	k := p.actions
	if p.reals > 0 {
		if p.Greedy {
			chance = nil
		}
		for i := range p.Action {
			one := p.Draw.row(i, p.reals)
			if !one.Draw(p.kind, raw[i*k:(i+1)*k], controls, chance) {
				return false
			}
		}
		return true
	}
	if !p.Read(raw) {
		return false
	}
	for i := range p.Action {
		if p.Uniform {
			p.Action[i] = int32(chance.IntN(k))
		} else {
			p.Action[i] = int32(p.pick(p.prob[i*k:(i+1)*k], p.sum[i], chance))
		}
	}
	return true
}

// pick is the action to take where prob, which adds up to sum, says how likely each is.
func (p *Policy) pick(prob []float32, sum float32, chance *envs.Rand) int {
	if p.Greedy {
		best := 0
		for j, v := range prob {
			if v > prob[best] {
				best = j
			}
		}
		return best
	}
	left := chance.Float32() * sum
	for j, v := range prob[:len(prob)-1] {
		if left -= v; left < 0 {
			return j
		}
	}
	return len(prob) - 1
}

// Feedback writes row i's feedback for the network: the drawn action and its reward.
func (p *Policy) Feedback(last []float32, i int, reward float32) {
	switch {
	case len(last) == 0:
	case p.reals > 0:
		net.WriteControls(last, p.Draw.Scaled[i*p.reals:(i+1)*p.reals], reward)
	default:
		net.WriteFeedback(last, int(p.Action[i]), reward)
	}
}

// Ratio is the likelihood under p of the action that other drew in row i, over that under other: π/μ. Both were read.
func (p *Policy) Ratio(other *Policy, i int) float32 {
	if p.reals > 0 {
		ratio, drawn := make([]float32, 1), other.Draw.row(i, p.reals)
		correct.GaussianRatios(ratio, p.Draw.row(i, p.reals).Mu, drawn.Mu, drawn.Real, p.reals)
		return ratio[0]
	}
	at := i*p.actions + int(other.Action[i])
	return float32(math.Exp(float64(p.Mu[at] - other.Mu[at])))
}

// Shown returns row i for viewers, who may keep it: the probabilities of a world's n named actions, or a Gaussian.
// Actions from n on belong to other tasks of a suite, and count as action 0.
func (p *Policy) Shown(i, n int) []float32 {
	row := p.Mu[i*p.actions : (i+1)*p.actions]
	if p.reals > 0 {
		return slices.Clone(row)
	}
	shown := make([]float32, n)
	for j, v := range p.prob[i*p.actions : (i+1)*p.actions] {
		shown[MapAction(j, n)] += v / p.sum[i]
	}
	return shown
}

// MapAction maps a suite's action to a world with n actions.
func MapAction(action, n int) int {
	if action >= n {
		return 0
	}
	return action
}
