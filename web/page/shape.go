package page

import (
	"fmt"
	"math"
	"strings"

	"impalab/web/number"
)

// The pictures of phenomena that are not curves of the return alone.

func (b *shaped) text(class, anchor string, x, y float64, words string) {
	fmt.Fprintf(b, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, class, anchor, x, y, words)
}

func (b *shaped) foot(left float64) {
	y := float64(pictureHigh) - curvesAxis
	fmt.Fprintf(b, `<line class="foot" x1="%g" y1="%g" x2="%g" y2="%g"/>`, left, y+2, curvesRight, y+2)
}

// shaped is the inside of an SVG of the usual height.
type shaped struct{ strings.Builder }

// highest returns the largest value of all lines.
func (m *measured) highest() float64 {
	high := 0.0
	for _, line := range m.At {
		for _, v := range line {
			if v != nil {
				high = max(high, *v)
			}
		}
	}
	return high
}

// drawDots draws a column for each line with a dot for each seed, as high as its end.
func (p *phenomenon) drawDots(m *measured) string {
	const left = 26.0
	s, high, foot := &shaped{}, m.highest(), float64(pictureHigh)-curvesAxis
	s.foot(left)
	s.text("", "end", left-3, curvesTop+3, shortNumber(high))
	s.text("", "end", left-3, foot+2, "0")
	each := (curvesRight - left) / float64(len(p.lines))
	for i, line := range p.lines {
		x := left + each*(float64(i)+.5)
		s.text(line.tone, "middle", x, float64(pictureHigh)-4, line.words)
		fmt.Fprintf(s, `<g class="%s">`, line.tone)
		for k, v := range m.At[i] {
			if v != nil {
				fmt.Fprintf(s, `<circle class="dot" cx="%.1f" cy="%.1f" r="2.6"/>`, x+3.6*(float64(k)-3.5),
					foot-(foot-curvesTop)**v/high)
			}
		}
		s.WriteString("</g>")
	}
	return s.String()
}

// drawBars draws pairs of bars: the mean of a line over the means of its seeds, and below it the same with data of its
// own.
func (p *phenomenon) drawBars(m *measured) string {
	const left, thick = 46.0, 8.0
	s, high := &shaped{}, m.highest()
	for i, line := range p.lines {
		sum, n := 0.0, 0.0
		for _, v := range m.At[i] {
			if v != nil {
				sum, n = sum+*v, n+1
			}
		}
		mean := sum / math.Max(n, 1)
		y := 8 + 24*float64(i/2) + (thick+1)*float64(i%2)
		fmt.Fprintf(s, `<rect class="bar %s" x="%g" y="%g" width="%.1f" height="%g"/>`, line.tone, left, y,
			(curvesRight-left-20)*mean/high, thick)
		if line.words != "" {
			s.text(line.tone, "end", left-4, y+thick+3, line.words)
			s.text("", "start", left+(curvesRight-left-20)*mean/high+3, y+thick-1, shortNumber(mean))
		}
	}
	s.text("", "end", curvesRight, float64(pictureHigh)-4, "filled: foreign, open: own data")
	return s.String()
}

// drawTuned draws the return over the area of the policy cost, both as shares of their height.
func (p *phenomenon) drawTuned(m *measured) string {
	const left = 8.0
	s, foot := &shaped{}, float64(pictureHigh)-curvesAxis
	n := len(m.At[0])
	x := func(i int) float64 { return left + (curvesRight-left)*float64(i)/float64(n-1) }
	y := func(share float64) float64 { return foot - (foot-curvesTop)*share }
	line := func(of []*float64, whole float64) (points string, last float64) {
		var b strings.Builder
		for k, v := range of {
			if v != nil {
				last = *v / whole
				fmt.Fprintf(&b, "%.1f,%.1f ", x(k), y(last))
			}
		}
		return b.String(), last
	}
	high := 0.0
	for _, v := range m.At[0] {
		if v != nil {
			high = max(high, *v)
		}
	}
	cost, _ := line(m.At[1], 1)
	fmt.Fprintf(s, `<polygon class="share" points="%.1f,%.1f %s%.1f,%.1f"/>`, left, foot, cost, curvesRight, foot)
	s.foot(left)
	fmt.Fprintf(s, `<line class="start" x1="%g" y1="%.1f" x2="%g" y2="%.1f"/>`, left, y(1), curvesRight, y(1))
	gained, _ := line(m.At[0], high)
	fmt.Fprintf(s, `<polyline class="pi" pathLength="1" points="%s"/>`, gained)
	s.text("meta", "start", left+2, curvesTop-3, p.lines[1].words+" × 1")
	s.text("pi", "end", curvesRight, curvesTop-3, p.lines[0].words+" "+shortNumber(high))
	s.text("", "end", curvesRight, float64(pictureHigh)-4, number.Count(p.steps)+" steps")
	return s.String()
}
