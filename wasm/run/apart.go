package run

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/link"
	"impalab/web/wire"
)

// Apart is a setting whose value in force differs from the preset's or the paper's.
type Apart struct {
	Row         *hyper.Row
	Here, There string // for people
	Take        string // the other value as links write it; of several the nearest
	Where       string // in the paper
}

// Distance is every setting in which a run differs from its preset and from its algorithm's paper.
type Distance struct{ Preset, Paper []Apart }

// From returns the settings that differ from the "preset" or from the "paper".
func (d *Distance) From(reference string) []Apart {
	if reference == "preset" {
		return d.Preset
	}
	return d.Paper
}

// Places names the places of the paper's values, or returns "" for the preset.
func (d *Distance) Places(reference string) string {
	var places []string
	for _, one := range d.From(reference) {
		if one.Where != "" && !slices.Contains(places, one.Where) {
			places = append(places, one.Where)
		}
	}
	return strings.Join(places, ", ")
}

// passing are the settings that no preset decides.
var passing = []string{"seed", "steps", "speed"}

// Apart returns the distance of the settings in force. It computes it once for each of their changes.
func (m *Run) Apart() *Distance {
	if m.apart == nil || m.apartAt != m.SettingsRevision {
		m.apart, m.apartAt = m.distance(), m.SettingsRevision
	}
	return m.apart
}

func (m *Run) distance() *Distance {
	all := new(Distance)
	if base, err := hyper.FromPreset(m.Preset); err == nil {
		for _, s := range m.force.Diff(&base) {
			row, err := hyper.Lookup(s.Key)
			if err != nil || slices.Contains(passing, s.Key) {
				continue
			}
			there := base.Get(s.Key)
			all.Preset = append(all.Preset, Apart{row, m.Figure(row, s.Value), m.Figure(row, there), there, ""})
		}
	}
	for _, d := range m.force.Departures() {
		if row, err := hyper.Lookup(d.Key); err == nil {
			all.Paper = append(all.Paper, Apart{row, m.Figure(row, d.Here), m.printed(row, d), d.Nearest, d.Where})
		}
	}
	return all
}

// printed returns the paper's value for people.
func (m *Run) printed(row *hyper.Row, d hyper.Departure) string {
	if d.Paper == d.Nearest {
		return m.Figure(row, d.Nearest)
	}
	return d.Paper
}

// Beside returns the mark beside a setting that differs: its value in the preset and its value in force, or a point.
func (d *Distance) Beside(key string) string {
	of := func(one Apart) bool { return one.Row.Key == key }
	if i := slices.IndexFunc(d.Preset, of); i >= 0 {
		if one := &d.Preset[i]; one.Row.Numeric() {
			return "• " + one.There + " → " + one.Here
		}
		return "•"
	}
	if slices.ContainsFunc(d.Paper, of) {
		return "•"
	}
	return ""
}

// annealed is the length of a run as in a paper that anneals towards the end of a run, if the run had no end.
const annealed = 1_000_000

// AsPrinted starts the same run with every setting as its algorithm's paper has it.
func (m *Run) AsPrinted() (wire.Message, error) {
	config := m.force
	for range len(hyper.Table) { // a value can put another setting into force
		all := config.Departures()
		if len(all) == 0 {
			break
		}
		for _, d := range all {
			if m.Link.Locked(d.Key) {
				return nil, errors.New(d.Key + " is locked by this link")
			}
			if err := config.Set(d.Key, d.Nearest); err != nil {
				return nil, err
			}
		}
	}
	if config.Anneal != hyper.AnnealConstant && config.Steps == 0 {
		config.Steps = annealed
	}
	if err := errors.Join(config.Validate(), m.Fits(&config)); err != nil {
		return nil, err
	}
	return m.begin(m.link(&config, nil)), nil
}

func apartTexts() []Text {
	all := func(of func(*Distance) string) func(*Run) string {
		return func(m *Run) string { return of(m.Apart()) }
	}
	return []Text{
		{"apart-preset", all(func(d *Distance) string { return link.Apart(len(d.Preset), "preset") })},
		{"apart-paper", all(func(d *Distance) string { return link.Apart(len(d.Paper), "paper") })},
		{"as-printed", all(func(d *Distance) string {
			return "A run with all " + strconv.Itoa(len(d.Paper)) + " as in the paper"
		})},
	}
}
