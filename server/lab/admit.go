package lab

import (
	"fmt"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// maxWork is what one update may ask for, in floating-point operations: about a second on two cores. A run answers
// its people, and ends, between two updates only. Plain arithmetic takes some twenty times as long.
const (
	maxWork      = 5e10
	maxPlainWork = maxWork / 20
)

// admit refuses a configuration that is invalid, or that needs more than a run may use here.
func (l *Lab) admit(cfg *hyper.Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	return l.afford(cfg)
}

// afford refuses a configuration that needs more than a run may use here.
func (l *Lab) afford(cfg *hyper.Config) error {
	kernels, err := cfg.Kernels("")
	if err != nil {
		return err
	}
	most := maxWork
	if kernels.Arithmetic() != kernel.Fused {
		most = maxPlainWork
	}
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return err
	case cost.Bytes > float64(l.opts.RunMemory):
		return fmt.Errorf("this run would take %s of memory, most of it for %s; a run may take %s here: make one of these "+
			"smaller",
			formatBytes(cost.Bytes), cost.Largest, formatBytes(float64(l.opts.RunMemory)))
	case cost.Work > most:
		return fmt.Errorf("one update would take %.2g operations with %s; it may take %.2g here, so that the run still "+
			"answers: make one of these smaller",
			cost.Work, cost.Working, most)
	}
	return nil
}

// topicBytes is what a run takes beside its learner: the past of its page, and what is sent.
const topicBytes = 4e6

// bytes is what a run of cfg, which was admitted, takes by estimate.
func (l *Lab) bytes(cfg *hyper.Config) float64 {
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return topicBytes
	}
	return cost.Bytes + topicBytes
}

// formatBytes is a size for people.
func formatBytes(n float64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
	return fmt.Sprintf("%.3g MB", n/1e6)
}
