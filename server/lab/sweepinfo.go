package lab

import (
	"context"
	"math"

	"impalab/learner/trial"
	"impalab/server/store"
)

// SweepInfo is what may be known of a sweep by whoever knows its name.
type SweepInfo struct {
	ID      string
	State   store.State
	Reason  string
	Spec    *SweepSpec
	Created int64  // milliseconds since 1970
	Runs    int    // there are to be
	Over    int    // of them
	Steps   uint64 // that all have taken
	Cells   []SweepCell
}

// SweepCell is one combination of values.
type SweepCell struct {
	Values   []string       // one for each key
	Return   trial.Estimate // of the runs that count: over seeds, never over episodes
	N        int            // how many count
	Diverged int            // of them
	Over     int            // that count or never will
	Runs     []SweepMember  // in the order of the seeds
}

// SweepMember is one run of a cell.
type SweepMember struct {
	Seed    uint64
	Run     string      // "" before it begins
	State   store.State // "" before it begins, and where it was lost
	Outcome Outcome     // "" until it is over
	Reason  string
	Steps   uint64
	Return  float64 // mean of the last 100 episodes; NaN before the first
	Counts  bool    // in the cell's estimate
}

// Info describes the sweep as it stands.
func (s *Sweep) Info() SweepInfo {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	i := SweepInfo{ID: s.id, State: s.state, Reason: s.reason, Spec: &s.spec, Created: s.created, Runs: len(s.members),
		Cells: make([]SweepCell, s.spec.Cells())}
	for c := range i.Cells {
		i.Cells[c] = s.cell(c)
		i.Over += i.Cells[c].Over
		for _, m := range i.Cells[c].Runs {
			i.Steps += m.Steps
		}
	}
	return i
}

// cell describes one. The caller holds mu.
func (s *Sweep) cell(c int) SweepCell {
	one := SweepCell{Values: s.spec.Values(c)}
	var values []float64
	for k, seed := range s.spec.Seeds {
		m := &s.members[k*s.spec.Cells()+c]
		of := SweepMember{Seed: seed, Run: m.run, Outcome: m.outcome, Reason: m.reason, Steps: m.steps, Return: m.mean,
			Counts: m.counts()}
		switch m.outcome {
		case "":
			of.State = m.state
			if m.run != "" && of.State == "" {
				of.State = store.Queued
			}
		case Diverged:
			of.State = store.Diverged
			one.Diverged++
		case Finished, Cut:
			of.State = store.Done
		}
		if m.outcome != "" {
			one.Over++
		}
		if of.Counts {
			values = append(values, m.mean)
		}
		one.Runs = append(one.Runs, of)
	}
	if kept := &s.cells[c]; !kept.known {
		kept.estimate, kept.known = trial.NewEstimate(values), true
	}
	one.Return, one.N = s.cells[c].estimate, len(values)
	return one
}

// Progress is how far the sweep has come, in little.
type Progress struct {
	Revision   uint64
	State      store.State
	Reason     string
	Runs, Over int
	Steps      uint64
}

// Progress says how far it has come, and gives a channel that is closed when there is something new.
func (s *Sweep) Progress() (p Progress, news <-chan struct{}) {
	s.look()
	return s.progress()
}

func (s *Sweep) progress() (p Progress, news <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p = Progress{Revision: s.revision, State: s.state, Reason: s.reason, Runs: len(s.members)}
	for i := range s.members {
		p.Steps += s.members[i].steps
		if s.members[i].outcome != "" {
			p.Over++
		}
	}
	return p, s.news
}

// SweepCurves are the returns of a cell's runs over their steps.
type SweepCurves struct {
	Steps uint64 // of a whole run
	Lines []SweepLine
	Band  []SweepPoint
}

// SweepLine is the mean return of the last 100 episodes of one run, at equal distances of its budget as far as it has
// come; NaN before the first episode.
type SweepLine struct {
	Seed uint64
	At   []float64
}

// SweepPoint is what the seeds that have come to a step say together there.
type SweepPoint struct {
	Step   uint64
	Return trial.Estimate
	N      int
}

// Step is where point i of a line stands.
func (c *SweepCurves) Step(i int) uint64 {
	line := trial.Curve{Budget: c.Steps}
	return uint64(math.Round(line.Step(i)))
}

// bandKey is a point of the band of a line of so many seeds: what has been learned never changes, so that the estimate
// at a step is another only when more seeds have come there.
type bandKey struct{ point, n int }

// bandGap is every how many points of the lines there is one of the band.
const bandGap = 4

// Curves are those of a cell, as they stand.
func (s *Sweep) Curves(ctx context.Context, number int) (c SweepCurves) {
	c.Steps = s.spec.Base.Config.Steps
	cells := s.spec.Cells()
	for k, seed := range s.spec.Seeds {
		i := k*cells + number
		m := s.at(i)
		if m.run == "" || m.outcome == Cut || m.outcome == Lost {
			continue
		}
		if m.curve == nil || m.outcome == "" {
			var err error
			if m.curve, err = s.readCurve(ctx, m.run, m.steps); err == nil && m.outcome != "" {
				s.mu.Lock()
				s.members[i].curve = m.curve
				s.mu.Unlock()
			}
		}
		if len(m.curve) > 0 {
			c.Lines = append(c.Lines, SweepLine{seed, m.curve})
		}
	}
	c.Band = s.band(number, c.Lines)
	return c
}

// band has a point wherever every seed that has come so far has a return, of two at least.
func (s *Sweep) band(number int, lines []SweepLine) (band []SweepPoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := &s.cells[number]
	if kept.band == nil {
		kept.band = map[bandKey]trial.Estimate{}
	}
	line := trial.Curve{Budget: s.spec.Base.Config.Steps}
	for i := bandGap - 1; i < trial.CurvePoints; i += bandGap {
		var values []float64
		missing := false
		for _, l := range lines {
			if i < len(l.At) {
				values = append(values, l.At[i])
				missing = missing || math.IsNaN(l.At[i])
			}
		}
		if len(values) < 2 || missing {
			continue
		}
		key := bandKey{i, len(values)}
		if _, known := kept.band[key]; !known {
			kept.band[key] = trial.NewEstimate(values)
		}
		band = append(band, SweepPoint{uint64(math.Round(line.Step(i))), kept.band[key], len(values)})
	}
	return band
}

// readCurve is the mean return of a run at equal distances of its budget, as far as it has come. Empty, not nil, where
// the run is gone.
func (s *Sweep) readCurve(ctx context.Context, run string, steps uint64) ([]float64, error) {
	points, err := s.lab.returns(ctx, run)
	budget := s.spec.Base.Config.Steps
	curve := trial.Curve{Budget: budget, At: []float64{}}
	if len(points) == 0 {
		return curve.At, err
	}
	now, k := math.NaN(), 0
	for i := range trial.CurvePoints {
		step := curve.Step(i)
		if step > float64(steps) {
			break
		}
		for ; k < len(points) && float64(points[k].Step) <= step; k++ {
			now = points[k].Value
		}
		curve.At = append(curve.At, now)
	}
	return curve.At, err
}

// returns are the points of a return: those that the store has, as far as it can be read, and those on their way there.
func (l *Lab) returns(ctx context.Context, run string) (points []store.Point, err error) {
	var fresh []store.Point
	l.mu.Lock()
	held := l.runs[run]
	l.mu.Unlock()
	if held != nil { // before the store is asked, or what is taken there meanwhile would be in neither
		held.record.mu.Lock()
		for _, p := range held.record.points {
			fresh = append(fresh, store.Point{Step: int64(p.Step), Value: float64(p.Return)})
		}
		held.record.mu.Unlock()
	}
	err = l.store.View(ctx, func(tx *store.Tx) (err error) {
		points, err = tx.Curve(run, store.CurveReturn, 0, math.MaxInt64)
		return err
	})
	for _, p := range fresh {
		if n := len(points); n == 0 || p.Step > points[n-1].Step {
			points = append(points, p)
		}
	}
	return points, err
}
