package board

// Which track a run's settings could be handed in on.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/store"
)

// Fit is a track that takes a configuration.
type Fit struct {
	Track *Track
	Entry Entry
}

// Fits are the tracks that take the configuration that a run began with; steered says that settings changed on its way.
// Where there is none, the error says why not: of the tracks of its world, the one with the fewest objections.
func (t *Tracks) Fits(cfg *hyper.Config, steered bool) (fits []Fit, err error) {
	if steered {
		return nil, errSteered
	}
	var nearest *Misfit
	for _, track := range t.All {
		if track.Start.World != cfg.World {
			continue
		}
		e, err := track.Changed(track.settings(cfg))
		if err == nil {
			fits = append(fits, Fit{track, e})
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

// Misfit is why no track takes a configuration: the track that objects to the fewest settings, and its objections.
type Misfit struct {
	Track      *Track
	Objections []string
	Open       []string // keys of the settings that may change there
}

func (m *Misfit) Error() string {
	return m.Track.Title + " is the nearest track, and does not take this: " + strings.Join(m.Objections, "; ")
}

// OfTape are the tracks that take what a run began with, if no setting that counts has changed on its way.
func (t *Tracks) OfTape(recorded *tape.Tape) ([]Fit, error) {
	if outside := recorded.OutsideWords(); outside != "" {
		return nil, fmt.Errorf("%s, and the board shows only what a server played itself", outside)
	}
	cfg, err := recorded.Config(func(string) (uint64, error) { return 0, nil }) // its seed counts for nothing here
	if err != nil {
		return nil, err
	}
	return t.Fits(&cfg, slices.ContainsFunc(recorded.Events, func(e tape.Event) bool {
		return e.Kind == tape.Changed && e.Key != "speed"
	}))
}

// Shows refuses a run that cannot be shown beside an entry's row: it must train the same configuration on one of the
// track's public seeds for the track's steps. row is what the public seeds came to, or nil before that.
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
			"with the row's", cfg.Seed, track.PublicText)
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

// proven reports whether a run came to the parameters that the row has for its seed.
func (r *Row) proven(run *store.Run) bool {
	at := slices.Index(r.Seeds, run.Seed)
	return run.State == store.Done && at >= 0 && at < len(r.Params) && r.Params[at] == run.ParamsSHA256
}

// settings are what a configuration changes in the start, but for what every track decides for itself.
func (t *Track) settings(cfg *hyper.Config) []hyper.Setting {
	return slices.DeleteFunc(cfg.Diff(&t.Start), func(s hyper.Setting) bool {
		return s.Key != "mode" && s.Key != "world" && slices.Contains(decided, s.Key)
	})
}

// errSteered is why a run that was changed on its way is not handed in.
var errSteered = errors.New("settings of this run were changed on its way, and the board trains a configuration from " +
	"its start to its end; begin a run with the settings that you want to hand in")
