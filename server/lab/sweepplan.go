package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner/hyper"
)

// SweepSpec is what a sweep is to be: one run of Base for each seed in each cell. The cells are every combination of
// the values of at most two settings; without any there is one cell, and the sweep is one configuration over seeds.
type SweepSpec struct {
	Base  Spec // its seed and its purpose do not count
	Keys  []Axis
	Seeds []uint64
}

// Axis is a setting and the values that it takes, in order: the first axis goes across, the second up.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// What one sweep may ask for.
const (
	maxAxes      = 2
	maxValues    = 16
	maxSeeds     = 64
	MaxSweepRuns = 1024
)

// Cells is how many there are.
func (s *SweepSpec) Cells() int {
	n := 1
	for _, a := range s.Keys {
		n *= len(a.Values)
	}
	return n
}

// Runs is how many there are to be.
func (s *SweepSpec) Runs() int { return s.Cells() * len(s.Seeds) }

// Values are those of a cell, one for each key.
func (s *SweepSpec) Values(cell int) (values []string) {
	for _, a := range s.Keys {
		values = append(values, a.Values[cell%len(a.Values)])
		cell /= len(a.Values)
	}
	return values
}

// place is the cell and the seed of a run. The first seed goes through all cells before the second begins, so that the
// picture is there early and gets surer.
func (s *SweepSpec) place(number int) (cell int, seed uint64) {
	return number % s.Cells(), s.Seeds[number/s.Cells()]
}

// config is that of a cell, without its seed.
func (s *SweepSpec) config(cell int) (cfg hyper.Config, err error) {
	cfg = s.Base.Config
	for i, value := range s.Values(cell) {
		if err := cfg.Set(s.Keys[i].Key, value); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// unswept are settings that no sweep goes over, and why.
var unswept = map[string]string{
	"seed":  "the seeds of a sweep stand in seeds",
	"speed": "it changes no result",
	"steps": "runs of different lengths cannot be compared at their ends; the curves of one sweep show every length",
	"world": "returns of different worlds cannot be compared; make a sweep for each",
	"mode":  "live runs cannot wait for each other; a sweep's runs are reference runs",
}

// check refuses a plan that cannot be carried out, before anything of it begins, and spells its values as links do.
func (l *Lab) check(s *SweepSpec) error {
	switch {
	case len(s.Keys) > maxAxes:
		return fmt.Errorf("keys: %d settings; a sweep goes over one or two, or over seeds alone", len(s.Keys))
	case len(s.Seeds) == 0:
		return errors.New("seeds: there is none; name some, like 1-8")
	case len(s.Seeds) > maxSeeds:
		return fmt.Errorf("seeds: %d; a sweep takes up to %d", len(s.Seeds), maxSeeds)
	case s.Base.Config.Mode == hyper.Live:
		return fmt.Errorf("mode=live: %s; choose mode=reference", unswept["mode"])
	case s.Base.Config.Steps == 0:
		return errors.New("steps=0: the runs of a sweep need an end; set steps")
	}
	for i := range s.Keys {
		if err := s.Keys[i].check(s); err != nil {
			return err
		}
	}
	if len(s.Keys) == 2 && s.Keys[0].Key == s.Keys[1].Key {
		return fmt.Errorf("keys: %s stands there twice", s.Keys[0].Key)
	}
	if s.Runs() > MaxSweepRuns {
		return fmt.Errorf("%d cells with %d seeds are %d runs; a sweep has up to %d", s.Cells(), len(s.Seeds), s.Runs(),
			MaxSweepRuns)
	}
	for cell := range s.Cells() {
		cfg, err := s.config(cell)
		if err == nil {
			err = l.admit(&cfg)
		}
		if err == nil {
			err = cfg.CheckTurns(slices.Clone(s.Base.Turns), 0)
		}
		if err != nil && len(s.Keys) > 0 {
			err = fmt.Errorf("the cell %s: %w", s.words(cell), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check reads the values.
func (a *Axis) check(s *SweepSpec) error {
	if why := unswept[a.Key]; why != "" {
		return fmt.Errorf("keys: %s cannot be swept: %s", a.Key, why)
	}
	if _, err := hyper.Lookup(a.Key); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if len(a.Values) == 0 || len(a.Values) > maxValues {
		return fmt.Errorf("keys: %s has %d values; must be 1 to %d", a.Key, len(a.Values), maxValues)
	}
	seen := map[string]bool{}
	for i, value := range a.Values {
		change, err := hyper.ParseChange(a.Key, value)
		if err != nil {
			return fmt.Errorf("keys: %w", err)
		}
		if a.Values[i] = change.Value(); seen[a.Values[i]] {
			return fmt.Errorf("keys: %s has the value %s twice", a.Key, a.Values[i])
		}
		seen[a.Values[i]] = true
	}
	for _, t := range s.Base.Turns {
		if t.Change.Key() == a.Key {
			return fmt.Errorf("turn %s: it would undo what the sweep goes over; leave one of the two out", t)
		}
	}
	return nil
}

// words name a cell.
func (s *SweepSpec) words(cell int) string {
	var words []string
	for i, value := range s.Values(cell) {
		words = append(words, s.Keys[i].Key+"="+value)
	}
	return strings.Join(words, ", ")
}

// plan is a SweepSpec as the store has it.
type plan struct {
	Settings map[string]string `json:"settings"` // with preset and turns, as rows have them
	Keys     []Axis            `json:"keys"`
	Seeds    []uint64          `json:"seeds"`
}

func (s *SweepSpec) json() string {
	p := plan{Keys: s.Keys, Seeds: s.Seeds}
	json.Unmarshal([]byte(settingsJSON(&s.Base, &s.Base.Config)), &p.Settings) // it is an object of texts
	text, err := json.Marshal(&p)
	if err != nil {
		panic(err) // texts and numbers
	}
	return string(text)
}

// readPlan is the plan that the store has. What this build cannot read is an error.
func readPlan(text string) (s SweepSpec, err error) {
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return s, fmt.Errorf("the plan cannot be read: %w", err)
	}
	s.Keys, s.Seeds = p.Keys, p.Seeds
	s.Base.Preset, s.Base.Purpose = p.Settings["preset"], Batch
	if s.Base.Turns, err = hyper.ParseTurns(p.Settings[hyper.TurnsKey]); err != nil {
		return s, fmt.Errorf("the plan: %w", err)
	}
	var settings []hyper.Setting
	for key, value := range p.Settings {
		if key != "preset" && key != hyper.TurnsKey {
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		}
	}
	if s.Base.Config, err = hyper.FromRecord(settings); err != nil {
		return s, fmt.Errorf("the plan: %w", err)
	}
	for cell := range s.Cells() {
		if _, err := s.config(cell); err != nil {
			return s, fmt.Errorf("the plan: %w", err)
		}
	}
	return s, nil
}
