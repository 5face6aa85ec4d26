package microscope

import (
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/web/chart"
	"impalab/web/number"
)

// LASER's Proposition 2 by hand: one state with two buttons that pay 2 and 5. The old policy rarely pressed the second
// one, so V-trace sees little of its pay.

// Buttons is that state and its adjustable numbers.
type Buttons struct {
	Past, Now float64 // how often μ and π press the second button
	RhoBar    float64
	Fresh     float64 // share of online data (LASER §3)
	Baseline  float64

	Omega  [2]float64 // min(1, ρ̄·μ/π)
	Seen   [2]float64 // Q·ω
	Mixed  [2]float64 // Q^α: with the share of fresh data
	Push   float64    // expected policy gradient on the second button's logit
	Frozen float64    // how often the second button is pressed in the end, if ω stays as it is now…
	Remade float64    // …and if ω follows the policy
	Enough float64    // the share of fresh data above which the better button looks better
}

var paid = [2]float64{2, 5}

// Hands are the adjustable numbers and their ranges. The page names them.
var Hands = []struct {
	Name     string
	From, To float64
}{{"past", .01, .99}, {"now", .01, .99}, {"rho", 0, 10}, {"fresh", 0, 1}, {"baseline", 0, 5}}

// NewButtons returns the paper's example.
func NewButtons() *Buttons {
	b := &Buttons{Past: .1, Now: .5, RhoBar: 1}
	b.solve()
	return b
}

func (b *Buttons) hand(name string) *float64 {
	return map[string]*float64{"past": &b.Past, "now": &b.Now, "rho": &b.RhoBar, "fresh": &b.Fresh,
		"baseline": &b.Baseline}[name]
}

// Get returns the number of a name.
func (b *Buttons) Get(name string) float64 { return *b.hand(name) }

// Set sets a number, within its range.
func (b *Buttons) Set(name string, v float64) {
	for _, h := range Hands {
		if h.Name == name && !math.IsNaN(v) {
			*b.hand(name) = min(max(v, h.From), h.To)
		}
	}
	b.solve()
}

func (b *Buttons) policies() (pi, mu []float64) {
	return []float64{1 - b.Now, b.Now}, []float64{1 - b.Past, b.Past}
}

func (b *Buttons) solve() {
	pi, mu := b.policies()
	correct.Omega(b.Omega[:], pi, mu, b.RhoBar)
	for i := range paid {
		b.Seen[i] = paid[i] * b.Omega[i]
	}
	correct.MixedQ(b.Mixed[:], paid[:], b.Omega[:], 1, 1, b.Fresh)
	b.Enough = correct.OnlineShare(correct.OnlineBound(paid[:], b.Omega[:], 1, 1))
	b.Push = b.push(pi, b.Omega[:])
	b.Frozen, b.Remade = b.climb(true), b.climb(false)
}

// push returns the expected gradient on the second logit, of old and fresh data in their shares.
func (b *Buttons) push(pi, omega []float64) float64 {
	var old, fresh [2]float64
	correct.ExpectedGradient(old[:], pi, omega, paid[:], b.Baseline)
	correct.ExpectedGradient(fresh[:], pi, []float64{1, 1}, paid[:], b.Baseline)
	return b.Fresh*fresh[1] + (1-b.Fresh)*old[1]
}

// climb follows the gradient until almost nothing moves. The two logits move by opposite amounts.
func (b *Buttons) climb(frozen bool) float64 {
	const steps, rate = 20_000, 2.
	_, mu := b.policies()
	omega, logit := b.Omega, math.Log(b.Now/(1-b.Now))/2
	for range steps {
		p := 1 / (1 + math.Exp(-2*logit))
		pi := []float64{1 - p, p}
		if !frozen {
			correct.Omega(omega[:], pi, mu, b.RhoBar)
		}
		logit += rate * b.push(pi, omega[:])
		logit = min(max(logit, -15), 15) // float64 has no other probability beyond
	}
	return 1 / (1 + math.Exp(-2*logit))
}

// Say returns the bars in words.
func (b *Buttons) Say() []string {
	best := "it prefers the better button"
	if b.Mixed[1] < b.Mixed[0] {
		best = "it prefers the worse button"
	} else if b.Mixed[1] == b.Mixed[0] {
		best = "both buttons look equally good"
	}
	looks := "Seen through V-trace, button 1 pays " + figure(b.Seen[0]) + " and button 2 pays " + figure(b.Seen[1])
	if b.Fresh > 0 {
		looks += "; with " + number.Percent(float32(b.Fresh)) + " of fresh data, " + figure(b.Mixed[0]) + " and " +
			figure(b.Mixed[1])
	}
	way := "neither button"
	if b.Push > 1e-12 {
		way = "button 2, the better one"
	} else if b.Push < -1e-12 {
		way = "button 1, the worse one"
	}
	enough := "No fresh data are needed: the better button looks better as it is."
	if b.Enough > 0 {
		enough = "The better button looks better from " + number.Percent(float32(b.Enough)) + " of fresh data on."
	}
	return []string{
		looks + ": " + best + ".",
		fmt.Sprintf("The first step pushes towards %s.", way),
		fmt.Sprintf("In the end button 2 is pressed with %s if the weights stay as they are now, and with %s if they follow "+
			"the policy.", number.Fixed(b.Frozen, 3), number.Fixed(b.Remade, 3)),
		enough,
	}
}

// Chart returns the pay of each button, the part that V-trace sees, and the part with fresh data.
func (b *Buttons) Chart() *chart.Pays {
	p := &chart.Pays{Top: 5}
	for i := range paid {
		p.Rows = append(p.Rows, chart.PaysRow{Name: fmt.Sprintf("button %d", i+1), True: paid[i], Seen: b.Seen[i],
			Mixed: b.Mixed[i], Weight: b.Omega[i]})
	}
	p.Fresh = b.Fresh > 0
	return p
}
