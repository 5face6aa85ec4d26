package microscope

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart"
)

func twoStates(t *testing.T, settings ...string) *TwoStates {
	t.Helper()
	w, err := NewTwoStates()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		if err := w.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// By hand: a policy that goes right with p has the values p²·γ/(1−γ) and p more.
func TestTheTwoStatesEndAtTheValuesOfTheImpliedPolicy(t *testing.T) {
	w := twoStates(t)
	for i, want := range [][2]float64{{2.25, 2.75}, {7.29, 8.19}, {6.25, 6.25 + 5./6}} {
		got := [...][2]float64{w.ValueMu, w.ValuePi, w.End}[i]
		near(t, "the left value", got[0], want[0])
		near(t, "the right value", got[1], want[1])
	}
	rng := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		rho, alpha, gamma := 2.5*rng.Float64(), rng.Float64(), .99*rng.Float64()
		w := twoStates(t, "rho="+text(rho), "alpha="+text(alpha), "gamma="+text(gamma))
		keep := func(pi float64) float64 { return alpha*math.Min(rho*.5, pi) + (1-alpha)*pi }
		p := keep(.9) / (keep(.9) + keep(.1))
		near(t, "how often it goes right", w.Right, p)
		near(t, "the left value", w.End[0], p*p*gamma/(1-gamma))
		near(t, "the right value", w.End[1], p*p*gamma/(1-gamma)+p)
	}
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// The fixed point is one: from there an update leads nowhere, whatever c̄ and λ are.
func TestCBarMovesTheSpeedAndNotTheEnd(t *testing.T) {
	at := twoStates(t, "rho=1.3").End
	last := math.Inf(1)
	for _, c := range []float64{0, .3, .7, 1, 1.3} {
		w := twoStates(t, "rho=1.3", "c="+text(c))
		if w.End != at {
			t.Errorf("c̄ = %v ends at %v, not at %v", c, w.End, at)
		}
		moved := w.End
		if err := w.problem().Operator(moved[:], moved[:], twoPi, twoMu, w.correction()); err != nil {
			t.Fatal(err)
		}
		near(t, "what an update makes of the end, left", moved[0], at[0])
		near(t, "what an update makes of the end, right", moved[1], at[1])
		if w.Factor > last+1e-12 {
			t.Errorf("c̄ = %v: errors shrink to %v, with a smaller one to %v", c, w.Factor, last)
		}
		last = w.Factor
	}
}

// By hand: without a trace one update leaves 1 − (1−γ)·E_μρ of an error, 0.94 with ρ̄ = 1; with nothing cut away and
// unrolls without end it leaves nothing.
func TestTheContractionFactorIsAsByHand(t *testing.T) {
	near(t, "the factor without a trace", twoStates(t, "c=0").Factor, 1-.1*(.5+.1))
	near(t, "the factor with nothing cut", twoStates(t, "rho=inf", "c=inf").Factor, 0)
	rng := rand.New(rand.NewPCG(19, 20))
	for range 200 {
		w := twoStates(t, "rho="+text(2.5*rng.Float64()), "c="+text(2.5*rng.Float64()), "lambda="+text(rng.Float64()))
		for i := 1; i < len(w.Errors); i++ {
			if w.Errors[i] > w.Factor*w.Errors[i-1]+1e-12 {
				t.Errorf("ρ̄ %v, c̄ %v: update %d leaves %v of an error, %v is promised", w.Config.RhoBar, w.Config.CBar, i,
					w.Errors[i]/w.Errors[i-1], w.Factor)
			}
		}
	}
}

// The dots of both dials lie on their curves.
func TestTheDialsDrawTheAdjustedSettings(t *testing.T) {
	w := twoStates(t, "rho=1.5", "c=0.75")
	for _, d := range []*chart.Dial{w.EndChart(), w.FactorChart()} {
		for _, l := range d.Lines {
			if !l.Marked {
				continue
			}
			i := int(math.Round(d.At / d.Right * (dialPoints - 1)))
			near(t, d.Key+"'s dot", l.Dot, l.Points[i].Y)
		}
	}
	for _, d := range []*chart.Dial{w.EndChart(), w.FactorChart(), w.ErrorChart()} {
		if drawn := chart.DrawDial(d, 400, 260); strings.Contains(drawn, "NaN") || strings.Contains(drawn, "Inf") {
			t.Errorf("%s: the chart holds what is no number", d.Over)
		}
	}
	if err := w.Set("gamma", "1"); err == nil {
		t.Error("values without end are no error")
	}
}
