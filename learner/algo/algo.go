package algo

import (
	"fmt"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Algorithm owns the body of the loop: what one update makes of one batch.
type Algorithm interface {
	// Update learns from b with the settings in force and describes what it did in out, which is zero or nil.
	// now is the number of updates so far, lr the learning rate after annealing. Diverged leaves θ as it was.
	Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error
	// Acting is the parameters that actors are given: the learner's own, or those of a target network.
	Acting() []float32
	// State is what it remembers beside θ and the optimiser, in a fixed order, for snapshots: the slices are its own.
	State() [][]float32
}

// Diverged says why a run cannot go on: something stopped being a finite number.
type Diverged string

func (d Diverged) Error() string { return string(d) }

// Entry is one algorithm that can be asked for by name.
type Entry struct {
	Name string
	New  func(m *Machine, cfg *hyper.Config) Algorithm
}

// Table is every algorithm there is. Adding one is one file and one line here and in hyper's table.
var Table = []Entry{
	{"impala", func(m *Machine, cfg *hyper.Config) Algorithm { return NewImpala(m, cfg) }},
	{"stac", func(m *Machine, cfg *hyper.Config) Algorithm { return NewStac(m, cfg) }},
	{"stacx", func(m *Machine, cfg *hyper.Config) Algorithm { return NewStac(m, cfg) }}, // its Spec has more heads
	{"vmpo", func(m *Machine, cfg *hyper.Config) Algorithm { return NewVMPO(m, cfg) }},
	{"laser", func(m *Machine, cfg *hyper.Config) Algorithm { return NewLaser(m, cfg) }},
	{"a2c", func(m *Machine, cfg *hyper.Config) Algorithm { return NewA2C(m, cfg) }},
}

// New makes the algorithm that cfg asks for.
func New(m *Machine, cfg *hyper.Config) (Algorithm, error) {
	var names []string
	for _, e := range Table {
		if e.Name == cfg.Algo {
			if cfg.Learners > 1 {
				return newDataParallel(m, cfg, &e)
			}
			return e.New(m, cfg), nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("algo=%q: want one of %s", cfg.Algo, strings.Join(names, ", "))
}
