package page

import (
	"math"
	"unicode/utf8"
)

// Height of letters in a picture, and in the first, which is shown larger. The style sheet has the same.
const letterSize, firstLetter = 8.4, 4.6

// names writes the names of two lines between them: each where the lines leave the most room. If they leave none, the
// names begin where the lines are farthest apart, each above its line.
func (p *phenomenon) names(m *measured, letter float64, y func(float64) float64,
	text func(class, anchor string, x, y float64, words string)) {
	left, a, b := p.left(), m.At[0], m.At[1]
	per := float64(len(a)-1) / (curvesRight - left) // points of a line in a pixel
	for i, line := range p.lines {
		wide := .55 * letter * float64(utf8.RuneCountInString(line.words))
		half := 1 + int(wide*per/2)
		anchor, drop, at := "middle", 1.1*letter, p.roomiest(a, b, half, 2*letter, y)
		if at < 0 {
			anchor, drop, half, at = "start", -3, 0, farthest(a, b)
		}
		if at < 0 {
			return
		}
		x := left + float64(at)/per
		if anchor == "start" && x+wide > curvesRight {
			anchor = "end"
		}
		top, foot := within(a, b, at, half, y)
		up := foot - 3
		if *m.At[i][at] > *m.At[1-i][at] {
			up = top + drop
		}
		text(line.tone, anchor, x, up, line.words)
	}
}

// roomiest returns the point with the most room for a word between two lines, away from every change. The word reaches
// half points to each side. −1: no point has the height.
func (p *phenomenon) roomiest(a, b []*float64, half int, high float64, y func(float64) float64) (at int) {
	at, most := -1, 0.0
	for k := len(a) / 4; k < len(a); k++ {
		top, foot := within(a, b, k, half, y)
		if room := foot - top; room >= high && room > most && !p.changesWithin(k-half, k+half, len(a)) {
			at, most = k, room
		}
	}
	return at
}

// changesWithin reports whether a change stands between two of n points.
func (p *phenomenon) changesWithin(from, to, n int) bool {
	for _, turn := range p.changes() {
		if at := float64(n-1) * float64(turn.Step) / float64(p.steps); float64(from) <= at && at <= float64(to) {
			return true
		}
	}
	return false
}

// farthest returns the last of the points at which two lines are farthest apart; −1: they share no point.
func farthest(a, b []*float64) (at int) {
	at, far := -1, 0.0
	for k := len(a) / 4; k < len(a); k++ {
		if a[k] == nil || b[k] == nil {
			continue
		}
		if gap := math.Abs(*a[k] - *b[k]); gap >= far {
			at, far = k, gap
		}
	}
	return at
}

// within returns the free band between two lines around a point, NaN if it reaches beyond their ends.
func within(a, b []*float64, k, half int, y func(float64) float64) (top, foot float64) {
	if k < half || k+half >= len(a) {
		return math.NaN(), math.NaN()
	}
	top, foot = math.Inf(-1), math.Inf(1)
	for i := k - half; i <= k+half; i++ {
		if a[i] == nil || b[i] == nil {
			return math.NaN(), math.NaN()
		}
		top, foot = max(top, min(y(*a[i]), y(*b[i]))), min(foot, max(y(*a[i]), y(*b[i])))
	}
	return top, foot
}
