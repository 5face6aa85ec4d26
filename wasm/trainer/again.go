package trainer

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner"
	"impalab/learner/telemetry"
	"impalab/learner/work"
	"impalab/web/show"
	"impalab/web/wire"
)

// An earlier moment of a run is made again beside it, as a server makes it: a learner comes from the nearest snapshot
// to the same bytes.

// maxMoments is how many updates are made again at once.
const maxMoments = 64

// errEnough ends a learner that has been seen for long enough.
var errEnough = errors.New("enough was seen")

// Moments is one frame of what a page is shown of a run's updates from one to another, made again. There are fewer
// where the run has not come to the last of them, or they would fill more than a frame.
func (t *Trainer) Moments(id string, from, to uint64, parameters bool) (frame []byte, err error) {
	t.mu.Lock()
	r := t.find(id)
	t.mu.Unlock()
	switch {
	case r == nil:
		return nil, errDropped
	case from == 0 || to < from || to-from >= maxMoments:
		return nil, fmt.Errorf("updates %d to %d: at most %d are made again at once, and the first is 1", from, to,
			maxMoments)
	}
	t.again.Lock() // each is a learner of its own
	defer t.again.Unlock()
	var made []wire.Message
	err = work.Catch(func() (err error) {
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
	l, err := r.before(from)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	still, err := show.NewStill(l)
	if err != nil {
		return nil, err
	}
	past := r.record.past(l.Updates())
	var newest telemetry.Update
	next, size := from, 0 // the update to be seen, and the bytes of those that were
	look := func() error {
		if l.Updates() < next {
			return nil
		}
		next++
		seen := still.Of(l, &newest, parameters)
		for _, m := range seen {
			frame, err := wire.Append(nil, m)
			if err != nil {
				return err
			}
			size += len(frame) + 4
		}
		if size > wire.MaxToBrowser/2 && len(made) > 0 {
			return errEnough
		}
		made = append(made, seen...)
		return nil
	}
	_, err = l.Run(context.Background(), learner.Hooks{
		Due:    func() bool { return l.Updates()+1 >= from },
		Update: func(u *telemetry.Update) { newest = *u },
		Between: func(*learner.Learner) error {
			r.trainer.opts.Breathe()
			if err := r.end(); err != nil {
				return err
			}
			if err := look(); err != nil {
				return err
			}
			if next > to {
				return errEnough
			}
			_, err := past.Apply(l)
			return err
		}})
	if err == nil && l.Finished() { // behind its last update nothing is between two
		err = look()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return made, nil
}

// before is a learner as it stood before an update: at the nearest snapshot, or at the beginning.
func (r *Run) before(update uint64) (*learner.Learner, error) {
	engine := learner.Engine{Lower: r.trainer.opts.Lower}
	if s, ok := r.record.newestBefore(update); ok {
		return engine.Resume(s.blob)
	}
	return engine.New(r.asked.Config)
}
