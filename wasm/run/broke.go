package run

import (
	"fmt"
	"math"
	"strings"

	"impalab/learner/fall"
	"impalab/learner/telemetry"
	"impalab/wasm/chart"
	"impalab/wasm/number"
	"impalab/web/wire"
)

// Where a run falls, and where it solves its world, the page has it pause, once each, says what happened and from which
// figure it could be seen first, and offers the updates before it. Whether it has is the learner's word: it looks after
// every update.

// Broken is a fall, a divergence or a solution.
type Broken struct {
	Solved bool
	Update uint64 // behind which it was told
	Back   uint64 // the update worth looking at: from before it
	Words  string // what happened
	Sign   string // what could be seen before

	Put  bool // the page has put it away
	asks bool // the run is to be paused
}

// leastBack is how many updates before a fall are looked at, at least; with a lag they are half as many again as that.
const leastBack = 20

func (m *Run) lookBack() uint64 { return max(leastBack, uint64(m.force.Lag)*3/2) }

// breaks notes a fall that happens while the page looks on.
func (m *Run) breaks(v *wire.Status) {
	n := len(m.Return.Columns)
	if m.Broke != nil && !m.Broke.Solved || v.Event <= m.came || n == 0 {
		return
	}
	b := &Broken{Update: m.Return.Columns[n-1].Update, asks: true}
	best := math.Inf(-1)
	for i := range m.Return.Columns {
		best = max(best, float64(m.Return.Columns[i].Value.High))
	}
	onset := n - 1
	for onset > 0 && float64(m.Recent.Columns[onset-1].Value.Last) < best*fall.Broken.Share {
		onset--
	}
	at := m.Return.Columns[onset].Update
	b.Back = at - min(at, m.lookBack())
	b.Words = fmt.Sprintf("It fell: %s → %s, from update %s on.", number.Score(best),
		number.Score(float64(m.Recent.Last().Value.Last)), number.Count(at))
	b.Sign = m.firstSign(onset)
	m.Broke = b
	m.Announce(strings.TrimSpace(m.happened() + " " + b.Sign))
}

// solves notes that the run has solved its world while the page looks on. A fall that is still shown is not covered.
func (m *Run) solves(v *wire.Status) {
	n := len(m.Return.Columns)
	if m.Broke != nil && !m.Broke.Put || v.Event <= m.came || n == 0 {
		return
	}
	at := m.Return.Columns[n-1].Update
	b := &Broken{Solved: true, Update: at, Back: at - min(at, m.lookBack()), asks: true}
	if sign := m.firstSign(n - 1); sign != noSign {
		b.Sign = sign
	}
	b.Words = fmt.Sprintf("Solved at update %s: the mean return of 100 episodes is %s.", number.Count(at),
		number.Score(float64(m.Return.Last().Value.Last)))
	m.Broke = b
	m.Announce(strings.TrimSpace(m.happened() + " " + b.Sign))
}

// diverges notes an end in numbers that are none. The run stands already.
func (m *Run) diverges(v *wire.Status) {
	n := len(m.Return.Columns)
	if v.Event <= m.came || n == 0 {
		return
	}
	at := m.Return.Columns[n-1].Update
	m.Broke = &Broken{Update: at, Back: at - min(at, m.lookBack()), Sign: m.firstSign(n - 1),
		Words: fmt.Sprintf("It diverged after update %s.", number.Count(at))}
}

// Breaks reports, once, that the run is to be paused.
func (m *Run) Breaks() bool {
	if m.Broke == nil || !m.Broke.asks {
		return false
	}
	m.Broke.asks = false
	return m.Steers && m.State == wire.StateRunning
}

// Told is the run of whose fall or solution the page speaks while this one is in hand: this one or, because all columns
// pause together, another; nil while there is nothing to say.
func (m *Run) Told() *Run {
	for _, one := range append([]*Run{m}, m.page()...) {
		if one.Broke != nil && !one.Broke.Put {
			return one
		}
	}
	return nil
}

// happened is what happened to the run and, where it is not alone on the page, to which.
func (m *Run) happened() string {
	if letter := m.letter(); letter != "" {
		return "Column " + letter + ": " + m.Broke.Words
	}
	return m.Broke.Words
}

// LookBack holds the cursor where it can be seen what came before the fall.
func (m *Run) LookBack() {
	if m.Broke == nil {
		return
	}
	for i := range m.Return.Columns {
		if c := &m.Return.Columns[i]; c.Update >= m.Broke.Back {
			m.Cursor.Hold(c.Step)
			return
		}
	}
}

// brokeTexts say what happened, from which figure it could be seen, and how far back the page offers to look.
func brokeTexts() []Text {
	of := func(words func(told *Run) string) func(*Run) string {
		return func(m *Run) string {
			if told := m.Told(); told != nil {
				return words(told)
			}
			return ""
		}
	}
	return []Text{
		{"broke", of((*Run).happened)},
		{"sign", of(func(told *Run) string { return told.Broke.Sign })},
		{"look-back", of(func(told *Run) string { return "See update " + number.Count(told.Broke.Back) })},
	}
}

// signs are the figures in which a fall may be seen coming. The age of the data is no sign: it is what was turned.
var signs = []int{telemetry.EffectiveSample, telemetry.KL, telemetry.CutByRho, telemetry.CutByC, telemetry.Entropy,
	telemetry.CorrectionSize, telemetry.GradNorm}

const noSign = "No figure left its range before that."

// firstSign says which figure was the first to leave the range that it had kept, and stayed out until the return fell.
func (m *Run) firstSign(onset int) string {
	updates := make([]uint64, onset+1)
	for i := range updates {
		updates[i] = m.Return.Columns[i].Update
	}
	first, lead := -1, uint64(0)
	for _, row := range signs {
		if ahead := leaves(updates, m.Histories[row].Columns[:min(onset+1, len(m.Histories[row].Columns))],
			m.lookBack()); ahead > lead {
			first, lead = row, ahead
		}
	}
	if first < 0 {
		return noSign
	}
	f := &telemetry.Figures[first]
	name := strings.TrimSpace(f.Words + " " + f.Symbol)
	return fmt.Sprintf("First to be seen in: %s, which left its range %d updates before.", name, lead)
}

// leaves is how many updates before the last one a figure left the range that it had kept before, for good; 0: it did
// not. The range is that of the updates from three to one looks back.
func leaves(updates []uint64, figure []chart.Column, look uint64) uint64 {
	const slack, least = 0.1, 5 // of the range, and points that make one
	if len(figure) < len(updates) {
		return 0
	}
	end := updates[len(updates)-1]
	low, high, seen := math.Inf(1), math.Inf(-1), 0
	for i, u := range updates {
		if v := float64(figure[i].Value.Last); u+3*look >= end && u+look < end && !math.IsNaN(v) {
			low, high, seen = min(low, v), max(high, v), seen+1
		}
	}
	if seen < least {
		return 0
	}
	room := slack * (high - low)
	out := uint64(0)
	for i := len(updates) - 1; i >= 0 && updates[i]+look >= end; i-- {
		if v := float64(figure[i].Value.Last); !(v < low-room || v > high+room) {
			break
		}
		out = end - updates[i]
	}
	return out
}
