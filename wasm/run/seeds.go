package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// Eight seeds of the run in hand are a sweep that the server carries out at full speed. They are drawn on the run's own
// chart of the return: a thin line for each, their interquartile mean, and its interval over seeds.

// Seeds is such a sweep.
type Seeds struct {
	ID      string
	Running bool
	Runs    int // how many there are to be
	Over    int // how many of them are over

	of    Plan // what it was begun with
	lines []*chart.Curve
	band  []chart.Middle
}

// BeginSeeds begins to draw a sweep that the server has just begun with this plan.
func (m *Run) BeginSeeds(id string, of Plan) *Seeds {
	m.CurveRevision++
	m.Seeds = &Seeds{ID: id, Running: true, Runs: seedsOfPlan, of: of}
	return m.Seeds
}

// KeptSeeds is what a browser keeps of them, in one line, so that a reload has them on the chart again: the run, the
// sweep, and what it was begun with. "": there is nothing to keep.
func (m *Run) KeptSeeds() string {
	if m.Seeds == nil || m.ID == "" {
		return ""
	}
	of := &m.Seeds.of
	l := Link{Version: "1", Settings: append([]wire.Setting{{Key: "preset", Value: of.Preset}}, of.Settings...)}
	if of.Turns != "" {
		l.Settings = append(l.Settings, wire.Setting{Key: hyper.TurnsKey, Value: of.Turns})
	}
	return m.ID + " " + m.Seeds.ID + " " + l.String()
}

// ComeBack draws the seeds again that a line of those kept has of this run; nil where none has.
func (m *Run) ComeBack(kept []string) *Seeds {
	for _, line := range kept {
		parts := strings.SplitN(line, " ", 3)
		if len(parts) != 3 || parts[0] != m.ID || m.ID == "" || parts[1] == "" {
			continue
		}
		var of Plan
		for _, s := range ParseLink(parts[2]).Settings {
			switch s.Key {
			case "preset":
				of.Preset = s.Value
			case hyper.TurnsKey:
				of.Turns = s.Value
			default:
				of.Settings = append(of.Settings, s)
			}
		}
		return m.BeginSeeds(parts[1], of)
	}
	return nil
}

// ForgetSeeds takes them off the chart. The server keeps them.
func (m *Run) ForgetSeeds() {
	m.Seeds = nil
	m.CurveRevision++
}

// DrawSeeds takes the newest curves of a sweep: a line for each seed, and what the seeds say together.
func (m *Run) DrawSeeds(s *Seeds, lines []*chart.Curve, band []chart.Middle) {
	s.lines, s.band = lines, band
	m.CurveRevision++
}

func (s *Seeds) drawn() *chart.Seeds {
	return &chart.Seeds{Lines: s.lines, Middle: s.band}
}

// steps is how far the seeds have come.
func (s *Seeds) steps() (most uint64) {
	if s != nil {
		for _, c := range s.lines {
			most = max(most, c.Steps())
		}
	}
	return most
}

// seedsText says what is drawn, how far it has come, and over how many seeds it is.
func (m *Run) seedsText() string {
	s := m.Seeds
	if s == nil {
		return ""
	}
	words := fmt.Sprintf("%d of %d seeds done", s.Over, s.Runs)
	if !s.Running && s.Over == s.Runs {
		words = fmt.Sprintf("%d seeds", s.Runs)
	} else if !s.Running {
		words += ", stopped"
	}
	if b := s.bandAt(m.Now()); b != nil && !math.IsNaN(b.Mean) {
		words += fmt.Sprintf(": %s, 95 %% %s to %s", number.Score(b.Mean), number.Score(b.Low), number.Score(b.High))
		if b.N != s.Runs {
			words += fmt.Sprintf(" over %d", b.N)
		}
	}
	if plan := m.Plan(); !s.of.same(&plan) {
		words += "; settings of then"
	}
	return words
}

// bandAt is the band at a step; beyond its end, at its end; nil before the first.
func (s *Seeds) bandAt(step uint64) (at *chart.Middle) {
	for i := range s.band {
		if s.band[i].Step > step {
			break
		}
		at = &s.band[i]
	}
	return at
}

// same reports whether two plans differ in seeds and length alone.
func (p *Plan) same(q *Plan) bool {
	return p.Preset == q.Preset && p.Turns == q.Turns && slices.Equal(p.Settings, q.Settings)
}
