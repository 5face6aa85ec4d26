package design

import (
	"fmt"

	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// Kernels returns the kernels for a run of cfg: those of the arithmetic in cfg. If cfg leaves it to the machine, they
// have the arithmetic named like if this machine has it, and otherwise the process's own.
func Kernels(cfg *hyper.Config, like string) (kernel.Set, error) {
	if cfg.Arithmetic == hyper.AutoArithmetic {
		set, err := kernel.In(like)
		if err != nil {
			return kernel.Auto, nil
		}
		return set, nil
	}
	set, err := kernel.In(string(cfg.Arithmetic))
	if err != nil {
		return set, fmt.Errorf("arithmetic=%s: %w; set arithmetic=%s", cfg.Arithmetic, err, hyper.AutoArithmetic)
	}
	return set, nil
}
