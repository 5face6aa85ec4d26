package lab

import (
	"errors"
	"fmt"

	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/server/errcode"
	"impalab/web/runloop"
)

// What one update may ask for, in floating-point operations: about a second on two cores. A run answers people, and
// ends, between two updates only. Plain arithmetic takes some twenty times as long.
const (
	maxWork      = 5e10
	maxPlainWork = maxWork / 20
)

// topicBytes is the memory of a run besides its learner: events that its page may have missed, and frames on their way.
const topicBytes = 4e6

// Admit refuses a configuration that is invalid, or that needs more than a run may use here. It returns the memory that
// the run takes, by estimate.
func (l *Lab) Admit(cfg *hyper.Config) (bytes float64, err error) {
	limits := runloop.Limits{Bytes: float64(l.opts.RunMemory), Work: maxWork, Here: "here"}
	if kernels, err := cfg.Kernels(""); err == nil && kernels.Arithmetic() != kernel.Fused {
		limits.Work = maxPlainWork
	}
	if bytes, err = limits.Check(cfg); err != nil {
		return 0, err
	}
	return bytes + topicBytes, nil
}

// Admit implements runloop.Host.
func (r *Run) Admit(cfg *hyper.Config) error {
	bytes, err := r.lab.Admit(cfg)
	if err != nil {
		return err
	}
	if r.claim != nil && bytes != r.bytes && !r.lab.budget.resize(r.claim, bytes) {
		return fmt.Errorf("the server has no memory for that now: the run would take %s of memory",
			runloop.FormatBytes(bytes))
	}
	r.bytes = bytes
	return nil
}

// mayBegin refuses an unwatched run without an end, and any run while nothing can be stored.
func (l *Lab) mayBegin(purpose Purpose, cfg *hyper.Config) error {
	if purpose != Watch && cfg.Steps == 0 {
		return refused(errors.New("steps=0: a run without viewers needs an end; set steps"))
	}
	return l.Storable()
}

// Storable returns why nothing can be stored now, or nil.
func (l *Lab) Storable() error {
	err := l.stuck()
	if err == nil && l.opts.Storable() != nil {
		err = errUnkept
	}
	if err != nil {
		return &errcode.Error{Code: errcode.Full, Err: err}
	}
	return nil
}
