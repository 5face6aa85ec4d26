package learner

import (
	"context"
	"math"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/net"
)

// inspecting runs a preset for some updates and looks at every batch, or does not; it gives the hash of the parameters.
func inspecting(t *testing.T, preset string, settings string, look func(*Learner)) string {
	t.Helper()
	cfg, err := hyper.FromPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range strings.Fields(settings) {
		key, value, _ := strings.Cut(pair, "=")
		if err := cfg.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Steps = uint64(6 * cfg.Fresh() * cfg.UnrollLen)
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(context.Background(), Hooks{Between: func(l *Learner) error { look(l); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return result.ParamsSHA256
}

// A look changes no byte of what is learned, whatever the algorithm, the network and the policy.
func TestALookChangesNothing(t *testing.T) {
	for name, c := range map[string][2]string{
		"IMPALA": {"lag-cliff", ""}, "LASER": {"catch", "algo=laser correction=trust-region mix=0.5"}, "STAC": {"stac", ""},
		"two learners": {"catch", "learners=2"}, "PopArt": {"catch", "popart=on"}, "memory": {"t-maze", ""},
		"real numbers": {"impala-pendulum", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			looked := 0
			seen := inspecting(t, c[0], c[1], func(l *Learner) {
				for column := range l.batch.B {
					in, err := l.Inspect(column)
					switch {
					case l.updates == 0 && err == nil:
						t.Error("there is something to look at before the first update")
					case l.updates > 0 && err != nil:
						t.Error(err)
					case err == nil:
						looked++
						if len(in.Ratio) != l.cfg.UnrollLen || in.Update != l.updates || in.Version > in.Update {
							t.Errorf("%d ratios of %d, update %d of %d, μ's %d", len(in.Ratio), l.cfg.UnrollLen, in.Update, l.updates,
								in.Version)
						}
					}
				}
			})
			if looked == 0 {
				t.Error("nothing was looked at")
			}
			if unseen := inspecting(t, c[0], c[1], func(*Learner) {}); seen != unseen {
				t.Errorf("parameters %s with a look, %s without", seen, unseen)
			}
		})
	}
}

// What a look says are the numbers that the plain network gives for the observations in the batch.
func TestALookSaysWhatTheNetworkSays(t *testing.T) {
	inspecting(t, "lag-cliff", "", func(l *Learner) {
		if l.updates == 0 {
			return
		}
		in, err := l.Inspect(3)
		if err != nil {
			t.Fatal(err)
		}
		b, forward := l.batch, net.NewForward(l.machine.Spec, 1)
		for s := range b.T {
			row := s*b.B + 3
			logits, value := forward.Run(l.machine.Theta, b.Obs[row*b.Size:(row+1)*b.Size], nil, 1)
			total := 0.0
			for _, z := range logits {
				total += math.Exp(float64(z))
			}
			logPi := float64(logits[b.Action[row]]) - math.Log(total)
			ratio := math.Exp(logPi - float64(b.Mu[row*b.Actions+int(b.Action[row])]))
			if math.Abs(float64(in.Value[s])-float64(value[0])) > 1e-4 || math.Abs(float64(in.Ratio[s])-ratio) > 1e-4 {
				t.Errorf("step %d: V %v and ratio %v; the network says %v and %v", s, in.Value[s], in.Ratio[s], value[0], ratio)
			}
		}
	})
}

// Where there is no ratio to look at, a sentence says so.
func TestWithoutRatiosThereIsASentence(t *testing.T) {
	for preset, want := range map[string]string{"vmpo": "V-MPO has no V-trace", "catch": "A2C corrects nothing"} {
		settings := ""
		if preset == "catch" {
			settings = "algo=a2c lag=0"
		}
		inspecting(t, preset, settings, func(l *Learner) {
			if _, err := l.Inspect(0); l.updates > 0 && (err == nil || !strings.HasPrefix(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", preset, err, want)
			}
		})
	}
}
