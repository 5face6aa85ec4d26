package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/lesson/quantity"
)

// leading is where each ρ̄ leads in the world of the preset "destination", with α = 1.
type leading struct {
	at    []float64    // destinations at equal distances along the slider of ρ̄, from its first place to its last
	marks []chart.Lead // for the scale, from V^μ to V^π
}

// encode returns the destinations as the client reads them.
func (l *leading) encode() string {
	texts := make([]string, len(l.at))
	for i, v := range l.at {
		texts[i] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strings.Join(texts, " ")
}

// scale returns the marks as the client reads them.
func (l *leading) scale() string {
	texts := make([]string, len(l.marks))
	for i, m := range l.marks {
		texts[i] = m.Rho + "=" + strconv.FormatFloat(m.V, 'f', -1, 64)
	}
	return strings.Join(texts, " ")
}

// leads returns leading, solved exactly, once.
var leads = sync.OnceValues(func() (*leading, error) {
	const places = 100
	row, err := hyper.Lookup("rho")
	if err != nil {
		return nil, err
	}
	solve := func(rho float64) (float64, error) {
		// At ρ̄ = 0 no step counts. The limit is the destination of the smallest ρ̄.
		v, err := quantity.Compute(fmt.Sprintf("destination rho=%g alpha=1", max(rho, 1e-9)))
		return math.Round(v*1e4) / 1e4, err
	}
	l := new(leading)
	for i := range places + 1 {
		v, err := solve(row.At(float64(i) / places))
		if err != nil {
			return nil, err
		}
		l.at = append(l.at, v)
	}
	for _, rho := range [...]float64{0, .25, .5, 1, 1.5, 2, 4, math.Inf(1)} {
		v, err := solve(rho)
		if err != nil {
			return nil, err
		}
		l.marks = append(l.marks, chart.Lead{Rho: asRead(strconv.FormatFloat(rho, 'g', -1, 64)), V: v})
	}
	l.marks[len(l.marks)-1].Rho = "∞"
	return l, nil
})
