package learner

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/net"
)

// inspecting runs a preset for some updates and looks at every batch, or does not; it gives the hash of the parameters.
func inspecting(t *testing.T, preset string, settings string, look func(*Learner)) string {
	t.Helper()
	cfg := kit.Config(t, preset, settings)
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

// Inspect changes no byte of the run, for every algorithm, network and policy.
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

// looked is everything about which a look may be wrong: networks with memory, several heads, real numbers, PopArt;
// replay, shares of several learners, a trust region; episodes that end and that are cut within an unroll.
var looked = map[string]string{
	"IMPALA":        "preset=lag-cliff world=cliff:limit=8 reward=clip",
	"LASER":         "preset=catch world=cliff:limit=8 algo=laser mix=0.5",
	"trust region":  "preset=catch world=cliff:limit=8 correction=trust-region trust=0.0001 relevance=behaviour lr=0.01",
	"STAC":          "preset=stac world=cliff:limit=8 meta-lr=0.1",
	"STACX":         "preset=stacx world=cliff:limit=8 meta-lr=0.1",
	"two learners":  "preset=catch world=cliff:limit=8 learners=2",
	"PopArt":        "preset=catch world=cliff:limit=8 popart=on",
	"memory":        "preset=catch world=cliff:limit=8 feedback=on lstm=4",
	"real numbers":  "preset=impala-pendulum world=pendulum:limit=8",
	"two controls":  "preset=impala-pendulum world=reacher:limit=8",
	"trusted reals": "preset=impala-pendulum world=reacher:limit=8 correction=trust-region relevance=behaviour",
}

// TestALookSaysWhatTheNetworkAndTheBatchSay works everything out again, a row at a time.
func TestALookSaysWhatTheNetworkAndTheBatchSay(t *testing.T) {
	for name, settings := range looked {
		t.Run(name, func(t *testing.T) {
			preset, settings, _ := strings.Cut(strings.TrimPrefix(settings, "preset="), " ")
			rows, cuts := 0, 0
			inspecting(t, preset, settings, func(l *Learner) {
				if l.updates < 3 {
					return
				}
				for column := range l.batch.B {
					in, err := l.Inspect(column)
					if err != nil {
						t.Fatal(err)
					}
					plain := plainly(l, column)
					plain.agrees(t, l, in)
					rows, cuts = rows+len(in.Value), cuts+plain.cuts
				}
			})
			if rows == 0 || cuts == 0 {
				t.Errorf("%d rows and %d cuts were looked at", rows, cuts)
			}
		})
	}
}

// plain is the network's outputs for one trajectory, without a batch: logits or numbers, and values.
type plain struct {
	column       int
	raw          [][]float32
	value, final []float32
	bootstrap    float32
	cuts         int
}

func plainly(l *Learner, column int) *plain {
	b, m := l.batch, l.machine
	forward, states := net.NewForward(m.Spec, 1), m.Spec.States()
	p := &plain{column: column, final: make([]float32, b.T)}
	state := slices.Clone(b.State[column*states:][:states])
	value := func(obs, state []float32) float32 {
		_, v := forward.Run(m.Theta, obs, slices.Clone(state), 1)
		return m.RealValue(v[0], 0)
	}
	for t := range b.T {
		row := t*b.B + column
		obs := b.Obs[row*b.Size:][:b.Size]
		raw, v := forward.Run(m.Theta, obs, state, 1)
		p.raw, p.value = append(p.raw, slices.Clone(raw)), append(p.value, m.RealValue(v[0], 0))
		if k := slices.Index(b.Cuts, row); k >= 0 {
			p.final[t] = value(b.Tail[(b.B+k)*b.Size:][:b.Size], state)
			p.cuts++
		}
		if envs.End(b.End[row]) != envs.Running {
			clear(state)
		}
	}
	p.bootstrap = value(b.Tail[column*b.Size:][:b.Size], state)
	return p
}

func (p *plain) agrees(t *testing.T, l *Learner, in *Inspected) {
	t.Helper()
	b, spec, cfg := l.batch, &l.machine.Spec, &in.Config
	near := func(what string, at int, got, want float32) {
		t.Helper()
		if !(math.Abs(float64(got-want)) <= 2e-4*(1+math.Abs(float64(want)))) {
			t.Errorf("column %d, step %d: %s is %v, want %v", p.column, at, what, got, want)
		}
	}
	if in.Online != b.Online[p.column] || in.Version != b.Version[p.column] || cfg.BatchSize != l.cfg.BatchSize ||
		cfg.Learners != l.cfg.Learners {
		t.Errorf("column %d: online %v, version %d, batch of %d for %d learners", p.column, in.Online, in.Version,
			cfg.BatchSize, cfg.Learners)
	}
	if tunes := cfg.Algorithm().TunesItself; (cfg.Gamma != l.cfg.Gamma) != tunes {
		t.Errorf("γ in force is %v, set to %v", cfg.Gamma, l.cfg.Gamma)
	}
	masks := cfg.Algorithm().Masks || cfg.Correction == correct.MethodTrustRegion
	k, n := spec.Actions, spec.Reals()
	if envs.End(b.End[(b.T-1)*b.B+p.column]) == envs.Running { // else it counts for nothing
		near("V(x_T)", b.T, in.Bootstrap, p.bootstrap)
	}
	for s := range b.T {
		row := s*b.B + p.column
		mu := b.Mu[row*k:][:k]
		near("V", s, in.Value[s], p.value[s])
		near("V where it was cut", s, in.Final[s], p.final[s])
		near("the reward", s, in.Reward[s], float32(cfg.Reward.Of(float64(b.Reward[row]))*cfg.RewardScale))
		if in.End[s] != b.End[row] {
			t.Errorf("step %d ends with %d", s, in.End[s])
		}
		pi, ratio := make([]float32, k), make([]float32, 1)
		mask, kl := make([]float32, 1), make([]float32, 1)
		if n == 0 {
			correct.LogSoftmax(pi, p.raw[s], k)
			correct.RatiosFromLog(ratio, pi, mu, b.Action[row:row+1], k)
			correct.TrustMask(mask, kl, pi, mu, k, float32(cfg.RhoBar), float32(cfg.TrustKL), cfg.Relevance)
			if in.Action[s] != b.Action[row] || !slices.Equal(in.Behaviour[s*k:][:k], mu) {
				t.Errorf("step %d: action %d, μ %v", s, in.Action[s], in.Behaviour[s*k:][:k])
			}
			for j := range k {
				near("log π", s, in.Target[s*k+j], pi[j])
			}
		} else {
			draw := b.Real[row*n:][:n]
			correct.Gaussian(pi, nil, p.raw[s], n, spec.Policy.Spread())
			correct.GaussianRatios(ratio, pi, mu, draw, n)
			correct.GaussianMask(mask, kl, pi, mu, n, float32(cfg.RhoBar), float32(cfg.TrustKL), cfg.Relevance)
			if !slices.Equal(in.Real[s*n:][:n], draw) || !slices.Equal(in.MuRows[s*k:][:k], mu) {
				t.Errorf("step %d: drawn %v with %v", s, in.Real[s*n:][:n], in.MuRows[s*k:][:k])
			}
			for j := range k {
				near("a number of π", s, in.PiRows[s*k+j], pi[j])
			}
		}
		near("π/μ", s, in.Ratio[s], ratio[0])
		switch {
		case !masks && (in.Mask != nil || in.KL != nil):
			t.Errorf("there is no trust region, and a mask %v", in.Mask)
		case masks:
			near("KL", s, in.KL[s], kl[0])
			if math.Abs(float64(kl[0])-cfg.TrustKL) > 1e-3*cfg.TrustKL && in.Mask[s] != mask[0] {
				t.Errorf("step %d: the mask is %v at a divergence of %v", s, in.Mask[s], kl[0])
			}
		}
	}
	if have, want := len(in.Action)*max(1, k), len(in.Target); n == 0 && (have != want || in.Real != nil) ||
		n > 0 && (in.Action != nil || in.Target != nil) {
		t.Errorf("%d actions, %d of log π, %d real numbers", len(in.Action), len(in.Target), len(in.Real))
	}
}

// TestInspectRefusesNumbersThatAreNotFinite spoils the network's last layer in every way.
func TestInspectRefusesNumbersThatAreNotFinite(t *testing.T) {
	inspecting(t, "lag-cliff", "", func(l *Learner) {
		if l.updates != 2 {
			return
		}
		layers, theta := l.machine.Spec.Layers(), l.machine.Theta
		heads, healthy := layers[len(layers)-1].Bias(theta), slices.Clone(theta)
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			heads[l.machine.Spec.Actions] = float32(bad) // the value
			if in, err := l.Inspect(0); err == nil || !strings.Contains(err.Error(), "not finite at step 0") {
				t.Errorf("with a value of %v: %+v, %v", bad, in, err)
			}
			copy(theta, healthy)
		}
		heads[0] = float32(math.NaN()) // the policy
		if in, err := l.Inspect(0); err == nil || !strings.Contains(err.Error(), "not finite at step 0") {
			t.Errorf("without a policy: %+v, %v", in, err)
		}
		copy(theta, healthy)
	})
}

// If an algorithm has no ratios to inspect, a sentence says so.
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
