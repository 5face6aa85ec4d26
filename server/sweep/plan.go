package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/server/lab"
	"impalab/server/store"
)

// Spec describes a sweep: one run of Base for each seed in each cell. The cells are every combination of the
// values of at most two settings. Without settings there is one cell: one configuration over seeds.
type Spec struct {
	Base  lab.Spec // its seed and its purpose do not count
	Keys  []Axis
	Seeds []uint64
}

// Axis is a setting and its values, in order. The first axis goes across, the second up.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// The limits of one sweep.
const (
	maxAxes   = 2
	maxValues = 16
	maxSeeds  = 64
	MaxRuns   = 1024
	maxDays   = 30 // of one core: every sweep ends
)

// The speed of one core. The board's bound of work for a seed has the same source.
const (
	perSecond = 2e11  // floating-point operations
	leastStep = 25e-6 // seconds of a step of the smallest network
)

// Cells returns the number of cells.
func (s *Spec) Cells() int {
	n := 1
	for _, a := range s.Keys {
		n *= len(a.Values)
	}
	return n
}

// Runs returns the number of runs.
func (s *Spec) Runs() int { return s.Cells() * len(s.Seeds) }

// Values returns the values of a cell, one for each key.
func (s *Spec) Values(cell int) (values []string) {
	for _, a := range s.Keys {
		values = append(values, a.Values[cell%len(a.Values)])
		cell /= len(a.Values)
	}
	return values
}

// member returns the cell and the seed of a run. The first seed goes through all cells before the second begins, so
// that the picture is complete early.
func (s *Spec) member(number int) (cell int, seed uint64) {
	return number % s.Cells(), s.Seeds[number/s.Cells()]
}

// config returns the configuration of a cell, without its seed.
func (s *Spec) config(cell int) (cfg hyper.Config, err error) {
	cfg = s.Base.Config
	for i, value := range s.Values(cell) {
		if err := cfg.Set(s.Keys[i].Key, value); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// unswept are the settings that no sweep goes over, and why.
var unswept = map[string]string{
	"seed":    "the seeds of a sweep belong in seeds",
	"speed":   "it changes no result",
	"steps":   "runs of different lengths cannot be compared at their ends; the curves of one sweep show every length",
	"world":   "returns of different worlds cannot be compared; make a sweep for each",
	"mode":    "live runs cannot wait for each other; a sweep's runs are reference runs",
	"program": "an axis has no room for a text; make a sweep for each",
}

// check refuses a sweep that cannot be carried out, before any run begins, and spells its values as links do. It
// returns the time of all runs on one core, by secondsOf.
func (s *Spec) check(l *lab.Lab) (seconds float64, err error) {
	switch {
	case len(s.Keys) > maxAxes:
		return 0, fmt.Errorf("keys: %d settings; a sweep varies one or two, or seeds alone", len(s.Keys))
	case len(s.Seeds) == 0:
		return 0, errors.New("seeds: the list is empty; name some, like 1-8")
	case len(s.Seeds) > maxSeeds:
		return 0, fmt.Errorf("seeds: %d; a sweep takes up to %d", len(s.Seeds), maxSeeds)
	case s.Base.Config.Mode == hyper.Live:
		return 0, fmt.Errorf("mode=live: %s; choose mode=reference", unswept["mode"])
	case s.Base.Config.Steps == 0:
		return 0, errors.New("steps=0: the runs of a sweep need an end; set steps")
	}
	for i := range s.Keys {
		if err := s.Keys[i].check(s); err != nil {
			return 0, err
		}
	}
	if len(s.Keys) == 2 && s.Keys[0].Key == s.Keys[1].Key {
		return 0, fmt.Errorf("keys: %s stands there twice", s.Keys[0].Key)
	}
	if s.Runs() > MaxRuns {
		return 0, fmt.Errorf("%d cells with %d seeds are %d runs; a sweep has up to %d", s.Cells(), len(s.Seeds), s.Runs(),
			MaxRuns)
	}
	for cell := range s.Cells() {
		cfg, err := s.config(cell)
		if err == nil {
			_, err = l.Admit(&cfg)
		}
		if err == nil {
			seconds += float64(len(s.Seeds)) * secondsOf(&cfg)
		}
		if err == nil {
			err = cfg.CheckPlan(slices.Clone(s.Base.Turns), 0)
		}
		if err != nil && len(s.Keys) > 0 {
			err = fmt.Errorf("the cell %s: %w", s.words(cell), err)
		}
		if err != nil {
			return 0, err
		}
	}
	if days := seconds / (24 * 3600); days > maxDays {
		return 0, fmt.Errorf("steps=%.3g: the %d runs would train for about %.3g days of one core, and a sweep may take %d; "+
			"choose fewer steps, seeds or values, or a smaller network", float64(s.Base.Config.Steps), s.Runs(), days, maxDays)
	}
	return seconds, nil
}

// secondsOf estimates the time of a run on one core.
func secondsOf(cfg *hyper.Config) float64 {
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return 0 // Admit has refused it
	}
	steps := float64(cfg.Steps)
	return max(steps*leastStep, steps/float64(cfg.Advance())*cost.Work/perSecond)
}

// check refuses values that cannot be swept, and spells the others as links do.
func (a *Axis) check(s *Spec) error {
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
			return fmt.Errorf("turn %s: it would undo a setting that the sweep varies; leave one of the two out", t)
		}
	}
	return nil
}

// words names a cell.
func (s *Spec) words(cell int) string {
	var words []string
	for i, value := range s.Values(cell) {
		words = append(words, s.Keys[i].Key+"="+value)
	}
	return strings.Join(words, ", ")
}

// plan is a Spec as the store has it.
type plan struct {
	Settings json.RawMessage `json:"settings"` // as rows have them
	Keys     []Axis          `json:"keys"`
	Seeds    []uint64        `json:"seeds"`
}

func (s *Spec) json() string {
	return store.JSON(&plan{json.RawMessage(lab.SettingsJSON(&s.Base.Link, &s.Base.Config)), s.Keys, s.Seeds})
}

// readPlan returns the sweep of a plan in the store.
func readPlan(row *store.Sweep) (s Spec, err error) {
	var p plan
	if err := json.Unmarshal([]byte(row.Plan), &p); err != nil {
		return s, fmt.Errorf("the plan cannot be read: %w", err)
	}
	s.Keys, s.Seeds = p.Keys, p.Seeds
	s.Base.Purpose, s.Base.Owner = lab.Batch, lab.Owner{Key: row.Owner, Address: row.Address}
	settings, preset, turns := lab.ReadSettings(string(p.Settings))
	s.Base.Preset = preset
	if s.Base.Turns, err = hyper.ParsePlan(turns); err != nil {
		return s, fmt.Errorf("the plan: %w", err)
	}
	var all []hyper.Setting
	for key, value := range settings {
		all = append(all, hyper.Setting{Key: key, Value: value})
	}
	if s.Base.Config, err = hyper.FromRecord(all); err != nil {
		return s, fmt.Errorf("the plan: %w", err)
	}
	return s, nil
}
