package board

import (
	"cmp"
	"context"
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
	Figures

	Entry Entry `json:"-"`
}

// Figures are the results of a row's seeds.
type Figures struct {
	Seeds    []string       `json:"seeds" doc:"Numbers, or secret:0 and so on."`
	Score    trial.Estimate `json:"return_mean_run" doc:"Score. The low end decides the rank."`
	End      trial.Estimate `json:"return_mean_100"`
	Each     []trial.Number `json:"each,omitempty" doc:"Score of each seed; absent for secret seeds until the season is over."`
	Params   []string       `json:"params_sha256,omitempty" doc:"Hash of the parameters of each seed; absent for secret seeds until the season is over."`
	Made     string         `json:"arithmetic"`
	Diverged *int           `json:"diverged,omitempty" doc:"Number of seeds that diverged; absent for secret seeds until the season is over."`
	Some     *bool          `json:"some_diverged,omitempty" doc:"In place of diverged: whether any seed diverged."`
	Curve    []CurvePoint   `json:"curve" doc:"Of all seeds, thinned."`
}

// CurvePoint is the statistic of all seeds at a step: interquartile mean and interval.
type CurvePoint struct {
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
}

// Train trains every seed from zero. The same order gives the same row to the digit within one arithmetic. It returns
// an error if ctx ends first. A row of secret seeds has no figure of a single run: a reader could search for its seed.
func Train(ctx context.Context, o Order) (Row, error) {
	run := &trial.Trial{Config: o.Entry.Config, Seeds: o.Seeds.values, Names: o.Seeds.secret,
		Jobs: max(1, min(o.Jobs, len(o.Seeds.values))), Hooks: o.Hooks}
	reports, err := run.Run(ctx, func(trial.Report) {})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Row{}, err
	}
	row := NewRow(o.Track, o.Name, o.Entry, o.Seeds, reports)
	if o.Seeds.secret != nil {
		row.Each, row.Params = nil, nil
	}
	return row, nil
}

// NewRow returns the row of an entry's reports.
func NewRow(t *Track, name string, e Entry, seeds Seeds, reports []trial.Report) Row {
	r := Row{Name: name, Hash: e.Hash, Settings: e.Map(), Entry: e}
	r.Seeds, r.Diverged = seeds.Names(), new(int)
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
		r.Each, r.Params = append(r.Each, trial.Number(scores[i])), append(r.Params, run.ParamsSHA256)
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

const curvePoints = 50 // of a stored curve

// coarse rounds a row of secret seeds to three digits. It tells no figure of a single run, and only whether any run
// diverged: a reader could test guessed seeds against exact figures.
func (r *Row) coarse() {
	for _, e := range []*trial.Estimate{&r.Score, &r.End} {
		e.Mean, e.Low, e.High = round(float64(e.Mean), 3), round(float64(e.Low), 3), round(float64(e.High), 3)
	}
	for i := range r.Curve {
		p := &r.Curve[i]
		p.Mean, p.Low, p.High = round(float64(p.Mean), 3), round(float64(p.Low), 3), round(float64(p.High), 3)
	}
	some := r.AnyDiverged()
	r.Each, r.Params, r.Diverged, r.Some = nil, nil, nil, &some
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
func thin(curves []trial.Curve) (points []CurvePoint) {
	all := trial.Together(curves)
	for i, p := range all {
		if (i+1)%(trial.CurvePoints/curvePoints) == 0 || i == len(all)-1 {
			points = append(points, CurvePoint{p.Step, round(p.Mean, 4), round(p.Low, 4), round(p.High, 4)})
		}
	}
	return points
}

// round rounds to significant digits.
func round(v float64, digits int) trial.Number {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // always a number
	return trial.Number(rounded)
}

// Rank is the place of a row: First to Last of the rows that it ties with. The zero value is none.
type Rank struct{ First, Last int }

// String returns "4", "1–3" in a tie group, or "".
func (r Rank) String() string {
	switch r.First {
	case 0:
		return ""
	case r.Last:
		return strconv.Itoa(r.First)
	}
	return strconv.Itoa(r.First) + "–" + strconv.Itoa(r.Last)
}

// Ranked is a row with its rank.
type Ranked struct {
	Row
	Rank
}

// RankRows ranks rows by the low ends of their intervals. A tie group is a row and the rows directly after it whose
// intervals overlap with the first row's. So one wide interval ties with its neighbours, not with the whole board. The
// hash decides between equal rows.
func RankRows(rows []Row) []Ranked {
	placed := make([]Ranked, len(rows))
	for i, r := range rows {
		placed[i].Row = r
	}
	slices.SortStableFunc(placed, func(a, b Ranked) int { return better(&a.Row, &b.Row) })
	for first := 0; first < len(placed); {
		last := first
		for last+1 < len(placed) && placed[last+1].Score.High >= placed[first].Score.Low {
			last++
		}
		for i := first; i <= last; i++ {
			placed[i].Rank = Rank{first + 1, last + 1}
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
