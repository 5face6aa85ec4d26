package trial

// A trial that may be interrupted anywhere. Continued from its last state it gives the same reports, to the digit. Only
// the times differ.

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"slices"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
)

// Way says how an interruptible trial runs.
type Way struct {
	Engine learner.Engine           // makes the learners; Trial.Begin must be nil
	From   []byte                   // an earlier state; nil: from the beginning
	Every  time.Duration            // between two states, at least twenty times as long as storing one; half to the first
	Keep   func(state []byte) error // stores a state, also after each seed and when ctx ends; its error ends the trial
	// First receives the curve of the first seed, without its budget, before each state; nil: not wanted.
	First func(Curve)
	// Progress receives the finished steps of Trial.Budget, often; nil: not wanted.
	Progress func(steps uint64)
}

// state is the progress of a trial. Its reader knows the seeds.
type state struct {
	Format int
	Done   []Report // of the first seeds
	At     *halfway // the next one's; nil: it has not begun
}

const stateFormat = 1

// halfway is an unfinished run.
type halfway struct {
	Snapshot []byte
	Curve    []float64
	Poses    []int16
	Traces   []telemetry.AlgoValue // the newest…
	Updates  int                   // …after this many updates
	Spreads  recorded
	Took     time.Duration
}

// Resume trains the seeds one after the other, from w.From on. When ctx ends, it stores its state and returns ctx's
// error. As in Run, a panic in a run is its error.
func (t *Trial) Resume(ctx context.Context, w Way) ([]Report, error) {
	if t.Config.Mode != hyper.Reference || t.Script != nil || t.Falls || t.Thin || t.Begin != nil {
		return nil, errors.New("only a trial of reference runs without a script can be interrupted and continued")
	}
	s := state{Format: stateFormat}
	if w.From != nil {
		if err := gob.NewDecoder(bytes.NewReader(w.From)).Decode(&s); err != nil {
			return nil, fmt.Errorf("not the state of a trial: %w", err)
		}
		if s.Format != stateFormat || len(s.Done) > len(t.Seeds) {
			return nil, fmt.Errorf("the state of another trial: format %d, %d seeds done", s.Format, len(s.Done))
		}
	}
	alone := *t
	alone.Jobs = 1
	for i := len(s.Done); i < len(t.Seeds); i++ {
		r := &resumable{way: &w, state: &s, before: t.Config.Steps * uint64(i), kept: time.Now()}
		alone.resumable = r
		var report Report
		err := schedule.Catch(func() (err error) { report, err = alone.train(ctx, t.Seeds[i]); return err })
		if err != nil {
			return nil, err
		}
		if report.Interrupted {
			return nil, ctx.Err()
		}
		report.CPU = nil // the time of earlier processes is not known
		s.Done, s.At = append(s.Done, report), nil
		if err := w.save(&s); err != nil {
			return nil, err
		}
	}
	return s.Done, nil
}

// first returns the curve of the first seed, without its budget; empty if there is none yet.
func (s *state) first() (c Curve) {
	switch {
	case len(s.Done) > 0:
		c.At, c.Poses = s.Done[0].Curve.At, s.Done[0].Curve.Poses
	case s.At != nil:
		c.At, c.Poses = s.At.Curve, s.At.Poses
	}
	return c
}

func (w *Way) save(s *state) error {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(s); err != nil {
		return err
	}
	if w.First != nil {
		w.First(s.first())
	}
	return w.Keep(out.Bytes())
}

// resumable is an interruptible run of one seed.
type resumable struct {
	way    *Way
	state  *state
	before uint64 // steps of the seeds before this one
	kept   time.Time
	pause  time.Duration // to the next state

	began time.Time
	watch *watch
}

// begin returns the learner, from the last state if there is one.
func (r *resumable) begin(cfg hyper.Config) (*learner.Learner, error) {
	at := r.state.At
	if at == nil {
		return r.way.Engine.New(cfg)
	}
	l, err := r.way.Engine.Resume(at.Snapshot)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(l.Config().Settings(), cfg.Settings()) {
		l.Close()
		return nil, errors.New("the state of another trial: its settings differ")
	}
	return l, nil
}

// record adds the storing of states to hooks. The watch of the run continues from the last state.
func (r *resumable) record(w *watch, hooks learner.Hooks) learner.Hooks {
	r.watch, r.began = w, time.Now()
	r.pause = r.way.Every / 2
	if at := r.state.At; at != nil {
		w.curve.At, w.curve.Poses, w.traces.updates = at.Curve, at.Poses, at.Updates
		for _, trace := range at.Traces {
			w.traces.newest.Add(trace.Of, float64(trace.Value), float64(trace.Bound))
		}
		w.spread.recorded = at.Spreads
		r.began = r.began.Add(-at.Took)
	}
	return first(hooks, func(l *learner.Learner) error {
		if r.way.Progress != nil {
			r.way.Progress(r.before + l.Steps())
		}
		if time.Since(r.kept) >= r.pause {
			return r.save(l)
		}
		return nil
	})
}

// save stores the state of the run between two updates.
func (r *resumable) save(l *learner.Learner) error {
	began := time.Now()
	blob, err := l.Snapshot()
	if err != nil {
		return err
	}
	w := r.watch
	at := &halfway{Snapshot: blob, Curve: w.curve.At, Poses: w.curve.Poses, Traces: w.traces.newest.List(),
		Updates: w.traces.updates, Spreads: w.spread.recorded, Took: time.Since(r.began)}
	if err := r.way.save(&state{r.state.Format, r.state.Done, at}); err != nil {
		return err
	}
	r.kept = time.Now()
	r.pause = max(r.way.Every, 20*r.kept.Sub(began))
	return nil
}
