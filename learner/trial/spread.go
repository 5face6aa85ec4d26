package trial

import (
	"slices"

	"impalab/learner"
	"impalab/learner/telemetry"
)

// Some studies compare a quantity of the algorithm with its bound, over all updates of a run.

// spreadEach is the distance of two recorded updates. It is prime, so that they meet every place between two copies of
// V-MPO's target network.
const spreadEach = 7

// Spread is a quantity of telemetry's table over the updates of a run.
type Spread struct {
	Name string `json:"name"`
	Mean Number `json:"mean"`
	Nine Number `json:"nine"` // nine of ten values are at most this
}

// spreads records quantities of a run.
type spreads struct {
	names   []string
	values  [][]float64 // by name
	updates int
	due     bool // the present update is recorded
}

func newSpreads(names []string) *spreads {
	return &spreads{names: names, values: make([][]float64, len(names))}
}

// listen adds the recording to hooks.
func (s *spreads) listen(to learner.Hooks) learner.Hooks {
	due, update := to.Due, to.Update
	to.Due = func() bool {
		s.updates++
		s.due = s.updates%spreadEach == 0
		return due != nil && due() || s.due
	}
	to.Update = func(u *telemetry.Update) {
		if s.due {
			s.record(u.Traces.List())
		}
		if update != nil {
			update(u)
		}
	}
	return to
}

func (s *spreads) record(traces []telemetry.Trace) {
	for _, t := range traces {
		if i := slices.Index(s.names, telemetry.Quantities[t.Of].Name); i >= 0 {
			s.values[i] = append(s.values[i], float64(t.Value))
		}
	}
}

// list returns the spreads in the order of their names. A quantity that the algorithm does not have is unknown.
func (s *spreads) list() (all []Spread) {
	for i, name := range s.names {
		one := Spread{name, None, None}
		if v := s.values[i]; len(v) > 0 {
			slices.Sort(v)
			sum := 0.0
			for _, x := range v {
				sum += x
			}
			one.Mean, one.Nine = Number(sum/float64(len(v))), Number(v[len(v)*9/10])
		}
		all = append(all, one)
	}
	return all
}

// SpreadSummary combines the seeds' spreads of one quantity.
type SpreadSummary struct {
	Name string   `json:"name"`
	Mean Estimate `json:"mean"`
	Nine Estimate `json:"nine"`
}

// SummariseSpreads combines the runs of one configuration.
func SummariseSpreads(runs []Report) (all []SpreadSummary) {
	for k, s := range runs[0].Spreads {
		mean, _ := estimate(runs, func(r *Report) Number { return r.Spreads[k].Mean })
		nine, _ := estimate(runs, func(r *Report) Number { return r.Spreads[k].Nine })
		all = append(all, SpreadSummary{s.Name, mean, nine})
	}
	return all
}
