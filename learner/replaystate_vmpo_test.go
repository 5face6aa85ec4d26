package learner

import (
	"slices"
	"testing"

	"impalab/internal/kit"
)

// V-MPO has two networks, each with its own memory of an old episode: the online network's is in State, the target
// network's, to whose policy the new one is bound, in TargetState. For fresh data both have the stored memory, which
// the target network made.
func TestVMPORebuildsAStateForEachOfItsNetworks(t *testing.T) {
	cfg := kit.Config(t, "t-maze", "algo=vmpo lstm=6 unroll=7 mix=0.5 recall=rebuild target-every=8 steps=20000")
	replayed, carried := 0, 0
	train(t, cfg, Hooks{Between: func(l *Learner) error {
		if l.updates < 20 {
			return nil
		}
		// The batch of the last update, against the store and the parameters of that update.
		fresh := l.cfg.Fresh()
		l.fill(fresh, cfg.Replayed())
		theta, acting, b := l.machine.Theta, l.algo.Acting(), l.batch
		for i := range b.B {
			own, target := b.State[i*b.States:][:b.States], b.TargetState[i*b.States:][:b.States]
			if i < fresh {
				if !slices.Equal(own, l.fresh[i].State) || !slices.Equal(target, own) {
					t.Fatalf("update %d: fresh trajectory %d does not begin with the state it was played from", l.updates, i)
				}
				continue
			}
			u := l.store.At(l.drawn[i-fresh])
			wantOwn, wantTarget := slices.Clone(u.State), slices.Clone(u.State)
			l.replayState.state(wantOwn, theta, u, l.store)
			l.replayState.state(wantTarget, acting, u, l.store)
			if !slices.Equal(own, wantOwn) || !slices.Equal(target, wantTarget) {
				t.Fatalf("update %d: trajectory %d begins with %v and %v, want %v and %v", l.updates, i, own, target, wantOwn,
					wantTarget)
			}
			replayed++
			if !slices.Equal(own, target) {
				carried++
			}
		}
		return nil
	}})
	if carried < replayed/20 {
		t.Errorf("of %d replayed trajectories the networks remember %d differently: too few to show anything", replayed,
			carried)
	}
}
