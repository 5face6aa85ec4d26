package run

import (
	"testing"

	"impalab/web/wire"
)

func TestTheRulersSliderIsTheInverseOfItsValue(t *testing.T) {
	l := ReadLeads("0 .1 .4 1", "0=0 1=.4 ∞=1")
	for _, position := range []int{0, 250, 500, 999} {
		if back := l.Position(l.value(float64(position) / sliderEnd)); back != position {
			t.Errorf("position %d comes back as %d", position, back)
		}
	}
}

// While ρ̄ turns, the exact solution says where it leads, and afterwards the run does.
func TestATurningRhoLeadsWhereTheExactSolutionSays(t *testing.T) {
	m := open("#v=1&p=destination")
	greet(m)
	m.Apply(&wire.Gauge{Behaviour: .1, Implied: .3, Target: .5, Learned: .2, Worst: 0, Best: 2})
	l := ReadLeads(".1 .2 .5", "0=.1 1=.3 ∞=.5")
	still := m.Destination(&l, "1", 500, false, nil)
	if still == nil || still.Implied != .3 || len(still.Leads) != 3 || still.Low != 0 || still.High < .6-1e-9 ||
		still.High > .6+1e-9 {
		t.Fatalf("%+v", still)
	}
	if turning := m.Destination(&l, "1", 500, true, nil); turning.Implied != .2 {
		t.Errorf("in the middle of the slider it leads to %v", turning.Implied)
	}
	if _, err := m.Set("alpha", "0.5"); err != nil {
		t.Fatal(err)
	}
	if other := m.Destination(&l, "1", 500, true, nil); other.Leads != nil || other.Implied != .3 {
		t.Errorf("with another leak there is no exact solution: %+v", other)
	}
}
