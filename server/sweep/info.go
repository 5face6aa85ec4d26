package sweep

import (
	"context"
	"math"

	"impalab/learner/trial"
	"impalab/server/store"
)

// Info is what anybody who knows its name may know of a sweep.
type Info struct {
	ID      string
	State   store.State
	Reason  string
	Spec    *Spec
	Created int64 // milliseconds since 1970
	Runs    int
	Over    int    // runs that have ended
	Steps   uint64 // of all runs
	Cells   []Cell
}

// Cell is one combination of values.
type Cell struct {
	Values   []string       // one for each key
	Return   trial.Estimate // of the runs that count: over seeds, never over episodes
	N        int            // runs that count
	Diverged int            // of N
	Over     int            // runs that have ended, whether they count or not
	Runs     []Member       // in the order of the seeds
}

// Member is one run of a cell.
type Member struct {
	Seed    uint64
	Run     string      // "" before it begins
	State   store.State // "" before it begins, and of a lost run
	Outcome Outcome     // "" until it has ended
	Reason  string
	Steps   uint64
	Return  float64 // mean of the last 100 episodes; NaN before the first
	Counts  bool    // in the cell's estimate
}

// Info describes the sweep.
func (s *Sweep) Info() Info {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	i := Info{ID: s.id, State: s.state, Reason: s.reason, Spec: &s.spec, Created: s.created, Runs: len(s.members),
		Cells: make([]Cell, s.spec.Cells())}
	for c := range i.Cells {
		i.Cells[c] = s.cell(c)
		i.Over += i.Cells[c].Over
		for _, m := range i.Cells[c].Runs {
			i.Steps += m.Steps
		}
	}
	return i
}

// cell describes one cell. The caller holds mu.
func (s *Sweep) cell(c int) Cell {
	one := Cell{Values: s.spec.Values(c)}
	var values []float64
	for k := range s.spec.Seeds {
		m := &s.members[k*s.spec.Cells()+c].Member
		if m.Outcome == Diverged {
			one.Diverged++
		}
		if m.Outcome != "" {
			one.Over++
		}
		if m.Counts {
			values = append(values, m.Return)
		}
		one.Runs = append(one.Runs, *m)
	}
	if kept := &s.cells[c]; !kept.known {
		kept.estimate, kept.known = trial.NewEstimate(values), true
	}
	one.Return, one.N = s.cells[c].estimate, len(values)
	return one
}

// Progress is how far a sweep is.
type Progress struct {
	Revision   uint64
	State      store.State
	Reason     string
	Runs, Over int
	Steps      uint64
}

// Progress returns how far the sweep is, and a channel that is closed when that changes.
func (s *Sweep) Progress() (p Progress, news <-chan struct{}) {
	s.look()
	s.mu.Lock()
	defer s.mu.Unlock()
	p = Progress{Revision: s.revision, State: s.state, Reason: s.reason, Runs: len(s.members)}
	for i := range s.members {
		p.Steps += s.members[i].Steps
		if s.members[i].Outcome != "" {
			p.Over++
		}
	}
	return p, s.news
}

// Curves are the returns of a cell's runs over their steps.
type Curves struct {
	Steps uint64 // of a whole run
	Lines []Line
	Band  []Point
}

// Line is the mean return of the last 100 episodes of one run at equal distances of its budget, as far as the run is;
// NaN before the first episode.
type Line struct {
	Seed uint64
	At   []float64
}

// Point is the estimate over all seeds that have reached a step.
type Point struct {
	Step   uint64
	Return trial.Estimate
	N      int
}

// Step returns the step of point i of a line.
func (c *Curves) Step(i int) uint64 {
	line := trial.Curve{Budget: c.Steps}
	return uint64(math.Round(line.Step(i)))
}

// bandKey is a point of the band over n seeds. A curve never changes its past, so the estimate at a step changes
// only with n.
type bandKey struct{ point, n int }

// bandGap is how many points the lines have for each point of the band.
const bandGap = 4

// Curves returns the curves of a cell.
func (s *Sweep) Curves(ctx context.Context, number int) (c Curves) {
	c.Steps = s.spec.Base.Config.Steps
	cells := s.spec.Cells()
	for k, seed := range s.spec.Seeds {
		i := k*cells + number
		s.mu.Lock()
		m := s.members[i]
		s.mu.Unlock()
		if m.Run == "" || m.Outcome == Cut || m.Outcome == Lost {
			continue
		}
		if m.curve == nil {
			var err error
			if m.curve, err = s.readCurve(ctx, m.Run, m.Steps); err == nil && m.Outcome != "" {
				s.mu.Lock()
				s.members[i].curve = m.curve
				s.mu.Unlock()
			}
		}
		if len(m.curve) > 0 {
			c.Lines = append(c.Lines, Line{seed, m.curve})
		}
	}
	c.Band = s.band(number, c.Lines)
	return c
}

// band has a point wherever at least two seeds have a return, and every seed that has come so far has one.
func (s *Sweep) band(number int, lines []Line) (band []Point) {
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
		band = append(band, Point{uint64(math.Round(line.Step(i))), kept.band[key], len(values)})
	}
	return band
}

// readCurve returns the mean return of a run at equal distances of its budget, as far as the run is. It is empty, not
// nil, where the run is gone.
func (s *Sweep) readCurve(ctx context.Context, run string, steps uint64) ([]float64, error) {
	points, err := s.all.lab.Returns(ctx, run)
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
