package trainer

import (
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/web/runloop"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Moments recomputes a range of a run's updates, and returns one frame for the page. The range ends early
// where the run stands or where the frame is full.
func (t *Trainer) Moments(id string, from, to uint64, parameters bool) (frame []byte, err error) {
	if err := runloop.CheckMoments(from, to); err != nil {
		return nil, err
	}
	var made []wire.Message
	err = t.recompute(id, from, func(r *Run, stands uint64) (err error) {
		made, err = runloop.Moments(parameters, func(described func(*telemetry.Update),
			seen func(*learner.Learner) error) error {
			return r.again(from, min(to, stands), described, seen)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return wire.AppendJoined(nil, made)
}

// Unrolls returns every trajectory of the batch behind an update of a run, for the microscope; 0: of the newest update.
// The run has continued meanwhile, so this recomputes it up to there, before any change that was made at that update.
func (t *Trainer) Unrolls(id string, update uint64) (all []watch.Unroll, err error) {
	err = t.recompute(id, update, func(r *Run, stands uint64) error {
		if stands == 0 {
			return errors.New("the run has made no update yet: let it make one, then ask again")
		}
		if update == 0 {
			update = stands
		}
		return r.again(update, update, nil, func(l *learner.Learner) error {
			for of := 1; len(all) < of; {
				in, err := l.Inspect(len(all))
				if err != nil {
					return err
				}
				one, err := watch.UnrollOf(r.ID, in)
				if err != nil {
					return err
				}
				all, of = append(all, one), in.Of
			}
			return nil
		})
	})
	return all, err
}

// recompute calls f with a run that has come to an update, and with the update where the run stands. Each call is a
// learner of its own, so it makes one at a time.
func (t *Trainer) recompute(id string, update uint64, f func(r *Run, stands uint64) error) error {
	r, err := t.named(id)
	if err != nil {
		return err
	}
	stands := r.record.Position().Updates
	if update > stands {
		return fmt.Errorf("update %d: the run has reached update %d", update, stands)
	}
	t.recomputing.Lock()
	defer t.recomputing.Unlock()
	return schedule.Catch(func() error { return f(r, stands) })
}

// again recomputes the run from the nearest snapshot, as tape.Past.Again does.
func (r *Run) again(from, to uint64, described func(*telemetry.Update), seen func(*learner.Learner) error) error {
	l, _, err := r.before(from)
	if err != nil {
		return err
	}
	defer l.Close()
	past := r.record.Past(l.Updates())
	going := func() error {
		r.Breathe()
		return r.Interruption()
	}
	_, err = past.Again(l, from, to, going, described, func() error { return seen(l) })
	return err
}
