package trainer

import (
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/schedule"
	"impalab/web/watch"
)

// Unrolls is every trajectory of the batch behind an update of a run, as the microscope reads them. 0 is the newest
// update. The run has gone on, or is over: so it is learned again up to there, and looked at just before whatever was
// changed at that very moment.
func (t *Trainer) Unrolls(id string, update uint64) (all []watch.Unroll, err error) {
	r, err := t.named(id)
	if err != nil {
		return nil, err
	}
	t.again.Lock()
	defer t.again.Unlock()
	err = schedule.Catch(func() (err error) {
		all, err = r.unrolls(update)
		return err
	})
	return all, err
}

func (r *Run) unrolls(update uint64) (all []watch.Unroll, err error) {
	switch stands := r.record.stands(); {
	case update > stands:
		return nil, fmt.Errorf("update %d: the run has come to update %d", update, stands)
	case stands == 0:
		return nil, errors.New("nothing has been learned from here yet: let the run make one update, then ask again")
	case update == 0:
		update = stands
	}
	err = r.learnAgain(update, update, nil, func(l *learner.Learner) error {
		for of := 1; len(all) < of; {
			in, err := l.Inspect(len(all))
			if err != nil {
				return err
			}
			one, err := watch.UnrollOf(r.id, in)
			if err != nil {
				return err
			}
			all, of = append(all, one), in.Of
		}
		return nil
	})
	return all, err
}
