package algo

import (
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// V-MPO's target network begins every trajectory with its own state, of a share of the batch too.
func TestTheTargetNetworkBeginsWithItsOwnState(t *testing.T) {
	for _, size := range []string{"", "batch=520 unroll=2"} {
		cfg, m, algorithm := learning(t, "algo=vmpo lstm=4 lr=0 "+size)
		a := algorithm.(*VMPO)
		r := envs.NewRand(5, 0)
		whole := traj.NewBatch(cfg.UnrollLen, 2*cfg.BatchSize, m.Spec.Shape())
		strangers(whole, &r)
		for i := range whole.TargetState {
			whole.TargetState[i] = float32(r.Norm())
		}
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		b.Share(whole, 1, 2)
		for i := range b.B {
			if !slices.Equal(b.TargetState[i*b.States:][:b.States], whole.TargetState[(2*i+1)*b.States:][:b.States]) {
				t.Fatalf("%s: trajectory %d of the share has another state than in the batch", size, i)
			}
		}
		if err := a.Update(b, cfg, 0, 3, nil); err != nil {
			t.Fatal(err)
		}
		n := b.T * b.B
		want := make([]float32, n*m.Spec.Actions)
		net.NewForward(m.Spec, n).Through(want, a.target, b.Obs, b.TargetState, b.Keep, b.T, b.B)
		if !slices.Equal(a.raw, want) {
			t.Errorf("%s: π_T does not begin with the target network's state", size)
		}
	}
}
