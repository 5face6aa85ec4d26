package command

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"impalab/envs"
	"impalab/learner/trial"
	"impalab/server/picture"
	"impalab/web/chart"
)

// Draw writes the chart of the study below the top folder of the source. Without a chart it does nothing.
func (t *StudyTable) Draw(source string) error {
	c := t.Study.Chart
	if c == nil {
		return nil
	}
	places, lines := t.levels(c)
	what := "Return at the end"
	switch {
	case t.scored():
		what = "Score, 0 for chance and 1 for solved,"
	case c.Run:
		what = "Return over the run"
	}
	drawn := picture.Levels(t.Study.Title, c.Axis, places, lines)
	return draw(filepath.Join(source, PlotFolder, c.File), drawn,
		what+" with its 95 % interval over seeds "+t.Seeds+". impalab reproduce "+t.Study.Name)
}

// levels returns the places of the axis and the lines over them.
func (t *StudyTable) levels(c *trial.Chart) (places []string, lines []chart.LevelLine) {
	line := func(name string) *chart.LevelLine {
		at := slices.IndexFunc(lines, func(l chart.LevelLine) bool { return l.Name == name })
		if at < 0 {
			at = len(lines)
			lines = append(lines, chart.LevelLine{Name: name, Tone: chart.LevelTones[at%len(chart.LevelTones)]})
		}
		return &lines[at]
	}
	for _, r := range t.Rows {
		if r.Population != nil {
			l := line(r.Label)
			for _, e := range r.Population.Ranked {
				l.At = append(l.At, level(e))
			}
			continue
		}
		name, place := c.Cut(r.Label)
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
		l := line(name)
		for k := slices.Index(places, place); len(l.At) <= k; {
			l.At = append(l.At, chart.Level{Mean: math.NaN()})
		}
		l.At[slices.Index(places, place)] = t.level(c, r)
	}
	for i := range lines {
		for len(places) < len(lines[i].At) { // the ranks of a population
			places = append(places, strconv.Itoa(len(places)+1))
		}
	}
	return places, lines
}

// scored reports whether the rows are of several worlds, whose returns only their scores compare.
func (t *StudyTable) scored() bool {
	return slices.ContainsFunc(t.Rows, func(r *StudyRow) bool {
		return r.Summary != nil && r.Summary.World != t.Rows[0].Summary.World
	})
}

// level returns the level of a row.
func (t *StudyTable) level(c *trial.Chart, r *StudyRow) chart.Level {
	l := level(r.Summary.Final)
	if c.Run {
		l = level(r.Summary.MeanRun)
	}
	if world, _, err := envs.Describe(r.Summary.World); err == nil && t.scored() {
		score := func(x float64) float64 { return (x - float64(world.Random)) / float64(world.Solved-world.Random) }
		l = chart.Level{Mean: score(l.Mean), Low: score(l.Low), High: score(l.High)}
	}
	return l
}

func level(e trial.Estimate) chart.Level {
	return chart.Level{Mean: float64(e.Mean), Low: float64(e.Low), High: float64(e.High)}
}

// scores returns the table of each world's score, if the first row is of a suite. Rows of single worlds with one label
// up to the last comma share a column: they are the experts of the suite's worlds.
func (t *StudyTable) scores() string {
	if len(t.Rows) == 0 || t.Rows[0].Summary == nil || len(t.Rows[0].Summary.Tasks) == 0 {
		return ""
	}
	columns := []string{"score at the end"}
	cell := map[string]string{} // by column and world
	for _, r := range t.Rows {
		name := r.Label
		for _, task := range r.Summary.Tasks {
			cell[name+task.World] = task.Score.Words()
		}
		if len(r.Summary.Tasks) == 0 {
			name, _ = (&trial.Chart{}).Cut(r.Label)
			cell[name+r.Summary.World] = expert(r).Words()
		}
		if !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	text := heading(columns)
	for _, task := range t.Rows[0].Summary.Tasks {
		cells := []string{task.World}
		for _, name := range columns[1:] {
			cells = append(cells, cell[name+task.World])
		}
		text += tableRow(cells)
	}
	return text + "\n"
}

// expert returns the capped normalised score of a row of a single world.
func expert(r *StudyRow) trial.Estimate {
	_, tasks, err := envs.Describe(r.Summary.World)
	if err != nil {
		return trial.NewEstimate(nil)
	}
	var scores []float64
	for i := range r.Runs {
		if mean := float64(r.Runs[i].ReturnMean100); !math.IsNaN(mean) {
			scores = append(scores, tasks[0].Score(mean))
		}
	}
	return trial.NewEstimate(scores)
}
