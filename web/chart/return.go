package chart

import (
	"cmp"
	"html"
	"strings"
)

// Return is the data of the chart of the return, from back to front.
type Return struct {
	Ghost  *Curve    // the previous run; nil: none
	Before string    // how its settings differed
	Seeds  *Seeds    // the same settings over seeds; nil: none
	Others []Line    // runs in other columns
	Recent *Curve    // mean of the last 10 episodes
	Mean   *Curve    // mean of the last 100; nil: no run is selected
	Sign   string    // letter of the selected run; "" if it is alone
	Tone   string    // colour of the selected run; "": pi
	Played []Episode // a person's own, each at the step of the run when it ended
	Falls  []Episode // points at which a run fell
	Dips   []Dip     // drops after which a run got up
	Note   []string  // lines of words beside the newest fall
	Log    bool      // a logarithmic scale of the returns, if any is above 0
	Chance float64   // return of a uniform policy, as a dashed line; 0: none
	High   float64   // the largest possible return, above a least of 0; 0: the curves set the range

	Cursor uint64                 // the held step; 0: none
	Figure func(v float64) string // writes a return at the cursor

	Lake     *Lake     // nil: none
	Numerals []Numeral // of a story, in order; the marks then have no words
	Names    float64   // size of the lines' names, in pixels, each beside a dot; 0: as small as a letter, without dots
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
	if f.y.lo, f.y.hi = padRange(f.y.lo, f.y.hi); r.High > 0 {
		f.y.lo, f.y.hi, f.high = 0, 1.06*r.High, r.High
	}
	if r.Log {
		f.logarithmic(append([]Line{{Curve: r.Mean}, {Curve: r.Recent}}, r.Others...))
	}
	return f, empty
}

// ReturnPoint returns the pixel of an episode in the chart of DrawReturn.
func ReturnPoint(t *Time, r *Return, w, h float64, e Episode) XY {
	f, _ := newReturn(t, r, w, h)
	return XY{f.x.inside(float64(e.Step)), f.y.inside(e.Return)}
}

// DrawReturn draws the mean returns of the last 100 and the last 10 episodes over the quartiles of the episodes.
func DrawReturn(t *Time, r *Return, w, h float64) string {
	f, empty := newReturn(t, r, w, h)
	begun := !empty && (r.Mean == nil || len(r.Mean.Columns) > 0)
	tone := cmp.Or(r.Tone, "pi")
	f.lake(r.Lake)
	f.grid(!begun, "no episode yet", levels)
	f.chance(r.Chance)
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
		f.band("area "+tone, r.Mean)
	}
	f.line("line recent "+tone, r.Recent, valueOf)
	f.line("line hand "+tone, r.Mean, valueOf)
	f.played(r.Played)
	if begun {
		f.levels(levels)
	}
	if !empty {
		f.before(r)
	}
	f.cursor(r.Cursor, r.Others, r.Figure)
	f.lettered = r.Names
	f.ends(append(r.Others, Line{Curve: r.Mean, Class: "line hand " + tone, Sign: r.Sign}))
	f.lakeWords(r.Lake) // beside the names
	f.dips(r.Dips)
	f.falls(r)
	f.dipWords(r)
	return f.String()
}

// dipArm is half of the width of a hollow cross, in pixels.
const dipArm = 5.0

// dips draws a hollow cross at each drop. It says its words under the pointer.
func (f *frame) dips(dips []Dip) {
	for _, d := range dips {
		if f.time.From <= d.Step && d.Step <= f.time.Steps {
			f.svg.hollow(f.x.at(float64(d.Step)), f.y.at(d.Return), dipArm, strings.Join(d.Words, ", "))
		}
	}
}

// dipWords writes the words of one drop or of two beside their crosses, where they cover no curve, words or mark.
func (f *frame) dipWords(r *Return) {
	const most, high, inside = 2, 19.0, 44.0 // drops; a line; room for the levels inside a small chart
	if len(r.Dips) > most {
		return
	}
	lines := append(r.Others[:len(r.Others):len(r.Others)], Line{Curve: r.Mean}, Line{Curve: r.Recent})
	for _, p := range append(r.Falls[:len(r.Falls):len(r.Falls)], episodes(r.Dips)...) {
		x, y := f.x.at(float64(p.Step)), f.y.at(p.Return)
		f.taken = append(f.taken, box{x - 2*dipArm, y - 2*dipArm, x + 2*dipArm, y + 2*dipArm})
	}
	for _, d := range r.Dips {
		if d.Step < f.time.From || d.Step > f.time.Steps {
			continue
		}
		x, y := f.x.at(float64(d.Step)), f.y.at(d.Return)
		width, height := 0.0, high*float64(len(d.Words))
		for _, line := range d.Words {
			width = max(width, 1.15*wide(line))
		}
		for _, at := range [...]XY{{-16 - width, 14}, {16, 14}, {-16 - width, -14 - height}, {16, -14 - height},
			{-40 - width, 30}, {40, 30}, {-40 - width, -height / 2}, {40, -height / 2}} {
			b := box{x + at.X, y + at.Y, x + at.X + width, y + at.Y + height}
			if b.left < f.x.from+inside || b.right > f.x.to || b.top < f.y.to+8 || b.foot > f.y.from-4 ||
				f.onWords(b)+f.onMarks(b)+f.crossings(lines, b) > 0 {
				continue
			}
			near := XY{b.right, b.top + high/2}
			if at.X > 0 {
				near.X = b.left
			}
			f.svg.line("leader", x+(near.X-x)*.4, y+(near.Y-y)*.4, near.X, near.Y)
			for i, line := range d.Words {
				f.text("halo dip", start, b.left, b.top+high*float64(i)+14, line)
			}
			f.taken = append(f.taken, b)
			break
		}
	}
}

func episodes(dips []Dip) (all []Episode) {
	for _, d := range dips {
		all = append(all, d.Episode)
	}
	return all
}

// hollow draws a cross with an outline, which says its words under the pointer.
func (s *svg) hollow(x, y, arm float64, words string) {
	s.WriteString("<g><title>" + html.EscapeString(words) + "</title>")
	for _, class := range [...]string{"cross", "cross within"} {
		s.line(class, x-arm, y-arm, x+arm, y+arm)
		s.line(class, x-arm, y+arm, x+arm, y-arm)
	}
	s.WriteString("</g>")
}

// chance draws a dashed line at a return, with its name below it.
func (f *frame) chance(at float64) {
	if at == 0 {
		return
	}
	const name, below = "chance", 14.0
	y := f.y.at(at)
	f.svg.line("tick truth", f.x.from, y, f.x.to, y)
	f.text("label", start, f.x.from+2, y+below, name)
	f.taken = append(f.taken, box{f.x.from, y, f.x.from + 2 + wide(name), y + below + 4})
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
