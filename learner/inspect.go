package learner

import (
	"errors"
	"fmt"

	"impalab/learner/algo"
)

// Inspected is one trajectory of the newest batch, under the learner's current parameters.
type Inspected struct {
	*algo.Inspection
	Update     uint64 // updates behind π and V
	Column, Of int    // the trajectory's column, and the columns of the batch
	Actor      int    // the copy of the world that played it; -1: it is from the replay
}

// Inspect describes trajectory column of the newest batch. It does not change the run; call it in the Between hook. The
// error says, for people, why there is nothing to inspect.
func (l *Learner) Inspect(column int) (*Inspected, error) {
	if !l.filled {
		return nil, errors.New("the run has made no update yet: let it make one, then ask again")
	}
	if err := algo.Inspectable(l.cfg.Algorithm()); err != nil {
		return nil, err
	}
	if column < 0 || column >= l.batch.B {
		return nil, fmt.Errorf("a batch of this run has %d trajectories: ask for one from 0 to %d", l.batch.B, l.batch.B-1)
	}
	in, err := algo.Inspect(l.machine, l.algo, &l.cfg, l.batch, l.updates, column)
	if err != nil {
		return nil, err
	}
	out := &Inspected{Inspection: in, Update: l.updates, Column: column, Of: l.batch.B, Actor: -1}
	if in.Online {
		out.Actor = int(uint32(l.fresh[column].Lane)) // the upper half is the stream of chance
	}
	return out, nil
}
