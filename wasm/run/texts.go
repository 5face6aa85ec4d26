package run

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/correct"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"

	"impalab/web/link"
)

// Text is a place on the page that shows a number or a word.
type Text struct {
	Name string // its data-text
	Read func(*Run) string
}

// Texts lists every Text.
var Texts = append([]Text{
	{"world", func(m *Run) string { return m.choice("world") }},
	{"algo", func(m *Run) string {
		switch {
		case !m.Control("correction").Row.InForce(&m.force):
			return m.choice("algo") // it needs none, like A2C
		case m.force.Correction == correct.MethodNone:
			return m.choice("algo") + ", no correction"
		}
		return m.choice("algo") + ", " + m.choice("correction")
	}},
	{"stage", func(m *Run) string {
		for _, s := range m.scores() {
			if s.watched {
				return ", now " + s.World
			}
		}
		return ""
	}},
	{"tasks", (*Run).taskStory},
	{"cells", (*Run).cellStory},
	{"story-world", (*Run).worldStory},
	{"seed", func(m *Run) string { return m.force.Get("seed") }},
	{"state", func(m *Run) string {
		if m.Lost {
			return "connection lost, trying again"
		}
		if way := m.way(); way != "" {
			return way
		}
		return m.StateName()
	}},
	{"pause", func(m *Run) string {
		if m.way() != "" {
			return "Stop here"
		}
		return "Pause"
	}},
	{"reason", func(m *Run) string {
		if slices.Contains(m.Notices, m.ended) {
			return "" // the notice says it
		}
		return m.Reason
	}},

	{"preset", func(m *Run) string {
		if m.hint() != "" {
			return ""
		}
		return strings.ReplaceAll(m.says(), "V^π", "V of π")
	}},
	{"warnings", (*Run).warnings},
	{"hint", (*Run).hint},

	{"steps", func(m *Run) string { return number.Count(m.Now()) }},
	{"updates", at((*Run).Seen, func(x *wire.XRay) string { return number.Count(x.Update) })},
	{"episodes", at((*Run).Seen, func(x *wire.XRay) string { return number.Count(x.Episodes) })},
	{"rate", func(m *Run) string {
		if m.XRay == nil || m.Lost {
			return number.None
		}
		if m.State != wire.StateRunning {
			return "0"
		}
		return number.Short(float64(m.XRay.StepsPerSecond))
	}},
	{"speed", func(m *Run) string {
		if math.IsInf(m.force.Speed, 1) {
			return m.choice("speed")
		}
		return number.Short(m.force.Speed) + "/s"
	}},

	{"return", func(m *Run) string { return m.score(&m.Return) }},
	{"recent", func(m *Run) string { return m.score(&m.Recent) }},
	{"hand-agent", func(m *Run) string { return m.score(&m.Return) }},
	{"ghost-return", func(m *Run) string {
		if g := m.behind(); g.Curves != nil && m.Now() <= g.Return.Steps() {
			return m.score(&g.Return)
		}
		return ""
	}},
	{"ghost-name", func(m *Run) string {
		if m.ghost.stored {
			return "laid over"
		}
		return "before"
	}},
	{"seeds", (*Run).seedsText},
	{"name-return", func(m *Run) string {
		if letter := m.letter(); letter != "" {
			return letter + ", last 100"
		}
		return "last 100"
	}},
	{"at", func(m *Run) string { return "at " + number.Short(float64(m.Now())) }},
	{"moment", func(m *Run) string {
		if update, ok := m.Update(); m.Cursor.Held && ok {
			return "update " + number.Count(update) + ", held" + m.nearestTo()
		}
		return "the newest"
	}},
	{"story-return", func(m *Run) string { t := chart.Trace{Curve: m.Return}; return t.Story() }},

	{"watched", (*Run).WatchedAt},
	{"episode-return", at((*Run).Watched, func(f *wire.Frame) string { return number.Score(float64(f.Return)) })},
	{"episode-length", at((*Run).Watched, func(f *wire.Frame) string { return number.Count(uint64(f.Length)) })},
	{"value", at((*Run).Watched, func(f *wire.Frame) string { return number.Fixed(float64(f.Value), 2) })},
	{"ratio", at((*Run).Watched, func(f *wire.Frame) string { return number.Fixed(float64(f.Ratio), 2) })},

	{"v-mu", gauged(func(g *wire.Gauge) float32 { return g.Behaviour })},
	{"v-pi", gauged(func(g *wire.Gauge) float32 { return g.Target })},
	{"v-implied", gauged(func(g *wire.Gauge) float32 { return g.Implied })},
	{"v-learned", gauged(func(g *wire.Gauge) float32 { return g.Learned })},
	{"v-scale", func(m *Run) string {
		if m.Gauge == nil {
			return number.None
		}
		return number.Figures(float64(m.Gauge.Worst)) + " to " + number.Figures(float64(m.Gauge.Best))
	}},
	{"v-from-pi", gauged(func(g *wire.Gauge) float32 { return g.FromTarget })},
	{"v-from-implied", gauged(func(g *wire.Gauge) float32 { return g.FromImplied })},
	{"contraction", gauged(func(g *wire.Gauge) float32 { return g.Contraction })},
}, slices.Concat(besideTexts(), laneTexts(), tunedTexts(), fallTexts(), apartTexts())...)

// at reads a message at the cursor.
func at[M any](cursor func(*Run) *M, read func(*M) string) func(*Run) string {
	return func(m *Run) string {
		if message := cursor(m); message != nil {
			return read(message)
		}
		return number.None
	}
}

func gauged(read func(*wire.Gauge) float32) func(*Run) string {
	return at((*Run).Gauged, func(g *wire.Gauge) string { return number.Fixed(float64(read(g)), 3) })
}

// score returns a curve of returns at the cursor.
func (m *Run) score(c *chart.Curve) string { return number.Score(float64(c.At(m.Now()))) }

// choice returns a setting in force in words.
func (m *Run) choice(key string) string { return m.Figure(m.Control(key).Row, m.force.Get(key)) }

// besideTexts are the returns of the other columns at the cursor, each with its name.
func besideTexts() (texts []Text) {
	for place := range link.MaxColumns - 1 {
		of := func(words func(r *Run, letter string) string) func(*Run) string {
			return func(m *Run) string {
				k := place
				for i, other := range m.Page() {
					if other == m {
						continue
					}
					if k == 0 {
						return words(other, link.Letter(i))
					}
					k--
				}
				return ""
			}
		}
		name := strconv.Itoa(place + 1)
		texts = append(texts,
			Text{"beside-return-" + name, of(func(r *Run, _ string) string { return r.score(&r.Return) })},
			Text{"beside-name-" + name, of(func(_ *Run, letter string) string { return letter + ", last 100" })})
	}
	return texts
}
