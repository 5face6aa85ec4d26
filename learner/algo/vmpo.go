package algo

import (
	"fmt"
	"math"
	"runtime"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// VMPO is V-MPO (Song et al., 2020, algorithm 1): no policy gradient. The E-step weighs the better half of a batch by
// exp(A/η); the M-step makes those actions likelier, held near the target network by α. The target network acts. A
// Gaussian policy is held by two bounds in place of one, of its mean and of its spread (appendix C).
//
// With several learners, each takes the better half of its own share of the batch and normalises ψ there. The gradient
// and the slopes of η and α are averaged ("Implementation note", appendix F). The result differs a little from the
// result of one learner with the whole batch.
type VMPO struct {
	*onePass // its memory of a batch, its step and its x-ray; it has losses of its own

	target   []float32      // θ_T
	forwards []*net.Forward // of the target network, each for a part of the batch; none on a device
	ahead    func(k int)    // takes part k of the batch through it
	raw      []float32      // [T·B, A] the target network's outputs
	old      head           // π_T
	dual     []float32      // η, then an α for each part of the divergence
	slope    []float32      // of the losses in them, the mean over learners
	moved    []float32      // slope, then KL(ψ‖w) and the parts of KL(π_T‖π_θ): the numbers that several learners average
	costs    []float32      // of the parts, each row's share
	adam     *optim.Adam    // theirs

	chosen, psi, scratch []float32 // [T·B]
	last                 constraints
}

// constraints is how V-MPO's constraints stood at the last update (fig. 7): they should not only hold but bind.
// A softmax policy has one KLWeight and OfPolicy; a Gaussian one has the mean's, then the spread's.
type constraints struct {
	Temperature, OfWeights float64           // η, which that update used, and KL(ψ‖w) against ε_η
	KLWeight, OfPolicy     [maxParts]float64 // α, and the mean KL(π_T‖π_θ) against ε_α; nats
}

// The multipliers' first values (table 1), and the least values that they are projected to (§4.2.2).
const (
	firstTemperature = 1
	firstKLWeight    = 5
	firstPartWeight  = 1 // α_μ, α_Σ
	leastDual        = 1e-8
)

// targetRows is how many rows are worth another core's while.
const targetRows = 128

// NewVMPO makes room for the batches of cfg and a target network that equals the online one.
func NewVMPO(m *Machine, cfg *hyper.Config) *VMPO {
	n := cfg.UnrollLen * cfg.BatchSize
	row := func() []float32 { return make([]float32, n) }
	a := &VMPO{
		onePass: newOnePass(m, cfg, nil), target: append([]float32(nil), m.Theta...),
		raw: make([]float32, n*m.Spec.Actions), old: newHead(&m.Spec, n), dual: []float32{firstTemperature},
		chosen: row(), psi: row(), scratch: row(),
	}
	if m.onDevice == nil {
		for range max(1, min(runtime.GOMAXPROCS(0), n/targetRows, cfg.BatchSize)) {
			a.forwards = append(a.forwards, net.NewForward(m.Spec, max(cfg.BatchSize, min(n, maxTail))))
		}
	}
	a.ahead = func(k int) {
		b := a.batch
		a.forwards[k].ThroughPart(a.raw, a.target, b.Obs, b.TargetState, b.Keep, b.T, b.B, k, len(a.forwards))
	}
	parts, first := a.pi.parts()
	for range parts {
		a.dual = append(a.dual, first)
	}
	a.costs = make([]float32, parts)
	a.moved, a.adam = make([]float32, 2*len(a.dual)), optim.NewAdam(len(a.dual), 0.9, 0.999, 1e-8)
	a.adam.Kernels = m.Spec.Kernels
	a.slope = a.moved[:len(a.dual)]
	return a
}

// Acting is the target network.
func (a *VMPO) Acting() []float32 { return a.target }

// State is the target network, the multipliers and their Adam. How many steps that has taken is the number of updates.
func (a *VMPO) State() [][]float32 { return append([][]float32{a.target, a.dual}, a.adam.State()...) }

// Update learns from one batch and describes it in out, unless that is nil. now is the number of updates so far.
// A loss or gradient that is not finite is Diverged, and the parameters stay as they were.
func (a *VMPO) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	// π_T of the target network, which acted; π_θ and V of the online network.
	a.begin(b, cfg, now, cfg.Correction, correct.Corrections[cfg.Correction].TrustRegion)
	a.behind()
	raw, values := a.m.Forward(b)
	copy(a.tail, a.m.Tail(b))
	a.read(raw)
	a.old.read(a.raw)
	a.returns()

	// G_t and A_t of π_T (§4.1). On its own data IS_t = π_T(a_t|x_t)/μ(a_t|x_t) = 1, and V-trace is the n-step return.
	a.old.ratios(a.ratio, b)
	a.trust(a.old)
	a.correct(cfg.Advantage, values)

	// E-step. ψ_i = ρ_i·exp(A_i/η) / Σ over the top half D̃, 0 outside; ρ = min(1, π_T/μ) as eq. 34 with ρ̄ = 1.
	temperature := float64(a.dual[0])
	loss.TopShare(a.chosen, a.scratch, a.targets.Advantage, a.inside, cfg.TopShare)
	bound := loss.Temperature{Eta: temperature, Bound: cfg.EpsTemperature, ByCount: cfg.EtaMean == hyper.MeanOfCount}
	temperatureLoss, dTemperature := loss.EStep(a.psi, a.targets.Advantage, a.chosen, a.targets.Weight, bound)
	if cfg.Psi == hyper.PsiUniform {
		loss.UniformStep(a.psi, a.chosen, a.targets.Weight)
		temperatureLoss, dTemperature = 0, 0
	}
	a.slope[0] = float32(dTemperature)
	a.last = constraints{Temperature: temperature, OfWeights: cfg.EpsTemperature - dTemperature}

	// M-step. L = −Σ ψ log π_θ(a|x) + α·KL(π_T‖π_θ) + ½·(V − G)², the last two means over all of D (eq. 1, 12, 14).
	n := float64(b.T * b.B)
	each := 1 / n
	clear(a.dValues)
	l := terms{policy: a.pi.likelihood(b, a.psi, float32(cfg.PolicyCost)) * n}
	klLoss := a.near(cfg, each)
	l.value = loss.Value(a.dValues, values, a.targets.VS, a.inside, float32(cfg.ValueCost*each))
	a.entropyRows()
	l.entropy = a.pi.entropy(a.online, float32(cfg.Entropy*each)) // not the paper's: g_e = 0 there
	if total := l.policy + temperatureLoss + klLoss + l.value + l.entropy; math.IsNaN(total) || math.IsInf(total, 0) {
		return Diverged(fmt.Sprintf("the loss is not finite (policy %g, temperature %g, KL %g, value %g)", l.policy,
			temperatureLoss, klLoss, l.value))
	}
	if err := a.average(); err != nil {
		return err
	}
	if err := a.descend(l, lr, now, out); err != nil {
		return err
	}
	if out != nil {
		a.last.report(cfg, a.pi.bounds(cfg), len(a.dual)-1, out)
	}

	// η ← max(η, 1e-8), α ← max(α, 1e-8) after a step along L_η and L_α.
	*a.adam.Count() = now
	a.adam.Step(a.dual, a.slope, float32(cfg.DualRate))
	for i := range a.dual {
		a.dual[i] = max(a.dual[i], leastDual)
	}

	// π_T ← π_θ every T_target updates.
	if (now+1)%uint64(cfg.TargetEvery) == 0 {
		copy(a.target, a.m.Theta)
	}
	return nil
}

// behind takes the batch through the target network. On a device the plan does it, which then learns from the same
// batch. The cores do it in parts that keep nothing for a gradient.
func (a *VMPO) behind() {
	if b := a.batch; a.m.onDevice != nil {
		logits, _ := a.m.plan.Forward(a.target, b.Obs, b.TargetState, b.Keep)
		a.m.control.narrow(a.raw, logits)
		return
	}
	a.m.crew.Each(len(a.forwards), a.ahead)
}

// average makes the slopes of η and α, and the divergences they answer to, the mean over the learners.
func (a *VMPO) average() error {
	kl := a.moved[len(a.dual):]
	kl[0] = float32(a.last.OfWeights)
	for k := range kl[1:] {
		kl[1+k] = float32(a.last.OfPolicy[k])
	}
	if err := a.m.reduce(a.moved); err != nil {
		return err
	}
	a.last.OfWeights = float64(kl[0])
	for k := range kl[1:] {
		a.last.OfPolicy[k] = float64(kl[1+k])
	}
	return nil
}

// near is Σ_C α_C·(ε_C − sg(KL_C)) with the slopes of the α's, and adds the derivative of Σ_C sg(α_C)·KL_C (eq. 14 and
// 26).
func (a *VMPO) near(cfg *hyper.Config, each float64) (total float64) {
	alphas := a.dual[1:]
	clear(a.costs)
	if cfg.KLBound == hyper.On {
		for k, alpha := range alphas {
			a.costs[k] = float32(float64(alpha) * each)
		}
	}
	sums, bounds := a.last.OfPolicy[:], a.pi.bounds(cfg)
	a.pi.divergences(sums, a.kl, a.old, a.costs)
	for k, alpha := range alphas {
		sums[k] *= each
		a.last.KLWeight[k] = float64(alpha)
		a.slope[1+k] = 0
		if cfg.KLBound == hyper.On {
			klLoss, slope := loss.Multiplier(float64(alpha), bounds[k], sums[k])
			total += klLoss
			a.slope[1+k] = float32(slope)
		}
	}
	return total
}

// report writes the multipliers and divergences beside their bounds. If all weights are equal, it has no temperature
// to report.
func (c *constraints) report(cfg *hyper.Config, bounds [maxParts]float64, parts int, out *telemetry.Update) {
	if cfg.Psi == hyper.PsiExp {
		out.AlgoValues.Add(telemetry.Temperature, c.Temperature, math.Inf(1))
		out.AlgoValues.Add(telemetry.OfWeights, c.OfWeights, cfg.EpsTemperature)
	}
	of := telemetry.KLWeight
	if parts > 1 {
		of = telemetry.MeanWeight
	}
	for k := range parts {
		bound := math.Inf(1)
		if cfg.KLBound == hyper.On {
			bound = bounds[k]
			out.AlgoValues.Add(of+2*k, c.KLWeight[k], math.Inf(1))
		}
		out.AlgoValues.Add(of+2*k+1, c.OfPolicy[k], bound)
	}
}
