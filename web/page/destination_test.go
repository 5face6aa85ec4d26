package page

import (
	"encoding/json"
	"math"
	"testing"

	"impalab/web/lesson/quantity"
)

// The scale of ρ̄ begins at V^μ, ends at V^π, rises, and agrees with the lessons' figure at ρ̄ = 1.
func TestEachRhoBarLeadsBetweenBothPolicies(t *testing.T) {
	text, err := leads()
	if err != nil {
		t.Fatal(err)
	}
	var l leading
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	if len(text) > 2000 {
		t.Errorf("%d bytes", len(text))
	}
	for i := range l.Marks[1:] {
		if l.Marks[i+1].V < l.Marks[i].V {
			t.Errorf("ρ̄ %s leads lower than %s", l.Marks[i+1].Rho, l.Marks[i].Rho)
		}
	}
	one, err := quantity.Compute("destination rho=1 alpha=1")
	if err != nil || math.Abs(l.Marks[3].V-one) > 1e-4 || l.Marks[3].Rho != "1" {
		t.Errorf("ρ̄ = 1 leads to %v, the lesson says %v, %v", l.Marks[3], one, err)
	}
	// The three values of DESIGN: measured by the gauge of a run.
	for i, want := range map[int]float64{0: .127, 3: .277, 7: .485} {
		if math.Abs(l.Marks[i].V-want) > .0006 {
			t.Errorf("ρ̄ %s leads to %.4f, want %.3f", l.Marks[i].Rho, l.Marks[i].V, want)
		}
	}
	if last := l.At[len(l.At)-1]; last > l.Marks[7].V || last < l.Marks[6].V-.01 {
		t.Errorf("the slider ends at %v", last)
	}
}
