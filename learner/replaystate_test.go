package learner

import (
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/replay"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// played is a store of unrolls that one actor played with the parameters theta, and those parameters.
func played(t *testing.T, cfg *hyper.Config, unrolls int) (*replay.Store, net.Spec, []float32, []*traj.Unroll) {
	t.Helper()
	l, err := New(*cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	var out []*traj.Unroll
	for range unrolls {
		u := []*traj.Unroll{traj.NewUnroll(cfg.UnrollLen, l.machine.Spec.Shape())}
		if err := l.fleet.collect(t.Context(), l.window, u, func(telemetry.Episode) {}); err != nil {
			t.Fatal(err)
		}
		l.store.Add(u[0])
		out = append(out, u[0])
	}
	return l.store, l.machine.Spec, l.machine.Theta, out
}

// eachCore runs test with a core of each kind.
func eachCore(t *testing.T, test func(t *testing.T, core string)) {
	for _, core := range []string{"lstm=5", "lstm=5 core-layers=2", "lstm=0 trxl=6 core-heads=2 core-memory=9",
		"lstm=0 trxl=6 core-heads=2 core-memory=3 core-layers=2"} {
		t.Run(core, func(t *testing.T) { test(t, core) })
	}
}

// Played by the very parameters that recall it, an old trajectory begins with the state it was stored with.
func TestARebuiltStateIsTheStoredOneWhileTheParametersAreTheSame(t *testing.T) {
	eachCore(t, func(t *testing.T, core string) {
		rebuilt(t, "unroll=7 "+core)
		rebuilt(t, "unroll=7 overlap=5 "+core)
		rebuilt(t, "unroll=9 overlap=2 "+core)
	})
}

func rebuilt(t *testing.T, changes string) {
	t.Helper()
	cfg := kit.Config(t, "t-maze", "recall=rebuild batch=1 "+changes)
	store, spec, theta, unrolls := played(t, &cfg, 12)
	r := newReplayState(&cfg, spec)
	state := make([]float32, spec.States())
	carried := 0
	for i, u := range unrolls {
		clear(state)
		copy(state, u.State)
		r.state(state, theta, u, store)
		if !slices.Equal(state, u.State) {
			t.Errorf("%s, unroll %d: rebuilt %v, stored %v", changes, i, state, u.State)
		}
		if !u.First {
			carried++
		}
	}
	if carried < 3 {
		t.Fatalf("%s: only %d unrolls began inside an episode: nothing was tested", changes, carried)
	}
}

func TestOtherParametersRememberTheEpisodeOtherwise(t *testing.T) {
	eachCore(t, otherParametersRememberTheEpisodeOtherwise)
}

func otherParametersRememberTheEpisodeOtherwise(t *testing.T, core string) {
	cfg := kit.Config(t, "t-maze", "unroll=7 recall=rebuild batch=1 "+core)
	store, spec, theta, unrolls := played(t, &cfg, 3)
	u := unrolls[1]
	if u.First {
		t.Fatal("the second unroll was meant to begin inside an episode")
	}
	other := slices.Clone(theta)
	for i := range other {
		other[i] *= 1.5
	}
	// The expected memory: the first unroll, played from an empty memory.
	want, forward := make([]float32, spec.States()), net.NewForward(spec, 1)
	for step := range u.T {
		forward.Run(other, unrolls[0].Obs[step*u.Size:(step+1)*u.Size], want, 1)
	}
	state := slices.Clone(u.State)
	newReplayState(&cfg, spec).state(state, other, u, store)
	if !slices.Equal(state, want) || slices.Equal(state, u.State) {
		t.Errorf("rebuilt %v, want %v; stored %v", state, want, u.State)
	}

	cfg.Recall, cfg.BurnIn = "burn-in", 2
	clear(want)
	for step := u.T - 2; step < u.T; step++ {
		forward.Run(other, unrolls[0].Obs[step*u.Size:(step+1)*u.Size], want, 1)
	}
	newReplayState(&cfg, spec).state(state, other, u, store)
	if !slices.Equal(state, want) {
		t.Errorf("burnt in %v, want %v", state, want)
	}

	cfg.Recall = "stored"
	copy(state, u.State)
	newReplayState(&cfg, spec).state(state, other, u, store)
	if !slices.Equal(state, u.State) {
		t.Error("the stored state did not stay")
	}
}

// If the store has lost the episode's start, rebuild continues from the oldest stored memory.
func TestWithoutTheEpisodesStartRebuildContinuesFromTheRest(t *testing.T) {
	eachCore(t, withoutTheEpisodesStartRebuildContinuesFromTheRest)
}

func withoutTheEpisodesStartRebuildContinuesFromTheRest(t *testing.T, core string) {
	cfg := kit.Config(t, "t-maze", "world=t-maze:length=30 unroll=4 recall=rebuild batch=1 replay-size=12 "+core)
	store, spec, theta, unrolls := played(t, &cfg, 6)
	if store.Len() != 3 {
		t.Fatalf("the store holds %d unrolls", store.Len())
	}
	u, oldest := unrolls[5], unrolls[3]
	for _, v := range unrolls[1:] {
		if v.First {
			t.Fatal("one long episode was meant")
		}
	}
	other := slices.Clone(theta)
	for i := range other {
		other[i] *= 1.5
	}
	want, forward := slices.Clone(oldest.State), net.NewForward(spec, 1)
	for _, v := range unrolls[3:5] {
		for step := range v.T {
			forward.Run(other, v.Obs[step*v.Size:(step+1)*v.Size], want, 1)
		}
	}
	state := slices.Clone(u.State)
	newReplayState(&cfg, spec).state(state, other, u, store)
	if !slices.Equal(state, want) {
		t.Errorf("rebuilt %v, want %v", state, want)
	}
}

// With an overlap the steps before an unroll are the earlier unrolls' steps that it does not repeat.
func TestBurnInWarmsUpOnTheStepsBeforeAnOverlappingUnroll(t *testing.T) {
	cfg := kit.Config(t, "t-maze", "world=t-maze:length=30 unroll=6 overlap=4 recall=burn-in burn-in=5 lstm=5 batch=1")
	store, spec, theta, unrolls := played(t, &cfg, 6)
	other := slices.Clone(theta)
	for i := range other {
		other[i] *= 1.5
	}
	want, forward := make([]float32, spec.States()), net.NewForward(spec, 1)
	u := unrolls[4] // begins at step 8: the five steps before it are 3 to 7
	for _, at := range []struct{ unroll, step int }{{1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}} {
		v := unrolls[at.unroll]
		forward.Run(other, v.Obs[at.step*v.Size:(at.step+1)*v.Size], want, 1)
	}
	state := slices.Clone(u.State)
	newReplayState(&cfg, spec).state(state, other, u, store)
	if u.First || !slices.Equal(state, want) || slices.Equal(state, u.State) {
		t.Errorf("burnt in %v, want %v; stored %v", state, want, u.State)
	}
}
