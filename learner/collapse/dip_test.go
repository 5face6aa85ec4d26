package collapse

import "testing"

func TestADropThatMendsItselfIsADip(t *testing.T) {
	c := newCurve(100)
	c.stay(90, 300)
	c.stay(10, 60) // 6000 steps
	if len(c.Dips) != 1 || c.Dips[0].Up.Episodes != 0 {
		t.Errorf("below half its best for 6000 steps: %+v", c.Dips)
	}
	c.stay(60, 100)
	if len(c.Dips) != 1 || len(c.Falls) != 0 {
		t.Fatalf("%d dips and %d falls, want 1 and none", len(c.Dips), len(c.Falls))
	}
	d := c.Dips[0]
	if d.Crest.Mean != 90 || d.Floor.Mean != 10 || d.Onset.Episodes != 301 || d.Up.Episodes != 361 {
		t.Errorf("%+v", d)
	}
	c.stay(10, 60)
	c.stay(60, 1)
	if len(c.Dips) != 2 {
		t.Errorf("a second drop is not a second dip: %+v", c.Dips)
	}
}

func TestAShortOrShallowDropIsNoDip(t *testing.T) {
	short := newCurve(100)
	short.stay(90, 300)
	short.stay(10, 50) // 4900 steps after the first
	short.stay(90, 10)
	shallow := newCurve(100)
	shallow.stay(90, 300)
	shallow.stay(46, 400)
	low := newCurve(100)
	low.stay(30, 300) // below Risen
	low.stay(1, 400)
	for name, c := range map[string]*curve{"short": short, "shallow": shallow, "low": low} {
		if len(c.Dips) != 0 {
			t.Errorf("%s: %+v", name, c.Dips)
		}
	}
}

func TestAFallIsNoDip(t *testing.T) {
	c := newCurve(10)
	c.stay(80, 500)
	c.stay(5, 1999)
	if len(c.Dips) != 1 {
		t.Errorf("before it counts as a fall: %+v", c.Dips)
	}
	c.stay(5, 1000)
	if len(c.Falls) != 1 || len(c.Dips) != 0 {
		t.Errorf("%d falls and %d dips, want 1 and none", len(c.Falls), len(c.Dips))
	}
	c.stay(80, 500)
	if len(c.Dips) != 0 {
		t.Errorf("a fallen run that got up dipped: %+v", c.Dips)
	}
}
