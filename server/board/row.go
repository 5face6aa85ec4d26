package board

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"impalab/learner"
	"impalab/learner/trial"
)

// Row is a trained entry: the statistics of its seeds. The JSON keys never change their meaning.
type Row struct {
	Name     string            `json:"name"` // of a baseline; otherwise ""
	Settings map[string]string `json:"settings"`
	Hash     string            `json:"hash"`
	Seeds    []string          `json:"seeds"`           // numbers, or secret:0, secret:1 and so on
	Score    trial.Estimate    `json:"return_mean_run"` // it ranks
	End      trial.Estimate    `json:"return_mean_100"`
	Each     []trial.Number    `json:"each,omitempty"`          // the score of each public seed
	Params   []string          `json:"params_sha256,omitempty"` // of each public seed
	Made     string            `json:"arithmetic"`
	Diverged *int              `json:"diverged,omitempty"`      // diverged seeds; nil while the number is secret
	Some     *bool             `json:"some_diverged,omitempty"` // then only this
	Curve    []Point           `json:"curve"`                   // thinned

	Entry Entry `json:"-"`
}

// Point is the statistic of all seeds at a step: interquartile mean and interval.
type Point struct {
	Step float64      `json:"step"`
	Mean trial.Number `json:"iqm"`
	Low  trial.Number `json:"low"`
	High trial.Number `json:"high"`
}

// Order is an entry and the seeds to train it on.
type Order struct {
	Track *Track
	Name  string
	Entry Entry
	Seeds Seeds
	Jobs  int                  // seeds in training at once; it changes no result
	Hooks func() learner.Hooks // makes the hooks of one run; nil: none
	Kept  trial.Keeper         // nil: every run is trained
}

// Train trains every seed from zero. The same order gives the same row to the digit within one arithmetic. It returns
// an error if ctx ends first.
func Train(ctx context.Context, o Order) (Row, error) {
	if o.Seeds.secret && o.Kept != nil {
		return Row{}, errors.New("runs on secret seeds are not kept: their files would name the seeds")
	}
	run := &trial.Trial{Config: o.Entry.Config, Seeds: o.Seeds.values, Jobs: max(1, min(o.Jobs, len(o.Seeds.values))),
		Hooks: o.Hooks, Kept: o.Kept, Called: o.Seeds.called}
	reports, err := run.Run(ctx, func(trial.Report) {})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Row{}, err
	}
	return NewRow(o.Track, o.Name, o.Entry, o.Seeds, reports), nil
}

// NewRow returns the row of an entry's reports. The row of secret seeds has no figure of a single run: it would let a
// reader search for the seed.
func NewRow(t *Track, name string, e Entry, seeds Seeds, reports []trial.Report) Row {
	r := Row{Name: name, Hash: e.Hash, Seeds: seeds.Names(), Settings: map[string]string{}, Entry: e, Diverged: new(int)}
	for _, s := range e.Settings {
		r.Settings[s.Key] = s.Value
	}
	var scores, ends []float64
	var curves []trial.Curve
	for i := range reports {
		run := &reports[i]
		scores = append(scores, t.score(run))
		ends = append(ends, orElse(float64(run.ReturnMean100), t.Chance))
		if run.Diverged {
			*r.Diverged++
			ends[i] = t.Chance
		}
		curves, r.Made = append(curves, run.Curve), run.Arithmetic
		if !seeds.secret {
			r.Each, r.Params = append(r.Each, trial.Number(scores[i])), append(r.Params, run.ParamsSHA256)
		}
	}
	r.Score, r.End, r.Curve = trial.NewEstimate(scores), trial.NewEstimate(ends), thin(curves)
	return r
}

// score returns a run's mean over the run. For the part that a diverged run did not reach, a uniform policy's return
// counts, so diverging at the best moment gains nothing.
func (t *Track) score(r *trial.Report) float64 {
	mean := orElse(float64(r.ReturnMeanRun), t.Chance)
	if !r.Diverged {
		return mean
	}
	reached := math.Min(1, float64(r.Steps)/float64(t.Start.Steps))
	return reached*mean + (1-reached)*t.Chance
}

func orElse(v, otherwise float64) float64 {
	if math.IsNaN(v) {
		return otherwise
	}
	return v
}

// curvePoints is the length of a stored curve.
const curvePoints = 50

// coarse rounds a row of secret seeds to three digits, and tells only whether any run diverged: a reader could test
// guessed seeds against exact figures.
func (r *Row) coarse() {
	for _, e := range []*trial.Estimate{&r.Score, &r.End} {
		e.Mean, e.Low, e.High = round(float64(e.Mean), 3), round(float64(e.Low), 3), round(float64(e.High), 3)
	}
	for i := range r.Curve {
		p := &r.Curve[i]
		p.Mean, p.Low, p.High = round(float64(p.Mean), 3), round(float64(p.Low), 3), round(float64(p.High), 3)
	}
	some := r.AnyDiverged()
	r.Diverged, r.Some = nil, &some
}

// AnyDiverged reports whether the run of any seed diverged.
func (r *Row) AnyDiverged() bool {
	return r.Diverged != nil && *r.Diverged > 0 || r.Some != nil && *r.Some
}

// DivergedWords returns the number of diverged seeds, like "2 of 8", or "some of 8" while it is secret.
func (r *Row) DivergedWords() string {
	if r.Diverged != nil {
		return fmt.Sprintf("%d of %d", *r.Diverged, len(r.Seeds))
	}
	if r.AnyDiverged() {
		return fmt.Sprintf("some of %d", len(r.Seeds))
	}
	return fmt.Sprintf("none of %d", len(r.Seeds))
}

// thin joins curves and returns every fourth point in four digits.
func thin(curves []trial.Curve) (points []Point) {
	all := trial.Together(curves)
	for i, p := range all {
		if (i+1)%(trial.CurvePoints/curvePoints) == 0 || i == len(all)-1 {
			points = append(points, Point{p.Step, round(p.Mean, 4), round(p.Low, 4), round(p.High, 4)})
		}
	}
	return points
}

// round rounds to significant digits.
func round(v float64, digits int) trial.Number {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // always a number
	return trial.Number(rounded)
}

// Placed is a row with its rank: First to Last of the rows that it ties with.
type Placed struct {
	Row
	First, Last int
}

// Tied reports whether the row shares its rank.
func (p *Placed) Tied() bool { return p.First < p.Last }

// Rank returns "4", or "1–3" in a tie group.
func (p *Placed) Rank() string {
	if p.Tied() {
		return strconv.Itoa(p.First) + "–" + strconv.Itoa(p.Last)
	}
	return strconv.Itoa(p.First)
}

// Place ranks rows by the low ends of their intervals. A tie group is a row and the rows directly after it whose
// intervals overlap with the first row's. So one wide interval ties with its neighbours, not with the whole board. The
// hash decides between equal rows.
func Place(rows []Row) []Placed {
	placed := make([]Placed, len(rows))
	for i, r := range rows {
		placed[i].Row = r
	}
	slices.SortStableFunc(placed, func(a, b Placed) int { return better(&a.Row, &b.Row) })
	for first := 0; first < len(placed); {
		last := first
		for last+1 < len(placed) && placed[last+1].Score.High >= placed[first].Score.Low {
			last++
		}
		for i := first; i <= last; i++ {
			placed[i].First, placed[i].Last = first+1, last+1
		}
		first = last + 1
	}
	return placed
}

// better is negative if a stands before b.
func better(a, b *Row) int {
	return cmp.Or(cmp.Compare(b.Score.Low, a.Score.Low), cmp.Compare(b.Score.Mean, a.Score.Mean),
		cmp.Compare(a.Hash, b.Hash))
}
