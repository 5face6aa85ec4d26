package trainer

import (
	"fmt"

	"impalab/learner"
	"impalab/learner/schedule"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/watch"
	"impalab/web/wire"
)

// An earlier moment of a run is made again beside it, as a server makes it: a learner comes from the nearest snapshot
// to the same bytes.

// maxMoments is how many updates are made again at once.
const maxMoments = 64

// Moments is one frame of what a page is shown of a run's updates from one to another, made again. There are fewer
// where the run has not come to the last of them, or they would fill more than a frame.
func (t *Trainer) Moments(id string, from, to uint64, parameters bool) (frame []byte, err error) {
	r, err := t.named(id)
	if err != nil {
		return nil, err
	}
	if from == 0 || to < from || to-from >= maxMoments {
		return nil, fmt.Errorf("updates %d to %d: at most %d are made again at once, and the first is 1", from, to,
			maxMoments)
	}
	t.again.Lock() // each is a learner of its own
	defer t.again.Unlock()
	var made []wire.Message
	err = schedule.Catch(func() (err error) {
		made, err = r.moments(from, to, parameters)
		return err
	})
	if err != nil {
		return nil, err
	}
	return wire.AppendJoined(nil, made)
}

// moments are those of updates that the run has come to.
func (r *Run) moments(from, to uint64, parameters bool) (made []wire.Message, err error) {
	stands := r.record.stands()
	if from > stands {
		return nil, fmt.Errorf("update %d: the run has come to update %d", from, stands)
	}
	to = min(to, stands)
	seen := watch.Moments{Parameters: parameters}
	err = r.learnAgain(from, to, func(u *telemetry.Update) { seen.Newest = *u }, func(l *learner.Learner) error {
		full, err := seen.Add(l)
		if full {
			return tape.ErrEnough
		}
		return err
	})
	return seen.Made, err
}

// learnAgain learns the run again from the nearest snapshot, and calls seen behind each update from one to another, as
// tape.Past.Again does.
func (r *Run) learnAgain(from, to uint64, described func(*telemetry.Update), seen func(*learner.Learner) error) error {
	l, err := r.before(from)
	if err != nil {
		return err
	}
	defer l.Close()
	past := r.record.past(l.Updates())
	going := func() error {
		r.trainer.opts.Breathe()
		return r.end()
	}
	_, err = past.Again(l, from, to, going, described, func() error { return seen(l) })
	return err
}

// before is a learner as it stood before an update: at the nearest snapshot, or at the beginning.
func (r *Run) before(update uint64) (*learner.Learner, error) {
	engine := learner.Engine{Lower: r.trainer.opts.Lower}
	if s, ok := r.record.newestBefore(update); ok {
		return engine.Resume(s.blob)
	}
	return engine.New(r.asked.Config)
}
