package chart

import (
	"math"
	"sort"
	"strings"

	"impalab/web/number"
)

// Story is the chart of the first page: the returns of two learners, with words.
type Story struct {
	Steps    uint64 // where the axis ends
	Until    uint64 // where the curves end
	High     float64
	Title    string
	Thin     string    // names the thin lines
	Foot     string    // names the axis
	Learners []Learner // from back to front
	Turns    []Turn
	Fall     *Fall // nil: no learner fell
}

// Learner is one of the two: the mean of its last ten episodes, and of the last hundred as a thin line.
type Learner struct {
	Ten, Hundred *Curve
	Class, Name  string
}

// Turn is a change with its words.
type Turn struct {
	Step  uint64
	Words string
	Class string
}

// Fall is the point at which a curve fell.
type Fall struct {
	Step  uint64
	Value float64
	Words []string // that may stand below each other
}

// Sizes, in pixels.
const (
	storyNarrow = 600
	storyNames  = 140 // beside the curves of a wide chart
	storyTop    = 46  // for the title and the words of turns
	storyLine   = 18
	storyGap    = 12     // between the title and the words beside it
	storyRise   = 20_000 // the fewest steps in which a fallen curve recovers
)

// story is a Story being drawn.
type story struct {
	frame
	*Story
	obstacles
}

// DrawStory draws a story on w by h pixels.
func DrawStory(t *Story, w, h float64) string {
	narrow := w < storyNarrow
	left, right, count := 40.0, w-storyNames, 8
	if narrow {
		left, right, count = 34, w-12, 4
	}
	s := &story{Story: t, frame: frame{time: &Time{Steps: t.Until}, w: w, h: h,
		x: scale{0, float64(max(t.Steps, 1)), left, right}, y: scale{0, t.High, h - 24, storyTop}}}
	s.text("title", start, 0, 14, t.Title)
	thin := storyGap + 1.15*wide(t.Title)
	if narrow {
		s.text("label", end, w, 14, t.Thin)
	} else {
		s.text("label", start, thin, 14, t.Thin)
		s.text("label", end, w, h-6, t.Foot)
	}
	for i, v := range [...]float64{0, t.High / 2, t.High} {
		s.svg.line([...]string{"axis", "grid", "grid"}[i], left, s.y.at(v), right, s.y.at(v))
		s.text("label", end, left-8, s.y.at(v)+4, number.Fixed(v, 0))
	}
	at, labels := Ticks(0, s.x.hi, count)
	for i, label := range labels {
		s.text("label", middle, s.x.at(at[i]), h-6, label)
	}
	s.turns(thin + 1.1*wide(t.Thin) + storyGap)
	for _, l := range t.Learners {
		s.curve("line thin "+l.Class, l.Hundred)
		s.curve("line "+l.Class, l.Ten)
	}
	if t.Fall != nil {
		s.fall(t.Fall)
	}
	s.names()
	return s.String()
}

// curve draws a curve, which labels then avoid.
func (s *story) curve(class string, c *Curve) {
	var p pen
	points := s.points(c)
	for _, at := range points {
		p.to(at.x, at.y)
	}
	s.path(class, p.String())
	s.avoid(points)
}

func (s *story) points(c *Curve) (points []point) {
	columns := s.columns(c)
	for i := range columns {
		if v := columns[i].Value; !v.Empty() {
			height := min(s.High, max(0, float64(v.Last)))
			points = append(points, point{s.x.at(float64(columns[i].Step)), s.y.at(height)})
		}
	}
	return points
}

// turns draws a hairline for each turn, then the words above. Words that would cover others stand a row lower or are
// left out. titled is where the words of the second row may begin, beside the title.
func (s *story) turns(titled float64) {
	for _, turn := range s.Turns {
		at := s.x.at(float64(turn.Step))
		s.svg.line("turn", at, s.y.to-28, at, s.y.from)
		s.avoid([]point{{at, s.y.to}, {at, s.y.from}})
		s.path("foot "+turn.Class, "M"+number.Fixed(at-4, 1)+" "+number.Fixed(s.y.from+1, 1)+"l4 -7l4 7z")
	}
	free := [2]float64{math.Inf(-1), titled}
	for _, turn := range s.Turns {
		at := s.x.at(float64(turn.Step))
		from := at + 6
		if from+wide(turn.Words) > s.x.to+storyNames/2 {
			from = at - 6 - wide(turn.Words)
		}
		for row := range free {
			if from < free[row] {
				continue
			}
			top := s.y.to - 28 - float64(row)*15
			if from > at {
				s.text("halo words "+turn.Class, start, from, top+12, turn.Words)
			} else {
				s.text("halo words "+turn.Class, end, at-6, top+12, turn.Words)
			}
			free[row] = from + wide(turn.Words) + 8
			s.boxes = append(s.boxes, box{point{from, top}, point{free[row], top + 15}})
			break
		}
	}
}

// fall draws a cross and, near it, the words of the fall in lines short enough to avoid the curves.
func (s *story) fall(f *Fall) {
	px, py := s.x.at(float64(f.Step)), s.y.at(f.Value)
	s.path("cross", "M"+number.Fixed(px-6, 1)+" "+number.Fixed(py-6, 1)+"l12 12m0 -12l-12 12")
	var words []string
	for _, part := range f.Words {
		if strings.Contains(part, "→") { // two figures and an arrow stay on one line
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	note := label{at: point{px, py}, gap: 14, width: noteWide, line: storyLine, farthest: 150,
		within: box{point{s.x.from, s.y.to + 2}, point{s.x.to, s.y.from - 2}}}
	for _, most := range [...]float64{math.Inf(1), 150, 110, 70} {
		note.layouts = append(note.layouts, broken(words, most, noteWide))
	}
	rises := s.x.at(float64(f.Step + storyRise)) // a curve may recover here later, and the note should not move then
	note.cost = func(one spot) (more float64) {
		more = 6 * float64(len(note.layouts[one.layout]))
		switch {
		case one.to.x < px:
			more += 20
		case one.to.x > rises:
			more += 60
		}
		return more
	}
	if found, ok := s.place(&note); ok {
		for i, one := range note.layouts[found.layout] {
			s.text("halo note", start, found.from.x, found.from.y+storyLine*(float64(i)+0.78), one)
		}
	}
}

// noteWide and nameWide estimate widths of letters larger than a label's.
func noteWide(text string) float64 { return 1.1 * wide(text) }
func nameWide(text string) float64 { return 1.25 * wide(text) }

// names puts the learners' names at the ends of their curves, or near them.
func (s *story) names() {
	type ending struct {
		*Learner
		tip point
	}
	var ends []ending
	for i := range s.Learners {
		l := &s.Learners[i]
		if points := s.points(l.Ten); len(points) > 0 {
			ends = append(ends, ending{l, points[len(points)-1]})
		}
	}
	sort.SliceStable(ends, func(i, j int) bool { return ends[i].tip.y < ends[j].tip.y })
	for _, one := range ends {
		s.circle("end "+one.Class, one.tip.x, one.tip.y, 5)
		s.boxes = append(s.boxes, box{point{one.tip.x - 5, one.tip.y - 5}, point{one.tip.x + 5, one.tip.y + 5}})
	}
	for i, one := range ends {
		at := one.tip
		if i == 0 && len(ends) > 1 { // two that end side by side are named side by side
			at.y -= max(0, storyLine-(ends[1].tip.y-at.y)) / 2
		}
		name := label{at: at, gap: 12, layouts: [][]string{{one.Name}}, width: nameWide, line: storyLine, farthest: 300,
			within: box{point{s.x.from, 16}, point{s.w + 2, s.y.from + 2}}}
		name.cost = func(there spot) float64 {
			if there.from.x > one.tip.x {
				return 0
			}
			return 20
		}
		if found, ok := s.place(&name); ok {
			s.text("halo name "+one.Class, start, found.from.x, found.from.y+storyLine*0.78, one.Name)
		}
	}
}
