package page

import (
	"time"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/chart"
)

// Track is a track of the board: a world, a start, a budget, and the settings that may differ from the start.
type Track struct {
	Name, Title, Sentence, Preset string
	Score                         string // what it ranks by, in words
	Notes                         []string
	Start                         hyper.Config    // with the budget
	Fixed                         []hyper.Setting // the start's changes of the preset
	Keys                          []Key           // may differ, in the order of the table of settings
	Public                        []uint64        // seeds of provisional rows
	PublicWords                   string          // these seeds, as people write them
	Secret                        int             // number of seeds of a season, which decide the rank
	Low, High                     float64         // ends of the drawn scale
	Baselines                     int
}

// Key is a setting that may differ from the start of a track.
type Key struct {
	*hyper.Row
	Low, High float64  // of a number, both included
	Values    []string // of a choice; nil: all values of the table of settings
	Range     string   // in words
}

// key returns the key of a setting that may differ on the track; nil if the track fixes it.
func (t *Track) key(name string) *Key {
	for i := range t.Keys {
		if t.Keys[i].Key == name {
			return &t.Keys[i]
		}
	}
	return nil
}

// Season is a season of the board. Number is 0 before the first.
type Season struct {
	Number      int64
	Closes      time.Time
	Closed      bool // it takes no entries
	Over        bool // its key is published
	Key, Digest string
	Seeds       []uint64 // secret until it is over
}

// Entry is a configuration as a track knows it.
type Entry struct {
	Settings []hyper.Setting // that differ from the track's start
	Text     string          // the same, as a command line has them
	Config   hyper.Config    // the whole configuration; its seed does not count
}

// Fit is a track and the entry that it would take.
type Fit struct {
	Track *Track
	Entry Entry
}

// Standing is a row of the board: a baseline or an entry.
type Standing struct {
	ID, Name, Nickname string
	Baseline           string // its name; "" for an entry
	Entry              Entry
	State, Reason      string
	Season             int64 // 0: a baseline that was never submitted
	Tried              int64 // how often it was submitted
	Created            time.Time

	Public, Secret *Result // nil until all of these seeds are trained
	Counts         *Result // Public or Secret, which ranks it; nil: none yet
	Trained        [2]int  // public and secret seeds so far
	Place          int     // in the queue, from 1; 0: it does not wait

	Rank        string // "4", or "1–3" in a tie group; "": none yet
	Tie         [2]int // first and last rank of its group
	Provisional bool   // the rank of its public seeds
}

// Result is what the seeds of one kind gave.
type Result struct {
	Kind         string // public or secret
	Seeds        []string
	Score, End   trial.Estimate // over the run, and of its last 100 episodes
	Each         []trial.Number // score of each seed; nil while they are secret
	ParamsSHA256 []string       // of each seed; nil while they are secret
	Arithmetic   string
	Diverged     string // how many seeds did, in words; "": none
	Curve        []chart.Middle
}
