package page

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"

	"impalab/learner/hyper"
	"impalab/web/lesson/quantity"
)

// leading is where each ρ̄ leads in the world of the preset "destination", with α = 1.
type leading struct {
	At    []float64 `json:"at"`    // destinations at equal distances along the slider of ρ̄, from its first place to its last
	Marks []mark    `json:"marks"` // for the scale, from V^μ to V^π
}

type mark struct {
	Rho string  `json:"rho"` // as people write it
	V   float64 `json:"v"`
}

// leads returns leading as JSON, solved exactly, once.
var leads = sync.OnceValues(func() (string, error) {
	const places = 100
	row, err := hyper.Lookup("rho")
	if err != nil {
		return "", err
	}
	solve := func(rho float64) (float64, error) {
		// At ρ̄ = 0 no step counts. The limit is the destination of the smallest ρ̄.
		v, err := quantity.Compute(fmt.Sprintf("destination rho=%g alpha=1", max(rho, 1e-9)))
		return math.Round(v*1e4) / 1e4, err
	}
	var l leading
	for i := range places + 1 {
		v, err := solve(row.At(float64(i) / places))
		if err != nil {
			return "", err
		}
		l.At = append(l.At, v)
	}
	for _, rho := range [...]float64{0, .25, .5, 1, 1.5, 2, 4, math.Inf(1)} {
		v, err := solve(rho)
		if err != nil {
			return "", err
		}
		l.Marks = append(l.Marks, mark{asRead(strconv.FormatFloat(rho, 'g', -1, 64)), v})
	}
	l.Marks[len(l.Marks)-1].Rho = "∞"
	text, err := json.Marshal(l)
	return string(text), err
})
