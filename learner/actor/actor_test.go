package actor

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

func newActor(t *testing.T, world string, n int, hidden ...int) (*Actor, net.Spec, []float32) {
	t.Helper()
	entry, err := envs.Lookup(world)
	if err != nil {
		t.Fatal(err)
	}
	spec := net.Spec{Obs: entry.Spec.Size(), Hidden: hidden, Actions: len(entry.Spec.Actions), HeadScale: 1}
	if len(hidden) > 0 {
		spec.Activation = kernel.Tanh
	}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New(world, spec, n, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a, spec, theta
}

func unrolls(n, t int, spec net.Spec) []*traj.Unroll {
	out := make([]*traj.Unroll, n)
	for i := range out {
		out[i] = traj.NewUnroll(t, traj.Shape{
			Size: spec.Inputs(), Actions: spec.Actions, States: spec.States(), Reals: spec.Reals(),
		})
	}
	return out
}

func ignore(telemetry.Episode) {}

func TestOneUnrollBeginsWhereTheLastEnded(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 3, 8)
	before, after := unrolls(3, 7, spec), unrolls(3, 7, spec)
	a.Play(theta, 4, before, ignore)
	a.Play(theta, 5, after, ignore)
	for i := range before {
		for j := range spec.Obs {
			if before[i].Obs[7*spec.Obs+j] != after[i].Obs[j] {
				t.Fatalf("copy %d: the last observation of one unroll is not the first of the next", i)
			}
		}
		if before[i].Version != 4 || after[i].Version != 5 {
			t.Error("an unroll does not know which policy played it")
		}
	}
}

func TestMuIsThePolicyAndActionsFollowIt(t *testing.T) {
	a, spec, theta := newActor(t, "garnet", 64) // a table: one logit for each state and action
	forward := net.NewForward(spec, 1)
	taken, expected := make([]float64, spec.Actions), make([]float64, spec.Actions)
	us := unrolls(64, 50, spec)
	a.Play(theta, 0, us, ignore)
	for _, u := range us {
		for step := range u.T {
			logits, _ := forward.Run(theta, u.Obs[step*spec.Obs:(step+1)*spec.Obs], nil, 1)
			norm := 0.0
			for _, z := range logits {
				norm += math.Exp(float64(z))
			}
			for j, z := range logits {
				got := float64(u.Mu[step*spec.Actions+j])
				if want := float64(z) - math.Log(norm); math.Abs(got-want) > 1e-5 {
					t.Fatalf("log μ is %v, want %v", got, want)
				}
				expected[j] += math.Exp(got)
			}
			taken[u.Action[step]]++
		}
	}
	for j := range taken {
		if math.Abs(taken[j]-expected[j]) > 4*math.Sqrt(expected[j]) { // four standard deviations
			t.Errorf("action %d was taken %v times, the policy says %.0f", j, taken[j], expected[j])
		}
	}
}

func TestAUniformActorIgnoresThePolicy(t *testing.T) {
	a, spec, theta := newActor(t, "garnet", 8)
	a.Uniform = true
	us := unrolls(8, 20, spec)
	a.Play(theta, 0, us, ignore)
	for _, v := range us[0].Mu {
		if v != -float32(math.Log(float64(spec.Actions))) {
			t.Fatalf("log μ is %v", v)
		}
	}
}

func TestEpisodesAreReportedWholeAndCutsAreKept(t *testing.T) {
	a, spec, theta := newActor(t, "garnet", 2) // never ends by itself; a limit cuts it
	limit := a.worlds.Spec().Limit
	us := unrolls(2, limit+5, spec)
	var heard []telemetry.Episode
	a.Play(theta, 0, us, func(e telemetry.Episode) { heard = append(heard, e) })
	if len(heard) != 2 || int(heard[0].Length) != limit {
		t.Fatalf("heard %+v, want two episodes of %d steps", heard, limit)
	}
	for i, u := range us {
		sum := float32(0)
		for _, r := range u.Reward[:limit] {
			sum += r
		}
		if sum != heard[i].Return {
			t.Errorf("episode %d returned %v, its rewards sum to %v", i, heard[i].Return, sum)
		}
		if u.Task != 0 || heard[i].Task != 0 { // a world by itself is a suite's only task
			t.Errorf("unroll %d is of task %d, its episode of task %d", i, u.Task, heard[i].Task)
		}
		if len(u.Cuts) != 1 || u.Cuts[0].T != limit-1 || envs.End(u.End[limit-1]) != envs.Truncated {
			t.Errorf("unroll %d was cut at %+v", i, u.Cuts)
		}
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	a, spec, theta := newActor(t, "catch", 4, 16)
	us := unrolls(4, 20, spec)
	if n := testing.AllocsPerRun(20, func() { a.Play(theta, 0, us, ignore) }); n != 0 {
		t.Errorf("%v allocations a play", n)
	}
}

func TestALoadedActorPlaysOnAsTheSavedOneWould(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 3, 8)
	us, vs := unrolls(3, 30, spec), unrolls(3, 30, spec)
	a.Play(theta, 0, us, ignore)
	state := a.Save()
	b, _, _ := newActor(t, "cartpole", 3, 8)
	if err := b.Load(state); err != nil {
		t.Fatal(err)
	}
	a.Play(theta, 0, us, ignore)
	b.Play(theta, 0, vs, ignore)
	for i := range us {
		for j := range us[i].Obs {
			if us[i].Obs[j] != vs[i].Obs[j] {
				t.Fatal("the loaded actor plays something else")
			}
		}
	}
}

func TestAGreedyActorTakesTheLikeliestAction(t *testing.T) {
	a, spec, theta := newActor(t, "catch", 5, 8)
	a.Greedy = true
	us := unrolls(5, 40, spec)
	a.Play(theta, 0, us, ignore)
	for i, u := range us {
		for step := range u.T {
			mu := u.Mu[step*spec.Actions : (step+1)*spec.Actions]
			if took := mu[u.Action[step]]; took != slices.Max(mu) {
				t.Fatalf("copy %d, step %d: took action %d of %v", i, step, u.Action[step], mu)
			}
		}
	}
}

// A state's inputs hold the feedback; a copy's observation is its world's.
func TestALoadedActorSeesWhatItsWorldsShow(t *testing.T) {
	a, spec, _ := recurrent(t, "cliff", 3, 2)
	want := slices.Clone(a.input)
	state := a.Save()
	for i := range 3 {
		clear(state.Last[i*spec.Inputs():][:spec.Obs])
	}
	if err := a.Load(state); err != nil || !slices.Equal(a.input, want) {
		t.Errorf("the network is shown %v, want %v (%v)", a.input, want, err)
	}
}
