package algo

import (
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Algorithm owns the body of the loop: what one update makes of one batch.
type Algorithm interface {
	// Update learns from b with the settings in force and describes what it did in out, unless out is nil.
	// now is the number of updates so far, lr the learning rate after annealing. Diverged leaves θ as it was.
	Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error
}

// Diverged says why a run cannot go on: something stopped being a finite number.
type Diverged string

func (d Diverged) Error() string { return string(d) }
