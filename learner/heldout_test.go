package learner

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// heldOut makes the measurement of a run.
func heldOut(t *testing.T, l *Learner) *HeldOut {
	t.Helper()
	h, err := NewHeldOut(l.Config(), l.machine.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// measure measures a learner as it stands.
func measure(t *testing.T, h *HeldOut, l *Learner) Judgement {
	t.Helper()
	shift, scale := make([]float32, h.tasks), make([]float32, h.tasks)
	for k := range shift {
		shift[k] = l.machine.RealValue(0, k)
		scale[k] = l.machine.RealValue(1, k) - shift[k]
	}
	if err := h.Begin(l.machine.Theta, shift, scale, l.Config()); err != nil {
		t.Fatal(err)
	}
	for !h.Play() {
	}
	return h.Judgement()
}

// received is every reward of a measurement.
func (h *HeldOut) received() (all []float64) {
	for i := range h.copies {
		all = append(all, h.copies[i].reward...)
	}
	return all
}

// A network that stands still, and every setting of the correction turned while it runs.
func TestNoSettingOfTheCorrectionMovesTheRuler(t *testing.T) {
	turns := strings.Fields("rho=0.1 rho=8 c=0.1 lambda=0.5 lag=64 mix=0.5 correction=none correction=one-step " +
		"correction=is " +
		"correction=leaky alpha=0.5 correction=trust-region trust=0.01 entropy=0.1 policy-cost=0.5 value-cost=2")
	for _, preset := range []string{"lag-cliff", "laser-catch", "destination"} {
		l, err := New(kit.Config(t, preset, "lr=0"))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		h := heldOut(t, l)
		want := measure(t, h, l)
		if want.States == 0 || !(want.ValueError > 0) {
			t.Fatalf("%s: %+v is no measurement", preset, want)
		}
		turned := ""
		_, err = l.Run(t.Context(), Hooks{
			Between: func(l *Learner) error {
				if int(l.Updates()) == len(turns) {
					return errEnough
				}
				turned = turns[l.Updates()]
				key, value, _ := strings.Cut(turned, "=")
				_, err := turn(l, key, value)
				return err
			},
			Update: func(*telemetry.Update) {
				if got := measure(t, h, l); got != want {
					t.Errorf("%s, %s: %+v, before %+v", preset, turned, got, want)
				}
			},
		})
		if err != errEnough {
			t.Fatal(preset, turned, err)
		}
	}
}

// π is fixed and V learns: the returns stay the same, to the bit. A ρ̄ of 0.1 makes the correction to V small at once.
// V moves away from V^π, and the measured error grows.
func TestTheRulerMovesOnlyAsTheValuesDo(t *testing.T) {
	l, err := New(kit.Config(t, "destination", "rho=4 steps=160000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h := heldOut(t, l)
	measure(t, h, l)
	returns := h.received()
	var before, after Judgement
	var corrections [2]float64 // root mean squares before and after the turn
	turned := false
	if _, err := l.Run(t.Context(), Hooks{
		Between: func(l *Learner) error {
			if turned || l.Steps() < 80_000 {
				return nil
			}
			turned, before = true, measure(t, h, l)
			_, err := turn(l, "rho", "0.1")
			if same := measure(t, h, l); same != before {
				t.Errorf("the turn by itself moved the ruler from %+v to %+v", before, same)
			}
			return err
		},
		Update: func(u *telemetry.Update) {
			if size := float64(u.Metrics[telemetry.CorrectionSize]); turned {
				corrections[1] = size
			} else {
				corrections[0] = size
			}
			if u.Update%50 == 0 {
				if after = measure(t, h, l); !slices.Equal(h.received(), returns) {
					t.Fatalf("update %d: other rewards were received", u.Update)
				}
			}
		},
	}); err != nil {
		t.Fatal(err)
	}
	t.Logf("ρ̄ 4 → 0.1: value error %.3f → %.3f, correction to V %.3f → %.3f", before.ValueError, after.ValueError,
		corrections[0], corrections[1])
	if after.ValueError < before.ValueError+0.1 || corrections[1] > corrections[0]/2 {
		t.Errorf("value error %.3f → %.3f, correction to V %.3f → %.3f", before.ValueError, after.ValueError, corrections[0],
			corrections[1])
	}
}

// A table of V^π + b errs by what chance adds to a return, and by b.
func TestTheRulerMeasuresWhatWasPutThere(t *testing.T) {
	for _, scale := range []float64{1, 0.5} {
		l, err := New(kit.Config(t, "destination", fmt.Sprint("reward-scale=", scale)))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		v := exactValues(t, l)
		h, table := heldOut(t, l), l.machine.Spec.Layers()[0]
		put := func(b float64) float64 {
			for s := range v {
				table.Weights(l.machine.Theta)[s*table.Out+l.machine.Spec.Actions] = float32(scale * (v[s] + b))
			}
			found := measure(t, h, l)
			if found.States != heldOutCopies*heldOutStates {
				t.Fatalf("%d states count", found.States)
			}
			return found.ValueError
		}
		chance := put(0)
		if chance < 0.05 || chance > 0.3 {
			t.Errorf("V^π errs by %v", chance)
		}
		for _, b := range []float64{0.25, -1, 3} {
			if got, want := put(b), math.Hypot(b, chance); math.Abs(got-want) > 0.03 {
				t.Errorf("scale %v: %v off, the ruler says %v, want about %v", scale, b, got, want)
			}
		}
	}
}

func TestATimeLimitDoesNotMoveTheRuler(t *testing.T) {
	var found [2]Judgement
	for i, world := range []string{"cartpole", "cartpole:limit=7"} {
		l, err := New(kit.Config(t, "cartpole", "world="+world))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		found[i] = measure(t, heldOut(t, l), l)
	}
	if found[0] != found[1] || found[0].States != heldOutCopies*heldOutStates {
		t.Errorf("%+v, with a limit %+v", found[0], found[1])
	}
}

func TestTheRulerIsSilentWhereNoReturnIsKnown(t *testing.T) {
	l, err := New(kit.Config(t, "garnet", "gamma=0.9999"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if found := measure(t, heldOut(t, l), l); found.States != 0 || !math.IsNaN(found.ValueError) {
		t.Errorf("%+v", found)
	}
}

func TestMeasuringChangesNothingInTheRun(t *testing.T) {
	long(t)
	for preset, changes := range map[string]string{
		"cartpole": "steps=4000 lag=4", "laser-catch": "steps=2000", "t-maze": "steps=4000", "tiny": "steps=8000",
		"pendulum":    "steps=4000",
		"stacx-catch": "steps=1000", "vmpo": "steps=2000",
	} {
		cfg := kit.Config(t, preset, changes)
		want := train(t, cfg, Hooks{})
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		h, last := heldOut(t, l), Judgement{}
		got, err := l.Run(t.Context(), Hooks{Update: func(u *telemetry.Update) {
			if u.Update%8 == 1 {
				last = measure(t, h, l)
			}
		}})
		if err != nil || !equal(got, want) {
			t.Errorf("%s: measured it came to %+v (%v), else to %+v", preset, got, err, want)
		}
		if last.States == 0 || !(last.ValueError > 0) || math.IsInf(last.ValueError, 0) {
			t.Errorf("%s: %+v is no measurement", preset, last)
		}
		if again := measure(t, h, l); again != measure(t, heldOut(t, l), l) {
			t.Errorf("%s: the same parameters are measured differently", preset)
		}
	}
}

func BenchmarkHeldOut(b *testing.B) {
	for _, preset := range []string{"cartpole", "breakout", "t-maze"} {
		b.Run(preset, func(b *testing.B) {
			cfg, err := hyper.FromPreset(preset)
			if err != nil {
				b.Fatal(err)
			}
			l, err := New(cfg)
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			h, err := NewHeldOut(&cfg, l.machine.Spec)
			if err != nil {
				b.Fatal(err)
			}
			if err := h.Begin(l.machine.Theta, []float32{0}, []float32{1}, &cfg); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				h.Play()
			}
			b.ReportMetric(float64(b.N*heldOutPart*len(h.copies))/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
