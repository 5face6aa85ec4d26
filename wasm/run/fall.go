package run

import (
	"fmt"

	"impalab/envs"
	"impalab/learner/collapse"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// The page reads a run's falls off its curve by the rule of package collapse, also when the curve comes again after a
// reload. It pauses a run that falls while the page looks on. The run keeps the reason of that pause, so every page
// that opens the run says what happened until somebody has it play.

// Halt is why a run does not continue: it fell, or it diverged.
type Halt struct {
	Update uint64 // at which that was known
	Back   uint64 // an update from before it, which the page offers to show
	Words  string // what happened
	Closed bool   // a person has closed the note
}

// leastBack is how many updates before a fall are shown, at least; with a lag there are half as many again as the lag.
const leastBack = 20

func (m *Run) lookBack() uint64 { return max(leastBack, uint64(m.force.Lag)*3/2) }

// watchOf follows the curve of a run on a world.
func watchOf(world string) (w collapse.Watch) {
	if spec, _, err := envs.Describe(world); err == nil { // else of a newer server: no range is known, and nothing falls
		w.Random, w.Solved = float64(spec.Random), float64(spec.Solved)
	}
	return w
}

// follow takes a point of the run's curve. A fall that happens while the page looks on pauses the run.
func (m *Run) follow(p *wire.Point) {
	fell := m.falls.See(collapse.Point{Step: p.Step, Update: p.Update, Episodes: p.Episodes, Mean: float64(p.Return)})
	m.asks = m.asks || fell && p.Event > m.came
}

// Falls reports, once, that the run fell and is to be paused.
func (m *Run) Falls() bool {
	asks := m.asks
	m.asks = false
	return asks && m.Steers && m.State == wire.StateRunning
}

// halted notes why the run has just stopped; nil: it runs, or a person paused it.
func (m *Run) halted() {
	m.Halt = nil
	switch {
	case m.State == wire.StatePaused && m.Reason == wire.ReasonFell && len(m.falls.Falls) > 0:
		f := m.falls.Falls[len(m.falls.Falls)-1]
		m.Halt = &Halt{Update: f.Told.Update, Back: f.Onset.Update - min(f.Onset.Update, m.lookBack()),
			Words: fmt.Sprintf("It fell at update %s: the mean return of 100 episodes went from %s to %s.",
				number.Count(f.Onset.Update), number.Score(f.Crest.Mean), number.Score(f.Told.Mean))}
	case m.State == wire.StateDiverged && len(m.Return.Columns) > 0:
		at := m.Return.Last().Update
		m.Halt = &Halt{Update: at, Back: at - min(at, m.lookBack()),
			Words: fmt.Sprintf("It diverged after update %s.", number.Count(at))}
	}
	if m.Halt != nil {
		m.Announce(m.happened())
	}
}

// Told is the run of whose end or fall the page speaks while this run is in hand: this run or, because all columns
// pause together, another; nil: none.
func (m *Run) Told() *Run {
	for _, r := range append([]*Run{m}, m.page()...) {
		if r.Halt != nil && !r.Halt.Closed {
			return r
		}
	}
	return nil
}

// happened is what happened to the run and, where it is not alone on the page, its column.
func (m *Run) happened() string {
	if letter := m.letter(); letter != "" {
		return "Column " + letter + ": " + m.Halt.Words
	}
	return m.Halt.Words
}

// LookBack holds the cursor at an update from before the fall.
func (m *Run) LookBack() {
	if m.Halt == nil {
		return
	}
	for i := range m.Return.Columns {
		if c := &m.Return.Columns[i]; c.Update >= m.Halt.Back {
			m.Cursor.Hold(c.Step)
			return
		}
	}
}

// crosses are where the run fell, for its chart.
func (m *Run) crosses() (crosses []chart.Episode) {
	for _, f := range m.falls.Falls {
		crosses = append(crosses, chart.Episode{Step: f.Onset.Step, Return: f.Onset.Mean})
	}
	return crosses
}

// bearing is how the newest mean return stands to the best one: "wavers", "fell", or nothing.
func (m *Run) bearing() string {
	switch {
	case m.Cursor.Held:
		return ""
	case m.falls.State == collapse.Wavering:
		return "wavers"
	case m.falls.State == collapse.Fallen:
		return "fell"
	}
	return ""
}

// fallTexts say what happened, how far back the page offers to look, and how the return stands.
func fallTexts() []Text {
	of := func(words func(told *Run) string) func(*Run) string {
		return func(m *Run) string {
			if told := m.Told(); told != nil {
				return words(told)
			}
			return ""
		}
	}
	return []Text{
		{"halt", of((*Run).happened)},
		{"look-back", of(func(told *Run) string { return "See update " + number.Count(told.Halt.Back) })},
		{"bearing", (*Run).bearing},
	}
}
