package run

import (
	"testing"

	"impalab/web/wire"
)

// queue is a whole belt whose steps lean by their age beyond a first angle.
func queue(update uint64, first float32) *wire.Belt {
	m := &wire.Belt{Update: update}
	for k := range wire.MaxBelt {
		m.Poses = append(m.Poses, wire.Pose{Lean: first + float32(k), Weight: 1})
	}
	return m
}

func TestAFastRunsBeltLetsOneStepInAndRenewsEachFourthTime(t *testing.T) {
	var b Belt
	b.receive(queue(100, 0), false)
	for i, want := range []struct {
		moves         int
		first, second float32
	}{{1, 1000, 0}, {1, 2000, 1000}, {0, 3000, 3001}, {1, 4000, 3000}} {
		b.receive(queue(200+100*uint64(i), 1000*float32(i+1)), false)
		if b.Moves != want.moves || b.Poses[0].Lean != want.first || b.Poses[1].Lean != want.second {
			t.Errorf("message %d: %d places, then %v, %v; want %+v", i, b.Moves, b.Poses[0].Lean, b.Poses[1].Lean, want)
		}
		if len(b.Poses) != wire.MaxBelt {
			t.Errorf("message %d: %d steps", i, len(b.Poses))
		}
	}
}

func TestASlowRunsBeltMovesAsFarAsItsUpdates(t *testing.T) {
	var b Belt
	b.receive(queue(100, 0), false)
	before := b.Revision
	if b.receive(queue(100, 7), false); b.Revision != before {
		t.Error("a run that holds moves its belt")
	}
	b.receive(queue(103, -3), false)
	if b.Moves != 3 || b.Poses[3].Lean != 0 {
		t.Errorf("after three updates: %d places, the fourth step leans %v", b.Moves, b.Poses[3].Lean)
	}
}

func TestACalmBeltIsOnlyReplaced(t *testing.T) {
	var b Belt
	for i := range 9 {
		b.receive(queue(uint64(100*i), float32(i)), true)
		if b.Moves != 0 || b.Poses[1].Lean-b.Poses[0].Lean != 1 {
			t.Errorf("message %d: %d places, steps at %v and %v", i, b.Moves, b.Poses[0].Lean, b.Poses[1].Lean)
		}
	}
	if b.Revision != 3 {
		t.Errorf("nine messages renew it %d times, want 3", b.Revision)
	}
}
