package trial

import (
	"slices"

	"impalab/learner"
	"impalab/learner/telemetry"
)

// Some studies record quantities of the algorithm: divergences, to compare them with their bounds, and metaparameters,
// to see where they go.

// spreadEach is the number of updates from one recorded update to the next. It is prime: the recorded updates fall on
// every place between two copies of V-MPO's target network.
const spreadEach = 7

// Spread is a quantity of telemetry's table over the updates of a run.
type Spread struct {
	Name  string `json:"name"`
	Mean  Number `json:"mean"`
	Nine  Number `json:"nine"`  // nine of ten values are at most this
	First Number `json:"first"` // mean of the first tenth of the updates
	Last  Number `json:"last"`  // mean of the last tenth
}

// spreads records quantities of a run.
type spreads struct {
	names []string
	due   bool // the present update is recorded
	recorded
}

// recorded is the part of spreads that a continued run needs.
type recorded struct {
	Values  [][]float64 // by name
	Updates int
}

func newSpreads(names []string) *spreads {
	return &spreads{names: names, recorded: recorded{Values: make([][]float64, len(names))}}
}

// listen adds the recording to hooks.
func (s *spreads) listen(to learner.Hooks) learner.Hooks {
	due, update := to.Due, to.Update
	to.Due = func() bool {
		s.Updates++
		s.due = s.Updates%spreadEach == 0
		return due != nil && due() || s.due
	}
	to.Update = func(u *telemetry.Update) {
		if s.due {
			s.record(u.AlgoValues.List())
		}
		if update != nil {
			update(u)
		}
	}
	return to
}

func (s *spreads) record(traces []telemetry.AlgoValue) {
	for _, t := range traces {
		if i := slices.Index(s.names, telemetry.AlgoMetrics[t.Of].Name); i >= 0 {
			s.Values[i] = append(s.Values[i], float64(t.Value))
		}
	}
}

// list returns the spreads in the order of their names. A quantity that the algorithm does not have is unknown.
func (s *spreads) list() (all []Spread) {
	for i, name := range s.names {
		one := Spread{name, None, None, None, None}
		if v := s.Values[i]; len(v) > 0 {
			tenth := max(1, len(v)/10)
			one.Mean, one.First, one.Last = mean(v), mean(v[:tenth]), mean(v[len(v)-tenth:])
			one.Nine = Number(slices.Sorted(slices.Values(v))[len(v)*9/10])
		}
		all = append(all, one)
	}
	return all
}

func mean(values []float64) Number {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return Number(sum / float64(len(values)))
}

// SpreadSummary combines the seeds' spreads of one quantity.
type SpreadSummary struct {
	Name  string   `json:"name"`
	Mean  Estimate `json:"mean"`
	Nine  Estimate `json:"nine"`
	First Estimate `json:"first"`
	Last  Estimate `json:"last"`
}

// SummariseSpreads combines the runs of one configuration.
func SummariseSpreads(runs []Report) (all []SpreadSummary) {
	for k, s := range runs[0].Spreads {
		of := func(pick func(*Spread) Number) Estimate {
			e, _ := estimate(runs, func(r *Report) Number { return pick(&r.Spreads[k]) })
			return e
		}
		all = append(all, SpreadSummary{s.Name, of(func(s *Spread) Number { return s.Mean }),
			of(func(s *Spread) Number { return s.Nine }), of(func(s *Spread) Number { return s.First }),
			of(func(s *Spread) Number { return s.Last })})
	}
	return all
}
