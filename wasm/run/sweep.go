package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"impalab/learner/hyper"

	"impalab/web/link"
	"impalab/web/number"
)

// Plan is the common settings and changes of the runs of a sweep: a link without seed, speed and steps.
type Plan struct {
	link.Link
	Seeds string // eight, beginning with the run's own
	Steps uint64
}

const (
	planSeeds = 8
	// usualSteps is the length of a sweep's runs if nothing else decides it: enough to learn CartPole.
	usualSteps = 60_000
	roundSteps = 10_000 // a default length is a multiple of it
)

// Plan returns the plan of the run from its start, with every change since.
func (m *Run) Plan() Plan {
	p := planOf(m.shared())
	if p.Steps = m.force.Steps; p.Steps == 0 {
		p.Steps = max(usualSteps, m.Steps())
	}
	for _, t := range p.Planned() {
		p.Steps = max(p.Steps, t.Step+1)
	}
	if p.Steps != m.force.Steps {
		p.Steps = (p.Steps + roundSteps - 1) / roundSteps * roundSteps
	}
	first := m.force.Seed
	if first > hyper.MaxSeed-(planSeeds-1) {
		first = 1
	}
	p.Seeds = fmt.Sprintf("%d-%d", first, first+planSeeds-1)
	return p
}

// planOf returns the settings and changes of a link as a plan.
func planOf(l link.Link) Plan {
	p := Plan{Link: link.Link{Version: "1"}}
	for _, s := range l.Settings {
		_, err := hyper.Lookup(s.Key)
		known := err == nil || s.Key == "preset" || s.Key == hyper.PlanKey
		if known && s.Key != "seed" && s.Key != "speed" && s.Key != "steps" {
			p.Settings = append(p.Settings, s)
		}
	}
	return p
}

// Body returns the plan in the API's form.
func (p *Plan) Body() map[string]any {
	settings := map[string]any{}
	body := map[string]any{"settings": settings, "seeds": p.Seeds, "steps": p.Steps}
	for _, s := range p.Settings {
		switch s.Key {
		case "preset":
			body["preset"] = s.Value
		case hyper.PlanKey:
			turns, _ := body["turns"].([]string)
			body["turns"] = append(turns, s.Value)
		default:
			settings[s.Key] = s.Value
		}
	}
	return body
}

// Proposed returns values of a setting for a sweep, joined by commas: all choices, powers of two for a whole number on
// a logarithmic slider, else values at about equal distances on the slider.
func Proposed(row *hyper.Row) string {
	if row.Choices != nil {
		return strings.Join(row.Choices, ", ")
	}
	const places = 4
	var values []string
	for i := range places + 1 {
		v := Slide(row, sliderEnd*i/places)
		switch {
		case row.Scale == hyper.Linear:
		case row.Whole():
			v = power(row, i, places)
		case i > 0 && i < places:
			v = row.Format(usual(row, row.At(float64(i)/float64(places))))
		}
		if n := len(values); n == 0 || values[n-1] != v {
			values = append(values, v)
		}
	}
	return strings.Join(values, ", ")
}

// usual returns the number nearest to v that people use: a power of two or, on a slider over more than two powers of
// ten, 1, 2 or 5 times a power of ten.
func usual(row *hyper.Row, v float64) float64 {
	if row.SliderMax <= 100*row.SliderMin || row.SliderMin == 0 {
		return math.Exp2(math.Round(math.Log2(v)))
	}
	exponent := int(math.Floor(math.Log10(v)))
	best := math.Inf(1)
	for _, lead := range [...]string{"1", "2", "5", "10"} {
		x, _ := strconv.ParseFloat(lead+"e"+strconv.Itoa(exponent), 64) // exact, unlike a product
		if math.Abs(math.Log(x/v)) < math.Abs(math.Log(best/v)) {
			best = x
		}
	}
	return best
}

// power returns the i-th of some powers of two at equal distances on the slider; 0 comes first if the slider has it.
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

// Size is a sweep before it begins, as the API estimates it.
type Size struct {
	Runs, Cells int
	Steps       uint64  // of all runs together
	Seconds     float64 // NaN: unknown
}

// Words says how large the sweep is, and about how long it takes.
func (s *Size) Words() (runs, rest, time string) {
	plural := func(n int, one, more string) string {
		if n == 1 {
			return "1 " + one
		}
		return strconv.Itoa(n) + " " + more
	}
	runs = plural(s.Runs, "run", "runs")
	rest = plural(s.Cells, "cell", "cells") + " × " + plural(s.Runs/max(1, s.Cells), "seed", "seeds") + ", " +
		number.Short(float64(s.Steps)) + " steps"
	switch v := s.Seconds; {
	case math.IsNaN(v):
		return runs, rest, "time unknown: this server has trained no sweep since it started"
	case v < 60:
		return runs, rest, fmt.Sprintf("about %.0f s on this server", max(1, v))
	case v < 90*60:
		return runs, rest, fmt.Sprintf("about %.0f min on this server", v/60)
	case v < 36*3600:
		return runs, rest, fmt.Sprintf("about %.0f h on this server", v/3600)
	default:
		return runs, rest, fmt.Sprintf("about %.0f days on this server", v/86400)
	}
}
