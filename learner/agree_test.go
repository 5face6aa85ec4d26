package learner

import (
	"math"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// Played and learned from with the same parameters, the learner's π is the actor's μ, to the bit: whatever the network
// remembers, wherever episodes end inside an unroll, whichever algorithm acts. Nothing about old data can be right when
// this is not. V after the unroll and after a time limit's cut is compared with the network run by hand, step by step.
func TestWithoutLagTheLearnersPolicyIsTheActors(t *testing.T) {
	long(t)
	tried := 0
	for i := range hyper.Presets {
		preset := &hyper.Presets[i]
		for _, memory := range []string{"", "feedback=on", "lstm=6", "lstm=6 feedback=on torsos=separate",
			"lstm=6 core-layers=2", "lstm=0 trxl=6 core-heads=2 core-memory=4 core-layers=2", "lstm=6 memory=unroll",
			"pixel-control=0.1 pixel-cell=3", "lstm=6 pixel-control=0.1 pixel-cell=3 feedback=on"} {
			cfg := preset.Config()
			changes := "lag=0 mix=0 sharers=0 learners=1 behave=policy init=random target-every=1 head-scale=1 lr=0.01 " +
				"unroll=17 batch=2 " + memory
			switch world, tasks, err := envs.Describe(cfg.World); {
			case err != nil:
				t.Fatal(err)
			case len(tasks) > 1 && strings.HasPrefix(cfg.World, "rooms"):
				continue // each of its worlds has a preset of its own
			case len(tasks) > 1:
				changes += " batch=" + cfg.Get("batch")
			case world.Limit == 0 || world.Limit > 6:
				sign := ":"
				if strings.Contains(cfg.World, ":") {
					sign = ","
				}
				changes += " world=" + cfg.World + sign + "limit=6" // every unroll holds two cuts, bar earlier ends
			}
			cfg = kit.Config(t, preset.Name, changes)
			if cfg.Validate() != nil {
				continue // no such network for this algorithm
			}
			tried++
			t.Run(preset.Name+" "+memory, func(t *testing.T) {
				t.Parallel()
				agree(t, cfg)
			})
		}
	}
	if tried < 220 {
		t.Errorf("only %d configurations can be tried", tried)
	}
}

func agree(t *testing.T, cfg hyper.Config) {
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	spec := l.machine.Spec
	forward := net.NewForward(spec.Flat(), 1)
	ends, carried := 0, 0
	for range 3 {
		if err := l.collect(t.Context(), cfg.BatchSize, nil); err != nil {
			t.Fatal(err)
		}
		l.fill(cfg.BatchSize, 0)
		raw, _ := l.machine.Forward(l.batch)
		if far := farthest(&spec, raw, l.batch); far != 0 {
			t.Fatalf("the actor's log μ and the learner's log π are up to %g apart, want equal bits", far)
		}
		want := tailByHand(l, forward)
		for i, got := range l.machine.Tail(l.batch) {
			if i < l.batch.B && l.fresh[i].End[cfg.UnrollLen-1] != 0 {
				continue // the next step belongs to the next episode: no return continues into it
			}
			if math.Abs(float64(got-want[i])) > 1e-4*(1+math.Abs(float64(want[i]))) {
				t.Fatalf("V of row %d of the tail is %v, by hand %v", i, got, want[i])
			}
		}
		for _, u := range l.fresh {
			for _, end := range u.End[:u.T-1] {
				ends += int(min(end, 1))
			}
			if !u.First {
				carried++
			}
		}
		if err := l.algo.Update(l.batch, &l.cfg, cfg.LearningRate, l.updates, nil); err != nil {
			t.Fatal(err)
		}
		l.updates++
		l.publish()
	}
	if single := cfg.BatchSize == 2; single && (ends == 0 || carried == 0 && cfg.World != "bandit") {
		t.Errorf("%d episodes ended inside an unroll and %d unrolls began inside one: nothing was tested", ends, carried)
	}
}

// farthest is the largest difference between log π and log μ: of any action, or of the one drawn where they are
// numbers.
func farthest(spec *net.Spec, raw []float32, b *traj.Batch) (far float64) {
	rows, width := b.T*b.B, len(raw)/(b.T*b.B)
	if spec.Policy != net.Softmax {
		pi, ratio := make([]float32, len(raw)), make([]float32, rows)
		correct.Gaussian(pi, nil, raw, spec.Reals(), spec.Policy.Spread())
		correct.GaussianRatios(ratio, pi, b.Mu, b.Real, spec.Reals())
		for _, is := range ratio {
			far = max(far, math.Abs(math.Log(float64(is))))
		}
		return far
	}
	logits := make([]float32, rows*spec.Actions)
	for row := range rows {
		copy(logits[row*spec.Actions:], raw[row*width:][:spec.Actions]) // of several heads the first acts
	}
	logPi, weight, sum := make([]float32, len(logits)), make([]float32, len(logits)), make([]float32, rows)
	spec.Kernels.LogSoftmax(logPi, weight, sum, logits, spec.Actions)
	for i, lp := range logPi {
		far = max(far, math.Abs(float64(lp-b.Mu[i])))
	}
	return far
}

// tailByHand is V after the last step of each unroll and after each cut, with the memory at that step.
func tailByHand(l *Learner, forward *net.Forward) (want []float32) {
	value := func(u *traj.Unroll, input, state []float32) float32 {
		_, v := forward.Run(l.machine.Theta, input, state, 1)
		return l.machine.RealValue(v[int(u.Task)%len(v)], int(u.Task))
	}
	var cuts []float32
	for _, u := range l.fresh {
		state, seen := append([]float32(nil), u.State...), 0
		for t := range u.T {
			value(u, u.Obs[t*u.Size:(t+1)*u.Size], state)
			if envs.End(u.End[t]) == envs.Truncated {
				cuts = append(cuts, value(u, u.Cuts[seen].Obs, state))
				seen++
			}
			if envs.End(u.End[t]) != envs.Running {
				clear(state)
			}
		}
		want = append(want, value(u, u.Obs[u.T*u.Size:], state))
	}
	return append(want, cuts...)
}
