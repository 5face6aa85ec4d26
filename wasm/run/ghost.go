package run

import (
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
)

// The run before stays on every chart, grey, until another takes its place: nothing is seen without a comparison.

// ghost is its curves and what differed there.
type ghost struct {
	curve, errors chart.Curve
	exact         Exact
	histories     [telemetry.NumFigures]chart.Curve
	traces        []chart.Trace
	world         string
	before        string
}

// leave is the run as a ghost.
func (m *Run) leave(world string) *ghost {
	return &ghost{m.Return, m.Error, m.Exact, m.Histories, m.Traces, world, "before"}
}

// behind is the ghost that the charts show: of the same world, since returns of two worlds cannot be compared; nil.
func (m *Run) behind() *ghost {
	if m.ghost == nil || m.ghost.world != m.force.World {
		return nil
	}
	return m.ghost
}

// Before says what differed in the run before; "" if there was none.
func (m *Run) Before() string {
	if g := m.behind(); g != nil {
		return g.before
	}
	return ""
}

// since is "before: " and the settings in which the run before differs from this one, at most two of them by name.
func (m *Run) since(was *hyper.Config, preset string) string {
	const most = 2
	var words []string
	if preset != m.Preset {
		words = append(words, m.Figure(m.Control("world").Row, preset))
	} else {
		for i := range m.Controls {
			row := m.Controls[i].Row
			if value := was.Get(row.Key); value != m.force.Get(row.Key) && row.Key != "speed" && row.Key != "steps" {
				name := row.Symbol
				if name == "" {
					name = strings.ToLower(row.Words[:1]) + row.Words[1:]
				}
				words = append(words, name+" "+m.Figure(row, value))
			}
		}
	}
	switch {
	case len(words) == 0:
		return "before"
	case len(words) > most:
		words = append(words[:most], "…")
	}
	return "before: " + strings.Join(words, ", ")
}
