package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"impalab/web/number"
)

// The box of the curves in a card's picture. Below the foot stands the axis.
const curvesRight, curvesTop, curvesAxis = 152.0, 14.0, 16.0

// left is the left end of the curves. A lone curve stands beside its world.
func (p *phenomenon) left() float64 {
	if len(p.lines) > 1 {
		return 8
	}
	return 78
}

// across returns the place of a step on the axis.
func (p *phenomenon) across(step uint64) float64 {
	return p.left() + (curvesRight-p.left())*float64(step)/float64(p.steps)
}

// drawCurves draws the measured lines of a phenomenon in a picture of a height, with the area between two of them, the
// turns, and a cross where the second line fell.
func (p *phenomenon) drawCurves(tall float64) (string, error) {
	m, err := p.load()
	if err != nil {
		return "", err
	}
	switch p.shape {
	case ofSeeds:
		return p.drawDots(m), nil
	case ofPairs:
		return p.drawBars(m), nil
	case ofTuning:
		return p.drawTuned(m), nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, line := range m.At {
		for _, v := range line {
			if v != nil {
				low, high = min(low, *v), max(high, *v)
			}
		}
	}
	if !(low <= high) {
		return "", fmt.Errorf("%s: no return was measured", p.preset)
	}
	high = max(high, low+1e-3)
	n, left, curvesFoot := len(m.At[0]), p.left(), tall-curvesAxis
	x := func(i int) float64 { return left + (curvesRight-left)*float64(i)/float64(n-1) }
	y := func(v float64) float64 { return curvesFoot - (curvesFoot-curvesTop)*(v-low)/(high-low) }
	var s strings.Builder
	if len(m.At) == 2 {
		s.WriteString(lakeBetween(m.At[0], m.At[1], x, y))
	}
	fmt.Fprintf(&s, `<line class="foot" x1="%g" y1="%g" x2="%g" y2="%g"/>`, left, curvesFoot+2, curvesRight, curvesFoot+2)
	for _, turn := range p.changes() {
		at := p.across(turn.Step)
		fmt.Fprintf(&s, `<line class="turn" x1="%.1f" y1="4" x2="%.1f" y2="%g"/>`, at, at, curvesFoot+2)
	}
	for i, line := range slices.Backward(m.At) {
		fmt.Fprintf(&s, `<polyline class="%s" pathLength="1" points="`, p.lines[i].tone)
		for k, v := range line {
			if v != nil {
				fmt.Fprintf(&s, "%.1f,%.1f ", x(k), y(*v))
			}
		}
		s.WriteString(`"/>`)
	}
	if at, of := p.fall(m); at >= 0 {
		x, y := x(at), y(of/2)
		fmt.Fprintf(&s, `<path class="cross" d="M%.1f %.1fl6 6m0-6l-6 6"/>`, x-3, y-3)
	}
	p.words(&s, m, high, tall, y)
	return s.String(), nil
}

// words writes the highest return, the axis and the names of the lines.
func (p *phenomenon) words(s *strings.Builder, m *measured, high, tall float64, y func(float64) float64) {
	left, axis, letter := p.left(), tall-4, letterSize
	if tall > pictureHigh {
		letter = firstLetter
	}
	text := func(class, anchor string, x, y float64, words string) {
		fmt.Fprintf(s, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, class, anchor, x, y, words)
	}
	text("", "start", left, curvesTop-3, shortNumber(high))
	if p.knob != "" {
		text("", "start", left, axis, values[0])
		text("age", "middle", (left+curvesRight)/2, axis, p.label)
		text("", "end", curvesRight, axis, values[len(values)-1])
	}
	until := curvesRight
	if p.knob == "" {
		steps := number.Count(p.steps) + " steps"
		text("", "end", curvesRight, axis, steps)
		until -= .6 * letter * float64(utf8.RuneCountInString(steps))
	}
	for _, turn := range p.changes()[:min(1, len(p.changes()))] {
		text("age", "end", min(p.across(turn.Step)-2, until-4), axis, turn.Change.Key()+" → "+turn.Change.Value())
	}
	if len(p.lines) == 2 {
		p.names(m, letter, y, text)
	}
}

// lakeBetween returns the area where the first line is visibly above the second.
func lakeBetween(over, under []*float64, x func(int) float64, y func(float64) float64) string {
	var s strings.Builder
	var back []string
	flush := func() {
		if len(back) > 1 {
			slices.Reverse(back)
			s.WriteString(strings.Join(back, " ") + `"/>`)
		} else if len(back) == 1 {
			s.WriteString(`"/>`)
		}
		back = back[:0]
	}
	for k := range over {
		if over[k] == nil || under[k] == nil || y(*under[k])-y(*over[k]) < .5 {
			flush()
			continue
		}
		if len(over) > 20 && k%2 == 1 { // every second point is enough for an area
			continue
		}
		if len(back) == 0 {
			s.WriteString(`<polygon class="lake" points="`)
		}
		fmt.Fprintf(&s, "%.1f,%.1f ", x(k), y(*over[k]))
		back = append(back, fmt.Sprintf("%.1f,%.1f", x(k), y(*under[k])))
	}
	flush()
	return s.String()
}

// shortNumber writes a return in a few characters.
func shortNumber(v float64) string {
	if math.Abs(v) >= 10 {
		return strings.ReplaceAll(fmt.Sprintf("%.0f", v), "-", "−")
	}
	return strings.ReplaceAll(fmt.Sprintf("%.2g", v), "-", "−")
}
