package algo

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

var everyAlgorithm = []string{"algo=impala", "algo=laser", "algo=a2c", "algo=vmpo", "algo=stac", "algo=stacx heads=2",
	"algo=impala popart=on optimiser=adam", "algo=impala learners=3"}

// memory copies everything that a failed update must not change.
func memory(m *Machine, a Algorithm) (all [][]float32) {
	for _, x := range slices.Concat([][]float32{m.Theta, a.Acting()}, m.State(), a.State()) {
		all = append(all, slices.Clone(x))
	}
	return all
}

// An update that fails says why, describes nothing and changes nothing: rewards of NaN and of infinite size.
func TestAnUpdateThatFailsChangesNothing(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, changes := range everyAlgorithm {
		for _, c := range []struct {
			reward float32 // of one step
			says   string
		}{
			{float32(math.NaN()), "the loss is not finite"},
			{inf, " is "}, // the loss or the norm: targets end at 1e30
			{-inf, " is "},
		} {
			cfg, m, _, b := tiny(t, "vtrace", append(strings.Fields(changes), "lr=0.02")...)
			if cfg.PopArt == hyper.PopArtOn && math.IsInf(float64(c.reward), 0) {
				continue // its statistics have taken the 1e30
			}
			a := made(t, m, cfg)
			update(t, a, b, cfg, 0) // so that there is something to remember
			want := memory(m, a)
			b.Reward[b.B] = c.reward
			var out telemetry.Update
			err := a.Update(b, cfg, 0.02, 1, &out)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want something about %s", changes, err, c.says)
			}
			if !reflect.DeepEqual(memory(m, a), want) {
				t.Errorf("%s: %v, and something has changed", changes, err)
			}
			if out != (telemetry.Update{}) {
				t.Errorf("%s: %v, and described", changes, err)
			}
		}
	}
}

// A multiplier without end makes the KL term one, whichever side of its bound the policy is on, and V-MPO says so.
func TestAMultiplierThatIsNotFiniteIsSeenInTheLoss(t *testing.T) {
	for _, bound := range []string{"eps-alpha=100", "eps-alpha=1e-9"} {
		cfg, a, b := tinyVMPO(t, "vtrace", bound)
		a.dual[1] = float32(math.Inf(1))
		if err := a.Update(b, cfg, 0, 0, nil); err == nil || !strings.Contains(err.Error(), "the loss is not finite") {
			t.Errorf("%s, α = ∞: %v", bound, err)
		}
	}
}

// However a step goes wrong, θ stays as it was: a gradient that is not finite, or one so steep that θ would not be.
func TestAStepThatIsNotFiniteIsNotTaken(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		slope, lr float64
		says      string
	}{
		{nan, 0.1, "norm is NaN"}, {inf, 0.1, "norm is +Inf"}, {-inf, 0.1, "norm is +Inf"},
		{1, 1e30, "not finite"}, {1, inf, "not finite"}, {1, nan, "not finite"},
	} {
		cfg, m, _, _ := tiny(t, "vtrace", "optimiser=rmsprop", "opt-eps=0.1")
		before, grad := slices.Clone(m.Theta), make([]float32, len(m.Theta))
		grad[3] = float32(c.slope)
		var diverged Diverged
		if _, err := m.Descend(grad, cfg, c.lr); !errors.As(err, &diverged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("slope %v, rate %v: %v, want something about %s", c.slope, c.lr, err, c.says)
		}
		if !slices.Equal(m.Theta, before) {
			t.Errorf("slope %v, rate %v: θ has moved", c.slope, c.lr)
		}
	}
}

// When the sum over learners cannot be made, whichever it is of an update, the update ends as it began.
func TestWithoutTheOthersSumsAnUpdateEnds(t *testing.T) {
	gone := errors.New("the others are gone")
	for changes, sums := range map[string]int{
		"algo=impala": 1, "algo=laser": 1, "algo=a2c": 1, "algo=vmpo": 2, "algo=stac": 3,
	} {
		for last := 1; last <= sums; last++ {
			cfg, m, _, b := tiny(t, "vtrace", changes, "lr=0.02", "meta-lr=0.1")
			a := made(t, m, cfg)
			want, calls := memory(m, a), 0
			m.Reduce = func([]float32) error {
				if calls++; calls == last {
					return gone
				}
				return nil
			}
			var out telemetry.Update
			if err := a.Update(b, cfg, 0.02, 0, &out); err != gone || calls != last {
				t.Errorf("%s, sum %d: %v after %d", changes, last, err, calls)
			}
			if !reflect.DeepEqual(memory(m, a), want) || out != (telemetry.Update{}) {
				t.Errorf("%s, sum %d: something has changed, or the update is described", changes, last)
			}
		}
	}
}

// STAC takes its step before it knows the metagradient, and takes it back when that is not finite: in whichever of the
// three sums over learners this shows.
func TestStacTakesItsStepBackWhenTheMetagradientFails(t *testing.T) {
	for at := 1; at <= 3; at++ {
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			cfg, s, b := tinyStac(t, "lr", "0.02", "meta-lr", "0.1")
			want, calls := memory(s.m, s), 0
			s.m.Reduce = func(part []float32) error {
				if calls++; calls == at {
					part[0] = float32(value)
				}
				return nil
			}
			var diverged Diverged
			err := s.Update(b, cfg, 0.02, 0, nil)
			if !errors.As(err, &diverged) || !reflect.DeepEqual(memory(s.m, s), want) {
				t.Errorf("sum %d, %v: %v, or θ or η has moved", at, value, err)
			}
		}
	}
}

// A density without a meaning, and a value that no setting can have, panic.
func TestValuesThatNoSettingAllowsPanic(t *testing.T) {
	cfg, m, b := tinyReal(t, "policy=gaussian")
	pi := newHead(&m.Spec, b.T*b.B)
	n := make([]float32, b.T*b.B)
	for what, call := range map[string]func(){
		"algo: ε cannot be added": func() { pi.gradient(b, n, n, 1e-6, 1) },
		"tune":                    func() { cfg.Tune = "nonsense"; NewStac(m, cfg) },
	} {
		said := func() (said string) {
			defer func() {
				switch r := recover().(type) {
				case string:
					said = r
				case error:
					said = r.Error()
				}
			}()
			call()
			return ""
		}()
		if !strings.Contains(said, what) {
			t.Errorf("want a panic about %s, have %q", what, said)
		}
	}
}
