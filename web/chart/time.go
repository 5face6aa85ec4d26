package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"impalab/learner/hyper"
)

// The charts over time are the return, the lanes below it and the tape. They share one axis, so a step stands at the
// same place in all of them.

const (
	marginTop  = 32.0 // room for two rows of marks
	marginFoot = 20.0

	levels = 3 // approximate number of labelled levels
)

// Time is the axis of all charts over time.
type Time struct {
	From  uint64 // start of the axis
	Steps uint64 // end of the axis
	Until uint64 // end of the curves; 0: where the axis ends
	Marks []Mark
	Value func(row *hyper.Row, text string) string // writes a setting's value for people
}

// across returns the scale of the axis.
func (t *Time) across(w float64) scale {
	return scale{float64(t.From), float64(max(t.Steps, t.From+1)), 0, w}
}

// Share returns the place of a step on the axis, from 0 to 1.
func (t *Time) Share(step uint64) float64 { return max(0, min(1, t.across(1).at(float64(step)))) }

// Step returns the step at a share of the axis.
func (t *Time) Step(share float64) uint64 {
	x := t.across(1)
	return uint64(math.Round(x.lo + min(1, max(0, share))*(x.hi-x.lo)))
}

// Line is a curve in a chart. Its class names its run and its quantity for the style sheet.
type Line struct {
	*Curve
	Class string
	Bound string // class of the bound of its values; "": no bound
	Sign  string // a letter that names its run; ""
	Name  string // written above its end in a chart that stands alone; ""

	// Behind lines do not set the chart's range. They are drawn only inside it.
	Behind bool
}

// Return is the data of the chart of the return, from back to front.
type Return struct {
	Ghost  *Curve    // the previous run; nil: none
	Before string    // how its settings differed
	Seeds  *Seeds    // the same settings over seeds; nil: none
	Others []Line    // runs in other columns
	Recent *Curve    // mean of the last 10 episodes
	Mean   *Curve    // mean of the last 100; nil: no run is selected
	Sign   string    // letter of the selected run; "" if it is alone
	Played []Episode // a person's own, each at the step of the run when it ended
	Falls  []Episode // points at which a run fell
	Note   []string  // lines of words beside the newest fall
	Log    bool      // a logarithmic scale of the returns, if any is above 0
	High   float64   // the largest possible return, above a least of 0; 0: the curves set the range

	Lake     *Lake     // nil: none
	Numerals []Numeral // of a story, in order; the marks then have no words
	Names    float64   // size of the lines' names, in pixels, each beside a dot; 0: as small as a letter, without dots
	Cursor   uint64    // the held step; 0: none
}

// Episode is a return at a step.
type Episode struct {
	Step   uint64
	Return float64
}

// newReturn returns the frame of a chart of the return, and whether no curve has a value yet.
func newReturn(t *Time, r *Return, w, h float64) (f *frame, empty bool) {
	f = newFrame(t, w, h, marginTop, marginFoot)
	f.see(r.Mean, r.Recent)
	for _, other := range r.Others {
		f.see(other.Curve)
	}
	if r.Seeds != nil {
		f.see(r.Seeds.Lines...)
		f.seeMiddle(r.Seeds.Middle)
	}
	for _, e := range r.Played {
		f.y.lo, f.y.hi = min(f.y.lo, e.Return), max(f.y.hi, e.Return)
	}
	empty = f.y.lo > f.y.hi
	if f.y.lo, f.y.hi = room(f.y.lo, f.y.hi); r.High > 0 {
		f.y.lo, f.y.hi, f.high = 0, 1.06*r.High, r.High
	}
	if r.Log {
		f.logarithmic(append([]Line{{Curve: r.Mean}, {Curve: r.Recent}}, r.Others...))
	}
	return f, empty
}

// PlaceInReturn returns the pixel of an episode in the chart of DrawReturn.
func PlaceInReturn(t *Time, r *Return, w, h float64, e Episode) XY {
	f, _ := newReturn(t, r, w, h)
	return XY{f.x.inside(float64(e.Step)), f.y.inside(e.Return)}
}

// DrawReturn draws the mean returns of the last 100 and the last 10 episodes over the quartiles of the episodes.
func DrawReturn(t *Time, r *Return, w, h float64) string {
	f, empty := newReturn(t, r, w, h)
	begun := !empty && (r.Mean == nil || len(r.Mean.Columns) > 0)
	f.lake(r.Lake)
	f.grid(!begun, "no episode yet", levels)
	f.marks(len(r.Numerals) == 0)
	f.numerals(r.Numerals)
	if !empty {
		f.line("line ghost", r.Ghost, f.inRange)
	}
	if r.Seeds != nil {
		f.seeds(r.Seeds, "ink", "line other")
	}
	for _, other := range r.Others {
		f.line(other.Class, other.Curve, valueOf)
	}
	if len(r.Others) == 0 { // beside other curves it would cover them
		f.band("area pi", r.Mean)
	}
	f.line("line recent pi", r.Recent, valueOf)
	f.line("line hand pi", r.Mean, valueOf)
	f.played(r.Played)
	if begun {
		f.levels(levels)
	}
	if !empty {
		f.before(r)
	}
	f.cursor(r.Cursor, r.Others)
	f.lettered = r.Names
	f.ends(append(r.Others, Line{Curve: r.Mean, Class: "hand", Sign: r.Sign}))
	f.lakeWords(r.Lake) // beside the names
	f.falls(r)
	return f.String()
}

// played draws a person's episodes as dots, and their mean as a dotted line to the end of the axis. The agent plays
// better where its line is above.
func (f *frame) played(episodes []Episode) {
	if len(episodes) == 0 {
		return
	}
	var d pen
	mean := 0.0
	for i, e := range episodes {
		mean += (e.Return - mean) / float64(i+1)
		x := f.x.at(min(float64(e.Step), f.x.hi))
		f.circle("played", x, f.y.at(e.Return), 3)
		d.to(x, f.y.at(mean))
	}
	d.to(f.x.to, f.y.at(mean))
	f.path("line played", d.String())
	f.text("label halo ink", end, f.x.to-2, max(f.y.at(mean)-6, f.y.to+10), "you")
}

// falls draws a cross at each point where a run fell, and the note beside the last.
func (f *frame) falls(r *Return) {
	const arm = 5
	for _, p := range r.Falls {
		if p.Step < f.time.From || p.Step > f.time.Steps {
			continue
		}
		x, y := f.x.at(float64(p.Step)), f.y.at(p.Return)
		f.svg.line("cross", x-arm, y-arm, x+arm, y+arm)
		f.svg.line("cross", x-arm, y+arm, x+arm, y-arm)
	}
	if len(r.Falls) > 0 && len(r.Note) > 0 {
		f.note(f.x.at(float64(r.Falls[len(r.Falls)-1].Step)), r)
	}
}

// before labels the previous run's curve where it is inside the chart's range.
func (f *frame) before(r *Return) {
	if r.Ghost == nil || r.Before == "" {
		return
	}
	columns := f.columns(r.Ghost)
	for i := range columns {
		c := &columns[i]
		if x := f.x.at(float64(c.Step)); !f.inRange(c).Empty() && x >= f.x.to*0.3 {
			room := wide(r.Before) / 2
			y := min(max(f.y.at(float64(c.Value.High))-6, f.y.to+12), f.y.from-4)
			f.text("label halo", middle, min(max(x, room+2), f.x.to-room-2), y, r.Before)
			return
		}
	}
}

// frame is a chart over time while it is drawn.
type frame struct {
	svg
	time *Time
	x    scale
	y    vertical
	w, h float64
	high float64 // the largest possible value, above a least of 0; 0: unknown

	lettered float64 // Return.Names
	taken    []box   // by words
}

// newFrame returns a frame with an empty range.
func newFrame(t *Time, w, h, top, foot float64) *frame {
	return &frame{time: t, w: w, h: h, x: t.across(w), y: vertical{scale: scale{math.Inf(1), math.Inf(-1), h - foot, top}}}
}

// see extends the range to curves and their bounds.
func (f *frame) see(curves ...*Curve) {
	for _, c := range curves {
		columns := f.columns(c)
		for i := range columns {
			c := &columns[i]
			f.y.extend(c.Value)
			f.y.extend(c.Bound)
			if q := c.Quartiles; q.Episodes > 0 {
				f.y.extend(Span{q.Low, q.High, q.High})
			}
		}
	}
}

// columns returns a curve's columns up to the end of the axis, at most one for each pixel.
func (f *frame) columns(c *Curve) []Column {
	if c == nil {
		return nil
	}
	columns, until := c.Columns, cmp.Or(f.time.Until, f.time.Steps)
	for len(columns) > 0 && columns[len(columns)-1].Step > until {
		columns = columns[:len(columns)-1]
	}
	for len(columns) > 0 && columns[0].Step < f.time.From {
		columns = columns[1:]
	}
	return shrink(columns, int(f.w))
}

func valueOf(c *Column) Span { return c.Value }

func boundOf(c *Column) Span { return c.Bound }

// inRange returns the part of a column's values inside the range; empty if the newest lies outside.
func (f *frame) inRange(c *Column) Span {
	s := c.Value
	if !(float64(s.Last) >= f.y.lo && float64(s.Last) <= f.y.hi) {
		return nothing
	}
	return Span{max(s.Low, float32(f.y.lo)), min(s.High, float32(f.y.hi)), s.Last}
}

// shrink joins neighbours until there is at most one column for each pixel. It does not change the curve.
func shrink(columns []Column, pixels int) []Column {
	each := (len(columns) + max(pixels, 1) - 1) / max(pixels, 1)
	if each <= 1 {
		return columns
	}
	out := make([]Column, 0, len(columns)/each+1)
	for i := range columns {
		if i%each == 0 {
			out = append(out, columns[i])
		} else {
			out[len(out)-1].join(&columns[i])
		}
	}
	return out
}

// ticks returns about n levels and their labels: zero, half and all of the largest possible value if it is known.
func (f *frame) ticks(n int) (at []float64, labels []string) {
	if f.y.log {
		return logTicks(f.y.lo, f.y.hi)
	}
	if f.high == 0 {
		return Ticks(f.y.lo, f.y.hi, n)
	}
	at = []float64{0, f.high / 2, f.high}
	return at, tickLabels(at)
}

// grid draws the levels and the steps. The numbers of the levels stand left of the chart; levels repeats them inside.
func (f *frame) grid(empty bool, waiting string, lines int) {
	at, labels := f.ticks(lines)
	for i, label := range labels {
		y := f.y.at(at[i])
		f.svg.line("axis", f.x.from, y, f.x.to, y)
		if !empty {
			f.text("label outside", end, f.x.from-8, y+4, label)
		}
	}
	foot := f.y.from
	f.svg.line("tick", f.x.from, foot, f.x.to, foot)
	if empty {
		f.text("label", middle, (f.x.from+f.x.to)/2, (f.y.to+foot)/2, waiting)
	}
	if f.x.hi <= 1 {
		return
	}
	const first = "0 steps"
	taken := f.x.from
	if f.x.lo == 0 {
		taken += 1.2 * wide(first) // of any width
	}
	at, labels = Ticks(f.x.lo, f.x.hi, max(2, int((f.x.to-f.x.from)/110)))
	for i, label := range labels {
		x := f.x.at(at[i])
		f.svg.line("tick", x, foot, x, foot+4)
		a := middle
		switch {
		case at[i] == 0:
			label, a = first, start
		case x-wide(label)/2 < taken:
			continue
		case x+wide(label)/2 > f.x.to:
			a = end
		}
		f.text("label", a, x, foot+16, label)
	}
}

// levels repeats the numbers of the levels inside the chart, for screens without room beside it. The style sheet shows
// one of the two. They are drawn after the curves, so that no curve crosses them.
func (f *frame) levels(lines int) {
	at, labels := f.ticks(lines)
	for i, label := range labels {
		f.text("label inside halo", start, f.x.from, f.y.at(at[i])-4, label)
	}
}

// line draws the smallest and largest value of each column, so that no peak is lost. A column without a value is a gap.
// A curve of one value is a dot.
func (f *frame) line(class string, c *Curve, pick func(*Column) Span) {
	columns := f.columns(c)
	var d pen
	for i := range columns {
		s := pick(&columns[i])
		if s.Empty() {
			d.down = false
			continue
		}
		x := f.x.at(float64(columns[i].Step))
		if s.Low != s.Last {
			d.to(x, f.y.at(float64(s.Low)))
		}
		if s.High != s.Last {
			d.to(x, f.y.at(float64(s.High)))
		}
		if !d.down {
			d.to(x, f.y.at(float64(s.Last)))
		}
		d.to(x, f.y.at(float64(s.Last)))
	}
	if len(columns) == 1 && d.down {
		f.circle(class, f.x.at(float64(columns[0].Step)), f.y.at(float64(pick(&columns[0]).Last)), 2)
		return
	}
	f.path(class, d.String())
}

// band fills the area between the quartiles, a few pixels at a time. It skips points with too few episodes, and is
// always thick enough to see.
func (f *frame) band(class string, c *Curve) {
	const few, thin = 6.0, 2.0
	columns := f.columns(c)
	var d pen
	var lows []XY // for the way back
	all, last := Quartiles{}, 0.0
	emit := func() {
		if all.Episodes == 0 {
			return
		}
		high, low := f.y.at(float64(all.High)), f.y.at(float64(all.Low))
		if low-high < thin {
			middle := (low + high) / 2
			high, low = middle-thin/2, middle+thin/2
		}
		d.to(last, high)
		lows = append(lows, XY{last, low})
		all = Quartiles{}
	}
	for i := range columns {
		x := f.x.at(float64(columns[i].Step))
		if math.Floor(x/few) != math.Floor(last/few) {
			emit()
		}
		last = x
		all.Join(columns[i].Quartiles)
	}
	emit()
	for _, low := range slices.Backward(lows) {
		d.to(low.X, low.Y)
	}
	f.path(class, d.String())
}

// marks draws a line at every change, and its words if they are asked for and there is room: the newest first, in two
// rows.
func (f *frame) marks(words bool) {
	var taken [2][]scale // pixels, from and to
	changes := f.time.changes(f.x)
	for i := range changes { // drawn before all words, so that no line crosses them
		f.svg.line("tick mark", changes[i].x, f.y.to-4, changes[i].x, f.y.from)
	}
	for i := len(changes) - 1; words && i >= 0; i-- {
		m := &changes[i]
		width := wide(m.symbol+m.words) + 8
		from, a := m.x+4, start
		if m.x+width > f.x.to {
			from, a = m.x-width, end
		}
		for k := range taken {
			if from < 0 || overlaps(taken[k], from, from+width) {
				continue
			}
			taken[k] = append(taken[k], scale{from: from, to: from + width})
			x := m.x + 4
			if a == end {
				x = m.x - 4
			}
			f.named("label halo "+m.tone, a, x, 14+14*float64(k), m.symbol, m.words) // a bar over a letter is high
			break
		}
	}
}

// change is a change on the axis. A dragged slider is one change, at its last place.
type change struct {
	x                   float64
	symbol, words, tone string
}

// changes returns the marks as people see them, in order.
func (t *Time) changes(x scale) (list []change) {
	const near = 16.0 // pixels between two steps of one drag
	place := func(i int) float64 { return x.at(min(float64(t.Marks[i].Step), x.hi)) }
	for i := 0; i < len(t.Marks); i++ {
		m := t.Marks[i]
		row, err := hyper.Lookup(m.Key)
		if err != nil || m.Step < t.From {
			continue
		}
		for i+1 < len(t.Marks) && t.Marks[i+1].Key == m.Key && t.Marks[i+1].Run == m.Run && place(i+1)-place(i) < near {
			i++
			m.Step, m.To = t.Marks[i].Step, t.Marks[i].To
		}
		symbol, words := row.Symbol, " "+t.Value(row, m.From)+" → "+t.Value(row, m.To)
		if symbol == "" {
			words = strings.ToLower(row.Words[:1]) + row.Words[1:] + words
		}
		if m.Run != "" {
			symbol, words = "", m.Run+": "+symbol+words
		}
		list = append(list, change{place(i), symbol, words, row.Tone})
	}
	return list
}

func overlaps(taken []scale, from, to float64) bool {
	for _, t := range taken {
		if from < t.to && t.from < to {
			return true
		}
	}
	return false
}
