// Package picture draws a run for places other than its page: its charts as SVG and PNG, and an episode of its agent as
// a GIF. Look at Charts first: it draws the charts of a run's page as the Lab does.
package picture

import (
	"fmt"
	"math"
	"strings"

	"impalab/envs"
	"impalab/learner/collapse"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
	"impalab/server/store"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"
	"impalab/web/wire"
)

// Chart is one chart of a run.
type Chart struct {
	Name  string // of its file, without the ending
	Title string
	Says  string          // describes the chart for screen readers
	Drawn []chart.Drawing // the first is the widest
	High  int             // in pixels
	Value string          // heading of the second column of its table
	Rows  [][2]string
}

// Sizes in pixels, and how many rows a table has.
const (
	wide       = 720
	levelsWide = 56 // beside the widest drawing, for its levels
	endWide    = 16 // on its other side
	middleWide = 540
	narrowWide = 320
	returnHigh = 240
	laneHigh   = 150
	lagMapHigh = 430
	tableRows  = 20

	roomyWide, roomyHigh = 668, 312 // beside the last picture of the world
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
		charts = append(charts, newChart(l.Name, title, title, l.Words, line.Curve, laneHigh, func(w, h float64) string {
			return chart.DrawFigure(t, []chart.Line{line}, low, high, w, h)
		}))
	}
	return charts
}

// seriesOf is the name under which the store has a lane's values; "" if it has none.
func seriesOf(l *labrow.Row) string {
	switch {
	case l.Metric >= 0:
		return telemetry.Metrics[l.Metric].Name
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
	recent := r.curve(store.CurveRecent, "")
	falls, note := r.falls(points, &mean)
	draw := func(w, h float64) string {
		return chart.DrawReturn(t, &chart.Return{Mean: &mean, Recent: recent, Falls: falls, Note: note}, w, h)
	}
	c := newChart("return", "Return: mean of the last 100 episodes; thin, of the last 10",
		"Mean return of the last 100 episodes", "Mean return", &mean, returnHigh, draw)
	c.Drawn = append(c.Drawn, plain("roomy", roomyWide, roomyHigh, draw))
	return c
}

// falls returns where the run fell, by the rule of package collapse, and what the last fall cost.
func (r *Run) falls(points []*wire.Point, mean *chart.Curve) (crosses []chart.Episode, note []string) {
	var w collapse.Watch
	if spec, _, err := envs.Describe(hyper.ByKey(r.Tape.Settings)["world"]); err == nil {
		w.Random, w.Solved = float64(spec.Random), float64(spec.Solved)
	}
	for _, p := range points {
		w.See(collapse.Point{Step: p.Step, Update: p.Update, Episodes: p.Episodes, Mean: float64(p.Return)})
	}
	if n := len(w.Falls); n > 0 {
		f := &w.Falls[n-1]
		note = []string{"fell: " + number.Short(f.Crest.Mean) + " → " + number.Short(f.Told.Mean)}
	}
	return chart.Crosses(mean, w.Falls), note
}

// newChart returns a chart in three sizes: in a chart made smaller, the letters would be too small to read. Its
// sentences begin with subject, and value heads the second column of its table.
func newChart(name, title, subject, value string, c *chart.Curve, high int, draw func(w, h float64) string) Chart {
	return Chart{Name: name, Title: title, Says: says(subject, c), High: high, Value: value, Rows: rows(c),
		Drawn: drawings(wide, high, draw)}
}

// drawings returns a chart in three sizes, the broad one first.
func drawings(w, high int, draw func(w, h float64) string) []chart.Drawing {
	return []chart.Drawing{broad(w, high, draw), plain("narrow", narrowWide, high, draw),
		plain("middle", middleWide, high, draw)}
}

// broad returns a chart for a wide page, with room beside it for its levels.
func broad(w, high int, draw func(w, h float64) string) chart.Drawing {
	return chart.Drawing{Class: "broad", Box: fmt.Sprintf("%d 0 %d %d", -levelsWide, levelsWide+w+endWide, high),
		Inside: draw(float64(w), float64(high))}
}

// plain returns a chart without room beside it.
func plain(class string, w, high int, draw func(w, h float64) string) chart.Drawing {
	return chart.Drawing{Class: class, Box: fmt.Sprintf("0 0 %d %d", w, high), Inside: draw(float64(w), float64(high))}
}

// says describes a curve in sentences, after its title.
func says(title string, c *chart.Curve) string {
	story := (&chart.Trace{Curve: *c}).Story()
	if story == "" {
		story = "Nothing yet."
	}
	return title + ". " + story
}

// rows returns a curve as a table of points at equal distances, with the newest.
func rows(c *chart.Curve) (list [][2]string) {
	for _, column := range c.Pick(tableRows) {
		list = append(list, [2]string{number.Count(column.Step), number.Short(float64(column.Value.Last))})
	}
	return list
}

// Named is the runs of one configuration over seeds, with its name.
type Named struct {
	Name   string
	Curves []trial.Curve
}

// Groups returns the chart of several configurations: each one's interquartile mean over seeds, and its 95 % bootstrap
// interval.
func Groups(title string, all []Named) Chart {
	groups := make([]chart.Group, len(all))
	steps := uint64(0)
	for i, one := range all {
		groups[i] = chart.Group{Name: one.Name, Tone: chart.LevelTone(i), Middle: middleOf(one.Curves)}
		for _, c := range one.Curves {
			steps = max(steps, c.Budget)
		}
	}
	return GroupsOf(title, steps, groups)
}

// GroupsOf returns the chart of Groups for means that are already known.
func GroupsOf(title string, steps uint64, groups []chart.Group) Chart {
	says := title + "."
	for i := range groups {
		if n := len(groups[i].Middle); n > 0 {
			says += fmt.Sprintf(" %s ends at %s.", groups[i].Name, number.Short(groups[i].Middle[n-1].Mean))
		}
	}
	draw := func(w, h float64) string { return chart.DrawGroups(&chart.Time{Steps: steps}, groups, w, h) }
	return Chart{Name: "groups", Title: title, Says: says, High: levelsHigh,
		Drawn: []chart.Drawing{broad(wide, levelsHigh, draw)}}
}

// Over returns the chart of the returns over the values of one setting.
func Over(title string, o *chart.Over) Chart {
	says := title + "."
	for i := range o.At {
		mean, interval := o.At[i].Says()
		says += fmt.Sprintf(" %s: %s", chart.ValueName(o.Row, o.At[i].Value), strings.Trim(mean+", "+interval, ", ")+".")
	}
	draw := func(w, h float64) string { return chart.DrawOver(o, w, h) }
	return Chart{Name: "over", Title: title, Says: says, High: levelsHigh,
		Drawn: []chart.Drawing{broad(wide, levelsHigh, draw)}}
}

// LagMap returns the map of seeds over policy lag and learning rate.
func LagMap(title string, m *chart.LagMap) Chart {
	shown := *m
	shown.Chosen = -1
	says := title + "."
	for i := range m.Borders {
		b := &m.Borders[i]
		product, interval := b.Words()
		says += fmt.Sprintf(" %s: half of the seeds fall where lag times rate is %s %s.", b.Name, product, interval)
	}
	draw := func(w, h float64) string { return chart.DrawLagMap(&shown, w, h) }
	return Chart{Name: "map", Title: title, Says: says, High: lagMapHigh,
		Drawn: []chart.Drawing{plain("narrow", wide, lagMapHigh, draw)}}
}

// middleOf returns the interquartile mean of curves over seeds.
func middleOf(curves []trial.Curve) (line []chart.Middle) {
	for _, p := range trial.Together(curves) {
		line = append(line, chart.Middle{Step: uint64(p.Step), Mean: p.Mean, Low: p.Low, High: p.High, N: len(curves)})
	}
	return line
}

// Seeds returns the chart of one configuration's runs over seeds: a thin line for each seed, the interquartile mean of
// all seeds, and its 95 % bootstrap interval.
func Seeds(title string, curves []trial.Curve) Chart {
	var s chart.Seeds
	steps := uint64(0)
	for i := range curves {
		line := &chart.Curve{}
		for k, v := range curves[i].At {
			line.Add(uint64(curves[i].Step(k)), float32(v))
		}
		s.Lines = append(s.Lines, line)
		steps = max(steps, curves[i].Budget)
	}
	s.Middle = middleOf(curves)
	return SeedsOf(title, steps, &s)
}

// SeedsOf returns the chart of Seeds for curves that are already drawn.
func SeedsOf(title string, steps uint64, s *chart.Seeds) Chart {
	var mean chart.Curve
	for _, m := range s.Middle {
		mean.Add(m.Step, float32(m.Mean))
	}
	return newChart("seeds", title, "Interquartile mean of the return over seeds", "Mean return", &mean, returnHigh,
		func(w, h float64) string { return chart.DrawSeeds(&chart.Time{Steps: steps}, s, w, h) })
}

const levelsHigh = 320 // pixels

// Levels returns the chart of lines of levels over named places.
func Levels(title string, l chart.Levels) Chart {
	says := title + ", over " + l.Axis + "."
	for i := range l.Lines {
		says += " " + saysLevels(&l, &l.Lines[i])
	}
	draw := func(w, h float64) string { return chart.DrawLevels(&l, w, h) }
	return Chart{Name: "levels", Title: title, Says: says, High: levelsHigh,
		Drawn: []chart.Drawing{broad(wide, levelsHigh, draw)}}
}

// saysLevels describes a line: by its ends, or by every place if the places have no order.
func saysLevels(l *chart.Levels, line *chart.LevelLine) string {
	if !l.Apart {
		first, last := line.At[0], line.At[len(line.At)-1]
		return fmt.Sprintf("%s: from %s to %s.", line.Name, number.Short(first.Mean), number.Short(last.Mean))
	}
	var at []string
	for k, v := range line.At {
		if !math.IsNaN(v.Mean) {
			at = append(at, l.Places[k]+" "+number.Short(v.Mean))
		}
	}
	return line.Name + ": " + strings.Join(at, ", ") + "."
}
