package lab

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/web/wire"
)

// act draws an action from the policy that acts and takes it, and notes in f what the two policies make of it. The value
// is the network's own number.
func (w *watch) act(p *policies, f *wire.Frame) (outcome envs.Outcome, value float32) {
	target, values := w.pi.Run(p.target, w.input, w.piCore, 1)
	behaviour, _ := w.mu.Run(p.behaviour, w.input, w.muCore, 1)
	if w.spec.Policy != net.Softmax {
		return w.drive(f, target, behaviour), values[w.task%len(values)]
	}
	logPi, logMu := make([]float32, w.actions), make([]float32, w.actions)
	pi, mu := make([]float32, w.actions), make([]float32, w.actions)
	correct.Softmax(pi, logPi, target, w.actions)
	if p.cfg.Behave == "uniform" {
		clear(behaviour)
	}
	correct.Softmax(mu, logMu, behaviour, w.actions)
	action, left := w.actions-1, w.chance.Float32()
	for i, q := range mu {
		if left -= q; left < 0 {
			action = i
			break
		}
	}
	ratio := float32(math.Exp(float64(logPi[action] - logMu[action])))
	taken, n := action, len(w.world.Spec().Actions)
	if action >= n { // an action that only other tasks of the suite have
		taken = 0
	}
	pi, mu = foldInto(pi, n), foldInto(mu, n)
	outcome = w.world.Step(&w.chance, taken)
	if w.spec.Feedback > 0 {
		net.WriteFeedback(w.input[w.spec.Obs:], action, outcome.Reward)
	}
	f.Action, f.Behaviour, f.Target, f.Ratio = uint8(taken), mu, pi, ratio
	return outcome, values[w.task%len(values)] // one value, or one for each task
}

// foldInto is what probabilities of a suite's actions come to in a world with n: those beyond are its action 0.
func foldInto(p []float32, n int) []float32 {
	for _, q := range p[n:] {
		p[0] += q
	}
	return p[:n]
}

// drive is act for real numbers. A density over a control has no bar for each action: the page is told the ratio and
// no probabilities.
func (w *watch) drive(f *wire.Frame, target, behaviour []float32) envs.Outcome {
	controls := w.world.Spec().Controls
	d := actor.NewDraw(1, len(controls))
	d.Draw(w.spec.Policy, behaviour, controls, &w.chance)
	outcome := w.world.(envs.Driven).Drive(&w.chance, d.Control)
	if w.spec.Feedback > 0 {
		net.WriteControls(w.input[w.spec.Obs:], d.Scaled, outcome.Reward)
	}
	pi, ratio := make([]float32, len(target)), make([]float32, 1)
	correct.Gaussian(pi, nil, target, len(controls), w.spec.Policy.Spread())
	correct.GaussianRatios(ratio, pi, d.Mu, d.Real, len(controls))
	f.Action, f.Behaviour, f.Target, f.Ratio = 0, nil, nil, ratio[0]
	return outcome
}

// weights is what the correction in force makes of a ratio: ρ_t and c_t.
func weights(cfg *hyper.Config, ratio float32) (rho, c float32) {
	correction, err := correct.LookupCorrection(cfg.Correction)
	if err != nil || correction.NStep {
		return 1, 1
	}
	cut := correct.InForce(correction, correct.Truncation[float32]{
		RhoBar: float32(cfg.RhoBar), CBar: float32(cfg.CBar), Lambda: float32(cfg.Lambda),
		LeakRho: float32(cfg.LeakRho), LeakC: float32(cfg.CLeak()),
	})
	return cut.Rho(ratio), cut.C(ratio)
}
