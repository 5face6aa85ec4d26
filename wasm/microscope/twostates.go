package microscope

import (
	"fmt"
	"math"

	"impalab/envs/exact"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/number"
)

// A world of two states, left and right. Every step goes to one of them. Only staying on the right pays: 1. μ goes
// either way with ½, π goes right with 0.9. A policy that goes right with p has the values p²·γ/(1−γ) on the left and p
// more on the right. So every promise of V-trace can be checked by hand.

// TwoStates is the expected V-trace update in this world under adjustable settings (IMPALA theorem 1).
type TwoStates struct {
	Config hyper.Config

	ValueMu, ValuePi, End [2]float64 // V^μ, V^π and the fixed point, left and right
	Right                 float64    // the fixed point is the value of a policy that goes right so often
	Factor                float64    // one update shrinks the largest error at least to this share of it
	Errors                []float64  // the largest error after 0, 1, 2… updates from V = 0, as a share of the first
	Ends                  [2][]chart.XY
	Factors               []chart.XY // over c̄
	Unsound               []string
}

// TwoStateKeys are the adjustable settings.
var TwoStateKeys = []string{"rho", "c", "alpha", "lambda", "gamma"}

// The charts of the two states: the end of their axis, their points, and the number of updates.
const (
	dialTop    = 2.5
	dialPoints = 101
	updates    = 12
)

var (
	twoMu = []float64{.5, .5, .5, .5} // left, right of both states
	twoPi = []float64{.1, .9, .1, .9}
)

// NewTwoStates starts with IMPALA's V-trace: ρ̄ = c̄ = 1.
func NewTwoStates() (*TwoStates, error) {
	cfg, err := hyper.FromPreset(hyper.DefaultPreset)
	if err != nil {
		return nil, err
	}
	w := &TwoStates{Config: cfg}
	for _, s := range [][2]string{{"rho", "1"}, {"c", "1"}, {"alpha", "1"}, {"lambda", "1"}, {"gamma", "0.9"}} {
		if err := w.Config.Set(s[0], s[1]); err != nil {
			return nil, err
		}
	}
	return w, w.solve()
}

// Set adjusts a setting.
func (w *TwoStates) Set(key, value string) error {
	next := *w
	if err := next.Config.Set(key, value); err != nil {
		return err
	}
	if err := next.solve(); err != nil {
		return err
	}
	*w = next
	return nil
}

func (w *TwoStates) problem() *exact.Problem {
	return &exact.Problem{
		States: 2, Actions: 2, Gamma: w.Config.Gamma, Start: []float64{1, 0},
		P: []float64{1, 0, 0, 1, 1, 0, 0, 1}, // an action leads to the state that it names
		R: []float64{0, 0, 0, 1},
	}
}

// correction returns the adjusted truncation for package exact.
func (w *TwoStates) correction() exact.Correction {
	t := hyper.Truncation[float64](&w.Config)
	return exact.Correction{RhoBar: t.RhoBar, CBar: t.CBar, LeakRho: t.LeakRho, LeakC: t.LeakC, Lambda: t.Lambda}
}

func (w *TwoStates) solve() error {
	p, k := w.problem(), w.correction()
	var err error
	value := func(v *[2]float64, policy []float64) {
		if err == nil {
			err = p.Value(v[:], policy)
		}
	}
	value(&w.ValueMu, twoMu)
	value(&w.ValuePi, twoPi)
	implied := make([]float64, 4)
	p.Implied(implied, twoPi, twoMu, k)
	w.Right = implied[1]
	value(&w.End, implied)
	w.Ends, w.Factors, w.Errors = [2][]chart.XY{}, nil, nil
	for i := range dialPoints {
		x := dialTop * float64(i) / (dialPoints - 1)
		at, end := k, [2]float64{}
		at.RhoBar = x
		p.Implied(implied, twoPi, twoMu, at)
		value(&end, implied)
		for s := range end {
			w.Ends[s] = append(w.Ends[s], chart.XY{X: x, Y: end[s]})
		}
		at = k
		at.CBar = x
		f, e := factor(p, at)
		if err == nil {
			err = e
		}
		w.Factors = append(w.Factors, chart.XY{X: x, Y: f})
	}
	if err != nil {
		return err
	}
	if w.Factor, err = factor(p, k); err != nil {
		return err
	}
	first, v := w.largest([2]float64{}), [2]float64{}
	for range updates + 1 {
		w.Errors = append(w.Errors, w.largest(v)/first)
		if err := p.Operator(v[:], v[:], twoPi, twoMu, k); err != nil {
			return err
		}
	}
	clip := hyper.Truncation[float64](&w.Config)
	w.Unsound = clip.Unsound()
	return nil
}

// factor returns the sup norm of the update's linear part: the factor by which errors shrink at least.
func factor(p *exact.Problem, k exact.Correction) (float64, error) {
	c, err := p.Contraction(twoPi, twoMu, k)
	if err != nil {
		return 0, err
	}
	return c.Norm, nil
}

func (w *TwoStates) largest(v [2]float64) float64 {
	return max(math.Abs(v[0]-w.End[0]), math.Abs(v[1]-w.End[1]))
}

// Say returns the charts in words.
func (w *TwoStates) Say() (end, speed string) {
	end = fmt.Sprintf("The values end at %s on the left and %s on the right: the values of the policy that goes right "+
		"with %s. c̄ and λ do not move that.", number.Fixed(w.End[0], 3), number.Fixed(w.End[1], 3), number.Fixed(w.Right, 3))
	left := number.Fixed(w.Factor, 3)
	speed = fmt.Sprintf("One update shrinks the largest error to %s of what it was, or to less.", left)
	switch {
	case w.Factor > 1:
		speed = fmt.Sprintf("One update may make the largest error %s times as large.", left)
	case w.Factor == 1:
		speed = "One update need not shrink the largest error at all."
	case w.Factor < 1e-9:
		speed = "One update leads there at once."
	}
	return end, speed
}

// EndChart shows the final values over ρ̄, FactorChart the factor of one update over c̄, and ErrorChart the errors
// after so many updates.
func (w *TwoStates) EndChart() *chart.Dial {
	k := w.correction()
	top := max(w.ValuePi[1], w.ValueMu[1])
	return &chart.Dial{
		Key: "rho", Symbol: "ρ̄", At: k.RhoBar, Right: dialTop, Top: top * 1.1, Over: "where V ends",
		Lines: []chart.DialLine{
			{Points: level(w.ValuePi[1]), Class: "line pi dashed", Words: "V of π, right"},
			{Points: level(w.ValuePi[0]), Class: "line pi dashed", Words: "left", Below: true},
			{Points: level(w.ValueMu[1]), Class: "line mu dashed", Words: "V of μ, right"},
			{Points: level(w.ValueMu[0]), Class: "line mu dashed", Words: "left", Below: true},
			{Points: w.Ends[1], Class: "line corrected", Dot: w.End[1], Marked: true},
			{Points: w.Ends[0], Class: "line corrected", Dot: w.End[0], Marked: true},
		},
	}
}

func (w *TwoStates) FactorChart() *chart.Dial {
	k, top := w.correction(), 1.1
	for _, p := range w.Factors {
		top = max(top, 1.1*p.Y)
	}
	return &chart.Dial{
		Key: "c", Symbol: "c̄", At: k.CBar, Right: dialTop, Top: min(top, 10), Over: "what one update leaves of an error",
		Lines: []chart.DialLine{
			{Points: level(1), Class: "line cut dashed", Words: "no promise above 1", Left: true},
			{Points: w.Factors, Class: "line corrected", Dot: w.Factor, Marked: true},
		},
	}
}

func (w *TwoStates) ErrorChart() *chart.Dial {
	d := &chart.Dial{Right: updates, Top: 1.1, Over: "error after so many updates, from V = 0"}
	for i, e := range w.Errors {
		d.Bars = append(d.Bars, chart.XY{X: float64(i), Y: e})
		d.Top = min(max(d.Top, 1.1*e), 10)
	}
	return d
}

// level returns a straight line over the whole axis.
func level(y float64) []chart.XY { return []chart.XY{{X: 0, Y: y}, {X: dialTop, Y: y}} }
