package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"impalab/learner"
	"impalab/learner/trial"
)

// Row is an entry that has been trained, and what its seeds say together. The JSON keys never change their meaning.
type Row struct {
	Name     string            `json:"name"` // of a baseline; else ""
	Settings map[string]string `json:"settings"`
	Hash     string            `json:"hash"`
	Seeds    []string          `json:"seeds"`           // numbers, or secret:0, secret:1 and so on
	Score    trial.Estimate    `json:"return_mean_run"` // what ranks
	End      trial.Estimate    `json:"return_mean_100"`
	Each     []trial.Number    `json:"each,omitempty"`          // the score of each public seed
	Params   []string          `json:"params_sha256,omitempty"` // of each public seed
	Made     string            `json:"arithmetic"`
	Diverged *int              `json:"diverged,omitempty"`      // how many seeds did; nil: it is not told yet…
	Some     *bool             `json:"some_diverged,omitempty"` // …and this says whether any did
	Curve    []Point           `json:"curve"`                   // thinned

	Entry Entry `json:"-"`
}

// Point is what the seeds had together at a step: interquartile mean and interval.
type Point struct {
	Step float64      `json:"step"`
	Mean trial.Number `json:"iqm"`
	Low  trial.Number `json:"low"`
	High trial.Number `json:"high"`
}

// Order is an entry with the seeds to train it on.
type Order struct {
	Track *Track
	Name  string
	Entry Entry
	Seeds Seeds
	Jobs  int                  // seeds that train at once; it changes no result
	Hooks func() learner.Hooks // watches one run, each its own; nil: none
	Kept  trial.Keeper         // nil: every run is trained
}

// Train trains every seed from zero and says what they come to. The same order gives the same row to the digit, within
// one arithmetic. A run that ends early because ctx does is an error.
func Train(ctx context.Context, o Order) (Row, error) {
	if o.Seeds.secret && o.Kept != nil {
		return Row{}, errors.New("runs on secret seeds are not kept: their files would name the seeds")
	}
	run := &trial.Trial{Config: o.Entry.Config, Seeds: o.Seeds.values, Jobs: max(1, min(o.Jobs, len(o.Seeds.values))),
		Hooks: o.Hooks, Kept: o.Kept, Called: o.Seeds.called}
	reports, err := run.Run(ctx, func(trial.Report) {})
	if err != nil {
		return Row{}, err
	}
	if ctx.Err() != nil {
		return Row{}, ctx.Err()
	}
	return NewRow(o.Track, o.Name, o.Entry, o.Seeds, reports), nil
}

// NewRow is what trained seeds of an entry say together. Of secret seeds it has no figure of a single run: whoever has
// one could look for its seed.
func NewRow(t *Track, name string, e Entry, seeds Seeds, reports []trial.Report) Row {
	r := Row{Name: name, Hash: e.Hash, Seeds: seeds.Names(), Settings: map[string]string{}, Entry: e}
	for _, s := range e.Settings {
		r.Settings[s.Key] = s.Value
	}
	r.Diverged = new(int)
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

// score is one run's mean over the run. What a run that diverged did not reach counts as a uniform policy's return, so
// that falling over at the best moment is worth nothing.
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

// curvePoints is how many points of a curve are kept: enough for one as wide as a column of a table.
const curvePoints = 50

// coarse rounds a row of seeds that are still secret to three digits, and says whether runs diverged but not how many:
// exact figures would let a reader test guessed seeds.
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

// DivergedWords says how many seeds diverged, as "2 of 8", or whether any did.
func (r *Row) DivergedWords() string {
	if r.Diverged != nil {
		return fmt.Sprintf("%d of %d", *r.Diverged, len(r.Seeds))
	}
	if r.AnyDiverged() {
		return fmt.Sprintf("some of %d", len(r.Seeds))
	}
	return fmt.Sprintf("none of %d", len(r.Seeds))
}

// thin takes curves together at every fourth point, in four digits.
func thin(curves []trial.Curve) (points []Point) {
	all := trial.Together(curves)
	for i, p := range all {
		if (i+1)%(trial.CurvePoints/curvePoints) == 0 || i == len(all)-1 {
			points = append(points, Point{p.Step, round(p.Mean, 4), round(p.Low, 4), round(p.High, 4)})
		}
	}
	return points
}

// round keeps so many significant digits.
func round(v float64, digits int) trial.Number {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // it wrote a number
	return trial.Number(rounded)
}

// Seeds are what an entry is trained on: public ones, which anyone may know, or secret ones, which have names only.
type Seeds struct {
	values []uint64
	secret bool
}

// PublicSeeds are those of a track.
func (t *Track) PublicSeeds() Seeds { return Seeds{values: t.Public} }

// TheseSeeds are seeds that anyone may know, as people write them, like 7,11-14.
func TheseSeeds(text string) (Seeds, error) {
	values, err := trial.ParseSeeds(text)
	if err == nil && (len(values) < fewestSeeds || len(values) > mostSeeds) {
		err = fmt.Errorf("%d seeds; must be %d to %d: an interval over fewer says too little", len(values), fewestSeeds,
			mostSeeds)
	}
	return Seeds{values: values}, err
}

// Len is how many there are.
func (s Seeds) Len() int { return len(s.values) }

// Names are the numbers of public seeds, and secret:0, secret:1 and so on of secret ones.
func (s Seeds) Names() []string {
	names := make([]string, len(s.values))
	for i, seed := range s.values {
		names[i] = strconv.FormatUint(seed, 10)
		if s.secret {
			names[i] = fmt.Sprintf("secret:%d", i)
		}
	}
	return names
}

// called is what errors call the run of a seed.
func (s Seeds) called(seed uint64) string {
	for i, name := range s.Names() {
		if s.values[i] == seed {
			return "seed " + name
		}
	}
	return "a seed"
}

// String keeps secret seeds out of whatever is printed.
func (s Seeds) String() string { return fmt.Sprint(s.Names()) }

// GoString does so for %#v.
func (s Seeds) GoString() string { return s.String() }

// MarshalJSON does so for JSON.
func (s Seeds) MarshalJSON() ([]byte, error) { return json.Marshal(s.Names()) }
