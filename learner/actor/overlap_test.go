package actor

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// past is one step of a copy, written down plainly.
type past struct {
	obs, state, mu []float32
	action         int32
	reward         float32
	end            uint8
	cut            []float32 // nil: no time limit cut the episode here
	begins         bool
}

// remembered is the steps of one copy from the first, played in unrolls without an overlap by the parameters of thetas,
// whose states a network of one row computes again. after is the observation after the last step.
func remembered(spec net.Spec, thetas [][]float32, rounds [][]*traj.Unroll, i int) (all []past, after []float32) {
	forward, state := net.NewForward(spec, 1), make([]float32, spec.States())
	begins := true
	for n, round := range rounds {
		u := round[i]
		for t := range u.T {
			s := past{obs: u.Obs[t*u.Size : (t+1)*u.Size], mu: u.Mu[t*u.Actions : (t+1)*u.Actions],
				state: slices.Clone(state), action: u.Action[t], reward: u.Reward[t], end: u.End[t], begins: begins}
			for _, c := range u.Cuts {
				if c.T == t {
					s.cut = c.Obs
				}
			}
			all = append(all, s)
			forward.Run(thetas[n], slices.Clone(s.obs), state, 1)
			if begins = u.End[t] != 0; begins {
				clear(state)
			}
		}
		after = u.Obs[u.T*u.Size:]
	}
	return all, after
}

// The definition: unroll k has the steps from k·(T−O) on, T of them, with all that was written down at each step. The
// parameters change from unroll to unroll, so a repeated step has the policy and the state of its own time.
func TestAnOverlappingUnrollIsASliceOfTheWholePast(t *testing.T) {
	const copies, rounds = 5, 7
	world, err := envs.Lookup("cliff")
	if err != nil {
		t.Fatal(err)
	}
	actions := len(world.Spec.Actions)
	spec := net.Spec{Obs: world.Spec.Size(), Actions: actions, Feedback: actions + 1, LSTM: 5, HeadScale: 1}
	var thetas [][]float32
	for k := range uint64(rounds) {
		thetas = append(thetas, make([]float32, spec.Params()))
		spec.Init(thetas[k], k+1)
	}
	pool := schedule.NewPool()
	defer pool.Close()
	for _, c := range []struct{ length, overlap, parts int }{
		{40, 30, 1}, {12, 9, 3}, {10, 3, 2}, {10, 5, 1}, {7, 6, 5}, {11, 7, 1}, {9, 1, 1}, {9, 0, 2},
	} {
		made := func() *Actor {
			a, err := New("cliff:limit=6", spec, copies, 3, 5)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		apart, overlapping := made(), made()
		overlapping.Overlap(c.overlap)
		if c.parts > 1 {
			overlapping.Split(c.parts, pool)
		}
		var whole [][]*traj.Unroll
		var want, heard []telemetry.Episode
		advance := c.length - c.overlap
		for k := range rounds {
			fresh := advance
			if k == 0 {
				fresh = c.length
			}
			us := unrolls(copies, fresh, spec)
			apart.Play(thetas[k], uint64(k), us, func(e telemetry.Episode) { want = append(want, e) })
			whole = append(whole, us)
		}
		var got [][]*traj.Unroll
		for k := range rounds {
			if k == 4 { // another actor continues in its place
				state := overlapping.Save()
				overlapping.Play(thetas[0], 99, unrolls(copies, c.length, spec), ignore)
				if err := overlapping.Load(state); err != nil {
					t.Fatal(err)
				}
			}
			us := unrolls(copies, c.length, spec)
			overlapping.Play(thetas[k], uint64(k), us, func(e telemetry.Episode) { heard = append(heard, e) })
			got = append(got, us)
		}
		if !slices.Equal(heard, want) {
			t.Errorf("%+v: the episodes are others, or some were heard twice", c)
		}
		cuts, ends := 0, 0
		for i := range copies {
			all, after := remembered(spec, thetas, whole, i)
			for k := range rounds {
				u, steps := got[k][i], all[k*advance:k*advance+c.length]
				again := c.overlap
				if k == 0 {
					again = 0
				}
				if u.Again != again || u.First != steps[0].begins || u.Serial != uint64(k) || u.Version != uint64(k) ||
					!slices.Equal(u.State, steps[0].state) {
					t.Fatalf("%+v, copy %d, unroll %d: again %d, first %v, serial %d, version %d, state %v; want %+v", c, i, k,
						u.Again, u.First, u.Serial, u.Version, u.State, steps[0])
				}
				seen := 0
				for s, step := range steps {
					if !slices.Equal(u.Obs[s*u.Size:(s+1)*u.Size], step.obs) ||
						!slices.Equal(u.Mu[s*u.Actions:(s+1)*u.Actions], step.mu) ||
						u.Action[s] != step.action || u.Reward[s] != step.reward || u.End[s] != step.end {
						t.Fatalf("%+v, copy %d, unroll %d: step %d is another", c, i, k, s)
					}
					if step.end != 0 {
						ends++
					}
					if step.cut == nil {
						continue
					}
					if cut := u.Cuts[seen]; cut.T != s || !slices.Equal(cut.Obs, step.cut) {
						t.Fatalf("%+v, copy %d, unroll %d: the cut at step %d is another", c, i, k, s)
					}
					seen, cuts = seen+1, cuts+1
				}
				last := after
				if next := k*advance + c.length; next < len(all) {
					last = all[next].obs
				}
				if seen != len(u.Cuts) || !slices.Equal(u.Obs[u.T*u.Size:], last) {
					t.Fatalf("%+v, copy %d, unroll %d: %d cuts, want %d; or another observation after the end", c, i, k,
						len(u.Cuts), seen)
				}
			}
		}
		if cuts == 0 || ends == cuts {
			t.Fatalf("%+v: %d cuts of %d ends: one kind was not tested", c, cuts, ends)
		}
	}
}

// A Gaussian's draws are repeated too.
func TestRepeatedDrawsAreTheSame(t *testing.T) {
	spec := net.Spec{Obs: 8, Actions: 4, Policy: net.Gaussian, HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New("reacher:limit=9", spec, 2, 7, 2)
	if err != nil {
		t.Fatal(err)
	}
	a.Overlap(5)
	before, us := unrolls(2, 8, spec), unrolls(2, 8, spec)
	a.Play(theta, 0, before, ignore)
	a.Play(theta, 1, us, ignore)
	for i, u := range us {
		if !reflect.DeepEqual(u.Real[:5*u.Reals], before[i].Real[3*u.Reals:]) || u.Real[0] == 0 {
			t.Errorf("copy %d: the draws are %v, want %v", i, u.Real[:5*u.Reals], before[i].Real[3*u.Reals:])
		}
	}
}

func TestAStateOfAnotherOverlapIsRefused(t *testing.T) {
	a, spec, theta := recurrent(t, "cliff:limit=8", 3, 2)
	a.Overlap(4)
	a.Play(theta, 0, unrolls(3, 6, spec), ignore)
	for what, change := range map[string]func(*State){
		"no repeated steps":     func(s *State) { s.Overlap = nil },
		"fewer copies":          func(s *State) { s.Overlap = s.Overlap[1:] },
		"fewer states":          func(s *State) { s.Trail = s.Trail[1:] },
		"no unroll":             func(s *State) { s.Overlap[1] = nil },
		"other steps":           func(s *State) { s.Overlap[1] = unrolls(1, 5, spec)[0] },
		"an action that is not": func(s *State) { s.Overlap[0].Action[2] = 99 },
		"a cut outside its steps": func(s *State) {
			s.Overlap[0].Cuts = []traj.Cut{{T: 4, Obs: make([]float32, spec.Inputs())}}
		},
	} {
		state := a.Save()
		change(&state)
		if err := a.Load(state); err == nil || !strings.Contains(err.Error(), "repeated") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := a.Load(a.Save()); err != nil {
		t.Error(err)
	}
}

func TestOverlappingPlayAllocatesNothing(t *testing.T) {
	a, spec, theta := recurrent(t, "cliff", 3, 2)
	a.Overlap(6)
	us := unrolls(3, 8, spec)
	var state State
	a.Play(theta, 0, us, ignore)
	a.SaveTo(&state)
	if n := testing.AllocsPerRun(20, func() { a.Play(theta, 0, us, ignore); a.SaveTo(&state) }); n > 0 {
		t.Errorf("a round allocates %v times", n)
	}
}
