// Package learner wires the loop of IMPALA (§3): actors play unrolls with a policy, the learner corrects for
// its age and takes a step. A reference run is a function of its configuration and its changes alone; a live
// run lets actors race the learner. Read Learner.Run first.
package learner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"impalab/envs"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/replay"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Learner is one run. It belongs to one goroutine; use the Between hook to read it or to change its settings.
type Learner struct {
	engine      Engine
	cfg         hyper.Config
	machine     *algo.Machine
	algo        algo.Algorithm
	fleet       fleet
	store       *replay.Store
	rng         envs.Rand  // draws from the replay
	drawn       []int      // places of the batch's replayed trajectories
	weights     []float32  // of these
	others      []*Learner // agents that share the store, see shared.go
	plays       bool       // the agent plays and does not learn
	replayState *replayState
	replayers   *replayers // of replay-by=episode, else nil

	window *lagWindow // parameters of earlier updates, as far back as the lag reaches
	batch  *traj.Batch
	filled bool // the batch is the newest update's
	fresh  []*traj.Unroll
	scores scores

	steps, updates, episodes uint64
	arithmetic               string  // see Arithmetic
	goal                     float64 // mean return that counts as solved
	solved                   uint64  // steps when it was first reached; 0: not yet
	diverged                 string
}

// Hooks watch and change a run. The learner calls them on its own goroutine.
type Hooks struct {
	// Between is called between two updates, never inside one. Run returns its error at once.
	Between func(*Learner) error
	// Due reports whether the next update should be described; nil: always if Update is set. The last update of a
	// budget always is.
	Due func() bool
	// Update receives each described update. The value is good during the call.
	Update func(*telemetry.Update)
	// Episode receives every finished training episode.
	Episode func(telemetry.Episode)
}

// Run trains until the budget is spent, the run diverges, ctx ends or a hook stops it. A reference run ends between two
// updates of all its agents, before Between, so that it can continue. One update has bounded work (CostOf).
func (l *Learner) Run(ctx context.Context, hooks Hooks) (Result, error) {
	var update telemetry.Update
	for l.diverged == "" && !l.Finished() {
		if err := ctx.Err(); err != nil {
			return l.Result(), err
		}
		if hooks.Between != nil {
			if err := hooks.Between(l); err != nil {
				return l.Result(), err
			}
			if l.Finished() {
				break
			}
		}
		described := (*telemetry.Update)(nil)
		if hooks.Update != nil && (hooks.Due == nil || hooks.Due() || l.last()) {
			described = &update
		}
		if err := l.step(ctx, described, hooks.Episode); err != nil {
			return l.Result(), err
		}
		if described != nil && l.diverged == "" {
			hooks.Update(described)
		}
	}
	return l.Result(), nil
}

// step makes one update of every agent.
func (l *Learner) step(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	if err := l.update(ctx, out, heard); err != nil || l.diverged != "" {
		return err
	}
	return l.trainOthers(ctx)
}

// update makes one update: collect, learn, publish.
func (l *Learner) update(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	replayed := l.cfg.Replayed()
	fresh := l.cfg.Fresh()
	if err := l.collect(ctx, fresh, heard); err != nil || l.diverged != "" {
		return err
	}
	lr := l.learningRate() // of the steps before this batch: the last update still has a rate above 0
	l.steps += newSteps(l.fresh[:fresh])
	if !l.Finished() {
		l.fleet.begin(l.window, l.cfg.Fresh())
	}
	l.scores.mark()
	if l.solved == 0 && l.scores.full() && l.scores.mean() >= l.goal {
		l.solved = l.steps
	}
	stored := l.fill(fresh, replayed)

	if out != nil {
		*out = telemetry.Update{}
	}
	if err := l.algo.Update(l.batch, &l.cfg, lr, l.updates, out); err != nil {
		var d algo.Diverged
		if !errors.As(err, &d) {
			return err
		}
		l.diverge(d)
		return nil
	}
	if err := l.machine.Err(); err != nil {
		return err
	}
	l.updates++
	l.filled = true
	for i, place := range l.drawn {
		l.store.Visit(place, float64(l.batch.Surprise[l.cfg.BatchSize-replayed+i]))
	}
	if l.replayers != nil {
		l.replayers.learned(l.batch, l.cfg.BatchSize-replayed, l.store)
	}
	if replayed > 0 && !stored {
		l.storeFresh(fresh)
	}
	l.publish()
	if out != nil {
		out.Step, out.Update, out.Episodes = l.steps, l.updates, l.episodes
	}
	return nil
}

// diverge records where and why the run must stop.
func (l *Learner) diverge(why error) {
	l.diverged = fmt.Sprintf("update %d, step %d: %s", l.updates+1, l.steps, why)
}

func (l *Learner) learningRate() float64 {
	if l.cfg.Anneal == hyper.AnnealLinear {
		return l.cfg.LearningRate * math.Max(0, 1-float64(l.steps)/float64(l.cfg.Steps))
	}
	return l.cfg.LearningRate
}

// publish gives the actors the current parameters.
func (l *Learner) publish() {
	l.window.push(l.algo.Acting(), l.updates, l.cfg.Lag)
	l.fleet.publish(l.algo.Acting(), l.updates)
}

// Close stops the run's goroutines.
func (l *Learner) Close() {
	for _, other := range l.others {
		other.Close()
	}
	if l.fleet != nil {
		l.fleet.close()
	}
	if parallel, ok := l.algo.(io.Closer); ok {
		parallel.Close()
	}
	l.machine.Close()
}
