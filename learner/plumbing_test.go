package learner

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/replay"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// told is an algorithm that reports a different surprise for every trajectory of a batch: the trajectory's place in the
// store, which it finds by the trajectory's contents, and a larger one for fresh trajectories.
type told struct {
	algo.Algorithm
	store *replay.Store
	said  map[int]float64
}

func (a *told) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	err := a.Algorithm.Update(b, cfg, lr, now, out)
	clear(a.said)
	for i := range b.B {
		b.Surprise[i] = 1e6
		for place := range a.store.Len() {
			u := a.store.At(place)
			if !b.Online[i] && b.Reward[i] == u.Reward[0] && b.Version[i] == u.Version &&
				slices.Equal(b.Mu[i*b.Actions:][:b.Actions], u.Mu[:b.Actions]) &&
				slices.Equal(b.Tail[i*b.Size:][:b.Size], u.Obs[u.T*u.Size:]) {
				b.Surprise[i] = float32(1 + place%7)
				a.said[place] = float64(1 + place%7)
			}
		}
	}
	return err
}

func TestASurpriseIsNotedOfTheTrajectoryThatCausedIt(t *testing.T) {
	l, err := New(kit.Config(t, "laser",
		"sampling=prioritised priority=1 priority-uniform=0 mix=0.5 head-scale=1 steps=4800 replay-size=100000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a := &told{Algorithm: l.algo, store: l.store, said: map[int]float64{}}
	l.algo = a
	noted := 0
	if _, err := l.Run(t.Context(), Hooks{Update: func(*telemetry.Update) {
		for p, of := range a.said {
			for q, than := range a.said {
				noted++
				if got := l.store.Chance(p) / l.store.Chance(q); math.Abs(got-of/than) > 1e-9 {
					t.Fatalf("update %d: place %d surprised by %v and %d by %v, and is drawn %v times as often", l.updates, p, of, q,
						than, got)
				}
			}
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if noted < 100 {
		t.Errorf("only %d pairs were compared", noted)
	}
}

// In a world without ends and rewards, a V of c everywhere is wrong by c minus the part that a cut's V returns: V's
// weight in the return of a state k steps before the cut is γ^k, and a state counts if that is 5 % or less.
func TestTheValueBiasBootstrapsFromACut(t *testing.T) {
	const limit, gamma, c = 40, 0.9, 1000
	l, err := New(kit.Config(t, "garnet", "world=garnet:limit=40 gamma=0.9 reward-scale=1e-9"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	table := l.machine.Spec.Layers()[0]
	for s := range l.machine.Spec.Obs {
		table.Weights(l.machine.Theta)[s*table.Out+l.machine.Spec.Actions] = c
	}
	want, n := 0.0, 0.0
	for k := 1; k <= limit; k++ {
		if lean := math.Pow(gamma, float64(k)); lean <= biasLean {
			want, n = want+c*(1-lean), n+1
		}
	}
	bias, err := l.ValueBias()
	if err != nil || math.Abs(bias-want/n) > 1e-4*c {
		t.Errorf("bias %v (%v), want %v", bias, err, want/n)
	}
}

// The contrary agent wants exactly the opposite: of every reward the watched agent sees, the negative.
func TestTheContraryAgentSeesEveryRewardNegated(t *testing.T) {
	cfg := kit.Config(t, "cliff", shared+"sharing=contrary reward-scale=0.25")
	for i := range 2 {
		if other := sharer(&cfg, i); other.RewardScale != -0.25 {
			t.Errorf("agent %d sees rewards times %v, want −0.25", i, other.RewardScale)
		}
	}
}

// Inside a long episode, all of which the store holds, burn-in starts from nothing as many steps before the trajectory
// as it is told, and not from the state that was stored there.
func TestBurnInStartsFromNothingInTheMiddleOfAnEpisode(t *testing.T) {
	cfg := kit.Config(t, "t-maze", "world=t-maze:length=30 unroll=4 recall=burn-in lstm=5 batch=1")
	store, spec, theta, unrolls := played(t, &cfg, 6)
	u := unrolls[5]
	if u.First || slices.ContainsFunc(unrolls[:5],
		func(v *traj.Unroll) bool { return slices.Max(v.End) != uint8(envs.Running) }) {
		t.Fatal("one long episode was meant")
	}
	for _, steps := range []int{2, 4, 6, 11} {
		cfg.BurnIn = steps
		want, forward := make([]float32, spec.States()), net.NewForward(spec, 1)
		for step := 20 - steps; step < 20; step++ {
			v := unrolls[step/4]
			forward.Run(theta, v.Obs[step%4*v.Size:][:v.Size], want, 1)
		}
		state := slices.Clone(u.State)
		newReplayState(&cfg, spec).state(state, theta, u, store)
		if !slices.Equal(state, want) {
			t.Errorf("burn-in of %d steps: %v, want %v", steps, state, want)
		}
	}
}
