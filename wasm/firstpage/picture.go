package firstpage

import (
	"fmt"
	"math"

	"impalab/wasm/run"
	"impalab/web/chart"
)

// usual is the length of the axis at first: the whole of most stories.
const usual = 160_000

// apart is how many steps apart two changes of a slider have their own marks. A hand moves faster from stop to stop.
const apart = 8_000

// highest is the longest episode of CartPole.
const highest = 500

// dip is how far a curve falls between two crests. A smaller fall is noise.
const dip = highest / 25

// Chart returns the page's only chart.
func (s *Story) Chart(w, h float64) string {
	runs := s.Runs()
	left := chart.Learner{Ten: &runs[0].Recent, Hundred: &runs[0].Return, Class: "left", Name: "V-trace"}
	right := chart.Learner{Ten: &runs[1].Recent, Hundred: &runs[1].Return, Class: "right", Name: "no correction"}
	if s.mended() {
		right.Name = "V-trace, late"
	}
	steps := s.step()
	c := chart.Story{
		Steps: max(usual, steps+steps/25), Until: steps, High: highest, Title: "Steps the pole stays up",
		Thin: "thin: mean of 100 episodes", Foot: "steps of practice",
		Learners: []chart.Learner{left, right}, Turns: turnWords(runs[1]),
	}
	if s.fellAt > 0 && s.fellAt <= steps {
		at, from, to := s.fall()
		c.Fall = &chart.Fall{Step: at, Value: from, Words: []string{
			"it fell:",
			fmt.Sprintf("%s → %s", Mean(from), Mean(to)),
			"in " + inSeconds(float64(s.fellAt-at)/min(runs[1].Config().Speed, 1e6)),
		}}
	}
	return chart.DrawStory(&c, w, h)
}

// Revision differs when the chart has something new to show. Compare it with ==.
func (s *Story) Revision() any {
	runs := s.Runs()
	return [...]any{runs[0].CurveRevision, runs[1].CurveRevision, runs[0].ID, runs[1].ID, s.step(), s.fellAt, s.mended()}
}

// turnWords returns the changes of a run. Changes of one drag are one change.
func turnWords(r *run.Run) (turns []chart.Turn) {
	from, last := "", uint64(0)
	for _, m := range r.Marks {
		switch {
		case m.Key == "correction" && m.To != "none":
			turns = append(turns, chart.Turn{Step: m.Step, Words: "V-trace given", Class: "left"})
		case m.Key != "lag":
		case from != "" && m.Step < last+apart:
			turns[len(turns)-1].Words = "lag " + from + " → " + m.To
			last = m.Step
		default:
			from, last = m.From, m.Step
			turns = append(turns, chart.Turn{Step: m.Step, Words: "lag " + m.From + " → " + m.To, Class: "old"})
		}
		if m.Key != "lag" {
			from = ""
		}
	}
	return turns
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

func inSeconds(seconds float64) string {
	words := [...]string{"less than a second", "one second", "two seconds", "three seconds", "four seconds",
		"five seconds",
		"six seconds", "seven seconds", "eight seconds", "nine seconds", "ten seconds"}
	n := int(math.Round(seconds))
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprintf("%d seconds", n)
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
