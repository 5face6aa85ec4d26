package run

import (
	"strconv"

	"impalab/learner/telemetry"
	"impalab/wasm/chart"
	"impalab/wasm/number"
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

// Walk moves the cursor by points of the curves: an update each, until there are more updates than a curve has points.
// On from the newest one it lets go.
func (m *Run) Walk(by int) {
	i := len(m.Return.Columns) - 1
	if m.Cursor.Held {
		i = m.Return.Nearest(m.Cursor.Step)
	}
	if i < 0 {
		return
	}
	if i += by; i >= len(m.Return.Columns) {
		m.Cursor.LetGo()
		return
	}
	m.Cursor.Hold(m.Return.Columns[max(i, 0)].Step)
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

// Update is the update at which the cursor stands: of a mark its own, else that of the point at or before it. It is
// false where none is known.
func (m *Run) Update() (uint64, bool) {
	for i := range m.Marks {
		if m.Cursor.Held && m.Marks[i].Step == m.Cursor.Step {
			return m.Marks[i].Update, true
		}
	}
	if i := m.Return.Place(m.Now()); i >= 0 {
		return m.Return.Columns[i].Update, true
	}
	return 0, false
}

// figure is a figure at the cursor; NaN where there is none.
func (m *Run) figure(row int) float32 {
	if m.Cursor.Held {
		return m.Histories[row].At(m.Cursor.Step)
	}
	if m.XRay == nil {
		return nan32
	}
	return m.Figures[row]
}

var nan32 = chart.NewSpan().Last

// moments are what a run was now and then, ever sparser: histograms have no curve.
type moments[T any] []moment[T]

type moment[T any] struct {
	step uint64
	seen *T
}

const maxMoments = 400

func (list *moments[T]) add(step uint64, seen *T) {
	if n := len(*list); n > 0 && (*list)[n-1].step >= step {
		return
	}
	if len(*list) == maxMoments {
		for i := range maxMoments / 2 {
			(*list)[i] = (*list)[2*i+1]
		}
		*list = (*list)[:maxMoments/2]
	}
	*list = append(*list, moment[T]{step, seen})
}

// near is the one nearest to a step, of two that are as near the earlier; false before the first.
func (list moments[T]) near(step uint64) (found moment[T], ok bool) {
	for _, one := range list {
		switch {
		case one.step <= step:
			found, ok = one, true
		case ok && one.step-step < step-found.step:
			return one, true
		default:
			return found, ok
		}
	}
	return found, ok
}

// at is what it was; nil before the first.
func (list moments[T]) at(step uint64) *T {
	found, _ := list.near(step)
	return found.seen
}

// Seen is the x-ray at the cursor, with its figures.
func (m *Run) Seen() (*wire.XRay, [telemetry.NumFigures]float32) {
	if !m.Cursor.Held {
		return m.XRay, m.Figures
	}
	x := m.moments.at(m.Cursor.Step)
	if x == nil {
		return nil, m.figures(nil)
	}
	return x, m.figures(x.Figures)
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
