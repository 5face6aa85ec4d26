package run

import (
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/web/wire"
)

func TestATapeUndoesItsChangesAndAddsThePlannedOnes(t *testing.T) {
	config := kit.Config(t, "catch", "")
	first := config.Get("rho")
	var changes tape
	changes.add(&wire.Changed{Step: 500, Key: "rho", From: first, To: "2"})
	changes.add(&wire.Changed{Step: 600, Key: "rho", From: "2", To: "2"}) // no change
	changes.add(&wire.Changed{Step: 700, Key: "rho", From: "2", To: "4"})
	config.Set("rho", "4")
	all := func(*wire.Changed) bool { return true }
	if before := changes.undo(config, all); before.Get("rho") != first || len(changes) != 2 {
		t.Errorf("%d changes, at first rho=%s", len(changes), before.Get("rho"))
	}
	planned, err := hyper.ParsePlan("650:lag=2,800:lag=4")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hyper.FormatPlan(changes.planned(planned, 600)), "500:rho=2,700:rho=4,800:lag=4"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
	if !changes.since(700, "rho") || changes.since(701, "rho") || changes.since(0, "lag") {
		t.Error("a change counts from another step, or for another setting")
	}
	if changes.equal(changes[:1]) || !changes.equal(changes[:2]) {
		t.Error("tapes are compared wrongly")
	}
}

func TestAHeldMomentTakesOnlyItsMissingParts(t *testing.T) {
	r := open("")
	m, c := &r.moments, r.Cursor
	r.XRay = &wire.XRay{Step: 100}
	m.live.add(moment{step: 100, xray: r.XRay})
	gauge := func(v float32) {
		r.complete(itsGauge, func(one *moment) { one.gauge = &wire.Gauge{Learned: v} })
	}
	gauge(1)
	gauge(2)
	c.Pin(100)
	gauge(3)
	if at := m.at(c); at == nil || at.gauge.Learned != 2 {
		t.Errorf("held: %+v", at)
	}
	frame := &wire.Frame{Number: 7}
	r.complete(itsFrame, func(one *moment) { one.frame = frame })
	if m.at(c).frame != frame {
		t.Error("the missing frame is not added")
	}
	c.Pin(150) // after the last: that one, also when a nearer one comes
	m.at(c)
	m.live.add(moment{step: 190, xray: &wire.XRay{Step: 190}})
	if at := m.at(c); at.step != 100 {
		t.Errorf("between 100 and 190 it shows %d", at.step)
	}
	c.Pin(186)
	if at := m.at(c); at.step != 190 {
		t.Errorf("near 190 it shows %d", at.step)
	}
}
