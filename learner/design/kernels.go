package design

import (
	"fmt"

	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// Kernels are what a run of cfg is computed with: those of the arithmetic it asks for. Where it leaves that to the
// machine they are like's, an arithmetic's name, if this machine has that, and else the process's own.
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
