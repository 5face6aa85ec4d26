package lab

import (
	"testing"

	"impalab/server/store"
	"impalab/web/wire"
)

// A run keeps the reason of its pause until Play: a second page, a page after a restart, and the store all have it.
func TestARunKeepsWhyItWasPaused(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	v, w := visit(t, l, link("p=catch speed=4000"))
	await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	fell := func(s *wire.Status) bool { return s.State == wire.StatePaused && s.Reason == wire.ReasonFell }
	v.do(wire.VerbPauseFell)
	await(v, fell)
	comes := func(l *Lab) *visitor {
		v, _ := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
		return v
	}
	await(comes(l), fell)
	if row, _ := inStore(t, l, w.Run); row.State != store.Paused || row.Reason != wire.ReasonFell {
		t.Errorf("the store has %s, %q", row.State, row.Reason)
	}
	l.Close()
	l = newLab(t, Options{Store: kept})
	v = comes(l)
	await(v, fell)
	v.do(wire.VerbPlay)
	await(v, func(s *wire.Status) bool { return s.State == wire.StateRunning && s.Reason == "" })
	if row, _ := inStore(t, l, w.Run); row.State != store.Running || row.Reason != "" {
		t.Errorf("it plays, and the store has %s, %q", row.State, row.Reason)
	}
}

func TestAnUnknownVerbIsRefused(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch speed=4000"))
	if err := v.run.Do(v.sub.ID(), 1, wire.VerbPauseFell+1); err == nil {
		t.Error("a verb that nobody knows is taken")
	}
}
