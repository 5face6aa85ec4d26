package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"impalab/web/chart"
	"impalab/web/number"

	"impalab/web/link"
)

// Seeds is a sweep of the selected run over eight seeds, which the server trains at full speed. The run's own chart of
// the return shows a thin line for each, their interquartile mean, and its interval over seeds.
type Seeds struct {
	ID      string
	Running bool
	Runs    int // in all
	Over    int // finished

	of    Plan
	lines []*chart.Curve
	band  []chart.Middle
}

// BeginSeeds draws a sweep that the server has just started with a plan.
func (m *Run) BeginSeeds(id string, of Plan) *Seeds {
	m.CurveRevision++
	m.Seeds = &Seeds{ID: id, Running: true, Runs: planSeeds, of: of}
	return m.Seeds
}

// SavedSeeds returns a line that restores the seeds after a reload: the run, the sweep, and its plan. "": none.
func (m *Run) SavedSeeds() string {
	if m.Seeds == nil || m.ID == "" {
		return ""
	}
	return m.ID + " " + m.Seeds.ID + " " + m.Seeds.of.String()
}

// RestoreSeeds draws the seeds of this run again from the lines of SavedSeeds; it returns nil if none is of this run.
func (m *Run) RestoreSeeds(kept []string) *Seeds {
	for _, line := range kept {
		parts := strings.SplitN(line, " ", 3)
		if len(parts) == 3 && parts[0] == m.ID && m.ID != "" && parts[1] != "" {
			return m.BeginSeeds(parts[1], planOf(link.Parse(parts[2])))
		}
	}
	return nil
}

// ForgetSeeds removes the seeds from the chart. The server keeps them.
func (m *Run) ForgetSeeds() {
	m.Seeds = nil
	m.CurveRevision++
}

// DrawSeeds takes the newest curves of a sweep: a line for each seed, and their band.
func (m *Run) DrawSeeds(s *Seeds, lines []*chart.Curve, band []chart.Middle) {
	s.lines, s.band = lines, band
	m.CurveRevision++
}

func (s *Seeds) steps() (most uint64) {
	if s != nil {
		for _, c := range s.lines {
			most = max(most, c.Steps())
		}
	}
	return most
}

// seedsText says how far the seeds have come, and their mean with its interval at the cursor.
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
	after := slices.IndexFunc(s.band, func(b chart.Middle) bool { return b.Step > m.Now() })
	if after < 0 {
		after = len(s.band)
	}
	if after > 0 && !math.IsNaN(s.band[after-1].Mean) {
		b := &s.band[after-1]
		words += fmt.Sprintf(": %s, 95 %% %s to %s", number.Score(b.Mean), number.Score(b.Low), number.Score(b.High))
		if b.N != s.Runs {
			words += fmt.Sprintf(" over %d", b.N)
		}
	}
	if plan := m.Plan(); s.of.String() != plan.String() {
		words += "; with earlier settings"
	}
	return words
}
