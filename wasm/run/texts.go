package run

import (
	"math"
	"slices"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// Text is one place on the page that shows a number or a word.
type Text struct {
	Name string // its data-text
	Read func(*Run) string
}

// Texts is every one of them.
var Texts = append([]Text{
	{"world", func(m *Run) string { return m.words("world") }},
	{"algo", func(m *Run) string {
		switch {
		case !m.Used(m.Control("correction").Row):
			return m.words("algo") // it has no use for one: A2C
		case m.force.Correction == correct.MethodNone:
			return m.words("algo") + ", no correction"
		}
		return m.words("algo") + ", " + m.words("correction")
	}},
	{"stage", func(m *Run) string {
		if tasks := m.tasks(); tasks != nil && m.onStage(tasks) >= 0 {
			return ", now " + m.Watched().World
		}
		return ""
	}},
	{"tasks", (*Run).taskStory},
	{"seed", func(m *Run) string { return m.force.Get("seed") }},
	{"state", func(m *Run) string {
		if m.Lost {
			return "connection lost, trying again"
		}
		return m.StateName()
	}},
	{"reason", func(m *Run) string {
		if slices.Contains(m.Notices, m.ended) {
			return "" // the notice says it
		}
		return m.Reason
	}},

	{"preset", func(m *Run) string {
		for i := range hyper.Presets {
			if p := &hyper.Presets[i]; p.Name == m.Preset && m.hint() == "" {
				return strings.ReplaceAll(p.Sentence, "V^π", "V of π")
			}
		}
		return ""
	}},
	{"warnings", (*Run).warnings},
	{"hint", (*Run).hint},

	{"steps", func(m *Run) string { return number.Count(m.Now()) }},
	{"updates", xray(func(x *wire.XRay) string { return number.Count(x.Update) })},
	{"episodes", xray(func(x *wire.XRay) string { return number.Count(x.Episodes) })},
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
			return m.words("speed")
		}
		return number.Short(m.force.Speed) + "/s"
	}},

	{"return", newest(func(m *Run) *chart.Curve { return &m.Return }, number.Score)},
	{"recent", newest(func(m *Run) *chart.Curve { return &m.Recent }, number.Score)},
	{"ghost-return", func(m *Run) string {
		g := m.behind()
		if g == nil || m.Now() > g.curve.Steps() {
			return ""
		}
		return number.Score(float64(g.curve.At(m.Now())))
	}},
	{"seeds", (*Run).seedsText},
	{"beside-return", func(m *Run) string {
		var each []string
		for place, other := range m.page() {
			if other != m {
				each = append(each, Letter(place)+" "+number.Score(float64(other.Return.At(m.Now()))))
			}
		}
		return strings.Join(each, "\n")
	}},
	{"at", func(m *Run) string { return "at " + number.Short(float64(m.Now())) }},
	{"moment", func(m *Run) string {
		if update, ok := m.Update(); m.Cursor.Held && ok {
			return "update " + number.Count(update) + ", held" + m.beside()
		}
		return "the newest"
	}},
	{"story-return", func(m *Run) string { t := chart.Trace{Curve: m.Return}; return t.Story() }},

	{"watched", (*Run).WatchedAt},
	{"episode-return", frame(func(f *wire.Frame) string { return number.Score(float64(f.Return)) })},
	{"episode-length", frame(func(f *wire.Frame) string { return number.Count(uint64(f.Length)) })},
	{"value", frame(func(f *wire.Frame) string { return number.Fixed(float64(f.Value), 2) })},
	{"ratio", frame(func(f *wire.Frame) string { return number.Fixed(float64(f.Ratio), 2) })},

	{"hand-agent", newest(func(m *Run) *chart.Curve { return &m.Return }, number.Score)},

	{"v-mu", gauge(func(g *wire.Gauge) float32 { return g.Behaviour })},
	{"v-pi", gauge(func(g *wire.Gauge) float32 { return g.Target })},
	{"v-implied", gauge(func(g *wire.Gauge) float32 { return g.Implied })},
	{"v-learned", gauge(func(g *wire.Gauge) float32 { return g.Learned })},
	{"v-scale", func(m *Run) string {
		if m.Gauge == nil {
			return number.None
		}
		return number.Figures(float64(m.Gauge.Worst)) + " to " + number.Figures(float64(m.Gauge.Best))
	}},
	{"v-from-pi", gauge(func(g *wire.Gauge) float32 { return g.FromTarget })},
	{"v-from-implied", gauge(func(g *wire.Gauge) float32 { return g.FromImplied })},
	{"contraction", gauge(func(g *wire.Gauge) float32 { return g.Contraction })},
}, slices.Concat(laneTexts(), boundTexts(), chipTexts(), fallTexts())...)

// Steps is how far the page knows the run to have come.
func (m *Run) Steps() uint64 { return m.steps() }

func (m *Run) steps() uint64 {
	steps := m.Return.Steps()
	if m.XRay != nil {
		steps = max(steps, m.XRay.Step)
	}
	return steps
}

func written(as telemetry.Reading, v float32) string {
	switch as {
	case telemetry.Share:
		return number.Percent(v)
	case telemetry.Fine:
		return number.Fixed(float64(v), 3)
	case telemetry.Coarse:
		return number.Fixed(float64(v), 1)
	case telemetry.Round:
		return number.Fixed(float64(v), 0)
	}
	return number.Short(float64(v))
}

func xray(read func(*wire.XRay) string) func(*Run) string {
	return func(m *Run) string {
		x, _ := m.Seen()
		if x == nil {
			return number.None
		}
		return read(x)
	}
}

func frame(read func(*wire.Frame) string) func(*Run) string {
	return func(m *Run) string {
		f := m.Watched()
		if f == nil {
			return number.None
		}
		return read(f)
	}
}

func gauge(read func(*wire.Gauge) float32) func(*Run) string {
	return func(m *Run) string {
		g := m.Gauged()
		if g == nil {
			return number.None
		}
		return number.Fixed(float64(read(g)), 3)
	}
}

func newest(pick func(*Run) *chart.Curve, write func(float64) string) func(*Run) string {
	return func(m *Run) string {
		return write(float64(pick(m).At(m.Now())))
	}
}

// words are a choice in force as people say it.
func (m *Run) words(key string) string { return m.Figure(m.Control(key).Row, m.force.Get(key)) }
