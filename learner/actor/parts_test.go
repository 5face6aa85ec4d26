package actor

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// An actor plays the same to the last bit, however it is split and wherever it is saved.
func TestSplitActorsPlayTheSame(t *testing.T) {
	pool := schedule.NewPool()
	defer pool.Close()
	named := func(world string, core int) net.Spec {
		spec, _, err := envs.Describe(world)
		if err != nil {
			t.Fatal(err)
		}
		n := len(spec.Actions)
		return net.Spec{Obs: spec.Size(), Hidden: []int{24}, Activation: kernel.Tanh, Actions: n, Feedback: n + 1,
			LSTM: core, HeadScale: 1}
	}
	turn := net.Spec{Obs: 3, Actions: 2, Policy: net.Gaussian, HeadScale: 1}  // one control
	reach := net.Spec{Obs: 8, Actions: 4, Policy: net.Gaussian, HeadScale: 1} // two
	for _, c := range []struct {
		world           string
		spec            net.Spec
		copies          int
		uniform, greedy bool
	}{
		{"cliff:limit=8", named("cliff", 5), 30, false, false},
		{"cliff:limit=8", named("cliff", 5), 30, true, false},
		{"cliff:limit=8", named("cliff", 0), 6, false, true},
		{"cliff:limit=8", named("cliff", 0), 6, true, true},
		{"cliff:limit=8", named("cliff", 0), 1, false, false},
		{"tiny", named("tiny", 0), 30, false, false},
		{"pendulum:limit=9", turn, 30, false, false},
		{"pendulum:limit=9", turn, 6, true, true},
		{"reacher:limit=9", reach, 6, false, false},
		{"reacher:limit=9", reach, 6, false, true},
	} {
		theta := make([]float32, c.spec.Params())
		c.spec.Init(theta, 1)
		const steps = 13
		copies := c.copies
		played := func(parts int) (out []any) {
			a, err := New(c.world, c.spec, copies, 7, 2)
			if err != nil {
				t.Fatal(err)
			}
			a.Uniform, a.Greedy = c.uniform, c.greedy
			if parts > 0 {
				a.Split(parts, pool)
			}
			for round := range 4 {
				if round == 2 { // in another actor's place
					state := a.Save()
					a.Play(theta, 9, unrolls(copies, steps, c.spec), ignore)
					if err := a.Load(state); err != nil {
						t.Fatal(err)
					}
				}
				if round == 3 {
					a.Endless()
				}
				us := unrolls(copies, steps, c.spec)
				err := a.Play(theta, uint64(round), us, func(e telemetry.Episode) { out = append(out, e) })
				out = append(out, us, err)
			}
			return append(out, a.Save())
		}
		want := played(0)
		for _, parts := range slices.Compact([]int{1, min(2, copies), min(3, copies), min(7, copies), copies}) {
			t.Run(fmt.Sprint(c.world, copies, c.uniform, c.greedy, parts), func(t *testing.T) {
				if got := played(parts); !reflect.DeepEqual(got, want) {
					t.Error("it plays something else")
				}
			})
		}
	}
}

// A part that cannot continue stops all parts where the whole actor would have stopped.
func TestSplitActorsStopWhereOneCannotPlay(t *testing.T) {
	pool := schedule.NewPool()
	defer pool.Close()
	described, _, err := envs.Describe("cliff:limit=4")
	if err != nil {
		t.Fatal(err)
	}
	const copies, steps = 6, 11
	spec := net.Spec{Obs: described.Size(), Actions: len(described.Actions), HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	good := slices.Clone(theta)
	play := func(parts int) (us []*traj.Unroll, out []any) {
		a, err := New("cliff:limit=4", spec, copies, 7, 2)
		if err != nil {
			t.Fatal(err)
		}
		if parts > 0 {
			a.Split(parts, pool)
		}
		us = unrolls(copies, steps, spec)
		start := a.Save()
		err = a.Play(theta, 0, us, func(e telemetry.Episode) { out = append(out, e) })
		out = append(out, err)
		if err := a.Load(start); err != nil { // and it plays with another policy as if nothing had been
			t.Fatal(err)
		}
		err = a.Play(good, 0, unrolls(copies, steps, spec), func(e telemetry.Episode) { out = append(out, e) })
		return us, append(out, err)
	}
	const most = 3e38 // twice that is infinite
	heads := spec.Layers()[0]
	for j := range spec.Actions {
		heads.Bias(theta)[j] = most
	}
	us, _ := play(0)
	latest, cell := 0, 0 // the cell that the copies take longest to see first
	for k := range spec.Obs {
		for step := range steps {
			if slices.ContainsFunc(us, func(u *traj.Unroll) bool { return u.Obs[step*u.Size+k] != 0 }) {
				if step > latest {
					latest, cell = step, k
				}
				break
			}
		}
	}
	for j := range spec.Actions { // no policy there
		heads.Weights(theta)[cell*(spec.Actions+1)+j] = most
	}
	_, want := play(0)
	if stop := slices.Index(want, any(ErrNotFinite)); latest < 4 || stop < 1 || stop == len(want)-2 {
		t.Fatalf("from step %d on: %v", latest, want)
	}
	for _, parts := range []int{2, 3, copies} {
		if _, got := play(parts); !reflect.DeepEqual(got, want) {
			t.Errorf("%d parts: %v, want %v", parts, got, want)
		}
	}
}

func TestSplitPlayAllocatesNothing(t *testing.T) {
	a, spec, theta := newActor(t, "catch", 16, 32)
	pool := schedule.NewPool()
	defer pool.Close()
	a.Split(2, pool)
	round := unrolls(16, 20, spec)
	for range 10 {
		a.Play(theta, 0, round, ignore)
	}
	if n := testing.AllocsPerRun(20, func() { a.Play(theta, 0, round, ignore) }); n > 0 {
		t.Errorf("%g allocations a round", n)
	}
	if one := a.parts.all[1]; one.now != 19 || a.now != 0 {
		t.Errorf("the second half has played to step %d, and the actor itself to %d", one.now, a.now)
	}
}
