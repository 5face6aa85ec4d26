package board

// What the next worker continues from when a worker dies or stops in the middle of a seed.

import (
	"bytes"
	"encoding/gob"
	"time"

	"impalab/learner/trial"
	"impalab/server/job"
)

// halfway is a seed of an entry on its way.
type halfway struct {
	Seed  string // its name
	State []byte // of the trial
}

// keepEvery is the time between two states of a run.
const keepEvery = 2 * time.Second

// way stores the state of a seed's run as the job's snapshot, and continues from the snapshot if it is of that seed.
func way(w *job.Work, name string) trial.Way {
	way := trial.Way{Every: keepEvery}
	var from halfway
	err := gob.NewDecoder(bytes.NewReader(w.Resumed())).Decode(&from)
	if err == nil && from.Seed == name {
		way.From = from.State
	}
	way.Keep = func(state []byte) error {
		var out bytes.Buffer
		if err := gob.NewEncoder(&out).Encode(halfway{name, state}); err != nil {
			return err
		}
		return w.Keep(out.Bytes())
	}
	return way
}
