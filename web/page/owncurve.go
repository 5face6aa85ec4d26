package page

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/algo"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/script"
	"impalab/web/chart"
)

// ownCurves are the paths of the weight of a person's own correction, of steps with A = 1 and with A = −1, or why its
// text has none: a text that is being typed has many faults on its way.
type ownCurves struct {
	Good  string `json:"good,omitempty"`
	Bad   string `json:"bad,omitempty"`
	Fault string `json:"fault,omitempty"`
}

// weighOwn returns as JSON the curves of the program of a query, for steps of an age. The error is a sentence about the
// query.
func weighOwn(query url.Values) ([]byte, error) {
	takes := []string{"correction", "program", "age"}
	for key, values := range query {
		if !slices.Contains(takes, key) || len(values) != 1 {
			return nil, fmt.Errorf("%.40q: an own correction takes %s here, each once", key, strings.Join(takes, ", "))
		}
	}
	age, err := strconv.ParseUint(query.Get("age"), 10, 16)
	if err != nil {
		return nil, fmt.Errorf("age=%.40q: must be a whole number of updates, like 8", query.Get("age"))
	}
	var curves ownCurves
	cfg := hyper.Config{Correction: correct.MethodOwn}
	var f *script.Function
	if err = cfg.Set("program", query.Get("program")); err == nil {
		f, err = algo.OwnCorrection(&cfg)
	}
	if err == nil {
		curves.Good, err = ownCurve(f, 1, float64(age))
	}
	if err == nil {
		curves.Bad, err = ownCurve(f, -1, float64(age))
	}
	if err != nil {
		curves = ownCurves{Fault: err.Error()}
	}
	return json.Marshal(curves)
}

// ownCurve returns the path of the weight of f from ratio 1/10 to 10. A jump is found to a thousandth of its step.
func ownCurve(f *script.Function, adv, age float64) (string, error) {
	const grid, halvings = 96, 10
	calls := f.Calls()
	var fault error
	weigh := func(ratio float64) chart.Weighed {
		pi := min(1, ratio*probeMu)
		c, err := calls.Call(ratio, adv, pi, pi/ratio, age)
		if err == nil && math.IsNaN(c) {
			err = fmt.Errorf("it returned NaN for ratio=%.3g, adv=%g", ratio, adv)
		}
		if fault == nil {
			fault = err
		}
		return chart.Weighed{Ratio: ratio, Weight: correct.HoldOwn(c)}
	}
	var at []chart.Weighed
	for k := range grid + 1 {
		here := weigh(math.Pow(10, 2*float64(k)/grid-1))
		if k > 0 && jumps(at[len(at)-1], here) {
			low, high := at[len(at)-1], here
			for range halvings {
				if mid := weigh(math.Sqrt(low.Ratio * high.Ratio)); jumps(low, mid) {
					high = mid
				} else {
					low = mid
				}
			}
			at = append(at, low, high)
		}
		if at = append(at, here); fault != nil {
			return "", fault
		}
	}
	return chart.WeightPath(at), nil
}
