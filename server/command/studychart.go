package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/trial"
	"impalab/server/picture"
	"impalab/web/chart"
)

// DrawStudy writes the chart of a study into a file. A study without a chart of its own has the curves of its rows.
func DrawStudy(file string, t *trial.StudyTable) error {
	c, from := t.Study.Chart, ", 95 % interval over seeds "+t.Seeds+". impalab reproduce "+t.Study.Name
	if c == nil || c.Axis == "" {
		all := studyCurves(t)
		if len(all) == 0 {
			return fmt.Errorf("--plot: %s has neither curves nor levels to draw", t.Study.Name)
		}
		return DrawChart(file, picture.Groups(t.Study.Title, all), "Mean return of 100 episodes"+from)
	}
	places, lines := studyLevels(t, c)
	what := "Return at the end"
	switch {
	case c.Scores:
		places, lines = studyScores(t.Scores())
		what = "Score (0 chance, 1 the suite's reference)"
	case t.Scored():
		what = "Score (0 chance, 1 solved)"
	case c.Run:
		what = "Return over the run"
	}
	drawn := picture.Levels(t.Study.Title, chart.Levels{Axis: c.Axis, Places: places, Apart: c.Apart, Lines: lines})
	return DrawChart(file, drawn, what+from)
}

// studyScores returns the worlds without their arguments, and a line for each agent.
func studyScores(s *trial.Scores) (worlds []string, lines []chart.LevelLine) {
	for _, world := range s.Worlds {
		name, _, _ := strings.Cut(world, ":")
		worlds = append(worlds, name)
	}
	for i, a := range s.Agents {
		lines = append(lines, chart.LevelLine{Name: a.Name, Tone: chart.LevelTone(i)})
		for _, world := range s.Worlds {
			one := chart.Level{Mean: math.NaN()}
			if e, ok := a.At[world]; ok {
				one = levelOf(e)
			}
			lines[i].At = append(lines[i].At, one)
		}
	}
	return worlds, lines
}

// studyCurves returns the curves of every row that has some: a population has none.
func studyCurves(t *trial.StudyTable) (all []picture.Named) {
	for _, r := range t.Rows {
		if curves := CurvesOf(r); len(curves) > 0 {
			all = append(all, picture.Named{Name: r.Label, Curves: curves})
		}
	}
	return all
}

// CurvesOf returns the curve of every run of a row.
func CurvesOf(r *trial.StudyRow) (all []trial.Curve) {
	for i := range r.Runs {
		all = append(all, r.Runs[i].Curve)
	}
	return all
}

// studyLevels returns the places of the axis and the lines over them.
func studyLevels(t *trial.StudyTable, c *trial.Chart) (places []string, lines []chart.LevelLine) {
	line := func(name string) *chart.LevelLine {
		at := slices.IndexFunc(lines, func(l chart.LevelLine) bool { return l.Name == name })
		if at < 0 {
			at = len(lines)
			lines = append(lines, chart.LevelLine{Name: name, Tone: chart.LevelTone(at)})
		}
		return &lines[at]
	}
	for _, r := range t.Rows {
		if r.Population != nil {
			l := line(r.Label)
			for _, e := range r.Population.Ranked {
				l.At = append(l.At, levelOf(e))
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
		l.At[slices.Index(places, place)] = rowLevel(t, c, r)
	}
	for i := range lines {
		for len(places) < len(lines[i].At) { // the ranks of a population
			places = append(places, strconv.Itoa(len(places)+1))
		}
	}
	return places, lines
}

// rowLevel returns the level of a row.
func rowLevel(t *trial.StudyTable, c *trial.Chart, r *trial.StudyRow) chart.Level {
	l := levelOf(r.Summary.Final)
	if c.Run {
		l = levelOf(r.Summary.MeanRun)
	}
	if world, _, err := envs.Describe(r.Summary.World); err == nil && t.Scored() {
		score := func(x float64) float64 { return (x - float64(world.Random)) / float64(world.Solved-world.Random) }
		l = chart.Level{Mean: score(l.Mean), Low: score(l.Low), High: score(l.High)}
	}
	return l
}

func levelOf(e trial.Estimate) chart.Level {
	return chart.Level{Mean: float64(e.Mean), Low: float64(e.Low), High: float64(e.High)}
}
