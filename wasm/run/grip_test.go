package run

import (
	"strings"
	"testing"

	"impalab/web/wire"
)

func batched(link string) *Run {
	m := open(link)
	greet(m)
	m.Steers = true
	m.Apply(&wire.Point{Event: m.last + 1, Step: 100, Update: 1})
	m.Apply(&wire.XRay{Step: 100, Update: 1, Ratios: counts(26, 10), Figures: row("cut-rho", 0.5)})
	return m
}

func TestALimitIsDraggedOnTheHistogramAsOnItsSlider(t *testing.T) {
	const w, h = 300.0, 140.0
	m := batched("p=catch&rho=1&c=1")
	r := m.ratios()
	x, y := 0.0, 0.0
	for ; x < w; x++ {
		for y = 0; y < h && m.Grip(x, y, w, h) != "rho"; y++ {
		}
		if y < h {
			break
		}
	}
	if x == w {
		t.Fatal("nowhere does the pointer take ρ̄")
	}
	asked := set(t, m, "rho", m.Dragged("rho", 0.75*w, w))
	if asked.Value == "1" || !m.Control("rho").Pending() {
		t.Fatalf("asked for %+v", asked)
	}
	if now := m.ratios(); now.RhoBar == r.RhoBar || now.CutByRho == now.CutByRho {
		t.Errorf("dragged, ρ̄ stands at %v, and the bars are cut as of the batch: %v", now.RhoBar, now.CutByRho)
	}
	if text := m.Dragged("rho", w, w); text != "inf" {
		t.Errorf("at the right edge ρ̄ is %s", text)
	}
}

func TestALockedLimitHasNoGrip(t *testing.T) {
	const w, h = 300.0, 140.0
	taken := func(m *Run) (keys string) {
		for x := range int(w) {
			for y := range int(h) {
				if key := m.Grip(float64(x), float64(y), w, h); key != "" && !strings.Contains(keys, key+" ") {
					keys += key + " "
				}
			}
		}
		return keys
	}
	if got := taken(batched("p=catch&rho=2&c=1")); got != "c rho " {
		t.Errorf("the pointer takes %q", got)
	}
	if got := taken(batched("p=catch&rho=2&c=1&lock=rho")); got != "c " {
		t.Errorf("with ρ̄ locked the pointer takes %q", got)
	}
	others := batched("p=catch")
	others.Steers = false
	held := batched("p=catch")
	held.Pin(100)
	none := batched("p=catch&correction=none")
	for name, m := range map[string]*Run{"somebody else's": others, "held": held, "none": none} {
		if got := taken(m); got != "" {
			t.Errorf("%s: the pointer takes %q", name, got)
		}
	}
}

func TestTheLimitsOfAMomentAreFromThatMoment(t *testing.T) {
	m := batched("p=catch&rho=1")
	m.Apply(&wire.Changed{Event: m.last + 1, Update: 1, Step: 100, Key: "rho", From: "1", To: "4"})
	m.Apply(&wire.Point{Event: m.last + 1, Step: 200, Update: 2})
	m.Pin(100)
	if r := m.ratios(); r.RhoBar != 1 {
		t.Errorf("at update 1 ρ̄ is %v", r.RhoBar)
	}
	m.Pin(200)
	if r := m.ratios(); r.RhoBar != 4 {
		t.Errorf("at update 2 ρ̄ is %v", r.RhoBar)
	}
}
