package chart

import (
	"math"
	"testing"
)

func TestAGripStandsWhereItsLimitIs(t *testing.T) {
	const w, h = 300.0, 140.0
	for _, limit := range []float64{0.05, 0.25, 1, 2, 7.5, 30, math.Inf(1)} {
		r := &Ratios{RhoBar: limit, CBar: 1, ByRho: true}
		g := r.grips(w, h)[0]
		if key := r.Grip(g.x, g.y, w, h); key != "rho" {
			t.Errorf("ρ̄ = %v: the pointer takes %q", limit, key)
		}
		if got := RatioLimit(g.x, w); got != limit && !(math.Abs(got-limit) < 0.03*got) {
			t.Errorf("the grip of %v stands for %v", limit, got)
		}
	}
}

func TestTwoLimitsAtOnePlaceAreTakenApart(t *testing.T) {
	const w, h = 300.0, 140.0
	r := &Ratios{RhoBar: 1, CBar: 1, ByRho: true, ByC: true}
	rho, c := r.grips(w, h)[0], r.grips(w, h)[1]
	if rho.x != c.x || r.Grip(rho.x+3, rho.y-9, w, h) != "rho" || r.Grip(c.x-3, c.y+9, w, h) != "c" {
		t.Errorf("ρ̄ at %v, c̄ at %v", rho, c)
	}
	if key := r.Grip(w-1, h/2, w, h); key != "" {
		t.Errorf("far from both the pointer takes %q", key)
	}
	if key := (&Ratios{RhoBar: 1, CBar: 1}).Grip(w/2, h/2, w, h); key != "" {
		t.Errorf("a correction that cuts nothing gives %q to the pointer", key)
	}
}
