package learner

import (
	"errors"

	"impalab/learner/algo"
	"impalab/learner/hyper"
)

// CopyFrom makes l continue from other's state: its parameters and the past ones, its optimiser, its algorithm's
// memory, and its record. The worlds, the replay, chance and the settings stay l's own, so the two differ from here on.
// A group keeps its one replay. Call it between two updates of both.
func (l *Learner) CopyFrom(other *Learner) error {
	if l.cfg.Mode == hyper.Live || other.cfg.Mode == hyper.Live {
		return errors.New("copying another learner's state needs mode=reference: live actors never pause")
	}
	grouped := l.store == other.store
	if l.cfg.Sharers > 0 && !grouped {
		return errors.New("copying another learner's state needs sharers=0: the store holds the play of other agents too")
	}
	learned, err := other.save()
	if err != nil {
		return err
	}
	if !grouped { // unrolls in the replay keep their age; a group counts its updates together
		for _, u := range l.store.All() {
			u.Version += other.updates - l.updates
		}
	}
	if err := l.restoreAgent(&learned); err != nil {
		return err
	}
	if parallel, ok := l.algo.(*algo.DataParallel); ok {
		parallel.Replicate()
	}
	l.replayers.restart()
	l.diverged = other.diverged
	return nil
}
