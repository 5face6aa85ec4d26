package kit

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// Setting is a small run in which one setting has another value than usual. The run begins with the usual value of a
// setting that may change, and changes it after an update.
type Setting struct {
	Name string // the setting, its preset and its company: "burn-in=25 in t-maze with mix=0.25 recall=burn-in"
	Link hyper.Link
}

const (
	mostCompany  = 2 // other settings that a run may need to change
	changedAfter = 1 // updates
)

// small has values that make a run cheap. A run takes the first that it accepts of each setting.
var small = []string{"unroll=5", "batch=4", "batch=6", "hidden=8"}

// Settings returns a run of the given number of updates for each value of each choice in settings.txt, and for one
// value of each number. The value is in the first preset that accepts it and where it has an effect. If there is none,
// one or two other settings change too: its company. A value that no run accepts fails the test. Live runs are left
// out, because no two of them are the same; the second result counts them.
func Settings(t testing.TB, updates int) (all []Setting, live int) {
	t.Helper()
	usual, err := hyper.FromRecord([]hyper.Setting{{Key: "world", Value: hyper.Presets[0].Name}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][][]hyper.Change{}
	var company []hyper.Change
	for i := range hyper.Table {
		row := &hyper.Table[i]
		for _, value := range valuesOf(row, &usual) {
			values[row.Key] = append(values[row.Key], value)
			if key := row.Key; key != "world" && key != "seed" && key != "steps" {
				company = append(company, value[0])
			}
		}
	}
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if row.Key == "steps" {
			continue // every run has a budget of its own
		}
		if len(values[row.Key]) == 0 {
			t.Errorf("%s: no value is known but the usual one", row.Key)
		}
		for _, value := range values[row.Key] {
			s := search{row: row, value: value, others: company}
			switch {
			case !s.find():
				t.Errorf("%s: no preset accepts it with %d other changes, or it has no effect", value[0].Value(), mostCompany)
			case s.with.Mode == hyper.Live:
				live++
			default:
				all = append(all, s.run(updates))
			}
		}
	}
	return all, live
}

// valuesOf returns the values of a setting that are not the usual one. Of several alternatives one is enough.
func valuesOf(row *hyper.Row, usual *hyper.Config) (all [][]hyper.Change) {
	parse := func(texts ...string) (changes []hyper.Change) {
		for _, text := range texts {
			change, err := hyper.ParseChange(row.Key, text)
			if err == nil && (row.Key == "world" || change.Value() != usual.Get(row.Key)) {
				changes = append(changes, change)
			}
		}
		return changes
	}
	if row.Numeric() {
		return [][]hyper.Change{parse(numbers(row)...)}
	}
	texts := row.Choices
	if row.Lines > 0 {
		texts = []string{row.Example}
	}
	if texts == nil { // the sentence that names them has other words too
		texts = strings.FieldsFunc(row.Allowed(), func(r rune) bool { return r == ' ' || r == ',' })
	}
	for _, change := range parse(texts...) {
		all = append(all, []hyper.Change{change})
	}
	return all
}

// numbers returns values along the slider: from an eighth on, then the lower ones.
func numbers(row *hyper.Row) (texts []string) {
	if row.SliderMin == row.SliderMax {
		return []string{row.Format(row.Min + 2)}
	}
	for _, place := range []float64{.125, .2, .25, .3, .35, .4, .45, .5, .6, .7, .8, .9, 1, .1, .05, 0} {
		texts = append(texts, row.Format(row.At(place)))
	}
	return slices.Compact(texts)
}

// presets has the presets in their order, those with convolutions last: they are slow.
var presets = func() (quick []hyper.Preset) {
	var slow []hyper.Preset
	for _, p := range hyper.Presets {
		if cfg := p.Config(); cfg.Torso == hyper.FlatTorso {
			quick = append(quick, p)
		} else {
			slow = append(slow, p)
		}
	}
	return append(quick, slow...)
}()

// search looks for the run of a value.
type search struct {
	row    *hyper.Row
	value  []hyper.Change // alternatives
	others []hyper.Change // that may be company

	preset  string
	company []hyper.Change
	change  hyper.Change // the alternative that was accepted
	cfg     hyper.Config // before the change
	with    hyper.Config // after it
}

// find finds the run with the least company.
func (s *search) find() bool {
	for more := range mostCompany + 1 {
		for _, p := range presets {
			start := p.Config()
			start.Steps = cmp.Or(start.Steps, 1e6) // some settings need the end of the run
			if s.preset = p.Name; s.add(start, more) {
				return true
			}
		}
	}
	return false
}

// add looks for company of so many more settings.
func (s *search) add(cfg hyper.Config, more int) bool {
	if more > 0 {
		for _, other := range s.others {
			same := func(c hyper.Change) bool { return c.Key() == other.Key() }
			if other.Key() == s.row.Key || slices.ContainsFunc(s.company, same) {
				continue
			}
			next := cfg
			other.Apply(&next)
			s.company = append(s.company, other)
			if s.add(next, more-1) {
				return true
			}
			s.company = s.company[:len(s.company)-1]
		}
		return false
	}
	for _, s.change = range s.value {
		if s.accepts(cfg) && (!s.row.Numeric() || s.with.Get(s.row.Key) != cfg.Get(s.row.Key)) {
			return true
		}
	}
	return false
}

// accepts makes cfg the run's settings if it is valid before and after the change, which has an effect.
func (s *search) accepts(cfg hyper.Config) bool {
	with := cfg
	s.change.Apply(&with)
	if !s.row.InForce(&with) || with.Validate() != nil || s.row.Hot && cfg.Validate() != nil {
		return false
	}
	s.cfg, s.with = cfg, with
	return true
}

// run makes the run cheap.
func (s *search) run(updates int) Setting {
	fixed := map[string]bool{s.row.Key: true}
	name := s.row.Key + "=" + s.change.Value() + " in " + s.preset
	for i, c := range s.company {
		fixed[c.Key()] = true
		name += []string{" with ", " "}[min(i, 1)] + c.Key() + "=" + c.Value()
	}
	for _, text := range small {
		key, value, _ := strings.Cut(text, "=")
		cheaper := s.cfg
		if err := cheaper.Set(key, value); err == nil && !fixed[key] {
			fixed[key] = s.accepts(cheaper)
		}
	}
	link := hyper.Link{Preset: s.preset, Config: s.with}
	steps := updates * s.with.Advance()
	if s.row.Hot && s.cfg.Get(s.row.Key) != s.with.Get(s.row.Key) {
		at := changedAfter * s.cfg.Advance()
		link.Config, link.Turns = s.cfg, []hyper.PlannedChange{{Step: uint64(at), Change: s.change}}
		steps = at + (updates-changedAfter)*s.with.Advance()
		name += ", changed on the way"
	}
	link.Config.Steps = uint64(steps)
	return Setting{name, link}
}
