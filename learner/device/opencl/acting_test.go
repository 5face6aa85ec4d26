//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"slices"
	"sync"
	"testing"

	"impalab/learner/actor"
	"impalab/learner/algo"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// machine is a machine of cfg on d.
func machine(t *testing.T, d *Device, cfg *hyper.Config) *algo.Machine {
	t.Helper()
	m, err := algo.NewMachineOn(on(t, d).Devices, kernel.Auto, graph.Lower, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func TestActorsAnsweredByADevicePlayWhatTheyWouldAlone(t *testing.T) {
	d := underTest(t, usual)
	const actors, copies, steps = 2, 3, 9
	for _, c := range []struct{ preset, changes string }{{"cartpole", "lstm=5 feedback=on"}, {"stacx", "heads=3"}} {
		cfg := config(t, c.preset, "unroll=9 batch=4 hidden=8 "+c.changes)
		m := machine(t, d, &cfg)
		acting, err := m.Acting(actors * copies)
		if err != nil || acting == nil {
			t.Fatal(acting, err)
		}
		b := actor.NewBatching(m.Spec, actors, copies, nil, acting,
			func(to []float32) uint64 { return uint64(copy(to, m.Theta)) })
		var playing sync.WaitGroup
		for i := range uint64(actors) {
			var pair [2]*actor.Actor
			for k := range pair {
				if pair[k], err = actor.New(cfg.World, m.Spec, copies, 1, i); err != nil {
					t.Fatal(err)
				}
			}
			b.Join(pair[0])
			playing.Go(func() {
				var unrolls [2][]*traj.Unroll
				for k, a := range pair {
					for range copies {
						unrolls[k] = append(unrolls[k], traj.NewUnroll(steps, m.Spec.Shape()))
					}
					if err := a.Play(m.Theta, 7, unrolls[k], func(telemetry.Episode) {}); err != nil {
						t.Error(err)
					}
				}
				for j, u := range unrolls[0] {
					if alone := unrolls[1][j]; !slices.Equal(u.Obs, alone.Obs) || !slices.Equal(u.Mu, alone.Mu) {
						t.Errorf("%s: actor %d, copy %d plays otherwise than alone", c.preset, i, j)
					}
				}
			})
		}
		playing.Wait()
		b.Close()
		if acting.Rows.(*rows).q.spent.launches == 0 {
			t.Errorf("%s: nothing was asked of the device", c.preset)
		}
		acting.Close()
	}
}

func TestALiveRunActsAndLearnsOnADevice(t *testing.T) {
	cfg := config(t, "cartpole", "mode=live inference=batched steps=2560")
	w := &watchedDevice{Device: underTest(t, usual)}
	l, err := onDevice(t, w).New(cfg)
	if got := train(t, l, err); got.Updates == 0 || got.Device.Name != "test" {
		t.Errorf("%d updates on %+v", got.Updates, got.Device)
	}
	if acting := w.rows[len(w.rows)-1]; len(w.rows) != 2 || acting.q.spent.waits < 20 {
		t.Errorf("%d forward passes on the device, the last one asked %d times", len(w.rows), acting.q.spent.waits)
	}
}

func TestALiveRunEndsWithTheReasonWhyItsDeviceCannotAct(t *testing.T) {
	cfg := config(t, "cartpole", "mode=live inference=batched steps=100000")
	runToFailure(t, &watchedDevice{Device: underTest(t, usual), spoilt: 2}, cfg)
}
