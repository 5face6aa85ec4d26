package microscope

import (
	"math"
	"strings"
	"testing"

	"impalab/learner/correct"
	"impalab/web/chart"
)

// The paper's figures: ω = (1, ⅕), so that 5 looks like 1; the gradient points to the button that pays 2, and ends
// there while ω stays. A quarter of fresh data puts it right (eq. 13: α/(1−α) > ⅓).
func TestPropositionTwoHasThePapersFigures(t *testing.T) {
	b := NewButtons()
	near(t, "ω of button 1", b.Omega[0], 1)
	near(t, "ω of button 2", b.Omega[1], .2)
	near(t, "Q·ω of button 1", b.Seen[0], 2)
	near(t, "Q·ω of button 2", b.Seen[1], 1)
	near(t, "the push", b.Push, -.25)
	near(t, "the share of fresh data", b.Enough, .25)
	if b.Frozen > 1e-4 {
		t.Errorf("with ω as it is, button 2 is pressed with %v in the end", b.Frozen)
	}
	if math.Abs(b.Remade-.25) > 1e-6 { // algorithms: it ends at (0.75, 0.25)
		t.Errorf("with ω made anew, button 2 is pressed with %v in the end, want 0.25", b.Remade)
	}
	b.Set("fresh", .26)
	if b.Mixed[1] <= b.Mixed[0] {
		t.Errorf("26 %% of fresh data leave %v", b.Mixed)
	}
	b.Set("fresh", .24)
	if b.Mixed[1] >= b.Mixed[0] {
		t.Errorf("24 %% of fresh data leave %v", b.Mixed)
	}
	b.Set("fresh", 0)
	b.Set("baseline", 3.5) // the mean reward of the policy
	if b.Push <= 0 {
		t.Errorf("with a baseline the first step pushes by %v", b.Push)
	}
}

// Without fresh data and without a baseline, both ends equal the ascent of package correct.
func TestTheEndsFollowTheAscent(t *testing.T) {
	for _, c := range [][3]float64{{.1, .5, 1}, {.3, .6, 1}, {.1, .5, 2}, {.7, .2, .5}} {
		b := NewButtons()
		b.Set("past", c[0])
		b.Set("now", c[1])
		b.Set("rho", c[2])
		for _, frozen := range []bool{true, false} {
			a := correct.NewAscent(paid[:], []float64{1 - c[0], c[0]}, []float64{1 - c[1], c[1]}, c[2], 2, frozen)
			for range 20_000 {
				a.Step()
			}
			got := b.Remade
			if frozen {
				got = b.Frozen
			}
			if math.Abs(got-a.Pi[1]) > 1e-6 {
				t.Errorf("%v, frozen %v: ends at %v, the ascent at %v", c, frozen, got, a.Pi[1])
			}
		}
	}
}

func TestTheButtonsSayWhatTheyShow(t *testing.T) {
	b := NewButtons()
	for i, want := range []string{
		"Seen through V-trace, button 1 pays 2 and button 2 pays 1: it prefers the worse button.",
		"The first step pushes towards button 1, the worse one.",
		"In the end button 2 is pressed with 0.000 if the weights stay as they are now, and with 0.250 if they follow the " +
			"policy.",
		"The better button looks better from 25% of fresh data on.",
	} {
		if got := b.Say()[i]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, extreme := range []float64{-1, 0, 100} {
		for _, h := range Hands {
			b := NewButtons()
			b.Set(h.Name, extreme)
			said := strings.Join(b.Say(), " ") + chart.DrawPays(b.Chart(), 500, 200)
			if strings.Contains(said, "NaN") || strings.Contains(said, "–") {
				t.Errorf("%s = %v: %s", h.Name, extreme, said)
			}
		}
	}
}
