package board

// The tracks that a run's settings can be handed in on.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/store"
)

// Fit is a track and the entry that it would take.
type Fit struct {
	Track *Track
	Entry Entry
}

// Fits returns the tracks that take a run's first configuration; steered reports later changes. If there is none, the
// error belongs to the track of its world with the fewest objections.
func (t *Tracks) Fits(cfg *hyper.Config, steered bool) (fits []Fit, err error) {
	if steered {
		return nil, errSteered
	}
	var nearest *Misfit
	for _, track := range t.All {
		if track.Start.World != cfg.World {
			continue
		}
		e, err := track.Entry(track.settings(cfg))
		switch {
		case err == nil && len(e.Settings) > 0:
			fits = append(fits, Fit{track, e})
			continue
		case err == nil:
			nearest = &Misfit{Track: track, Open: track.open()}
			continue
		}
		objections := slices.DeleteFunc(strings.Split(err.Error(), "\n"), func(said string) bool {
			return said == track.mayChange()
		})
		if nearest == nil || len(objections) < len(nearest.Objections) {
			nearest = &Misfit{track, objections, track.open()}
		}
	}
	if len(fits) > 0 {
		return fits, nil
	}
	if nearest == nil {
		return nil, fmt.Errorf("no track of the board is played in the world %s", cfg.World)
	}
	return nil, nearest
}

// Misfit is the error if no track takes a configuration: the nearest track and its objections.
type Misfit struct {
	Track      *Track
	Objections []string // none: the configuration is the start of the track
	Open       []string // keys that may change there
}

func (m *Misfit) Error() string {
	if len(m.Objections) == 0 {
		return "this is the start of " + m.Track.Title + ": change one setting, then hand it in"
	}
	return m.Track.Title + " is the nearest track, and does not take this: " + strings.Join(m.Objections, "; ")
}

// OfTape returns the tracks that take a recorded run, if no setting but speed has changed during it.
func (t *Tracks) OfTape(recorded *tape.Tape) ([]Fit, error) {
	if outside := recorded.OutsideWords(); outside != "" {
		return nil, fmt.Errorf("%s, and the board shows only what a server played itself", outside)
	}
	cfg, err := recorded.Config(func(string) (uint64, error) { return 0, nil }) // the seed does not count here
	if err != nil {
		return nil, err
	}
	return t.Fits(&cfg, slices.ContainsFunc(recorded.Events, func(e tape.Event) bool {
		return e.Kind == tape.Changed && e.Key != "speed"
	}))
}

// Shows returns an error if a run cannot be shown beside an entry's row. It must train the same configuration on a
// public seed of the track, for the track's steps. A row that is not nil must have the run's parameters.
func (t *Tracks) Shows(recorded *tape.Tape, track *Track, e *Entry, row *Row) error {
	fits, err := t.OfTape(recorded)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(fits, func(f Fit) bool { return f.Track == track && f.Entry.Hash == e.Hash }) {
		return errors.New("its settings are others")
	}
	cfg, err := recorded.Config(nil)
	if err != nil {
		return err
	}
	at := slices.Index(track.Public, cfg.Seed)
	if at < 0 {
		return fmt.Errorf("its seed is %d, and it must be one of the public seeds %s, so that its result can be compared "+
			"with the row's", cfg.Seed, track.Seeds.Public)
	}
	if cfg.Steps != track.Start.Steps {
		return fmt.Errorf("it trains %d steps, and %s trains %d", cfg.Steps, track.Title, track.Start.Steps)
	}
	if end := recorded.End(); end != nil && row != nil && end.ParamsSHA256 != row.Params[at] {
		return fmt.Errorf("its parameters are %.12s, and the row's for seed %d are %.12s", end.ParamsSHA256, cfg.Seed,
			row.Params[at])
	}
	return nil
}

// proven reports whether a run has the row's parameters for its seed.
func (r *Row) proven(run *store.Run) bool {
	at := slices.Index(r.Seeds, run.Seed)
	return run.State == store.Done && at >= 0 && at < len(r.Params) && r.Params[at] == run.ParamsSHA256
}

// settings returns the differences of a configuration from the start, without the settings that the track decides.
func (t *Track) settings(cfg *hyper.Config) []hyper.Setting {
	return slices.DeleteFunc(cfg.Diff(&t.Start), func(s hyper.Setting) bool {
		return s.Key != "mode" && s.Key != "world" && slices.Contains(decided, s.Key)
	})
}

// errSteered refuses a run whose settings changed during it.
var errSteered = errors.New("settings of this run were changed during the run, and the board trains a configuration " +
	"from its start to its end; begin a run with the settings that you want to hand in")
