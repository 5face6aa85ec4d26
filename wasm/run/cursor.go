package run

import (
	"math"
	"strconv"

	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// One cursor sets every figure of the page to one moment. It follows the newest step until a person holds it.

// Cursor is the page's; all its runs are looked at through the same one.
type Cursor struct {
	Held     bool
	Step     uint64 // while it is held
	Revision uint32 // counts its moves

	awaited uint64 // the update at which a link wants it held, once the run is there; 0: none
	asked   uint64 // the same, once it is held there or as near as there is anything to see
}

// Hold holds it at a step.
func (c *Cursor) Hold(step uint64) {
	c.awaited, c.asked = 0, 0
	if !c.Held || c.Step != step {
		c.Held, c.Step = true, step
		c.Revision++
	}
}

// LetGo has it follow the newest step again.
func (c *Cursor) LetGo() {
	c.awaited = 0
	c.follow()
}

// follow does so without forgetting what a link wants: the run has yet to come there.
func (c *Cursor) follow() {
	if c.Held {
		c.Held = false
		c.Revision++
	}
}

// atKey is the key of a link that opens with the cursor at an update: at=120.
const atKey = "at"

// await has the cursor held where the link says, once the run has come there.
func (m *Run) await() {
	m.Cursor.awaited, _ = strconv.ParseUint(m.Link.view(atKey), 10, 64)
}

// arrive holds it there, or at the nearest update that has a point: those of fast runs lie some updates apart. The
// cursor is the page's, and the link's moment is one of its first run.
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

// at is the update that a link to what is seen opens at; "" for the newest.
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

// Walk moves the cursor by points of the curves, and update by update where these were made again or lead to a pause.
// On from the newest one it lets go.
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

// walkToPause moves a held cursor by updates, where these are the ones before a pause. Points lie some updates apart:
// for an update that has yet to be made again it stands at the nearest one, says so, and goes there with the answer.
func (m *Run) walkToPause(by int) bool {
	update, known := m.Update()
	if !m.Cursor.Held || !known || m.Halt == nil {
		return false
	}
	if m.Cursor.asked > 0 {
		update = m.Cursor.asked
	}
	if by < 0 && update < uint64(-by) {
		return false
	}
	to := update + uint64(by) // a negative number wraps around to what it should be
	if !m.before(update) || !m.before(to) {
		return false
	}
	if i := m.again.index(to); i >= 0 {
		m.Cursor.Hold(m.again[i].step)
		return true
	}
	m.Cursor.Hold(m.pointOf(to, by > 0))
	m.Cursor.asked = to
	return true
}

// before reports whether an update is one of those before a pause that the page leads to.
func (m *Run) before(update uint64) bool {
	return m.Halt != nil && update >= m.Halt.Back && update <= m.Halt.Update
}

// pointOf is the step of the point nearest to an update: of two that are as near the one that lies on, or back.
func (m *Run) pointOf(update uint64, on bool) (step uint64) {
	least := uint64(math.MaxUint64)
	for i := range m.Return.Columns {
		c := &m.Return.Columns[i]
		if apart := max(c.Update, update) - min(c.Update, update); apart < least || apart == least && on {
			step, least = c.Step, apart
		}
	}
	return step
}

// neighbour is the step at which the cursor may stand next, on or back; the same one at an end.
func (m *Run) neighbour(step uint64, on bool) uint64 {
	found := step
	try := func(s uint64) {
		if s != step && s > step == on && (found == step || s < found == on) {
			found = s
		}
	}
	i := max(m.Return.Place(step), 0)
	for _, c := range m.Return.Columns[max(i-1, 0):min(i+2, len(m.Return.Columns))] {
		try(c.Step)
	}
	for i := range m.again {
		try(m.again[i].step)
	}
	return found
}

// WalkMarks moves it to the next change by hand before or behind it: to where things stood when it was made.
func (m *Run) WalkMarks(on bool) {
	now, found := m.Now(), -1
	for i := range m.Marks {
		switch step := m.Marks[i].Step; {
		case on && step > now && found < 0, !on && step < now:
			found = i
		}
	}
	switch {
	case found >= 0:
		m.Cursor.Hold(m.Marks[found].Step)
	case on:
		m.Cursor.LetGo()
	}
}

// Now is the step that the page shows.
func (m *Run) Now() uint64 {
	if m.Cursor.Held {
		return m.Cursor.Step
	}
	return m.steps()
}

// Update is the update at which the cursor stands: of a mark or an update made again its own, else that of the point at
// or before it. It is false where none is known.
func (m *Run) Update() (uint64, bool) {
	for i := range m.Marks {
		if m.Cursor.Held && m.Marks[i].Step == m.Cursor.Step {
			return m.Marks[i].Update, true
		}
	}
	if made := m.again.of(m.Now()); made != nil && m.Cursor.Held {
		return made.xray.Update, true
	}
	if i := m.Return.Place(m.Now()); i >= 0 {
		return m.Return.Columns[i].Update, true
	}
	return 0, false
}

// figure is a figure at the cursor; NaN where there is none.
func (m *Run) figure(row int) float32 {
	if made := m.again.of(m.Now()); made != nil && m.Cursor.Held {
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

var nan32 = chart.NewSpan().Last

// Seen is the x-ray at the cursor, with its figures.
func (m *Run) Seen() (*wire.XRay, [telemetry.NumFigures]float32) {
	if !m.Cursor.Held {
		return m.XRay, m.Figures
	}
	then := m.moment()
	if then == nil {
		return nil, m.figures(nil)
	}
	return then.xray, m.figures(then.xray.Figures)
}

func (m *Run) seen() *wire.XRay { x, _ := m.Seen(); return x }

// beside says which update a link asked for, where the cursor stands at another; else "".
func (m *Run) beside() string {
	if update, ok := m.Update(); ok && m.Cursor.asked > 0 && m.Cursor.asked != update {
		return ", nearest to " + number.Count(m.Cursor.asked)
	}
	return ""
}

// Moment is the cursor in words.
func (m *Run) Moment() string {
	if !m.Cursor.Held {
		return "the newest"
	}
	words := "held at " + number.Count(m.Cursor.Step) + " steps"
	if update, ok := m.Update(); ok {
		words += ", update " + number.Count(update) + m.beside()
	}
	return words
}
