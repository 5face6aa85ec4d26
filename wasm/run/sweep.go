package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// Plan is what a sweep of this run has in common: its settings and the changes made on the way.
type Plan struct {
	Preset   string
	Settings []wire.Setting // that differ from the preset's, but for seed, speed and steps
	Turns    string
	Seeds    string // eight, of which the run's own is the first
	Steps    uint64
}

// seedsOfPlan is how many seeds a plan has.
const seedsOfPlan = 8

// usualSteps is how long the runs of a sweep are where nothing says otherwise: CartPole is learned in as many.
const usualSteps = 60_000

// Plan is that of the run as it began, with everything that was changed since.
func (m *Run) Plan() Plan {
	p := Plan{Steps: m.force.Steps}
	if p.Steps == 0 {
		p.Steps = max(usualSteps, m.steps())
	}
	l := m.shared()
	for _, s := range l.Settings {
		switch s.Key {
		case "preset":
			p.Preset = s.Value
		case hyper.TurnsKey:
			p.Turns = s.Value
		case "seed", "speed", "steps":
		default:
			if _, err := hyper.Lookup(s.Key); err == nil {
				p.Settings = append(p.Settings, s)
			}
		}
	}
	for _, t := range l.Turns() {
		p.Steps = max(p.Steps, t.Step+1)
	}
	first := m.force.Seed
	if first > hyper.MaxSeed-(seedsOfPlan-1) { // seeds of sweeps end there
		first = 1
	}
	p.Seeds = fmt.Sprintf("%d-%d", first, first+seedsOfPlan-1)
	return p
}

// Proposed are values of a setting that a sweep may go over, joined by commas: all choices, powers of two where a whole
// number has a slider of equal ratios, else places on the slider at equal distances.
func Proposed(row *hyper.Row) string {
	if row.Choices != nil {
		return strings.Join(row.Choices(), ", ")
	}
	const places = 4
	var values []string
	for i := range places + 1 {
		v := Slide(row, 1000*i/places)
		if row.Whole() && row.Scale != hyper.Linear {
			v = power(row, i, places)
		}
		if n := len(values); n == 0 || values[n-1] != v {
			values = append(values, v)
		}
	}
	return strings.Join(values, ", ")
}

// power is the i-th of some powers of two that lie evenly on the slider; 0 comes first where it is on the slider.
func power(row *hyper.Row, i, places int) string {
	if row.SliderMin == 0 {
		if i == 0 {
			return "0"
		}
		i, places = i-1, places-1
	}
	low, high := math.Ceil(math.Log2(max(1, row.SliderMin))), math.Floor(math.Log2(row.SliderMax))
	return strconv.FormatFloat(math.Exp2(math.Round(low+(high-low)*float64(i)/float64(places))), 'f', 0, 64)
}
