package run

import (
	"fmt"

	"impalab/envs"
	"impalab/learner/collapse"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// The page finds a run's falls in its curve by the rule of package collapse, also when the curve comes again after a
// reload. It pauses a run that falls while the page watches. The run stores the reason of that pause, so every page
// that opens the run shows it until a person continues the run.

// Halt is why a run does not continue: it fell, or it diverged.
type Halt struct {
	Update uint64 // when that was known
	Back   uint64 // an earlier update, which the page offers to show
	Words  string // what happened
}

// halt returns a Halt whose Back lies enough updates before another update.
func (m *Run) halt(update, before uint64, words string) *Halt {
	back := max(20, uint64(m.force.Lag)*3/2)
	return &Halt{Update: update, Back: before - min(before, back), Words: words}
}

// watchOf follows the curve of a run on a world.
func watchOf(world string) (w collapse.Watch) {
	if spec, _, err := envs.Describe(world); err == nil { // nothing falls on a world of a newer server
		w.Random, w.Solved = float64(spec.Random), float64(spec.Solved)
	}
	return w
}

func (m *Run) noteFall(p *wire.Point) {
	fell := m.falls.See(collapse.Point{Step: p.Step, Update: p.Update, Episodes: p.Episodes, Mean: float64(p.Return)})
	m.asks = m.asks || fell && p.Event > m.came
}

// Falls reports, once, that the run fell while the page watched and should be paused.
func (m *Run) Falls() bool {
	asks := m.asks
	m.asks = false
	return asks && m.Steers && m.State == wire.StateRunning
}

// halted sets Halt after the state has changed.
func (m *Run) halted() {
	m.Halt = nil
	switch {
	case m.State == wire.StatePaused && m.Reason == wire.ReasonFell && len(m.falls.Falls) > 0:
		f := m.falls.Falls[len(m.falls.Falls)-1]
		m.Halt = m.halt(f.Told.Update, f.Onset.Update,
			fmt.Sprintf("It fell at update %s: the mean return of 100 episodes went from %s to %s.",
				number.Count(f.Onset.Update), number.Score(f.Crest.Mean), number.Score(f.Told.Mean)))
	case m.State == wire.StateDiverged && len(m.Return.Columns) > 0:
		at := m.Return.Last().Update
		m.Halt = m.halt(at, at, fmt.Sprintf("It diverged after update %s.", number.Count(at)))
	}
	if m.Halt != nil {
		m.Announce(m.happened())
	}
}

// earlier returns how many updates before the fall the page offers to show.
func (m *Run) earlier() string {
	from := m.Halt.Update
	if n := len(m.falls.Falls); m.State == wire.StatePaused && n > 0 {
		from = m.falls.Falls[n-1].Onset.Update
	}
	return number.Count(from - m.Halt.Back)
}

// Halted returns the run whose Halt the page shows while this run is selected: this one or, because all columns pause
// together, another; nil: none.
func (m *Run) Halted() *Run {
	for _, r := range append([]*Run{m}, m.Page()...) {
		if r.Halt != nil {
			return r
		}
	}
	return nil
}

// happened says what happened to the run and, among several, to which column.
func (m *Run) happened() string {
	if letter := m.letter(); letter != "" {
		return "Column " + letter + ": " + m.Halt.Words
	}
	return m.Halt.Words
}

// PinFall fixes the cursor at an update before the fall.
func (m *Run) PinFall() {
	if m.Halt == nil {
		return
	}
	for i := range m.Return.Columns {
		if c := &m.Return.Columns[i]; c.Update >= m.Halt.Back {
			m.Cursor.Pin(c.Step)
			return
		}
	}
}

// crosses marks on the chart where the run fell.
func (h *history) crosses() []chart.Episode { return chart.Crosses(&h.Return, h.falls.Falls) }

// dips marks on the chart where the run dropped and did not fall.
func (m *Run) dips() []chart.Dip {
	dips := chart.Dips(&m.Return, m.falls.Dips)
	if letter := m.letter(); letter != "" {
		for i := range dips {
			dips[i].Words[0] = letter + " " + dips[i].Words[0]
		}
	}
	return dips
}

// fell is Halt in a few words, beside the cross: "B fell: 290 → 9".
func (m *Run) fell() string {
	words := "diverged"
	if n := len(m.falls.Falls); m.State == wire.StatePaused && n > 0 {
		f := &m.falls.Falls[n-1]
		words = "fell: " + chart.Rough(f.Crest.Mean) + " → " + chart.Rough(f.Told.Mean)
	}
	if letter := m.letter(); letter != "" {
		return letter + " " + words
	}
	return "It " + words
}

// HaltPlace returns where the note about a run that stopped points, in a chart of w × h pixels.
func (m *Run) HaltPlace(w, h float64) (x, y float64) {
	halted := m.Halted()
	if halted == nil {
		return 0, 0
	}
	at := chart.Episode{Step: halted.Steps()}
	if crosses := halted.crosses(); len(crosses) > 0 {
		at = crosses[len(crosses)-1]
	}
	place := chart.ReturnPoint(m.Axis(), m.returns(), w, h, at)
	return place.X, place.Y
}

// Still reports whether π is fixed: nothing trains it, and its exact value has not changed. The return then cannot
// change, so a lower mean does not count as a fall.
func (m *Run) Still() bool {
	c := m.Exact.Target.Columns
	return m.force.PolicyCost == 0 && len(c) > 0 && c[0].Value.Last == c[len(c)-1].Value.Last
}

func fallTexts() []Text {
	of := func(words func(halted *Run) string) func(*Run) string {
		return func(m *Run) string {
			if halted := m.Halted(); halted != nil {
				return words(halted)
			}
			return ""
		}
	}
	return []Text{
		{"halt", of((*Run).happened)},
		{"fell", of((*Run).fell)},
		{"look-back", of(func(halted *Run) string { return halted.earlier() + " updates earlier" })},
		{"bearing", func(m *Run) string {
			switch {
			case m.Still():
				return "π is fixed"
			case m.Cursor.Held:
			case m.falls.State == collapse.Wavering:
				return "below half its best"
			case m.falls.State == collapse.Fallen:
				return "fell"
			}
			return ""
		}},
	}
}
