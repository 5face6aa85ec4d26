package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"impalab/learner/hyper"
	"impalab/web/number"
)

// Over is the returns of one configuration over the values of one setting.
type Over struct {
	Row    *hyper.Row
	Preset string // the preset's value
	At     []Result
	Chosen int // its column has a ground of its own; -1: none has
}

// Result is the return of one value over seeds.
type Result struct {
	Value string // as links have it
	Level        // over the seeds that count
	Seeds []SeedReturn
	Asked int // number of seeds that were asked for
	Ended int // how many of them have ended
}

// SeedReturn is the last return of a seed that counts.
type SeedReturn struct {
	Return   float64
	Diverged bool
}

// leastSeeds is the number of seeds from which a value has a mean while others still train.
const leastSeeds = 3

// Measured reports whether the result has a mean: of one seed there is none.
func (r *Result) Measured() bool {
	return !r.Lost() && len(r.Seeds) > 1 && (r.Ended == r.Asked || len(r.Seeds) >= leastSeeds)
}

// Lost reports whether every seed diverged.
func (r *Result) Lost() bool {
	return r.Ended == r.Asked && len(r.Seeds) > 0 &&
		!slices.ContainsFunc(r.Seeds, func(s SeedReturn) bool { return !s.Diverged })
}

// Says returns the result as the two rows below its column have it.
func (r *Result) Says() (mean, interval string) {
	switch {
	case r.Lost():
		return number.None, fmt.Sprintf("%d diverged", len(r.Seeds))
	case r.Ended == 0:
		return "", "waits"
	case !r.Measured() && r.Ended < r.Asked:
		return "", fmt.Sprintf("%d of %d", r.Ended, r.Asked)
	case len(r.Seeds) == 0:
		return number.None, "no return"
	case len(r.Seeds) == 1:
		return number.Score(r.Seeds[0].Return), "one seed"
	}
	interval = number.Figures(r.Low) + " – " + number.Figures(r.High)
	if len(r.Seeds) < r.Asked {
		interval += fmt.Sprintf(", n %d", len(r.Seeds))
	}
	return number.Score(r.Mean), interval
}

// Sizes of DrawOver in pixels.
const (
	overTop    = 26.0 // for the words "the preset"
	overRow    = 19.0
	overBroad  = 700.0 // from this width the rows have their names beside them
	overLeft   = 62.0  // from the edge to the first column, beside the names of the rows
	overRight  = 52.0  // for the rings beside the last bar
	overApart  = 30.0  // least distance of two columns; closer ones get equal distances
	overWords  = 84.0  // least distance at which a column has its interval in words
	overScore  = 46.0  // least distance at which a mean has its decimal
	overRing   = 3.4
	overDot    = 6.0
	overBar    = 8.0
	overBeside = 14.0 // from a bar to its rings
	overEach   = 8.5  // between two rings side by side
)

// overAxis is where the columns of an Over are in a chart of some width.
type overAxis struct {
	order []int     // of the results, from left to right
	x     []float64 // the middle of each result's column
	apart bool      // the values have no order, or none that can be drawn
	log   bool
	least float64 // between two columns
}

func (o *Over) axis(w float64) (a overAxis) {
	from, to := overLeft, w-overRight
	if w < overBroad {
		from, to = 40, w-34
	}
	values := make([]float64, len(o.At))
	for i := range o.At {
		a.order = append(a.order, i)
		v, err := o.Row.Parse(o.At[i].Value)
		if values[i] = v; !o.Row.Numeric() || err != nil || math.IsNaN(v) {
			a.apart = true
		}
	}
	if !a.apart {
		slices.SortStableFunc(a.order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	}
	a.x = make([]float64, len(o.At))
	equal := func() {
		each := (to - from) / float64(max(1, len(o.At)-1))
		for k, i := range a.order {
			a.x[i] = from + each*float64(k)
		}
		if len(o.At) == 1 {
			a.x[0] = (from + to) / 2
		}
		a.least = each
	}
	if equal(); a.apart || len(o.At) < 2 {
		return a
	}
	// Infinity stands behind the greatest finite value, as far as one column is wide on average.
	place := func(v float64) float64 { return v }
	switch a.log = o.Row.Scale != hyper.Linear; {
	case o.Row.Scale == hyper.Log && values[a.order[0]] > 0:
		place = math.Log
	case a.log && values[a.order[0]] > -1:
		place = math.Log1p
	default:
		a.log = false
	}
	var at []float64
	for _, i := range a.order {
		if !math.IsInf(values[i], 1) {
			at = append(at, place(values[i]))
		}
	}
	infinite := len(at) < len(o.At)
	width := to - from
	if infinite {
		width -= (to - from) / float64(len(o.At))
	}
	if len(at) < 2 {
		return a
	}
	x, least := make([]float64, len(o.At)), math.Inf(1)
	for k, i := range a.order {
		if x[i] = to; k < len(at) {
			x[i] = from + width*(at[k]-at[0])/(at[len(at)-1]-at[0])
		}
		if k > 0 {
			least = min(least, x[i]-x[a.order[k-1]])
		}
	}
	if least < overApart {
		a.log = false
		return a // too close to be read
	}
	a.x, a.least = x, least
	return a
}

// Columns returns the left and right ends of the columns in a chart of some width, one for each result.
func (o *Over) Columns(w float64) (ends [][2]float64) {
	a := o.axis(w)
	ends = make([][2]float64, len(o.At))
	for k, i := range a.order {
		left, right := max(0, a.x[i]-50), min(w, a.x[i]+50)
		if k > 0 {
			left = max(left, (a.x[a.order[k-1]]+a.x[i])/2)
		}
		if k+1 < len(a.order) {
			right = min(right, (a.x[i]+a.x[a.order[k+1]])/2)
		}
		ends[i] = [2]float64{left, right}
	}
	return ends
}

// DrawOver draws a column for each value: its interquartile mean as a dot, the interval as a bar, each seed as a ring
// beside the bar, and these numbers below it. A seed that diverged is a cross.
func DrawOver(o *Over, w, h float64) string {
	var s svg
	a := o.axis(w)
	rows := 3
	if a.least < overWords {
		rows = 2
	}
	broad := w >= overBroad
	below := float64(rows)*overRow + 6
	if !broad {
		below += overRow // for the names of the rows
	}
	y := o.returns(h-below, overTop)
	if o.Chosen >= 0 && o.Chosen < len(o.At) {
		c := o.Columns(w)[o.Chosen]
		s.rect("chosen", c[0], 0, c[1]-c[0], h)
	}
	at, labels := Ticks(y.lo, y.hi, 4)
	for i, v := range at {
		s.line("axis", 0, y.at(v), w, y.at(v))
		s.text("label outside", end, -8, y.at(v)+4, labels[i])
		s.text("label inside halo", start, 0, y.at(v)-3, labels[i])
	}
	s.line("tick", 0, y.from, w, y.from)
	s.text("label outside", start, -56, 14, "return")
	if !a.apart {
		s.joined(o, &a, y)
	}
	for i := range o.At {
		s.result(o, i, &a, y)
		s.beneath(&o.At[i], o.Row, a.x[i], y.from, a.least, rows)
	}
	symbol, words := o.Row.Symbol, ""
	if a.log {
		words = " log axis"
	}
	if symbol == "" {
		words = o.Row.Key + words
	}
	first := a.order[0]
	if room := a.x[first] + 56 - wide(valueLabel(&o.At[first], o.Row, a.least))/2; broad && wide(symbol+words) > room {
		words = "" // the title names the setting
	}
	names := []string{words, "middle half", "95 %"}
	if broad {
		s.named("label outside", start, -56, y.from+overRow-1, symbol, names[0])
		for k, name := range names[1:rows] {
			s.text("label outside", start, -56, y.from+overRow*float64(k+2)-1, name)
		}
		return s.String()
	}
	under := words + "; below: interquartile mean"
	if rows > 2 {
		under += ", 95 % interval"
	}
	s.named("label", middle, w/2, h-4, symbol, under)
	return s.String()
}

// returns is the scale of all returns. It begins at 0 if none is below.
func (o *Over) returns(foot, top float64) scale {
	y := scale{math.Inf(1), math.Inf(-1), foot, top}
	see := func(v float64) {
		if v-v == 0 {
			y.lo, y.hi = min(y.lo, v), max(y.hi, v)
		}
	}
	for i := range o.At {
		r := &o.At[i]
		for _, seed := range r.Seeds {
			see(seed.Return)
		}
		if r.Measured() {
			see(r.Low)
			see(r.High)
		}
	}
	least := y.lo
	if y.lo, y.hi = padRange(y.lo, y.hi); least >= 0 {
		y.lo = 0
	}
	return y
}

// joined draws the line from mean to mean. It ends where a value has none, and before infinity.
func (s *svg) joined(o *Over, a *overAxis, y scale) {
	var along pen
	for _, i := range a.order {
		if r := &o.At[i]; r.Measured() && r.Value != "inf" {
			along.to(a.x[i], y.at(r.Mean))
		} else {
			along.down = false
		}
	}
	s.path("line seed pi", along.String())
}

// result draws a column.
func (s *svg) result(o *Over, i int, a *overAxis, y scale) {
	r, x := &o.At[i], a.x[i]
	if r.Value == o.Preset {
		s.line("line ghost dashed", x, y.to-6, x, y.from)
		s.text("label", middle, x, y.to-12, "the preset")
	}
	switch {
	case r.Lost():
		s.cross(x, y.from, 5)
	case r.Ended == 0:
		s.circle("ring dashed", x, y.from, overRing)
	}
	if r.Measured() {
		low, high := y.at(r.Low), y.at(r.High)
		s.rect("interval pi", x-overBar/2, high, overBar, max(1, low-high))
		s.line("line pi", x-overBar, high, x+overBar, high)
		s.line("line pi", x-overBar, low, x+overBar, low)
		s.circle("hole", x, y.at(r.Mean), overDot+1.5)
		s.circle("dot pi", x, y.at(r.Mean), overDot)
	}
	s.seedsBeside(r, x+overBeside, a.least-overBeside-overBar-overRing, y)
}

// seedsBeside draws the seeds from the highest to the lowest. A seed that would cover its neighbours is drawn to their
// right, as far as there is room before the next column.
func (s *svg) seedsBeside(r *Result, x, room float64, y scale) {
	seeds := slices.Clone(r.Seeds)
	slices.SortStableFunc(seeds, func(a, b SeedReturn) int { return cmp.Compare(b.Return, a.Return) })
	var taken []XY
	for _, seed := range seeds {
		at := XY{x, y.at(seed.Return)}
		for slices.ContainsFunc(taken, func(t XY) bool { return t.X == at.X && math.Abs(t.Y-at.Y) < overEach }) {
			at.X += overEach
		}
		if len(taken) > 0 && at.X > x+min(room, 5*overEach) {
			at.X = x // so many seeds cover each other
		}
		taken = append(taken, at)
		if seed.Diverged {
			s.cross(at.X, at.Y, overRing)
		} else {
			s.circle("ring pi", at.X, at.Y, overRing)
		}
	}
}

// cross draws two strokes.
func (s *svg) cross(x, y, r float64) {
	s.line("cross", x-r, y-r, x+r, y+r)
	s.line("cross", x-r, y+r, x+r, y-r)
}

// beneath writes a result under its column.
func (s *svg) beneath(r *Result, row *hyper.Row, x, foot, room float64, rows int) {
	mean, interval := r.Says()
	if room < overScore && r.Measured() {
		mean = number.Figures(r.Mean)
	}
	s.line("tick", x, foot, x, foot+4)
	s.text("label "+row.Tone, middle, x, foot+overRow-1, valueLabel(r, row, room))
	if rows < 3 && mean == "" {
		mean = interval
	}
	s.text("label pi strong", middle, x, foot+2*overRow-1, mean)
	if rows > 2 {
		s.text("label", middle, x, foot+3*overRow-1, interval)
	}
}

// valueLabel returns a value as people write it or, if that is wider than its column, as links do, cut if need be.
func valueLabel(r *Result, row *hyper.Row, room float64) string {
	room = min(room, 2*overRight) // from the last column to the edge of the chart
	for _, name := range []string{ValueName(row, r.Value), r.Value} {
		if wide(name) <= room {
			return name
		}
	}
	short := []rune(r.Value)
	for len(short) > 1 && wide(string(short))+8 > room {
		short = short[:len(short)-1]
	}
	return string(short) + "…"
}

// ValueName returns a setting's value as people write it.
func ValueName(row *hyper.Row, value string) string {
	if value == "inf" {
		return "∞"
	}
	name := row.Name(value)
	if v, err := strconv.ParseFloat(value, 64); err == nil && v >= 1e4 {
		name = number.Short(v)
	}
	return name
}

// Order returns the numbers of the results from left to right.
func (o *Over) Order() []int { return o.axis(overBroad).order }

// Targets draws a transparent link over each column of a chart for a page. href returns the address of a result, and
// says describes it.
func (o *Over) Targets(w, h float64, href, says func(i int) string) string {
	var s svg
	columns := o.Columns(w)
	for _, i := range o.Order() {
		s.WriteString(`<a href="` + markup.Replace(href(i)) + `" data-number="` + strconv.Itoa(i) + `" aria-label="` +
			markup.Replace(says(i)) + `"`)
		if i == o.Chosen {
			s.WriteString(` aria-current="true"`)
		} else {
			s.WriteString(` tabindex="-1"`)
		}
		s.WriteByte('>')
		s.rect("target", columns[i][0], 0, columns[i][1]-columns[i][0], h)
		s.WriteString("</a>")
	}
	return s.String()
}
