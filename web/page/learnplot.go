package page

import (
	"math"
	"strconv"

	"impalab/web/lesson"
)

// The figures of the lessons: bars, dials and drawings.

// bar is one bar of a figure. Its numbers are percentages of the axis.
type bar struct {
	Name, Tone, Says string
	At, Low, High    float64
	Answer           bool // whether it is the answer of the prediction
}

// bars returns the bars of a step's figure. If given, only the bars that the reader may see before the prediction.
func bars(s *lesson.Step, given bool) (list []bar) {
	e := s.Evidence
	axis := lesson.Scale{From: e.From, To: e.To, Log: e.Log}
	for i := range e.Rows {
		row := &e.Rows[i]
		if row.Aside || given && !row.Given {
			continue
		}
		f, err := row.Value(e.Show)
		if err != nil {
			continue // a test checks every row
		}
		b := bar{Name: row.Name, Tone: row.Tone, Says: row.Field(e.Show),
			At:  100 * axis.Position(f.Mean),
			Low: 100 * axis.Position(f.Low), High: 100 * axis.Position(f.High)}
		if row.Exact != "" {
			b.Says = row.Says
			if b.Says == "" {
				b.Says = short(row.Is)
			}
		}
		b.Answer = s.Predict != nil && s.Predict.Bar != nil && s.Predict.Bar.Answer == row.Name
		list = append(list, b)
	}
	return list
}

// plotted is the plot of a dial or a drawing, in percent.
type plotted struct {
	Path, Known      string // the whole curve, and its part shown before the prediction
	Low, High        string // the vertical axis
	Ticks            []string
	Target, AnswerAt float64 // −1: none
}

func plotDial(p *lesson.Dial) plotted {
	low, high := math.Inf(1), math.Inf(-1)
	for _, at := range p.Curve {
		low, high = min(low, at.Y), max(high, at.Y)
	}
	if low > 0 && low < high/2 {
		low = 0
	}
	y := lesson.Scale{From: low, To: high}
	out := plotted{Low: short(low), High: short(high), Target: -1, AnswerAt: 100 * p.Position(p.Value)}
	for i, at := range p.Curve {
		out.Path += move(i) + coord(100*p.Position(at.X)) + " " + coord(100-100*y.Position(at.Y))
	}
	for _, share := range []float64{0, .25, .5, .75, 1} {
		out.Ticks = append(out.Ticks, short(p.At(share)))
	}
	if p.Target != nil {
		out.Target = 100 - 100*y.Position(*p.Target)
	}
	return out
}

func plotDrawing(c *lesson.Drawing) plotted {
	last := c.Truth[len(c.Truth)-1].X
	x, y := lesson.Scale{To: last}, lesson.Scale{To: c.To}
	out := plotted{Low: "0", High: short(c.To), Target: -1, AnswerAt: -1}
	for i, at := range c.Truth {
		out.Path += move(i) + coord(100*x.Position(at.X)) + " " + coord(100-100*y.Position(at.Y))
		if at.X <= c.Known {
			out.Known = out.Path
		}
	}
	for _, share := range []float64{0, .25, .5, .75, 1} {
		out.Ticks = append(out.Ticks, short(last*share))
	}
	return out
}

// handles is the number of points of a drawing that the reader moves.
const handles = 8

// handle is one of these points.
type handle struct {
	At    float64 // in percent
	Step  string
	Truth float64 // the true value, in percent
}

func handlesOf(c *lesson.Drawing) (list []handle) {
	last := c.Truth[len(c.Truth)-1].X
	y := lesson.Scale{To: c.To}
	for i := range handles {
		x := c.Known + (last-c.Known)*float64(i+1)/handles
		truth := c.Truth[0].Y
		for _, at := range c.Truth {
			if at.X <= x {
				truth = at.Y
			}
		}
		list = append(list, handle{100 * x / last, short(x), 100 * y.Position(truth)})
	}
	return list
}

// leanOf returns the lean of a run's pole in degrees. A fallen pole lies. Another leans the more, the shorter it stays
// up.
func leanOf(end float64, fell bool) float64 {
	const longest, lies, most = 500, 96, 50
	if fell {
		return lies
	}
	return most * (1 - end/longest)
}

func move(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}

// coord formats a coordinate with at most one decimal.
func coord(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// thumbBars returns the bars of a lesson's thumbnail: at most four bars of its largest figure.
func thumbBars(l *lesson.Lesson) (list []bar) {
	for i := range l.Steps {
		if l.Steps[i].Evidence == nil {
			continue
		}
		if b := bars(&l.Steps[i], false); len(b) > len(list) {
			list = b
		}
	}
	return list[:min(len(list), 4)]
}
