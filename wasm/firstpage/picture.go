package firstpage

import (
	"fmt"
	"math"

	"impalab/web/chart"
)

// dip is the least depth of a fall between two crests. A smaller fall is noise.
func (s *Story) dip() float64 { return s.of.high / 4 }

// phone is a width in pixels. A narrower chart has names and numbers, but no other words.
const phone = 600

// Chart returns the page's only chart: the curves of both. While they are equal they are drawn as one line. Then a lake
// lies between them.
func (s *Story) Chart(w, h float64) string {
	run := s.Runs()[1]
	left, right := s.curve(s.Runs()[0]), s.curve(run)
	steps := s.step()
	split := min(alikeUntil(left, right), steps)
	both := part(left, 0, split)
	lines := []chart.Line{
		{Curve: both, Class: "line hand pi alike"}, {Curve: both, Class: "line other alike"},
		{Curve: part(right, split, steps), Class: "line other"},
		{Curve: part(left, split, steps), Class: "line hand pi"},
	}
	if split == steps {
		lines[0].Sign, lines[1].Sign = s.of.name, "no correction, alike so far"
		if w < phone {
			lines[1].Sign = "no correction"
		}
	} else {
		lines[3].Sign, lines[2].Sign = s.of.name, "no correction"
		if s.mended() {
			lines[2].Sign = s.of.name + ", late"
		}
	}
	r := &chart.Return{High: s.of.high, Chance: s.of.chance, Others: lines, Numerals: s.numerals(),
		Cursor: s.Cursor, Figure: s.of.figure, Lake: &chart.Lake{Over: left, Under: right, From: math.MaxUint64}}
	if s.firstTurn() > 0 {
		r.Lake.From = s.firstTurn()
	}
	if s.fellAt > 0 && s.fellAt <= steps {
		half, from, to := s.fall()
		r.Falls = []chart.Episode{{Step: half, Return: (from + to) / 2}}
		r.Note = []string{"it fell:", s.of.figure(from) + " → " + s.of.figure(to)}
		r.Lake.Words, r.Lake.At = s.worth(w)
	}
	names := 128.0 // pixels to the right of the curves
	switch r.Names = 15; {
	case w < phone:
		r.Names, names = 13, 114
	case w > 1050:
		r.Names, names = 17, 150
	}
	axis := uint64(float64(steps) * (1 + names/max(w-names, names)))
	t := &chart.Time{Steps: max(s.of.usual, axis), Until: max(1, steps), Marks: run.Marks, Value: run.Figure}
	return chart.DrawReturn(t, r, w, h)
}

// worth returns a label with the present gain of the correction. After the lake has closed, the label states an
// earlier gain, and at is its step.
func (s *Story) worth(w float64) (words []string, at uint64) {
	if w < phone {
		return nil, 0
	}
	worth := s.Score(false) - s.Score(true)
	switch {
	case worth >= s.dip():
		return []string{"what " + s.of.cure, "is worth: " + s.of.figure(worth)}, 0
	case s.helpedAt() > 0:
		left, right := s.curve(s.Runs()[0]), s.curve(s.Runs()[1])
		for i := left.Index(s.step()); i >= 0; i-- {
			c := &left.Columns[i]
			if float64(c.Value.Last-right.At(c.Step)) >= s.dip() {
				return []string{"what " + s.of.cure, "was worth"}, c.Step
			}
		}
	}
	return nil, 0
}

// firstTurn returns the step at which the lag was first turned; 0: never.
func (s *Story) firstTurn() uint64 {
	for _, m := range s.Runs()[1].Marks {
		if m.Key == "lag" {
			return m.Step
		}
	}
	return 0
}

// alikeUntil returns the last step until which two curves are equal. One of them may be ahead, and then be coarser.
func alikeUntil(a, b *chart.Curve) (step uint64) {
	if len(a.Columns) > len(b.Columns) {
		a, b = b, a
	}
	for i := range a.Columns {
		one := &a.Columns[i]
		k := b.Index(one.Step)
		switch other := b.Last(); {
		case k < 0:
			return step
		case b.Columns[k].Step == one.Step:
			other = &b.Columns[k]
			if one.Value.Last != other.Value.Last && !(one.Value.Empty() && other.Value.Empty()) {
				return step
			}
		case other.Step > one.Step && i < len(a.Columns)-1: // else one of the two is not there yet
			return step
		}
		step = one.Step
	}
	return math.MaxUint64
}

// part is a view of a curve from one step to another.
func part(c *chart.Curve, from, to uint64) *chart.Curve {
	return &chart.Curve{Columns: c.Columns[max(0, c.Index(from)) : c.Index(to)+1]}
}

// numerals are the numbers of the story's steps on the chart.
func (s *Story) numerals() []chart.Numeral {
	list := []chart.Numeral{{Step: s.of.dragAt / 4, N: 1, Class: "past", Words: "alike"}}
	turned, words := s.dragged()
	switch {
	case turned > 0:
		list = append(list, chart.Numeral{Step: turned, N: 2, Class: "past", Words: words, Tone: "age", Aside: s.of.swift})
	case !s.Touched && !s.planned("lag"):
		list = append(list, chart.Numeral{Step: s.of.dragAt, N: 2, Class: "next"})
	}
	present := min(len(list), 1+min(1, int(min(turned, 1)))) - 1
	if s.fellAt > 0 && s.fellAt <= s.step() {
		half, _, _ := s.fall()
		list = append(list, chart.Numeral{Step: half, N: 3, Class: "past"})
		present = len(list) - 1
		if helped := s.helpedAt(); helped > 0 {
			n := chart.Numeral{Step: helped, N: 4, Class: "past", Words: s.of.cure + " given", Tone: "pi"}
			if !s.mended() {
				n.Words, n.Tone = "lag turned", "age"
			}
			list, present = append(list, n), len(list)
		}
	}
	if list[present].Class = "now"; list[present].N == 3 {
		list[present].Class = "fell"
	}
	return list
}

// dragged returns the step at which the visitor changed the lag, and its words: of several changes, the last before
// the fall. Changes soon after each other count as one.
func (s *Story) dragged() (step uint64, words string) {
	const soon = 5000 // steps
	from, to := "", ""
	marks := s.Runs()[1].Marks
	for i := len(marks) - 1; i >= 0; i-- {
		m := &marks[i]
		switch {
		case m.Key != "lag" || s.fellAt > 0 && m.Step > s.fellAt:
		case step == 0:
			step, from, to = m.Step, m.From, m.To
		case step-m.Step <= soon:
			step, from = m.Step, m.From
		default:
			return step, "lag " + from + " → " + to
		}
	}
	return step, "lag " + from + " → " + to
}

// Revision returns a value that changes whenever the chart must be drawn again. Compare two of them with ==.
func (s *Story) Revision() any {
	runs := s.Runs()
	return [...]any{runs[0].CurveRevision, runs[1].CurveRevision, runs[0].ID, runs[1].ID, s.step(), s.fellAt, s.mended(),
		s.Cursor, s.Touched, s.Phase}
}

// fall returns the newest fall for the chart: the last crest before it, the value after it, and the step at which half
// of the way was passed.
func (s *Story) fall() (half uint64, from, to float64) {
	drawn := s.curve(s.Runs()[1])
	half, from = s.crest(drawn)
	to = float64(drawn.At(s.fellAt))
	for i := drawn.Index(half); i >= 0 && i < len(drawn.Columns) && drawn.Columns[i].Step <= s.fellAt; i++ {
		if c := &drawn.Columns[i]; float64(c.Value.Last) <= (from+to)/2 {
			return c.Step, from, to
		}
	}
	return half, from, to
}

// lasted returns how long the newest fall took at the run's speed, in words.
func (s *Story) lasted() string {
	at, _ := s.crest(s.curve(s.Runs()[1]))
	return inSeconds(float64(s.fellAt-at) / min(s.Runs()[1].Config().Speed, 1e6))
}

// crest returns the last crest of a curve between the turn of the lag and the newest fall. It searches backwards, and
// stops where the curve lies a dip below the highest point so far: the turn caused nothing that lies before it.
func (s *Story) crest(c *chart.Curve) (step uint64, value float64) {
	turned, _ := s.dragged()
	for i := c.Index(s.fellAt); i >= 0; i-- {
		v := float64(c.Columns[i].Value.Last)
		if v < value-s.dip() {
			break
		}
		if v > value {
			step, value = max(turned, c.Columns[i].Step), v
		}
		if c.Columns[i].Step <= turned {
			break
		}
	}
	return step, value
}

// inSeconds returns a time in words.
func inSeconds(seconds float64) string {
	words := [...]string{"one second", "two seconds", "three seconds", "four seconds", "five seconds", "six seconds",
		"seven seconds", "eight seconds", "nine seconds", "ten seconds"}
	switch n := int(math.Round(seconds)); {
	case n == 0:
		return "in less than a second"
	case n <= len(words):
		return "in " + words[n-1]
	default:
		return fmt.Sprintf("in %d seconds", n)
	}
}

// Describe describes the chart in a sentence.
func (s *Story) Describe() string {
	of := "ten episodes"
	if s.of.levels.Long {
		of = "hundred answers"
	}
	told := fmt.Sprintf("%s Mean of the last %s: %s %s, the right one %s.", s.of.told, of, s.of.cure,
		s.of.figure(s.Score(false)), s.of.figure(s.Score(true)))
	if s.fellAt > 0 && s.fellAt <= s.step() {
		_, from, to := s.fall()
		told += fmt.Sprintf(" Without a correction it fell from %s to %s at %s steps.", s.of.figure(from),
			s.of.figure(to), thousands(s.fellAt))
	}
	return told
}
