package run

import (
	"cmp"
	"math"
	"slices"

	"impalab/web/labrow"
	"impalab/web/number"
	"impalab/web/wire"

	"impalab/web/link"
)

// Cursor sets every figure of the page to one moment. It follows the newest step until a person holds it. All runs of
// the page share it.
type Cursor struct {
	Held     bool
	Step     uint64 // while it is held
	Revision uint32 // counts its moves
	View     View

	asked uint64 // the update of a link, until the run gets there; while held, the requested one; 0: none
}

// View is how the charts over time show the runs.
type View struct {
	Log      bool   // the returns have a logarithmic scale
	From, To uint64 // the part of the axis that is shown; To 0: all of it
}

// Zoom shows a part of the axis, between two shares of the present one. It ignores a part too small to be meant.
func (m *Run) Zoom(from, to float64) {
	const least = 0.01
	if from > to {
		from, to = to, from
	}
	axis := m.Axis()
	if first, last := axis.Step(from), axis.Step(to); to-from >= least && last > first {
		m.Cursor.View.From, m.Cursor.View.To = first, last
		m.Cursor.Revision++
	}
}

// Whole shows the whole axis again.
func (m *Run) Whole() {
	m.Cursor.View.From, m.Cursor.View.To = 0, 0
	m.Cursor.Revision++
}

// Under returns the figures of a lane, or of the return, at a step, for each run of the page.
func (m *Run) Under(lane string, step uint64) string {
	words := "at " + number.Short(float64(step)) + ":"
	for i, r := range m.Page() {
		value := number.None
		if lane == "return" {
			value = number.Score(float64(r.Return.At(step)))
		} else if k := slices.IndexFunc(labrow.All, func(l labrow.Row) bool { return l.Name == lane }); k >= 0 {
			c := r.lane(&labrow.All[k])
			if c == nil || !r.Shows(&labrow.All[k]) {
				continue
			}
			value = write(&labrow.All[k], c.At(step))
		}
		if r.letter() != "" {
			words += " " + link.Letter(i)
		}
		words += " " + value
	}
	return words
}

// Pin fixes the cursor at a step.
func (c *Cursor) Pin(step uint64) {
	c.asked = 0
	if !c.Held || c.Step != step {
		c.Held, c.Step = true, step
		c.Revision++
	}
}

// Unpin lets the cursor follow the newest step again.
func (c *Cursor) Unpin() {
	c.asked = 0
	if c.Held {
		c.Held = false
		c.Revision++
	}
}

// awaited returns the update of a link that the run has not come to, or 0.
func (c *Cursor) awaited() uint64 {
	if c.Held {
		return 0
	}
	return c.asked
}

// Linked returns the update to which the run travels, or at which the cursor is held since it came there; 0: none.
func (c *Cursor) Linked() uint64 { return c.asked }

// arrive holds the cursor at the awaited update, or at the nearest that has a point: points of fast runs are some
// updates apart. The link's moment belongs to the first run of the page.
func (m *Run) arrive(p *wire.Point) {
	at := m.Cursor.awaited()
	if at == 0 || p.Update < at || m.Page()[0] != m {
		return
	}
	step := p.Step
	if i := m.Return.Index(p.Step - 1); i >= 0 && at-m.Return.Columns[i].Update < p.Update-at {
		step = m.Return.Columns[i].Step
	}
	m.Cursor.Pin(step)
	m.Cursor.asked = at
}

// at returns the update at which a shared link opens, or 0 for the newest.
func (m *Run) at() uint64 {
	if update, known := m.Update(); m.Cursor.Held && known {
		return update
	}
	return m.Cursor.awaited()
}

// Pin fixes the cursor at the point of the curves that is nearest to a step.
func (m *Run) Pin(step uint64) {
	if i := m.Return.Nearest(step); i >= 0 {
		m.Cursor.Pin(m.Return.Columns[i].Step)
	}
}

// Walk moves the cursor by points of the curves, or by updates that were made again or precede a pause. Forward from
// the newest point it lets go.
func (m *Run) Walk(by int) {
	stops := m.stops()
	if len(stops) == 0 || m.walkToPause(by) {
		return
	}
	at := m.Return.Steps()
	if m.Cursor.Held {
		at = m.Cursor.Step
	}
	i, stands := slices.BinarySearch(stops, at)
	if by > 0 && !stands {
		i-- // i is the stop after the cursor
	}
	if i += by; i >= len(stops) {
		m.Cursor.Unpin()
		return
	}
	m.Cursor.Pin(stops[max(0, i)])
}

// stops returns the steps at which the cursor may be held, in order.
func (m *Run) stops() (steps []uint64) {
	for i := range m.Return.Columns {
		steps = append(steps, m.Return.Columns[i].Step)
	}
	for i := range m.moments.again {
		steps = append(steps, m.moments.again[i].step)
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// walkToPause moves a held cursor by updates if they precede a pause. An update that was not made again may have no
// point: then the cursor is held at the nearest, says so, and goes to the update when the server's answer comes.
func (m *Run) walkToPause(by int) bool {
	update, known := m.Update()
	if !m.Cursor.Held || !known {
		return false
	}
	if m.Cursor.asked > 0 {
		update = m.Cursor.asked
	}
	to := int(update) + by
	if !m.before(int(update)) || !m.before(to) {
		return false
	}
	if i := m.moments.again.index(uint64(to)); i >= 0 {
		m.Cursor.Pin(m.moments.again[i].step)
		return true
	}
	m.Cursor.Pin(m.pointOf(uint64(to), by > 0))
	m.Cursor.asked = uint64(to)
	return true
}

// before reports whether an update precedes a pause and the page offers to show it.
func (h *history) before(update int) bool {
	return h.Halt != nil && update >= int(h.Halt.Back) && update <= int(h.Halt.Update)
}

// pointOf returns the step of the point nearest to an update. Of two equally near it prefers the later one if forward.
func (c *Curves) pointOf(update uint64, forward bool) (step uint64) {
	least := uint64(math.MaxUint64)
	for i := range c.Return.Columns {
		p := &c.Return.Columns[i]
		if apart := max(p.Update, update) - min(p.Update, update); apart < least || apart == least && forward {
			step, least = p.Step, apart
		}
	}
	return step
}

// WalkMarks moves the cursor to the next change by hand, forward or back.
func (m *Run) WalkMarks(forward bool) {
	now, found := m.Now(), -1
	for i := range m.Marks {
		switch step := m.Marks[i].Step; {
		case forward && step > now && found < 0, !forward && step < now:
			found = i
		}
	}
	switch {
	case found >= 0:
		m.Cursor.Pin(m.Marks[found].Step)
	case forward:
		m.Cursor.Unpin()
	}
}

// Now returns the step that the page shows.
func (m *Run) Now() uint64 {
	if m.Cursor.Held {
		return m.Cursor.Step
	}
	return m.Steps()
}

// Update returns the update at the cursor: the update of a mark or of a moment made again, else of the last point. It
// is false before the first.
func (m *Run) Update() (uint64, bool) {
	for i := range m.Marks {
		if m.Cursor.Held && m.Marks[i].Step == m.Cursor.Step {
			return m.Marks[i].Update, true
		}
	}
	if made := m.moments.madeAgain(m.Cursor); made != nil {
		return made.xray.Update, true
	}
	if i := m.Return.Index(m.Now()); i >= 0 {
		return m.Return.Columns[i].Update, true
	}
	return 0, false
}

func (m *Run) metric(row int) float32 {
	if m.Cursor.Held && m.moments.madeAgain(m.Cursor) == nil {
		return m.Histories[row].At(m.Cursor.Step)
	}
	return metricOf(m.Seen(), row)
}

// metricOf returns a figure of an x-ray, NaN without one.
func metricOf(x *wire.XRay, row int) float32 {
	if x == nil {
		return nan32
	}
	return x.Figures[row]
}

// shown returns the moment that the page shows: the held one, or the newest. Before the first it is empty.
func (m *Run) shown() *moment {
	if !m.Cursor.Held {
		return &moment{xray: m.XRay, gauge: m.Gauge}
	}
	return cmp.Or(m.moments.at(m.Cursor), &moment{})
}

// Seen returns the x-ray at the cursor, or nil.
func (m *Run) Seen() *wire.XRay { return m.shown().xray }

// Gauged returns the gauge at the cursor, or nil.
func (m *Run) Gauged() *wire.Gauge { return m.shown().gauge }

// nearestTo names the requested update if the cursor is held at another, else "".
func (m *Run) nearestTo() string {
	if update, ok := m.Update(); ok && m.Cursor.asked > 0 && m.Cursor.asked != update {
		return ", nearest to " + number.Count(m.Cursor.asked)
	}
	return ""
}

// Moment returns the cursor in words.
func (m *Run) Moment() string {
	if !m.Cursor.Held {
		return "the newest"
	}
	words := "held at " + number.Count(m.Cursor.Step) + " steps"
	if update, ok := m.Update(); ok {
		words += ", update " + number.Count(update) + m.nearestTo()
	}
	return words
}
