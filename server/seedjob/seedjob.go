// Package seedjob trains one configuration over seeds as a job: an entry of the board, or an answer of a class. If its
// worker dies, at most two seconds of it are lost, or twenty times what a state takes. The next worker comes to the
// same reports, to the digit. A run of a sweep is a run of the lab instead: people watch it on a page of its own.
package seedjob

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/store"
)

// keepEvery is the time between two states.
const keepEvery = 2 * time.Second

// Order says what to train.
type Order struct {
	Config hyper.Config
	Seeds  []uint64
	Called func(seed uint64) string // what errors call a seed; nil: its number
	Part   string                   // of the job: the state of another part is not resumed
	Share  *schedule.Share          // of the cores: a device may compute other bits

	Between  func(*learner.Learner) // called between two updates of each run; nil: nobody watches
	Progress func(steps uint64)     // told how many steps of all seeds are done; nil: nobody is
	Curve    *[]float64             // what Between has drawn: stored with each state, and set on resuming; nil: nothing
}

// state is what a worker resumes from.
type state struct {
	Part  string
	Trial []byte
	Curve []float64
}

func read(snapshot []byte) (s state) {
	if gob.NewDecoder(bytes.NewReader(snapshot)).Decode(&s) != nil {
		return state{}
	}
	return s
}

// Curve returns what was drawn by the time a job stored this snapshot.
func Curve(snapshot []byte) []float64 { return read(snapshot).Curve }

// Train trains the seeds one after the other on the cores, from where the job's last state stands.
func Train(ctx context.Context, w *job.Work, o Order) ([]trial.Report, error) {
	from := read(w.Resumed())
	if from.Part != o.Part {
		from = state{}
	}
	if o.Curve == nil {
		o.Curve = new([]float64)
	}
	*o.Curve = from.Curve
	whole := trial.Trial{Config: o.Config, Seeds: o.Seeds, Jobs: 1, Called: o.Called, Hooks: func() learner.Hooks {
		return learner.Hooks{Between: func(l *learner.Learner) error {
			o.Share.Yield()
			if o.Between != nil {
				o.Between(l)
			}
			return nil
		}}
	}}
	o.Share.Hold()
	defer o.Share.Drain()
	reports, err := whole.Go(ctx, trial.Way{From: from.Trial, Every: keepEvery, Progress: o.Progress,
		Engine: learner.Engine{Lower: graph.Lower, Cores: o.Share},
		Keep: func(trained []byte) error {
			var out bytes.Buffer
			if err := gob.NewEncoder(&out).Encode(state{o.Part, trained, *o.Curve}); err != nil {
				return err
			}
			return w.Keep(out.Bytes())
		}})
	if err == nil {
		err = ctx.Err()
	}
	return reports, err
}

// Again returns the error with which the queue hands the job out again, or nil where training would fail again.
func Again(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case store.MayPass(err), errors.Is(err, store.ErrLost):
		return err
	}
	return nil
}
