// Package microscope is the state of the page about one unroll: every number that a correction makes of it, and how
// each was made. learner/correct computes all of them, in float64. Nothing here knows the browser. Read Scope first.
package microscope

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/number"
)

// Unroll is one trajectory of a batch as the learner sees it with its current parameters.
type Unroll struct {
	World        string
	Update, Age  uint64 // updates of the learner, and how many of them μ has not seen
	Column, Of   int    // index of the trajectory in the batch, and the size of the batch
	Replayed     bool
	Actor        int // the copy of the world that played it; -1: unknown
	Steps        []Step
	Bootstrap    float64 // V(x_T)
	Config       hyper.Config
	NamedActions bool // actions have probabilities; else real numbers have densities
}

// Step is a step of an unroll.
type Step struct {
	Act    string  // in words
	Reward float64 // as the learner sees it
	End    envs.End
	Final  float64 // V of the state that a time limit cut the episode in
	Value  float64 // V(x_t)
	Pi, Mu float64 // π(a_t|x_t) and μ(a_t|x_t)
	Ratio  float64
	Weight float64   // of the policy gradient under a person's own correction, of which the run alone knows the function
	Inside bool      // the trust region of the run
	LogPi  []float64 // of all actions; nil for real numbers
	LogMu  []float64
}

// Check refuses an unroll that no diagram can show.
func (u *Unroll) Check() error {
	if len(u.Steps) == 0 {
		return errors.New("the unroll has no steps")
	}
	actions := len(u.Steps[0].LogPi)
	for t, s := range u.Steps {
		for _, v := range [...]float64{s.Reward, s.Final, s.Value, s.Ratio, s.Weight, u.Bootstrap} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("step %d of the unroll has a number that is not finite", t)
			}
		}
		if s.Ratio < 0 {
			return fmt.Errorf("step %d of the unroll has a ratio below 0", t)
		}
		if len(s.LogPi) != actions || len(s.LogMu) != actions {
			return fmt.Errorf("step %d of the unroll has another number of actions than step 0", t)
		}
	}
	return nil
}

// Numbers is everything that a correction makes of an unroll, with an entry for each step.
type Numbers struct {
	Correction *correct.Correction
	Clip       correct.Truncation[float64] // in force
	In         correct.Unroll[float64]
	Targets    *correct.Targets[float64]
	Delta      []float64 // δ_t = r_t + γ_t·V_{t+1} − V_t
	Next       []float64 // V of the next state, 0 after an end
	NextTarget []float64 // v of the next state
	Weighed    []float64 // the ratios that the correction weighs: of steps, or of stretches
	Lift       float64   // what the lift adds to each advantage
}

// Of computes the numbers of u under cfg.
func Of(u *Unroll, cfg *hyper.Config) *Numbers {
	n := len(u.Steps)
	q := &Numbers{
		Correction: &correct.Corrections[cfg.Correction], Clip: hyper.InForce[float64](cfg),
		In: correct.Unroll[float64]{
			T: n, B: 1, Reward: make([]float64, n), Discount: make([]float64, n), Value: make([]float64, n),
			Bootstrap: []float64{u.Bootstrap}, Ratio: make([]float64, n), Pi: make([]float64, n), Limits: cfg.Limits(),
		},
		Targets: correct.NewTargets[float64](n, 1),
		Next:    make([]float64, n), NextTarget: make([]float64, n),
	}
	for t, s := range u.Steps {
		q.In.Reward[t], q.In.Discount[t], q.In.Value[t], q.In.Ratio[t] = s.Reward, cfg.Gamma, s.Value, s.Ratio
		q.In.Pi[t] = s.Pi
		switch s.End {
		case envs.Terminated:
			q.In.Discount[t] = 0
		case envs.Truncated:
			correct.FoldTruncation(q.In.Reward, q.In.Discount, t, cfg.Gamma, s.Final)
		}
	}
	if q.Correction.TrustRegion || cfg.Algorithm().Masks {
		q.In.Mask = u.mask(cfg)
	}
	q.In.Limits.Lift = 0
	correct.Apply(q.Targets, q.Correction, &q.In, q.Clip, correct.AdvantageBootstrap)
	q.Delta = append(q.Delta, q.Targets.Advantage...) // that advantage is δ
	correct.Apply(q.Targets, q.Correction, &q.In, q.Clip, cfg.Advantage)
	if q.In.Limits = cfg.Limits(); q.In.Limits.Lift != 0 {
		q.Lift = -q.Targets.Advantage[0]
		correct.Apply(q.Targets, q.Correction, &q.In, q.Clip, cfg.Advantage)
		q.Lift += q.Targets.Advantage[0]
	}
	if cfg.Correction == correct.MethodOwn {
		for t, s := range u.Steps {
			q.Targets.Weight[t] = s.Weight
		}
	}
	q.Weighed = q.Targets.Weighed(q.Correction, &q.In)
	for t, s := range u.Steps {
		switch {
		case s.End == envs.Terminated:
		case s.End == envs.Truncated:
			q.Next[t], q.NextTarget[t] = s.Final, s.Final
		case t+1 == n:
			q.Next[t], q.NextTarget[t] = u.Bootstrap, u.Bootstrap
		default:
			q.Next[t], q.NextTarget[t] = u.Steps[t+1].Value, q.Targets.VS[t+1]
		}
	}
	return q
}

// mask returns m_t under cfg. For real numbers it is the run's own: their densities alone do not decide it.
func (u *Unroll) mask(cfg *hyper.Config) []float64 {
	mask := make([]float64, len(u.Steps))
	var kl [1]float64
	for t, s := range u.Steps {
		if s.LogPi == nil {
			if s.Inside {
				mask[t] = 1
			}
			continue
		}
		correct.TrustMask(mask[t:t+1], kl[:], s.LogPi, s.LogMu, len(s.LogPi), cfg.RhoBar, cfg.TrustKL, cfg.Relevance)
	}
	return mask
}

// Why says why the policy gradient weights a step as it does.
func (q *Numbers) Why(cfg *hyper.Config, t int) correct.Reason {
	rho := q.Clip.RhoBarPG
	if q.Correction.NStep {
		rho = q.Clip.RhoBar
	}
	return cfg.Correction.Why(q.In.Limits, rho, correct.Step{Ratio: q.Weighed[t], Advantage: q.Targets.Advantage[t],
		Pi: q.In.Pi[t]}, q.Targets.Weight[t])
}

// Inside reports m_t = 1.
func (q *Numbers) Inside(t int) bool { return q.In.Mask == nil || q.In.Mask[t] != 0 }

// Probabilities sets the policies of a step: the probabilities of all actions, and the action.
func (s *Step) Probabilities(action int, pi, mu []float64) {
	if action < 0 || action >= min(len(pi), len(mu)) {
		return // Check reports it
	}
	s.Pi, s.Mu = pi[action], mu[action]
	for a := range min(len(pi), len(mu)) {
		s.LogPi, s.LogMu = append(s.LogPi, math.Log(pi[a])), append(s.LogMu, math.Log(mu[a]))
	}
}

// Densities sets the real numbers of a Gaussian policy, and their densities under both policies.
func (s *Step) Densities(real []float64, pi, mu float64) {
	words := make([]string, len(real))
	for i, x := range real {
		words[i] = number.Figures(x)
	}
	s.Act, s.Pi, s.Mu = strings.Join(words, ", "), pi, mu
}
