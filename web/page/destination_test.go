package page

import (
	"math"
	"testing"

	"impalab/web/lesson/quantity"
)

// The scale of ρ̄ begins at V^μ, ends at V^π, rises, and agrees with the lessons' figure at ρ̄ = 1.
func TestEachRhoBarLeadsBetweenBothPolicies(t *testing.T) {
	l, err := leads()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.encode() + l.scale()); n > 2000 {
		t.Errorf("%d bytes", n)
	}
	for i := range l.marks[1:] {
		if l.marks[i+1].V < l.marks[i].V {
			t.Errorf("ρ̄ %s leads lower than %s", l.marks[i+1].Rho, l.marks[i].Rho)
		}
	}
	one, err := quantity.Compute("destination rho=1 alpha=1")
	if err != nil || math.Abs(l.marks[3].V-one) > 1e-4 || l.marks[3].Rho != "1" {
		t.Errorf("ρ̄ = 1 leads to %v, the lesson says %v, %v", l.marks[3], one, err)
	}
	// The three values of DESIGN: measured by the gauge of a run.
	for i, want := range map[int]float64{0: .127, 3: .277, 7: .485} {
		if math.Abs(l.marks[i].V-want) > .0006 {
			t.Errorf("ρ̄ %s leads to %.4f, want %.3f", l.marks[i].Rho, l.marks[i].V, want)
		}
	}
	if last := l.at[len(l.at)-1]; last > l.marks[7].V || last < l.marks[6].V-.01 {
		t.Errorf("the slider ends at %v", last)
	}
}
