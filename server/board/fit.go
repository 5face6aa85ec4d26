package board

// Which track a run's settings could be handed in on.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/tape"
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
	cfg, err := recorded.Config(func(string) (uint64, error) { return 0, nil }) // its seed counts for nothing here
	if err != nil {
		return nil, err
	}
	return t.Fits(&cfg, slices.ContainsFunc(recorded.Events, func(e tape.Event) bool {
		return e.Kind == tape.Changed && e.Key != "speed"
	}))
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
