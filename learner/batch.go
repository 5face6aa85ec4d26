package learner

import (
	"context"
	"errors"

	"impalab/learner/actor"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// The batch of an update: fresh unrolls, then replayed ones.

// collect makes the actors play fresh unrolls. If the policy cannot act, the run has diverged.
func (l *Learner) collect(ctx context.Context, n int, heard func(telemetry.Episode)) error {
	for len(l.fresh) < n {
		l.fresh = append(l.fresh, traj.NewUnroll(l.cfg.UnrollLen, l.batch.Shape))
	}
	at := l.steps
	err := l.fleet.collect(ctx, l.window, l.fresh[:n], func(e telemetry.Episode) {
		e.Step = at
		l.episodes++
		l.scores.add(e.Task, float64(e.Return))
		if heard != nil {
			heard(e)
		}
	})
	if errors.Is(err, actor.ErrNotFinite) {
		l.diverge(err)
		return nil
	}
	return err
}

// newSteps counts the steps of fresh unrolls that no earlier unroll has.
func newSteps(fresh []*traj.Unroll) (steps uint64) {
	for _, u := range fresh {
		steps += uint64(u.T - u.Again)
	}
	return steps
}

// fill makes the batch: fresh unrolls first, then replayed ones. The learner learns from fresh unrolls before they
// enter the store (LASER §5). If the store is empty, fill stores the fresh unrolls first, because there is nothing else
// to replay, and returns true.
func (l *Learner) fill(fresh, replayed int) (stored bool) {
	if replayed > 0 && l.store.Len() == 0 {
		l.storeFresh(fresh)
		stored = true
	}
	l.batch.Begin()
	online := l.cfg.BatchSize - replayed
	for i := range online {
		l.batch.SetColumn(i, l.fresh[i], true)
	}
	l.drawn = l.drawn[:0]
	if l.replayers != nil {
		l.replayers.fill(l, online)
		return stored
	}
	for i := online; i < l.cfg.BatchSize; i++ {
		place := l.store.Draw(&l.rng)
		l.drawn = append(l.drawn, place)
		l.batch.SetColumn(i, l.store.At(place), false)
		l.replayState.recall(l.batch, i, l.machine.Theta, l.algo.Acting(), l.store.At(place), l.store)
	}
	l.weights = append(l.weights[:0], l.batch.Weight[:replayed]...) // room
	l.store.Weigh(l.weights, l.drawn)
	for i, weight := range l.weights {
		l.batch.Weigh(online+i, weight)
	}
	return stored
}

// storeFresh adds the fresh unrolls to the store.
func (l *Learner) storeFresh(fresh int) {
	for _, u := range l.fresh[:fresh] {
		l.store.Add(u)
	}
}
