package algo

import (
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/traj"
)

// An update is a function of the batch, the settings, State, Theta and the optimiser's memory. An algorithm whose
// buffers have seen another batch, with other hot settings, makes the same update as a new one with the same state.
func TestAnUpdateDependsOnNothingButItsState(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"algo=impala", ""}, {"algo=impala correction=trust-region popart=on", ""}, {"algo=a2c", ""},
		{"algo=laser sampling=prioritised", ""},
		{"algo=stac correction=leaky", "correction=vtrace"}, {"algo=stacx heads=2", ""},
		{"algo=vmpo target-every=3", ""}, {"algo=vmpo popart=on psi=uniform", ""}, {"algo=vmpo", "psi=uniform kl=off"},
		{"algo=impala correction=trust-region", "correction=vtrace"},
		{"algo=vmpo correction=trust-region", "correction=none"},
	} {
		changes := append(strings.Fields(c.from), "lr=0.01", "dual-lr=0.05", "meta-lr=0.05")
		cfg, used, _, first := tiny(t, "vtrace", changes...)
		_, fresh, _, second := tiny(t, "vtrace", changes...)
		for i := range second.Reward { // another batch altogether
			second.Reward[i] = -1.5 * second.Reward[i]
		}
		slices.Reverse(second.Obs)
		slices.Reverse(second.Action)
		second.Online[0], second.Online[1] = false, true
		second.End[0] = uint8(envs.Terminated)
		second.End[second.Cuts[0]], second.Cuts = uint8(envs.Running), second.Cuts[1:]
		copy(second.Tail[second.B*second.Size:], second.Tail[(second.B+1)*second.Size:])
		old := made(t, used, cfg)
		update(t, old, first, cfg, 0)
		anew := made(t, fresh, cfg)
		take(t, fresh, used, anew, old)
		kit.Change(t, cfg, c.to)
		update(t, old, second, cfg, 1)
		surprise := slices.Clone(second.Surprise)
		update(t, anew, second, cfg, 1)
		if !slices.Equal(used.Theta, fresh.Theta) || !slices.Equal(surprise, second.Surprise) {
			t.Errorf("%v: the second update depends on the first beyond its state", c)
		}
		for i, s := range old.State() {
			if !slices.Equal(s, anew.State()[i]) {
				t.Errorf("%v: state %d comes out as %v, of a new one as %v", c, i, s, anew.State()[i])
			}
		}
	}
}

func made(t *testing.T, m *Machine, cfg *hyper.Config) Algorithm {
	t.Helper()
	a, err := New(m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func update(t *testing.T, a Algorithm, b *traj.Batch, cfg *hyper.Config, now uint64) {
	t.Helper()
	if err := a.Update(b, cfg, cfg.LearningRate, now, nil); err != nil {
		t.Fatal(err)
	}
}

// take gives to and its machine what from and its machine remember.
func take(t *testing.T, m, from *Machine, to, of Algorithm) {
	t.Helper()
	copy(m.Theta, from.Theta)
	*m.Opt.Count() = *from.Opt.Count()
	for _, pair := range [][2][][]float32{{m.Opt.State(), from.Opt.State()}, {m.State(), from.State()},
		{to.State(), of.State()}} {
		if len(pair[0]) != len(pair[1]) {
			t.Fatal("two of a kind remember different things")
		}
		for i, s := range pair[1] {
			copy(pair[0][i], s)
		}
	}
}

// LASER's importance weight (A.2) multiplies a trajectory's policy term and its value term: at twice the weight each
// gradient is twice as long, at none it is nothing.
func TestAPrioritysWeightIsInThePolicyAndInTheValueTerm(t *testing.T) {
	for _, costs := range [][]string{{"policy-cost=1", "value-cost=0"}, {"policy-cost=0", "value-cost=1"}} {
		cfg, m, _, b := tiny(t, "trust-region", append(costs, "algo=laser", "entropy=0", "trust=inf",
			"sampling=prioritised")...)
		a := made(t, m, cfg)
		gradient := func(weight float32) []float32 {
			for i := range b.Weight {
				b.Weight[i] = weight
			}
			update(t, a, b, cfg, 0)
			return slices.Clone(m.grad)
		}
		one, two := gradient(1), gradient(2)
		some := false
		for i, g := range gradient(0) {
			if g != 0 || two[i] != 2*one[i] {
				t.Fatalf("%v, parameter %d: gradient %v at weight 0, %v at 1, %v at 2", costs, i, g, one[i], two[i])
			}
			some = some || one[i] != 0
		}
		if !some {
			t.Errorf("%v: no gradient at all", costs)
		}
	}
}

// Steps outside the trust region teach nothing, PopArt's statistics included: with none inside these stay.
func TestPopArtLearnsNothingFromRejectedSteps(t *testing.T) {
	for _, algo := range []string{"impala", "laser", "vmpo"} {
		cfg, m, _, b := tiny(t, "trust-region", "algo="+algo, "popart=on", "entropy=0", "lr=0.01")
		cfg.TrustKL = 0 // strictly below this nothing lies
		update(t, made(t, m, cfg), b, cfg, 0)
		if m.pop.stats.Shift[0] != 0 || m.pop.stats.Scale[0] != 1 {
			t.Errorf("%s: rejected targets moved the statistics to %v and %v", algo, m.pop.stats.Shift, m.pop.stats.Scale)
		}
		cfg.TrustKL = 1e9
		if update(t, made(t, m, cfg), b, cfg, 0); m.pop.stats.Shift[0] == 0 {
			t.Errorf("%s: accepted targets did not move them", algo)
		}
	}
}
