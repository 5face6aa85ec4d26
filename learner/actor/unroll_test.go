package actor

import (
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// remembering makes an actor with an LSTM that sees its last action, in a world whose episodes end and are cut within
// a few steps. It returns three rounds of the actor's play.
func remembering(t *testing.T, world string) (net.Spec, []float32, [][]*traj.Unroll, []telemetry.Episode) {
	t.Helper()
	entry, err := envs.Lookup(world)
	if err != nil {
		t.Fatal(err)
	}
	actions := len(entry.Spec.Actions)
	spec := net.Spec{Obs: entry.Spec.Size(), Actions: actions, Feedback: actions + 1, LSTM: 5, HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	const copies = 3
	a, err := New(world, spec, copies, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	var rounds [][]*traj.Unroll
	var episodes []telemetry.Episode
	for range 3 {
		round := unrolls(copies, 23, spec)
		a.Play(theta, 0, round, func(e telemetry.Episode) { episodes = append(episodes, e) })
		rounds = append(rounds, round)
	}
	return spec, theta, rounds, episodes
}

// The feedback is the action taken and the reward received, and zero at an episode's first step. A cut's feedback is
// the value of its own step, which the next episode hides.
func TestTheNetworkIsShownTheStepBefore(t *testing.T) {
	spec, _, rounds, _ := remembering(t, "cliff:limit=5")
	cuts, ends := 0, 0
	for i := range rounds[0] {
		last := make([]float32, spec.Feedback) // before the first step nothing has been done
		for _, round := range rounds {
			u := round[i]
			seen := 0
			for step := range u.T + 1 {
				if shown := u.Obs[step*u.Size:][spec.Obs:u.Size]; !slices.Equal(shown, last) {
					t.Fatalf("copy %d, step %d: shown %v of the step before, want %v", i, step, shown, last)
				}
				if step == u.T {
					break
				}
				net.WriteFeedback(last, int(u.Action[step]), u.Reward[step])
				switch envs.End(u.End[step]) {
				case envs.Truncated:
					if cut := u.Cuts[seen]; cut.T != step || !slices.Equal(cut.Obs[spec.Obs:], last) {
						t.Fatalf("copy %d: cut %d is of step %d and shows %v, want step %d and %v", i, seen, cut.T, cut.Obs[spec.Obs:],
							step, last)
					}
					seen, cuts = seen+1, cuts+1
					clear(last)
				case envs.Terminated:
					ends++
					clear(last)
				}
			}
			if seen != len(u.Cuts) {
				t.Errorf("copy %d has %d cuts, want %d", i, len(u.Cuts), seen)
			}
		}
	}
	if cuts < 10 || ends < 1 {
		t.Fatalf("%d cuts and %d ends: too few to tell", cuts, ends)
	}
}

// The observation after a cut is the one from which the world would continue: in a world without the limit, played with
// the same actions, it is the next observation.
func TestACutHoldsTheObservationItHappenedAt(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole:limit=5", 2, 8)
	us := unrolls(2, 5, spec)
	a.Play(theta, 0, us, ignore)
	for i, u := range us {
		free, _, _ := newActor(t, "cartpole", 2, 8) // the same streams: the same first states
		for step := range u.T {
			if row := free.obs[i*spec.Obs:][:spec.Obs]; !slices.Equal(row, u.Obs[step*spec.Obs:][:spec.Obs]) {
				t.Fatalf("step %d: without a limit the world shows %v, want %v", step, row, u.Obs[step*spec.Obs:][:spec.Obs])
			}
			free.worlds.Step([]int32{us[0].Action[step], us[1].Action[step]}, free.out)
			free.observe()
		}
		if row := free.obs[i*spec.Obs:][:spec.Obs]; !slices.Equal(u.Cuts[0].Obs, row) {
			t.Errorf("copy %d was cut at %v, want %v", i, u.Cuts[0].Obs, row)
		}
	}
}

// State is the network's memory before step 0, and First tells whether step 0 begins an episode: both as in a network
// that runs through the whole past alone.
func TestAnUnrollBeginsWithWhatWasRememberedAndSaysWhetherThatIsNothing(t *testing.T) {
	spec, theta, rounds, episodes := remembering(t, "cliff:limit=5")
	forward := net.NewForward(spec, 1)
	first, within := 0, 0
	var returns, lengths []float32
	for i := range rounds[0] {
		state, begins := make([]float32, spec.States()), true
		sum, length := float32(0), float32(0)
		for n, round := range rounds {
			u := round[i]
			if u.First != begins || !slices.Equal(u.State, state) {
				t.Errorf("copy %d, unroll %d: first %v with state %v, want %v with %v", i, n, u.First, u.State, begins, state)
			}
			if u.Lane != 5<<16+uint64(i) || u.Serial != uint64(n) {
				t.Errorf("copy %d, unroll %d: says it is of %d, number %d", i, n, u.Lane, u.Serial)
			}
			first, within = first+count(u.First), within+count(!u.First)
			for step := range u.T {
				forward.Run(theta, u.Obs[step*u.Size:(step+1)*u.Size], state, 1)
				sum, length = sum+u.Reward[step], length+1
				if begins = u.End[step] != 0; begins {
					clear(state)
					returns, lengths = append(returns, sum), append(lengths, length)
					sum, length = 0, 0
				}
			}
		}
	}
	if first < 3 || within < 3 {
		t.Fatalf("%d unrolls begin an episode and %d do not: too few to tell", first, within)
	}
	// Every episode was reported once, though in another order: copies finish theirs in turns.
	var heardReturns, heardLengths []float32
	for _, e := range episodes {
		heardReturns, heardLengths = append(heardReturns, e.Return), append(heardLengths, float32(e.Length))
	}
	for _, all := range [][]float32{returns, lengths, heardReturns, heardLengths} {
		slices.Sort(all)
	}
	if !slices.Equal(returns, heardReturns) || !slices.Equal(lengths, heardLengths) {
		t.Errorf("heard of returns %v and lengths %v, the unrolls hold %v and %v", heardReturns, heardLengths, returns,
			lengths)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
