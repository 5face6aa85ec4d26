//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"testing"

	"impalab/learner/algo"
	"impalab/learner/traj"
)

func TestAnAlgorithmsUpdateOnADeviceAllocatesNothing(t *testing.T) {
	d := underTest(t, usual)
	for _, c := range []struct{ preset, changes string }{
		{"cartpole", "lstm=5"}, {"vmpo", "lstm=5"}, {"stac", ""}, {"laser", "optimiser=adam"},
	} {
		cfg := config(t, c.preset, "unroll=5 batch=4 hidden=8 "+c.changes)
		m := machine(t, d, &cfg)
		a, err := algo.New(m, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		b.Begin()
		u := traj.NewUnroll(cfg.UnrollLen, b.Shape)
		u.Begin(0)
		for i := range u.Reward {
			u.Reward[i] = float32(i)
		}
		for i := range cfg.BatchSize {
			b.SetColumn(i, u, true)
		}
		now := uint64(0)
		n := testing.AllocsPerRun(20, func() {
			if err := a.Update(b, &cfg, 0.001, now, nil); err != nil {
				t.Fatal(err)
			}
			now++
		})
		if n != 0 && !raced {
			t.Errorf("%s %s: %v allocations an update", c.preset, c.changes, n)
		}
	}
}
