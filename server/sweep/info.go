package sweep

import (
	"context"
	"math"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/store"
)

// Info is the present state of a sweep, for everybody who knows its name. It is the API's answer, and never changes.
type Info struct {
	ID       string            `json:"id"`
	State    store.State       `json:"state" enum:"running,done,stopped"`
	Reason   string            `json:"reason" doc:"Why it was stopped, for people; may be empty."`
	Preset   string            `json:"preset"`
	Settings map[string]string `json:"settings" doc:"All settings that its cells have in common, by key."`
	Turns    string            `json:"turns"`
	Keys     []Axis            `json:"keys" doc:"The first goes across, the second up."`
	Seeds    []uint64          `json:"seeds"`
	Steps    uint64            `json:"steps" doc:"Environment steps of each run."`
	Runs     int               `json:"runs" doc:"Number of runs of the whole sweep."`
	Over     int               `json:"over" doc:"Number of runs that have ended."`
	Taken    uint64            `json:"steps_taken" doc:"Environment steps of all runs together."`
	Cells    []Cell            `json:"cells" doc:"The first key changes fastest."`
	Created  time.Time         `json:"created"`
}

// Cell is one combination of values. Its estimate is of the return_mean_100 of the seeds that count: over seeds, never
// over episodes.
type Cell struct {
	Values []string `json:"values" doc:"One for each key."`
	trial.Estimate
	N        int      `json:"n" doc:"Seeds that count."`
	Diverged int      `json:"diverged" doc:"Seeds that diverged. They count with their last return."`
	Over     int      `json:"over" doc:"Runs that have ended, whether they count or not."`
	Runs     []Member `json:"runs" doc:"In the order of the seeds."`
}

// Member is one run of a cell.
type Member struct {
	Seed   uint64       `json:"seed"`
	ID     *string      `json:"id" doc:"Id of the run; null before it starts."`
	State  store.State  `json:"state" doc:"waiting, then the state of the run; stopped or lost if it does not count."`
	Reason string       `json:"reason"`
	Steps  uint64       `json:"steps"`
	Return trial.Number `json:"return_mean_100" nullable:"true"`
	Counts bool         `json:"-"` // in the cell's estimate
}

// Waiting is the state of a run that has not begun.
const Waiting store.State = "waiting"

// infoOf describes a sweep of which no run has begun.
func infoOf(row *store.Sweep, spec *Spec) Info {
	base := &spec.Base
	i := Info{ID: row.ID, State: store.SweepRunning, Preset: base.Preset, Settings: hyper.ByKey(base.Config.Settings()),
		Turns: hyper.FormatPlan(base.Turns), Keys: append([]Axis{}, spec.Keys...), Seeds: spec.Seeds,
		Steps: base.Config.Steps, Runs: spec.Runs(), Cells: make([]Cell, spec.Cells()),
		Created: time.UnixMilli(row.Created).UTC()}
	delete(i.Settings, "seed")
	for _, axis := range spec.Keys {
		delete(i.Settings, axis.Key)
	}
	for c := range i.Cells {
		i.Cells[c] = Cell{Values: append([]string{}, spec.Values(c)...), Estimate: trial.NewEstimate(nil)}
		for _, seed := range spec.Seeds {
			i.Cells[c].Runs = append(i.Cells[c].Runs, Member{Seed: seed, State: Waiting, Return: trial.None})
		}
	}
	return i
}

// Info returns the sweep as this process last read it.
func (s *Sweep) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// load sets the description of the sweep from the rows of the store.
func (s *Sweep) load(row *store.Sweep, kept []store.SweepRun, jobs map[int64]store.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = time.Now()
	begun, open := map[int64]*store.SweepRun{}, 0
	for i, k := range kept {
		begun[k.Number] = &kept[i]
		if k.Outcome == "" {
			open++
			if k.State == store.Running && jobs[k.Number].State == store.JobQueued { // its worker left it
				kept[i].State = store.Queued
			}
		}
	}
	next := s.info
	next.Over, next.Taken, next.Cells = 0, 0, make([]Cell, len(s.info.Cells))
	for c := range next.Cells {
		next.Cells[c] = s.info.Cells[c].after(begun, c, len(next.Cells))
		next.Over += next.Cells[c].Over
		for _, m := range next.Cells[c].Runs {
			next.Taken += m.Steps
		}
	}
	// A sweep that has been stopped ends when its runs have kept where they stood.
	if row.State != next.State && (row.State == store.SweepRunning || open == 0) {
		next.State, next.Reason, s.looked = row.State, row.Reason, time.Now()
	}
	s.info = next
}

// after describes cell c from the runs that have begun, by their number in the plan.
func (one Cell) after(begun map[int64]*store.SweepRun, c, cells int) Cell {
	before, values := one, []float64{}
	one.Diverged, one.Over, one.Runs = 0, 0, make([]Member, len(before.Runs))
	for k := range one.Runs {
		m := &one.Runs[k]
		*m = before.Runs[k]
		run := begun[int64(k*cells+c)]
		if run == nil {
			continue
		}
		m.State, m.Reason, m.Steps, m.Return = run.State, run.Reason, uint64(run.Steps), trial.Number(run.Return)
		if run.Run != "" {
			m.ID = &run.Run
		}
		if m.State == "" {
			m.State = store.Queued
		}
		if run.Outcome != "" {
			one.Over++
			m.State = store.State(run.Outcome)
		}
		if run.Outcome == Diverged {
			one.Diverged++
		}
		if m.Counts = (run.Outcome == Finished || run.Outcome == Diverged) && !math.IsNaN(run.Return); m.Counts {
			values = append(values, run.Return)
		}
	}
	if one.N = len(values); one.N != before.N { // an outcome never changes
		one.Estimate = trial.NewEstimate(values)
	}
	return one
}

// Curves are the returns of a cell's runs over their steps.
type Curves struct {
	Lines []Line  `json:"lines"`
	Band  []Point `json:"band"`
}

// Line is one run's mean return of the last 100 episodes at equal distances of its budget, as far as the run is.
type Line struct {
	Seed  uint64         `json:"seed"`
	Steps []uint64       `json:"steps"`
	At    []trial.Number `json:"return_mean_100" doc:"At these steps; null before the first episode."`
}

// Point is the estimate over all seeds that have reached a step: over seeds, never over episodes.
type Point struct {
	Step uint64 `json:"step"`
	trial.Estimate
	N int `json:"n" doc:"Number of seeds that have reached the step."`
}

// bandKey is a point of the band of a cell over n seeds. A curve never changes its past, so the estimate at a step
// changes only with n.
type bandKey struct{ cell, point, n int }

// bandGap is how many points the lines have for each point of the band.
const bandGap = 4

// Curves returns the curves of a cell.
func (s *Sweep) Curves(ctx context.Context, number int) Curves {
	c := Curves{Lines: []Line{}}
	for _, m := range s.Info().Cells[number].Runs {
		if m.ID == nil || m.State == Cut || m.State == Lost {
			continue
		}
		s.mu.Lock()
		line, known := s.lines[*m.ID]
		s.mu.Unlock()
		if !known {
			var err error
			line, err = s.readLine(ctx, &m)
			if err == nil && (m.State == Finished || m.State == Diverged) {
				s.mu.Lock()
				s.lines[*m.ID] = line
				s.mu.Unlock()
			}
		}
		if len(line.At) > 0 {
			c.Lines = append(c.Lines, line)
		}
	}
	c.Band = s.band(number, c.Lines)
	return c
}

// band has a point wherever at least two seeds have a return, and every seed that has come so far has one.
func (s *Sweep) band(number int, lines []Line) []Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	band := []Point{}
	for i := bandGap - 1; i < trial.CurvePoints; i += bandGap {
		var values []float64
		missing, step := false, uint64(0)
		for _, l := range lines {
			if i < len(l.At) {
				values = append(values, float64(l.At[i]))
				missing = missing || math.IsNaN(float64(l.At[i]))
				step = l.Steps[i]
			}
		}
		if len(values) < 2 || missing {
			continue
		}
		key := bandKey{number, i, len(values)}
		if _, known := s.bands[key]; !known {
			s.bands[key] = trial.NewEstimate(values)
		}
		band = append(band, Point{step, s.bands[key], len(values)})
	}
	return band
}

// readLine returns the line of a run. It is empty where the run is gone.
func (s *Sweep) readLine(ctx context.Context, m *Member) (Line, error) {
	line := Line{Seed: m.Seed}
	points, err := s.all.lab.Returns(ctx, *m.ID)
	if len(points) == 0 {
		return line, err
	}
	curve := trial.Curve{Budget: s.Spec.Base.Config.Steps}
	now, k := trial.None, 0
	for i := range trial.CurvePoints {
		step := curve.Step(i)
		if step > float64(m.Steps) {
			break
		}
		for ; k < len(points) && float64(points[k].Step) <= step; k++ {
			now = trial.Number(points[k].Value)
		}
		line.Steps, line.At = append(line.Steps, uint64(math.Round(step))), append(line.At, now)
	}
	return line, err
}
