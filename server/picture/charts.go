// Package picture draws a run for places other than its page: its charts as SVG and PNG, and an episode of its agent as
// a GIF. Look at Charts first: it draws the charts of a run's page as the Lab does.
package picture

import (
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
	"impalab/server/store"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"
)

// Chart is one chart of a run.
type Chart struct {
	Name       string // of its file, without the ending
	Title      string
	Says       string // the same in words, for screen readers
	Wide, High int    // in pixels
	Inner      string // the inside of its SVG, with classes of the page's style sheet
	Smaller    []Drawing
	Value      string // heads the second column of its table
	Rows       []Row
}

// Drawing is a chart for a narrower page, with its labels inside.
type Drawing struct {
	Class      string // of the page's style sheet
	Wide, High int    // in pixels
	Inner      string
}

// Row is a line of the table that a chart has for screen readers.
type Row struct{ Step, Value string }

// Sizes in pixels, and how many rows a table has.
const (
	wide       = 720
	middleWide = 540
	narrowWide = 320
	returnHigh = 240
	laneHigh   = 150
	tableRows  = 20
)

// Run is a run to draw.
type Run struct {
	Curves map[string][]store.Point // by name, see store.CurvesOf
	Tape   *tape.Tape
	Steps  uint64
}

// Charts returns the chart of the return, and of every row of the Lab for which the run has values, in the Lab's order.
func Charts(r Run) []Chart {
	t := r.axis()
	charts := []Chart{r.drawReturn(t)}
	for i := range labrow.All {
		l := &labrow.All[i]
		name := seriesOf(l)
		line := chart.Line{Curve: r.curve(name, name+store.CurveBound), Class: "line " + l.Tone}
		last := line.Curve.Last()
		if last == nil {
			continue
		}
		low, high := l.Low, l.High
		if l.Quantity != nil {
			low, high = chart.Around(float64(last.Value.Last))
			line.Bound = "line truth"
		}
		title := l.Words
		if l.Small != "" {
			title += ": " + l.Small
		}
		one := Chart{Name: l.Name, Title: title, Says: says(title, line.Curve), Value: l.Words, Rows: rows(line.Curve)}
		one.draw(laneHigh, func(w, h float64) string {
			return chart.DrawFigure(t, []chart.Line{line}, low, high, w, h)
		})
		charts = append(charts, one)
	}
	return charts
}

// seriesOf is the name under which the store has a lane's values; "" if it has none.
func seriesOf(l *labrow.Row) string {
	switch {
	case l.Figure >= 0:
		return telemetry.Figures[l.Figure].Name
	case l.Quantity != nil:
		return l.Quantity.Name
	case l.Name == labrow.ValueError:
		return store.CurveValueError
	}
	return ""
}

// axis returns the time axis of all charts.
func (r *Run) axis() *chart.Time {
	steps := r.Steps
	if points := r.Curves[store.CurveReturn]; len(points) > 0 {
		steps = max(steps, uint64(points[len(points)-1].Step))
	}
	var marks chart.Marks
	for _, e := range r.Tape.Events {
		if e.Kind == tape.Changed {
			marks.Add(chart.Mark{Step: e.Step, Key: e.Key, From: e.From, To: e.To}, steps)
		}
	}
	return &chart.Time{Steps: steps, Marks: marks,
		Value: func(row *hyper.Row, text string) string { return row.Name(text) }}
}

// curve returns the finite values of a curve, with the values of its bound if it has one.
func (r *Run) curve(name, bound string) *chart.Curve {
	bounds := map[int64]float32{}
	for _, p := range r.Curves[bound] {
		bounds[p.Step] = float32(p.Value)
	}
	var c chart.Curve
	for _, p := range r.Curves[name] {
		if v := float32(p.Value); v-v == 0 {
			if held, ok := bounds[p.Step]; ok {
				c.Add(uint64(p.Step), v, held)
			} else {
				c.Add(uint64(p.Step), v)
			}
		}
	}
	return &c
}

// drawReturn returns the chart of the return, with the changes of settings on it.
func (r *Run) drawReturn(t *chart.Time) Chart {
	var mean chart.Curve
	points, _ := store.PointsOf(r.Curves)
	for _, p := range points {
		mean.Add(p.Step, p.Return)
		mean.Last().Quartiles.Join(chart.Quartiles{Low: p.Low, High: p.High, Episodes: float32(p.Ended)})
	}
	c := Chart{
		Name: "return", Title: "Return: mean of the last 100 episodes; thin, of the last 10",
		Says: says("Mean return of the last 100 episodes", &mean), Value: "Mean return", Rows: rows(&mean),
	}
	recent := r.curve(store.CurveRecent, "")
	c.draw(returnHigh, func(w, h float64) string {
		return chart.DrawReturn(t, &chart.Return{Mean: &mean, Recent: recent}, w, h)
	})
	return c
}

// draw draws the chart in three sizes: in a chart made smaller, the letters would be too small to read.
func (c *Chart) draw(high int, at func(w, h float64) string) {
	c.Wide, c.High, c.Inner = wide, high, at(wide, float64(high))
	c.Smaller = []Drawing{{"narrow", narrowWide, high, at(narrowWide, float64(high))},
		{"middle", middleWide, high, at(middleWide, float64(high))}}
}

// says returns a curve in sentences.
func says(title string, c *chart.Curve) string {
	story := (&chart.Trace{Curve: *c}).Story()
	if story == "" {
		story = "Nothing yet."
	}
	return title + ". " + story
}

// rows returns a curve as a table of points at equal distances, with the newest.
func rows(c *chart.Curve) (list []Row) {
	for _, column := range c.Pick(tableRows) {
		list = append(list, Row{number.Count(column.Step), number.Short(float64(column.Value.Last))})
	}
	return list
}

// Seeds returns the chart of one configuration's runs over seeds: a thin line for each seed, the interquartile mean of
// all seeds, and its 95 % bootstrap interval.
func Seeds(title string, curves []trial.Curve) Chart {
	var s chart.Seeds
	var mean chart.Curve
	steps := uint64(0)
	for i := range curves {
		line := &chart.Curve{}
		for k, v := range curves[i].At {
			line.Add(uint64(curves[i].Step(k)), float32(v))
		}
		s.Lines = append(s.Lines, line)
		steps = max(steps, curves[i].Budget)
	}
	for _, p := range trial.Together(curves) {
		s.Middle = append(s.Middle, chart.Middle{Step: uint64(p.Step), Mean: p.Mean, Low: p.Low, High: p.High,
			N: len(curves)})
		mean.Add(uint64(p.Step), float32(p.Mean))
	}
	c := Chart{Name: "seeds", Title: title, Says: says("Interquartile mean of the return over seeds", &mean),
		Value: "Mean return", Rows: rows(&mean)}
	c.draw(returnHigh, func(w, h float64) string {
		return chart.DrawSeeds(&chart.Time{Steps: steps}, &s, w, h)
	})
	return c
}
