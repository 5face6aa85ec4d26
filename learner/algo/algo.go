package algo

import (
	"fmt"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Algorithm owns the body of the loop: one update from one batch.
type Algorithm interface {
	// Update learns from b with the current settings and describes the update in out, which is zero or nil. now is the
	// number of updates so far, lr the annealed learning rate. After a Diverged error θ is unchanged.
	Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error
	// Acting returns the parameters for the actors: the learner's own, or a target network's.
	Acting() []float32
	// State returns the algorithm's memory apart from θ and the optimiser, in a fixed order, for snapshots. The slices
	// are its own.
	State() [][]float32
}

// Diverged says why a run cannot continue: a number is not finite.
type Diverged string

func (d Diverged) Error() string { return string(d) }

type constructor = func(m *Machine, cfg *hyper.Config) Algorithm

// constructors has an entry for each row of hyper.Algorithms; a test compares the two.
var constructors = map[hyper.Algo]constructor{
	hyper.Impala: func(m *Machine, cfg *hyper.Config) Algorithm { return NewImpala(m, cfg) },
	hyper.Stac:   func(m *Machine, cfg *hyper.Config) Algorithm { return NewStac(m, cfg) },
	hyper.Stacx:  func(m *Machine, cfg *hyper.Config) Algorithm { return NewStac(m, cfg) }, // its Spec has more heads
	hyper.VMPO:   func(m *Machine, cfg *hyper.Config) Algorithm { return NewVMPO(m, cfg) },
	hyper.Laser:  func(m *Machine, cfg *hyper.Config) Algorithm { return NewLaser(m, cfg) },
	hyper.A2C:    func(m *Machine, cfg *hyper.Config) Algorithm { return NewA2C(m, cfg) },
}

// New makes the algorithm that cfg asks for.
func New(m *Machine, cfg *hyper.Config) (Algorithm, error) {
	construct := constructors[cfg.Algo]
	if construct == nil {
		return nil, fmt.Errorf("algo=%q is not an algorithm of this build; `impalab algos` lists them", cfg.Algo)
	}
	if cfg.Learners > 1 {
		return newDataParallel(m, cfg, construct)
	}
	return construct(m, cfg), nil
}
