package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/chart"
	"impalab/web/link"
	"impalab/web/number"
)

// Sweep is the page of one sweep.
type Sweep struct {
	ID, Preset string
	State      string // running, done or stopped
	Reason     string
	Base       hyper.Config // of every run, before the values of its cell
	Turns      []hyper.PlannedChange
	Keys       []Axis // the first goes across, the second up
	Seeds      []uint64
	Runs, Over int    // all runs, and how many of them have ended
	Taken      uint64 // environment steps of all runs together
	Cells      []Cell // the first key changes fastest

	Chosen int           // number of the chosen cell
	Curves chart.Seeds   // of the chosen cell
	View   string        // what the page shows of a sweep of one setting: ViewOver or ViewCurves
	Lines  []chart.Group // for ViewCurves
	URL    string        // whole address of the page, for others
	CSV    string        // whole address of the runs as CSV
	Map    *LagMap       // of a sweep over policy lag and learning rate; nil: of others
	Guess  float64       // a visitor's product of lag and rate, for Map; 0: none
	Beside *Sweep        // another sweep, drawn in the same colours; nil: none
	Guest  bool          // this sweep is Beside another
}

// Axis is a setting that a sweep varies, and its values.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// Cell is one combination of values.
type Cell struct {
	Values         []string // one for each key
	trial.Estimate          // over the seeds that count
	N, Diverged    int      // seeds that count, and that diverged
	Over           int      // runs that have ended
	Runs           []Member // in the order of the seeds
}

// Member is one run of a cell.
type Member struct {
	Seed   uint64
	ID     string // "" before it starts
	State  string
	Return float64 // NaN before its first episode
	Counts bool    // in the cell's estimate
	Failed bool    // it diverged, was stopped or was lost
}

// cellURL returns the address that shows a cell, and cellID the name of its place.
func (s *Sweep) cellURL(n int) string { return s.viewURL(n, s.View) }

// viewURL returns the address that shows a cell in a view.
func (s *Sweep) viewURL(n int, view string) string {
	if s.Guest {
		return fmt.Sprintf("%s?cell=%d", s.ID, n)
	}
	query := fmt.Sprintf("?cell=%d", n)
	if view == ViewCurves {
		query += "&view=" + view
	}
	if s.Guess > 0 {
		query += "&guess=" + strconv.FormatFloat(s.Guess, 'g', 4, 64)
	}
	if s.Beside != nil {
		query += "&beside=" + s.Beside.ID
	}
	return query
}

func (s *Sweep) cellID(n int) string {
	if s.Guest {
		return fmt.Sprintf("beside-%d", n)
	}
	return fmt.Sprintf("cell-%d", n)
}

// axis is a setting that the sweep varies, with its values as people write them.
type axis struct {
	*hyper.Row
	values []string
}

// axes returns the axis that goes across and, if there is one, the axis that goes up.
func (s *Sweep) axes() (axes []axis) {
	for _, a := range s.Keys {
		row, _ := hyper.Lookup(a.Key) // exists: the lab checked the sweep
		one := axis{Row: row}
		for _, v := range a.Values {
			one.values = append(one.values, asRead(row.Name(v)))
		}
		axes = append(axes, one)
	}
	return axes
}

// asRead returns a value as people write it.
func asRead(value string) string {
	if value == "inf" {
		return "∞"
	}
	return value
}

func inSentence(words string) string { return strings.ToLower(words[:1]) + words[1:] }

func (s *Sweep) presetTitle() string { return cmp.Or(link.PresetOf(s.Preset).Title, s.Base.World) }

func (s *Sweep) title() string {
	title := s.presetTitle()
	switch axes := s.axes(); len(axes) {
	case 0:
		return title + " over " + seedCount(len(s.Seeds))
	case 1:
		return title + ": " + inSentence(axes[0].Words)
	default:
		return title + ": " + inSentence(axes[1].Words) + " by " + inSentence(axes[0].Words)
	}
}

// besideID is the id of the sweep beside, "" if there is none.
func (s *Sweep) besideID() string {
	if s.Beside == nil {
		return ""
	}
	return s.Beside.ID
}

// apartTitle is the title of a sweep beside another, with the settings in which it differs from its preset.
func (s *Sweep) apartTitle() string {
	words := []string{s.title()}
	for _, one := range s.turned() {
		words = append(words, one.Key+" "+asRead(one.Value))
	}
	return strings.Join(append(words, "sweep "+s.ID[:min(6, len(s.ID))]), ", ")
}

func (s *Sweep) running() bool { return s.State == "running" }

func (s *Sweep) progress() string {
	text := fmt.Sprintf("%d of %d runs · %s steps", s.Over, s.Runs, number.Count(s.Taken))
	if !s.running() {
		text += " · " + strings.TrimSuffix(s.State+": "+s.Reason, ": ")
	}
	return text
}

// scoreScale is the scale of drawn scores.
type scoreScale struct{ low, high float64 }

// share returns the place of a score, from 0 to 1. A score outside the scale is drawn at its end.
func (s scoreScale) share(v float64) float64 { return min(1, max(0, (v-s.low)/(s.high-s.low))) }

// opacity returns the opacity of a score's colour. It is never 0 and never 1.
func (s scoreScale) opacity(v float64) string {
	return strconv.FormatFloat(0.04+0.92*s.share(v), 'f', 3, 64)
}

// scale returns the scale of the colours: from a random policy to a solved world, extended to every seed's return, of
// the sweep beside too.
func (s *Sweep) scale() scoreScale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, one := range []*Sweep{s, s.Beside} {
		if one == nil {
			continue
		}
		if spec, tasks, err := envs.Describe(one.Base.World); err == nil && len(tasks) <= 1 {
			low, high = min(low, float64(spec.Random)), max(high, float64(spec.Solved))
		}
		for c := range one.Cells {
			if returns := counted(&one.Cells[c]); len(returns) > 0 {
				low, high = min(low, slices.Min(returns)), max(high, slices.Max(returns))
			}
		}
	}
	if !(low < high) || math.IsInf(low-high, 0) {
		return scoreScale{0, 1}
	}
	return scoreScale{low, high}
}

// counted returns the returns of the seeds that count, the best first.
func counted(c *Cell) (returns []float64) {
	for _, m := range c.Runs {
		if m.Counts {
			returns = append(returns, m.Return)
		}
	}
	slices.Sort(returns)
	slices.Reverse(returns)
	return returns
}

// cellValues returns the values of a cell, one for each axis.
func (s *Sweep) cellValues(n int) (values []string) {
	for _, a := range s.axes() {
		values = append(values, a.values[n%len(a.values)])
		n /= len(a.values)
	}
	return values
}

// cellName names a cell by its values.
func (s *Sweep) cellName(n int) string {
	names := s.cellValues(n)
	for k, a := range s.axes() {
		symbol := a.Symbol
		if strings.Contains(symbol, "_") { // a subscript cannot be written in a line
			symbol = ""
		}
		name := cmp.Or(symbol, inSentence(a.Words))
		if k == 0 && symbol == "" {
			name = a.Words
		}
		names[k] = name + " " + names[k]
	}
	return strings.Join(names, ", ")
}

// iqm returns the interquartile mean of a cell.
func iqm(c *Cell) string {
	if c.N == 0 {
		return number.None
	}
	return number.Score(float64(c.Mean))
}

// interval returns the 95 % interval of a cell. One seed has none.
func interval(c *Cell) string {
	if c.N < 2 {
		return number.None
	}
	return number.Score(float64(c.Low)) + " to " + number.Score(float64(c.High))
}

// cellState returns the state of a cell, its result on the map, and the same in words.
func cellState(c *Cell) (state, short, says string) {
	switch {
	case c.Over == len(c.Runs):
		return "done", iqm(c), fmt.Sprintf("%s, 95 %% interval %s over %s", iqm(c), interval(c), seedCount(c.N))
	case c.Over == 0 && c.Runs[0].ID == "":
		return "waiting", "", "waiting"
	}
	return "filling", fmt.Sprintf("%d/%d", c.Over, len(c.Runs)),
		fmt.Sprintf("%d of %d seeds have ended", c.Over, len(c.Runs))
}

// memberReturn returns the return of a run, or its state if the run did not finish.
func memberReturn(m *Member) string {
	switch {
	case m.Failed:
		return m.State
	case m.Return-m.Return == 0:
		return number.Score(m.Return)
	}
	return number.None
}

// size is the size of a drawing, with its class: narrow, middle or broad.
type size struct {
	class      string
	wide, high float64
}

// lab returns the link that opens the first seed of the chosen cell in the Lab.
func (s *Sweep) lab() string {
	cfg := s.Base
	for k, value := range s.Cells[s.Chosen].Values {
		cfg.Set(s.Keys[k].Key, value) // valid: the server checked the sweep
	}
	cfg.Seed = s.Seeds[0]
	differ := slices.DeleteFunc(differences(s.Preset, cfg.Settings()), func(s hyper.Setting) bool {
		return s.Key == "steps"
	})
	return labLink(s.Preset, differ, s.Turns)
}
