package run

import (
	"math"
	"strconv"

	"impalab/learner/telemetry"
	"impalab/web/number"
	"impalab/web/wire"
)

// Cursor sets every figure of the page to one moment. It follows the newest step until a person holds it. All runs of
// the page share it.
type Cursor struct {
	Held     bool
	Step     uint64 // while it is held
	Revision uint32 // counts its moves

	awaited uint64 // the update of a link, until the run gets there; 0: none
	asked   uint64 // the requested update, after the cursor is held there or as near as possible
}

// Hold holds the cursor at a step.
func (c *Cursor) Hold(step uint64) {
	c.awaited, c.asked = 0, 0
	if !c.Held || c.Step != step {
		c.Held, c.Step = true, step
		c.Revision++
	}
}

// LetGo follows the newest step again.
func (c *Cursor) LetGo() {
	c.awaited = 0
	c.follow()
}

// follow does the same and still awaits the update of a link.
func (c *Cursor) follow() {
	if c.Held {
		c.Held = false
		c.Revision++
	}
}

// atKey is the key of a link that opens with the cursor at an update: at=120.
const atKey = "at"

// await notes the update at which the link holds the cursor, once the run gets there.
func (m *Run) await() {
	m.Cursor.awaited, _ = strconv.ParseUint(last(m.Link.View, atKey), 10, 64)
}

// arrive holds the cursor at the awaited update, or at the nearest that has a point: points of fast runs are some
// updates apart. The link's moment belongs to the first run of the page.
func (m *Run) arrive(p *wire.Point) {
	at := m.Cursor.awaited
	if at == 0 || p.Update < at || m.page()[0] != m {
		return
	}
	step := p.Step
	if i := m.Return.Place(p.Step - 1); i >= 0 && at-m.Return.Columns[i].Update < p.Update-at {
		step = m.Return.Columns[i].Step
	}
	m.Cursor.Hold(step)
	m.Cursor.asked = at
}

// at returns the update at which a shared link opens, or "" for the newest.
func (m *Run) at() string {
	update, known := m.Update()
	switch {
	case m.Cursor.Held && known && update > 0:
		return strconv.FormatUint(update, 10)
	case m.Cursor.awaited > 0:
		return strconv.FormatUint(m.Cursor.awaited, 10)
	}
	return ""
}

// Hold holds the cursor at the point of the curves that is nearest to a step.
func (m *Run) Hold(step uint64) {
	if i := m.Return.Nearest(step); i >= 0 {
		m.Cursor.Hold(m.Return.Columns[i].Step)
	}
}

// Walk moves the cursor by points of the curves, or by updates that were made again or precede a pause. Forward from
// the newest point it lets go.
func (m *Run) Walk(by int) {
	n := len(m.Return.Columns)
	if n == 0 || m.walkToPause(by) {
		return
	}
	at := m.Return.Columns[n-1].Step
	if m.Cursor.Held {
		at = m.Cursor.Step
	}
	for ; by > 0; by-- {
		next := m.neighbour(at, true)
		if next == at {
			m.Cursor.LetGo()
			return
		}
		at = next
	}
	for ; by < 0; by++ {
		at = m.neighbour(at, false)
	}
	m.Cursor.Hold(at)
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
		m.Cursor.Hold(m.moments.again[i].step)
		return true
	}
	m.Cursor.Hold(m.pointOf(uint64(to), by > 0))
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

// neighbour returns the next step at which the cursor may be held, or the same step at an end.
func (m *Run) neighbour(step uint64, forward bool) uint64 {
	found := step
	try := func(s uint64) {
		if s != step && s > step == forward && (found == step || s < found == forward) {
			found = s
		}
	}
	i := max(m.Return.Place(step), 0)
	for _, c := range m.Return.Columns[max(i-1, 0):min(i+2, len(m.Return.Columns))] {
		try(c.Step)
	}
	for i := range m.moments.again {
		try(m.moments.again[i].step)
	}
	return found
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
		m.Cursor.Hold(m.Marks[found].Step)
	case forward:
		m.Cursor.LetGo()
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
	if i := m.Return.Place(m.Now()); i >= 0 {
		return m.Return.Columns[i].Update, true
	}
	return 0, false
}

func (m *Run) figure(row int) float32 {
	if made := m.moments.madeAgain(m.Cursor); made != nil {
		return m.figures(made.xray.Figures)[row]
	}
	if m.Cursor.Held {
		return m.Histories[row].At(m.Cursor.Step)
	}
	if m.XRay == nil {
		return nan32
	}
	return m.Figures[row]
}

// Seen returns the x-ray at the cursor, or nil, with its figures.
func (m *Run) Seen() (*wire.XRay, [telemetry.NumFigures]float32) {
	if !m.Cursor.Held {
		return m.XRay, m.Figures
	}
	then := m.moments.at(m.Cursor)
	if then == nil {
		return nil, m.figures(nil)
	}
	return then.xray, m.figures(then.xray.Figures)
}

func (m *Run) seen() *wire.XRay { x, _ := m.Seen(); return x }

// Gauged returns the gauge at the cursor, or nil.
func (m *Run) Gauged() *wire.Gauge {
	if !m.Cursor.Held {
		return m.Gauge
	}
	if then := m.moments.at(m.Cursor); then != nil {
		return then.gauge
	}
	return nil
}

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
