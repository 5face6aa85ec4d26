// Package picture is what a run looks like away from its page: its charts as SVG and PNG that stand alone, and an
// episode of its agent as a GIF. Look at Charts first: it draws what the page of a run shows, with the curves of the
// Lab's own charts.
package picture

import (
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"
)

// Chart is one chart of a run.
type Chart struct {
	Name       string // of its file, without the ending
	Title      string
	Says       string // the same for those who do not see it
	Wide, High int    // in pixels
	Inner      string // the inside of its SVG, in the classes of the page's style sheet
	Smaller    []Drawing
	Value      string // heads the second column of its table
	Rows       []Row
}

// Drawing is a chart once more for a narrower page, with its labels inside.
type Drawing struct {
	Class      string // of the page's style sheet
	Wide, High int    // in pixels
	Inner      string
}

// Row is a line of the table that says the same as a chart.
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

// Run is what charts are drawn of.
type Run struct {
	Curves map[string][]store.Point // by the names that the store and the API have
	Tape   *tape.Tape
	Steps  uint64
}

// Charts are the return, and every lane of the Lab that the run has values of, in its order.
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

// axis is the time that all charts have in common.
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

// curve has the finite values of a series, with those that another holds them to, if there is one.
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

// drawReturn is the curve of the return, with the changes on it.
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

// draw draws the chart in all its sizes: made smaller, its letters would be too small to read.
func (c *Chart) draw(high int, at func(w, h float64) string) {
	c.Wide, c.High, c.Inner = wide, high, at(wide, float64(high))
	c.Smaller = []Drawing{{"narrow", narrowWide, high, at(narrowWide, float64(high))},
		{"middle", middleWide, high, at(middleWide, float64(high))}}
}

// says is a curve in sentences.
func says(title string, c *chart.Curve) string {
	story := (&chart.Trace{Curve: *c}).Story()
	if story == "" {
		story = "Nothing yet."
	}
	return title + ". " + story
}

// rows are a curve as a table: evenly picked, the newest among them.
func rows(c *chart.Curve) (list []Row) {
	for _, column := range c.Pick(tableRows) {
		list = append(list, Row{number.Count(column.Step), number.Short(float64(column.Value.Last))})
	}
	return list
}
