package algo

import (
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/script"
)

// OwnCorrection compiles the program of cfg, if its correction is the person's own; else it returns nil. The error is a
// sentence with the line of the program.
func OwnCorrection(cfg *hyper.Config) (*script.Function, error) {
	if cfg.Correction != correct.MethodOwn {
		return nil, nil
	}
	f, err := script.Compile(cfg.Program, correct.OwnName, correct.OwnParameters...)
	if err != nil {
		return nil, fmt.Errorf("program: %w", err)
	}
	return f, nil
}

// function is the compiled program of a run, and its text.
type function struct {
	text string
	f    *script.Function
}

// of returns the function of cfg.
func (c *function) of(cfg *hyper.Config) (*script.Function, error) {
	if c.f == nil || c.text != cfg.Program {
		f, err := OwnCorrection(cfg)
		if err != nil {
			return nil, err
		}
		c.text, c.f = cfg.Program, f
	}
	return c.f, nil
}

// ownWeights multiplies each row's weight by the result of the person's function, under MethodOwn. The error ends the
// run: it names the line and the numbers of the step.
func (r *rows) ownWeights() error {
	if r.function == nil || r.fault != nil {
		return r.fault
	}
	calls := r.function.Calls()
	for i := range r.targets.Weight {
		w, pi := float64(r.ratio[i]), float64(r.part(r.all.chosen)[i])
		mu := pi / w
		if w == 0 {
			mu = script.Exp(float64(r.data.Mu[i*r.data.Actions+int(r.data.Action[i])]))
		}
		age := float64(r.now - r.batch.Version[(r.from+i)%r.batch.B])
		adv := float64(r.targets.Advantage[i])
		c, err := calls.Call(w, adv, pi, mu, age)
		if err == nil && math.IsNaN(c) {
			err = fmt.Errorf("it returned NaN")
		}
		if err != nil {
			return fmt.Errorf("your own correction stopped the run: %w (ratio=%.4g, adv=%.4g, pi=%.4g, mu=%.4g, age=%g)",
				err, w, adv, pi, mu, age)
		}
		r.targets.Weight[i] *= float32(correct.HoldOwn(c))
	}
	return nil
}
