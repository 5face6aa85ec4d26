package learner

import (
	"testing"

	"impalab/internal/kit"
)

func TestSideBySideEveryActorHasItsCopiesAndAllWait(t *testing.T) {
	l, err := New(kit.Config(t, "a2c", "collect=trajectory actors=3 batch=8 steps=4000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(t.Context(), Hooks{})
	if err != nil || result.Steps != 4000 {
		t.Fatal(result, err)
	}
	copies := 0
	for _, one := range l.fleet.(*referenceActors).players {
		copies += one.actor.Len()
	}
	if n := len(l.fleet.(*referenceActors).players); n != 3 || copies != 8 {
		t.Errorf("%d actors of %d copies, want 3 of 8", n, copies)
	}
	for i, u := range l.fresh {
		if u.Version != result.Updates-1 {
			t.Errorf("unroll %d was played by the parameters of update %d, the last by those of %d", i, u.Version,
				result.Updates-1)
		}
		for j, other := range l.fresh[:i] {
			if u.Obs[0] == other.Obs[0] && u.Obs[4] == other.Obs[4] {
				t.Errorf("unrolls %d and %d are the same", i, j)
			}
		}
	}
}

func TestOneActorSideBySideIsAllStepByStep(t *testing.T) {
	step := train(t, kit.Config(t, "a2c", "steps=4000"), Hooks{})
	if one := train(t, kit.Config(t, "a2c", "steps=4000 collect=trajectory actors=1"), Hooks{}); !equal(one, step) {
		t.Errorf("%+v, want %+v", one, step)
	}
	if three := train(t, kit.Config(t, "a2c", "steps=4000 collect=trajectory actors=3"), Hooks{}); equal(three, step) {
		t.Error("three actors with streams of their own played what one did")
	}
}
