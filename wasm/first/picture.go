package first

import (
	"fmt"
	"math"

	"impalab/wasm/chart"
	"impalab/wasm/run"
)

// usual is how far the axis goes from the start: the whole of most stories.
const usual = 160_000

// apart is how many steps changes of one slider lie apart that are marked apart: a hand moves from stop to stop in
// less.
const apart = 8_000

// highest is the longest episode of CartPole.
const highest = 500

// Chart draws the one chart there is.
func (s *Story) Chart(w, h float64) string {
	runs := s.Runs()
	left := chart.Learner{Ten: &runs[0].Recent, Hundred: &runs[0].Return, Class: "left", Name: "V-trace"}
	right := chart.Learner{Ten: &runs[1].Recent, Hundred: &runs[1].Return, Class: "right", Name: "no correction"}
	if s.mended() {
		right.Name = "V-trace, late"
	}
	steps := max(runs[0].Return.Steps(), runs[1].Return.Steps())
	c := chart.Story{
		Steps: max(usual, steps+steps/25), High: highest, Title: "Steps the pole stays up",
		Foot:     "0 steps of practice",
		Learners: []chart.Learner{left, right}, Turns: turnWords(runs[1]),
	}
	if s.heldAt > 0 {
		step, value := lost(&runs[1].Recent, s.heldAt)
		c.Fall = &chart.Fall{Step: step, Value: value, Words: []string{
			"it fell:",
			fmt.Sprintf("%s → %s", Mean(float64(s.before)), Mean(float64(runs[1].Recent.At(s.heldAt)))),
			"in " + inSeconds(float64(s.heldAt-s.lateAt)/min(runs[1].Config().Speed, 1e6)),
		}}
	}
	return chart.DrawStory(&c, w, h)
}

// Revision differs when the chart has something new to show; compared with ==.
func (s *Story) Revision() any {
	runs := s.Runs()
	return [...]any{runs[0].CurveRevision, runs[1].CurveRevision, runs[0].ID, runs[1].ID, s.heldAt, s.mended()}
}

// turnWords are the changes of a run, those of a slider that was dragged as one.
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

// lost is where a curve that is down at a step had half of what it had come to: the last point that was still above.
func lost(c *chart.Curve, down uint64) (step uint64, value float64) {
	best := float32(0)
	end := c.Place(down)
	for i := 0; i <= end; i++ {
		if v := c.Columns[i].Value.Last; v > best {
			best = v
		}
	}
	for i := end; i >= 0; i-- {
		if v := c.Columns[i].Value.Last; v >= best/2 {
			return c.Columns[i].Step, float64(v)
		}
	}
	return down, 0
}

// inSeconds is a time as one would say it.
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

// Told is the chart in a sentence.
func (s *Story) Told() string {
	runs := s.Runs()
	told := fmt.Sprintf("Steps the pole stays up against steps of practice. Mean of the last ten episodes: "+
		"V-trace %s, the right one %s.", Mean(Score(runs[0])), Mean(Score(runs[1])))
	if s.heldAt > 0 {
		told += fmt.Sprintf(" Without a correction it fell from %s to %s at %s steps.", Mean(float64(s.before)),
			Mean(float64(runs[1].Recent.At(s.heldAt))), thousands(s.heldAt))
	}
	return told
}
