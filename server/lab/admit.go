package lab

import (
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/server/errcode"
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
	if err := cfg.Validate(); err != nil {
		return 0, err
	}
	kernels, err := cfg.Kernels("")
	if err != nil {
		return 0, err
	}
	most := maxWork
	if kernels.Arithmetic() != kernel.Fused {
		most = maxPlainWork
	}
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return 0, err
	case cost.Bytes > float64(l.opts.RunMemory):
		return 0, fmt.Errorf("this run would take %s of memory, most of it for %s; a run may take %s here: make one of "+
			"these smaller", formatBytes(cost.Bytes), cost.Largest, formatBytes(float64(l.opts.RunMemory)))
	case cost.Work > most:
		return 0, fmt.Errorf("one update would take %.2g operations with %s; it may take %.2g here, so that the run still "+
			"answers: make one of these smaller", cost.Work, cost.Working, most)
	}
	return cost.Bytes + topicBytes, nil
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

// formatBytes returns a size for people.
func formatBytes(n float64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
	return fmt.Sprintf("%.3g MB", n/1e6)
}
