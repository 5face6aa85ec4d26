package firstpage

import (
	"fmt"
	"math"

	"impalab/web/chart"
)

// usual is the length of the axis at first: the whole of most stories.
const usual = 160_000

// highest is the longest episode of CartPole.
const highest = 500

// dip is how far a curve falls between two crests. A smaller fall is noise.
const dip = highest / 4

// Chart returns the page's only chart: the returns of both, the mean of a hundred episodes as a thin line.
func (s *Story) Chart(w, h float64) string {
	left, right := s.Runs()[0], s.Runs()[1]
	late := "no correction"
	if s.mended() {
		late = "V-trace, late"
	}
	steps := s.step()
	r := &chart.Return{High: highest, Others: []chart.Line{
		{Curve: &left.Return, Class: "line recent pi"},
		{Curve: &right.Return, Class: "line recent other"},
		{Curve: &left.Recent, Class: "line hand pi", Sign: "V-trace"},
		{Curve: &right.Recent, Class: "line other", Sign: late},
	}}
	if s.fellAt > 0 && s.fellAt <= steps {
		at, from, to := s.fall()
		r.Falls = []chart.Episode{{Step: at, Return: from}}
		r.Note = append([]string{"it fell:", Mean(from) + " → " + Mean(to)},
			inSeconds(float64(s.fellAt-at)/min(right.Config().Speed, 1e6))...)
	}
	const names = 100 // pixels to the right of the curves
	axis := uint64(float64(steps) * (1 + names/max(w-names, names)))
	t := &chart.Time{Steps: max(usual, axis), Until: max(1, steps), Marks: right.Marks, Value: right.Figure}
	return chart.DrawReturn(t, r, w, h)
}

// Revision differs when the chart has something new to show. Compare it with ==.
func (s *Story) Revision() any {
	runs := s.Runs()
	return [...]any{runs[0].CurveRevision, runs[1].CurveRevision, runs[0].ID, runs[1].ID, s.step(), s.fellAt, s.mended()}
}

// fall returns the newest fall as the chart draws it: the step and the value of the last crest before it, and the value
// after it.
func (s *Story) fall() (at uint64, from, to float64) {
	drawn := &s.Runs()[1].Recent
	at, from = crest(drawn, s.fellAt)
	return at, from, float64(drawn.At(s.fellAt))
}

// crest returns the last crest of a curve before a step: the highest point, going back, until the curve lies a dip
// lower.
func crest(c *chart.Curve, down uint64) (step uint64, value float64) {
	for i := c.Place(down); i >= 0; i-- {
		v := float64(c.Columns[i].Value.Last)
		if v < value-dip {
			break
		}
		if v > value {
			step, value = c.Columns[i].Step, v
		}
	}
	return step, value
}

// inSeconds returns a time in words, in lines short enough for a phone.
func inSeconds(seconds float64) []string {
	words := [...]string{"one second", "two seconds", "three seconds", "four seconds", "five seconds", "six seconds",
		"seven seconds", "eight seconds", "nine seconds", "ten seconds"}
	switch n := int(math.Round(seconds)); {
	case n == 0:
		return []string{"in less than", "a second"}
	case n <= len(words):
		return []string{"in " + words[n-1]}
	default:
		return []string{fmt.Sprintf("in %d seconds", n)}
	}
}

// Told returns the chart in a sentence.
func (s *Story) Told() string {
	told := fmt.Sprintf("Steps the pole stays up against steps of practice. Mean of the last ten episodes: "+
		"V-trace %s, the right one %s.", Mean(s.Score(false)), Mean(s.Score(true)))
	if s.fellAt > 0 && s.fellAt <= s.step() {
		_, from, to := s.fall()
		told += fmt.Sprintf(" Without a correction it fell from %s to %s at %s steps.", Mean(from), Mean(to),
			thousands(s.fellAt))
	}
	return told
}
