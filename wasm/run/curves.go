package run

import (
	"math"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/wire"
)

// Curves are the histories of a run's figures, all on one axis of steps.
type Curves struct {
	Return    chart.Curve // mean of the last 100 episodes, within the quartiles of the episodes since the last point
	Recent    chart.Curve // mean return of the last 10 episodes
	Error     chart.Curve // value error, at the steps of the parameters that it belongs to
	Histories [telemetry.NumMetrics]chart.Curve
	Exact     Exact
	Traces    []chart.Trace
}

// Exact are the exact values of a finite world, which the server solves for.
type Exact struct {
	OffTruth      chart.Curve // rms of V − V^π
	ToDestination chart.Curve // rms of V − V^{π_ρ̄,α}

	Behaviour, Target, Implied, Learned chart.Curve // V^μ, V^π, V^{π_ρ̄,α} and the network's V
}

func (e *Exact) add(step uint64, g *wire.Gauge) {
	e.OffTruth.Add(step, g.FromTarget)
	e.ToDestination.Add(step, g.FromImplied)
	e.Behaviour.Add(step, g.Behaviour)
	e.Target.Add(step, g.Target)
	e.Implied.Add(step, g.Implied)
	e.Learned.Add(step, g.Learned)
}

// Trace returns the curve of a quantity, or nil if the algorithm has none.
func (c *Curves) Trace(q *telemetry.AlgoMetric) *chart.Trace {
	for i := range c.Traces {
		if c.Traces[i].AlgoMetric == q {
			return &c.Traces[i]
		}
	}
	return nil
}

// lane returns the curve of a lane, or nil.
func (c *Curves) lane(l *labrow.Row) *chart.Curve {
	switch {
	case c == nil:
		return nil
	case l.Metric >= 0:
		return &c.Histories[l.Metric]
	case l.Name == labrow.OffTruth:
		return &c.Exact.OffTruth
	case l.Name == labrow.ToDestination:
		return &c.Exact.ToDestination
	case l.Name == labrow.Destination:
		return &c.Exact.Learned
	case l.Name == labrow.ValueError:
		return &c.Error
	}
	if t := c.Trace(l.Quantity); t != nil {
		return &t.Curve
	}
	return nil
}

func (m *Run) point(p *wire.Point) {
	m.CurveRevision++
	if p.Episodes >= fewEpisodes {
		m.rated.Add(p.Return)
	}
	m.noteFall(p)
	m.Return.Add(p.Step, p.Return)
	m.Return.Last().Update = p.Update
	m.Return.Last().Quartiles.Join(chart.Quartiles{Low: p.Low, High: p.High, Episodes: float32(p.Ended)})
	m.Recent.Add(p.Step, p.Recent)
	m.arrive(p)
	for i, v := range m.metrics(p.Figures) {
		m.Histories[i].Add(p.Step, v)
	}
	for _, one := range p.Traces {
		q := telemetry.LookupAlgoMetric(one.Name)
		if q == nil { // of a newer server
			continue
		}
		t := m.Trace(q)
		if t == nil {
			m.Traces = append(m.Traces, chart.Trace{AlgoMetric: q})
			t = &m.Traces[len(m.Traces)-1]
		}
		t.Add(p.Step, one.Value, one.Bound)
	}
}

// Steps returns how far the page knows the run to have come.
func (h *history) Steps() uint64 {
	steps := h.Return.Steps()
	if h.XRay != nil {
		steps = max(steps, h.XRay.Step)
	}
	return steps
}

// worstToBest returns the world's own scale, or the empty range if the server does not know it.
func worstToBest(g *wire.Gauge) (low, high float64) {
	low, high = float64(g.Worst), float64(g.Best)
	if !(low < high) || math.IsInf(high-low, 1) {
		return math.Inf(1), math.Inf(-1)
	}
	return low, high
}

// ghost is the run before, or a stored run. Every chart shows it in grey, as a comparison, until another run replaces
// it.
type ghost struct {
	*Curves // nil: there is none
	world   string
	before  string // the differences in words
	stored  bool   // it is a stored run, which a person has laid over the charts; before is its name
}

// behind returns the ghost of the charts. A ghost of another world cannot be compared, so they do not show it.
func (m *Run) behind() ghost {
	if m.ghost.world != m.force.World {
		return ghost{}
	}
	return m.ghost
}

// since returns "before: " and at most two of the settings in which the run before differs from this one.
func (m *Run) since(was *hyper.Config, preset string) string {
	const most = 2
	var words []string
	if preset != m.Preset {
		words = append(words, m.Figure(m.Control("world").Row, preset))
	} else {
		for i := range m.Controls {
			row := m.Controls[i].Row
			if value := was.Get(row.Key); value != m.force.Get(row.Key) && row.Key != "speed" && row.Key != "steps" {
				words = append(words, ShortName(row)+" "+m.Figure(row, value))
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
