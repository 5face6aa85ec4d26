package chart

import (
	"math"
	"sort"
	"strings"

	"impalab/web/number"
)

// Story is what the chart of the first experiment shows: the same two curves all the time, on one axis.
type Story struct {
	Steps    uint64 // where the axis ends
	Until    uint64 // where the curves end: the step that both have come to
	High     float64
	Title    string
	Thin     string    // what the thin lines are
	Foot     string    // what the axis counts, below its end
	Learners []Learner // from back to front
	Turns    []Turn
	Fall     *Fall // nil: there was none
}

// Learner is one of the two: the mean of its last ten episodes, and that of the last hundred, which is thin.
type Learner struct {
	Ten, Hundred *Curve
	Class, Name  string
}

// Turn is something that was changed, with its words over the chart.
type Turn struct {
	Step  uint64
	Words string
	Class string
}

// Fall is where a curve was lost.
type Fall struct {
	Step  uint64
	Value float64
	Words []string // on a wide chart one behind the other, on a narrow one below each other
}

// Sizes, in pixels.
const (
	storyNarrow = 600
	storyNames  = 140 // beside the curves, where there is room
	storyTop    = 46  // title, and the words of turns
	storyLine   = 18
	storyGap    = 12     // between the title and what stands beside it
	storyRise   = 20_000 // steps that a curve takes to get up again, at least
)

// DrawStory draws it for a box of w × h pixels.
func DrawStory(t *Story, w, h float64) string {
	s := &svg{}
	narrow := w < storyNarrow
	left, right := 40.0, w-storyNames
	if narrow {
		left, right = 34, w-12
	}
	x := scale{0, float64(max(t.Steps, 1)), left, right}
	y := scale{0, t.High, h - 24, storyTop}
	s.text("title", start, 0, 14, t.Title)
	thin := storyGap + 1.15*wide(t.Title)
	if narrow {
		s.text("label", end, w, 14, t.Thin)
	} else {
		s.text("label", start, thin, 14, t.Thin)
	}
	for _, v := range [...]float64{0, t.High / 2, t.High} {
		class := "grid"
		if v == 0 {
			class = "axis"
		}
		s.line(class, left, y.at(v), right, y.at(v))
		s.text("label", end, left-8, y.at(v)+4, number.Fixed(v, 0))
	}
	count := 8
	if narrow {
		count = 4
	} else {
		s.text("label", end, w, h-6, t.Foot)
	}
	at := ticks(0, x.hi, count)
	for i, label := range tickLabels(at) {
		s.text("label", middle, x.at(at[i]), h-6, label)
	}
	var o obstacles
	t.turns(s, &o, x, y, right, thin+1.1*wide(t.Thin)+storyGap)
	for i := range t.Learners {
		l := &t.Learners[i]
		thin, thick := t.points(l.Hundred, x, y), t.points(l.Ten, x, y)
		s.path("line thin "+l.Class, line(thin))
		s.path("line "+l.Class, line(thick))
		o.avoid(thin)
		o.avoid(thick)
	}
	if f := t.Fall; f != nil {
		t.fall(s, f, &o, x, y, right)
	}
	t.names(s, &o, x, y, w)
	return s.String()
}

// line goes from point to point.
func line(points []point) string {
	var b svg
	pen := byte('M')
	for _, p := range points {
		b.WriteByte(pen)
		b.at(p.x)
		b.WriteByte(' ')
		b.at(p.y)
		pen = 'L'
	}
	return b.String()
}

// points are a curve's in pixels, up to the step where both curves end.
func (t *Story) points(c *Curve, x, y scale) (points []point) {
	for i := range c.Columns[:c.Place(t.Until)+1] {
		if column := &c.Columns[i]; !column.Value.Empty() {
			points = append(points, point{x.at(float64(column.Step)), t.height(column.Value.Last, y)})
		}
	}
	return points
}

func (t *Story) height(v float32, y scale) float64 { return y.at(min(t.High, max(0, float64(v)))) }

// turns are hairlines with their words on top; words that would run into others stand a row lower, or are left out.
// They come after all hairlines, so that none crosses them.
func (t *Story) turns(s *svg, o *obstacles, x, y scale, right, titled float64) {
	for _, turn := range t.Turns {
		at := x.at(float64(turn.Step))
		s.line("turn", at, y.to-28, at, y.from)
		o.avoid([]point{{at, y.to}, {at, y.from}})
		s.path("foot "+turn.Class, "M"+number.Fixed(at-4, 1)+" "+number.Fixed(y.from+1, 1)+"l4 -7l4 7z")
	}
	free := [2]float64{math.Inf(-1), titled} // the title stands in the second row
	for _, turn := range t.Turns {
		at := x.at(float64(turn.Step))
		from, anchor := at+6, start
		if from+wide(turn.Words) > right+storyNames/2 {
			from, anchor = at-6-wide(turn.Words), end
		}
		for row := range free {
			if from < free[row] {
				continue
			}
			place := from
			if anchor == end {
				place = at - 6
			}
			s.text("halo words "+turn.Class, anchor, place, y.to-16-float64(row)*15, turn.Words)
			free[row] = from + wide(turn.Words) + 8
			top := y.to - 28 - float64(row)*15
			o.boxes = append(o.boxes, box{point{from, top}, point{free[row], top + 15}})
			break
		}
	}
}

// fall is a cross, and near it what was lost, in lines as short as it takes to keep clear of the curves.
func (t *Story) fall(s *svg, f *Fall, o *obstacles, x, y scale, right float64) {
	px, py := x.at(float64(f.Step)), y.at(f.Value)
	at := number.Fixed(px-6, 1) + " " + number.Fixed(py-6, 1)
	s.path("cross", "M"+at+"l12 12m0 -12l-12 12")
	var words []string
	for _, part := range f.Words {
		if strings.Contains(part, "→") { // two figures and an arrow stay on one line
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	note := label{at: point{px, py}, gap: 14, width: noteWide, line: storyLine, farthest: 150,
		within: box{point{x.from, y.to + 2}, point{right, y.from - 2}}}
	for _, most := range [...]float64{math.Inf(1), 150, 110, 70} {
		note.layouts = append(note.layouts, broken(words, most, noteWide))
	}
	rises := x.at(float64(f.Step + storyRise)) // a curve that gets up again comes there: a note should not have to move
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
	if found, ok := o.place(&note); ok {
		for i, one := range note.layouts[found.layout] {
			s.text("halo note", start, found.from.x, found.from.y+storyLine*(float64(i)+0.78), one)
		}
	}
}

// noteWide and nameWide are about how much room they take: they are set larger than labels.
func noteWide(text string) float64 { return 1.1 * wide(text) }
func nameWide(text string) float64 { return 1.25 * wide(text) }

// names stand at the ends of the curves: behind them where there is room, else near them.
func (t *Story) names(s *svg, o *obstacles, x, y scale, w float64) {
	type sign struct {
		*Learner
		tip point
	}
	var signs []sign
	for i := range t.Learners {
		l := &t.Learners[i]
		if points := t.points(l.Ten, x, y); len(points) > 0 {
			signs = append(signs, sign{l, points[len(points)-1]})
		}
	}
	sort.SliceStable(signs, func(i, j int) bool { return signs[i].tip.y < signs[j].tip.y })
	for _, one := range signs {
		s.circle("end "+one.Class, one.tip.x, one.tip.y, 5)
		o.boxes = append(o.boxes, box{point{one.tip.x - 5, one.tip.y - 5}, point{one.tip.x + 5, one.tip.y + 5}})
	}
	for i, one := range signs {
		at := one.tip
		if i == 0 && len(signs) > 1 { // two that end side by side are named side by side
			at.y -= max(0, storyLine-(signs[1].tip.y-at.y)) / 2
		}
		name := label{at: at, gap: 12, layouts: [][]string{{one.Name}}, width: nameWide, line: storyLine, farthest: 300,
			within: box{point{x.from, 16}, point{w + 2, y.from + 2}}}
		name.cost = func(there spot) float64 {
			if there.from.x > one.tip.x {
				return 0
			}
			return 20
		}
		if found, ok := o.place(&name); ok {
			s.text("halo name "+one.Class, start, found.from.x, found.from.y+storyLine*0.78, one.Name)
		}
	}
}
