package run

import (
	"math"
	"strconv"
	"strings"

	"impalab/web/chart"
)

// Leads is where each ρ̄ leads in the world of the preset "destination", solved exactly by the server.
type Leads struct {
	at    []float64    // at equal distances along the slider of ρ̄
	marks []chart.Lead // for the scale, from V^μ to V^π
}

// ReadLeads reads values with spaces between them, and marks like "0.5=.1 1=.2".
func ReadLeads(at, marks string) (l Leads) {
	for _, text := range strings.Fields(at) {
		v, _ := strconv.ParseFloat(text, 64) // the page's own
		l.at = append(l.at, v)
	}
	for _, text := range strings.Fields(marks) {
		rho, value, _ := strings.Cut(text, "=")
		v, _ := strconv.ParseFloat(value, 64)
		l.marks = append(l.marks, chart.Lead{Rho: rho, V: v})
	}
	return l
}

// value interpolates the destination at a place of the slider, from 0 to 1.
func (l *Leads) value(place float64) float64 {
	last := len(l.at) - 1
	i := min(last-1, int(place*float64(last)))
	share := place*float64(last) - float64(i)
	return l.at[i] + share*(l.at[i+1]-l.at[i])
}

// Position returns the place of the slider, from 0 to 1000, whose ρ̄ leads to a value.
func (l *Leads) Position(v float64) int {
	low, high := 0., 1.
	for range 20 {
		if p := (low + high) / 2; l.value(p) < v {
			low = p
		} else {
			high = p
		}
	}
	return int(math.Round(sliderEnd * low))
}

// Destination returns where the values go, or nil before they are known. The slider of ρ̄ stands at a position, as rho.
// While it turns, its ρ̄ is not in force: then the exact solution says where it leads.
func (m *Run) Destination(l *Leads, rho string, position int, turns bool, was []float64) *chart.Destination {
	g := m.Gauged()
	if g == nil || m.Gauge == nil {
		return nil
	}
	d := &chart.Destination{Behaviour: thousandths(g.Behaviour), Implied: thousandths(g.Implied),
		Target: thousandths(g.Target), Learned: thousandths(g.Learned), Rho: rho, Was: was}
	if sum := d.Behaviour + d.Implied + d.Target + d.Learned; sum-sum != 0 {
		return nil
	}
	if last := len(l.marks) - 1; last > 0 && math.Abs(d.Behaviour-l.marks[0].V) < .002 &&
		math.Abs(d.Target-l.marks[last].V) < .002 && m.Control("alpha").Shown() == "1" &&
		m.Control("correction").Shown() == "vtrace" {
		d.Leads = l.marks
		if turns || m.Control("rho").Pending() {
			d.Implied = l.value(float64(position) / sliderEnd)
		}
	}
	const step = .1
	worst, best := thousandths(m.Gauge.Worst), thousandths(m.Gauge.Best)
	d.Low, d.High = min(d.Behaviour, d.Implied, d.Target, d.Learned), max(d.Behaviour, d.Implied, d.Target, d.Learned)
	if worst-worst == 0 {
		d.Low = min(d.Low, worst)
	}
	if best-best == 0 {
		d.High = max(d.High, min(best, d.Target+step))
	}
	d.Low, d.High = math.Floor(d.Low/step)*step, math.Ceil(d.High/step)*step
	return d
}

// thousandths is a value as the panel beside the ruler shows it.
func thousandths(v float32) float64 { return math.Round(float64(v)*1000) / 1000 }
