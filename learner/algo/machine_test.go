package algo

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/envs"
	"impalab/envs/exact"
	"impalab/internal/kit"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// The values of a batch's Tail equal a network's that walks through each trajectory alone and evaluates its end and
// every cut, also with more rows than one chunk.
func TestTheTailContinuesFromTheLastStep(t *testing.T) {
	for _, settings := range []string{"batch=300 unroll=2", "batch=300 unroll=2 lstm=3", "batch=2 unroll=40 lstm=3"} {
		cfg, m, _ := learning(t, settings)
		r := envs.NewRand(31, 0)
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		strangers(b, &r)
		m.Forward(b)
		got := m.Tail(b)
		if len(got) != b.B+len(b.Cuts) || len(b.Cuts) < 3 {
			t.Fatalf("%s: %d values of %d cuts", settings, len(got), len(b.Cuts))
		}
		forward := net.NewForward(m.Spec, 1)
		look := func(obs, state []float32) float32 {
			_, values := forward.Run(m.Theta, obs[:b.Size], state, 1)
			return values[0]
		}
		for k := range b.B {
			state := slices.Clone(b.State[k*b.States:][:b.States])
			for step := range b.T {
				i := step*b.B + k
				if b.Keep[i] == 0 {
					clear(state)
				}
				look(b.Obs[i*b.Size:], state)
				if cut := slices.Index(b.Cuts, i); cut >= 0 {
					at := b.B + cut
					if want := look(b.Tail[at*b.Size:], slices.Clone(state)); math.Abs(float64(got[at]-want)) > 1e-5 {
						t.Fatalf("%s: cut %d is worth %v, want %v", settings, cut, got[at], want)
					}
				}
			}
			if want := look(b.Tail[k*b.Size:], state); math.Abs(float64(got[k]-want)) > 1e-5 {
				t.Fatalf("%s: the end of trajectory %d is worth %v, want %v", settings, k, got[k], want)
			}
		}
	}
}

// Of a suite, with PopArt: every row has its own task's value, in that task's units, and teaches that value alone.
func TestEveryTaskHasAValueOfItsOwn(t *testing.T) {
	cfg := kit.Config(t, "tiny", "hidden=8 unroll=3 batch=12 popart=on")
	cfg.LSTM, cfg.Feedback = 0, hyper.Off
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const tasks = 6
	stats := m.pop.stats
	if len(stats.Shift) != tasks || stats.Rate != 1e-4 || stats.Low != 1e-2 || stats.High != 1e6 { // as V-MPO
		t.Fatalf("%d tasks, rate %v, scales from %v to %v", len(stats.Shift), stats.Rate, stats.Low, stats.High)
	}
	for k := range tasks {
		stats.Shift[k], stats.Scale[k] = float32(k)-2, 1+float32(k)/2
		m.pop.layer.Bias(m.Theta)[m.pop.first+k] = 1 / float32(k+2)
	}
	r := envs.NewRand(32, 0)
	for round := range 2 {
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		b.Begin()
		for i := range b.B {
			u := traj.NewUnroll(b.T, b.Shape)
			u.Begin(0)
			u.Task = int32((i + i/tasks) % tasks * (1 - round)) // in the second round all play the first
			for j := range u.Obs {
				u.Obs[j] = float32(r.Norm())
			}
			if i%5 == 1 {
				u.End[1] = uint8(envs.Truncated)
				copy(u.Cut(1), u.Obs[b.Size/2:])
			}
			b.SetColumn(i, u, true)
		}
		forward := net.NewForward(m.Spec, 1)
		check := func(what string, i int, got float32, obs []float32, column int) {
			t.Helper()
			_, normal := forward.Run(m.Theta, obs[:b.Size], nil, 1)
			task := int(b.Task[column])
			want := stats.Scale[task]*normal[task] + stats.Shift[task]
			if math.Abs(float64(got-want)) > 1e-5 || m.RealValue(normal[task], task) != want {
				t.Fatalf("%s %d of task %d is worth %v, want %v", what, i, task, got, want)
			}
			if _, plain := forward.Run(m.Plain(), obs[:b.Size], nil, 1); math.Abs(float64(plain[task]-want)) > 1e-5 {
				t.Fatalf("%s %d of task %d: without PopArt it is worth %v, want %v", what, i, task, plain[task], want)
			}
		}
		logits, values := m.Forward(b)
		for i, v := range values {
			check("row", i, v, b.Obs[i*b.Size:], i%b.B)
		}
		for i, v := range m.Tail(b) {
			column := i
			if i >= b.B {
				column = b.Cuts[i-b.B] % b.B
			}
			check("tail", i, v, b.Tail[i*b.Size:], column)
		}
		ones, want := make([]float32, len(values)), make([]float32, tasks)
		for i := range ones {
			ones[i] = 1
			want[b.Task[i%b.B]] += 1 / stats.Scale[b.Task[i%b.B]]
		}
		bias := m.pop.layer.Bias(m.Backward(make([]float32, len(logits)), ones))[m.pop.first:]
		for k, w := range want {
			if math.Abs(float64(bias[k]-w)) > 1e-4 {
				t.Errorf("round %d: the value of task %d is pulled by %v, want %v", round, k, bias[k], w)
			}
		}
	}
}

func TestWithoutPopArtAValueIsWhatTheHeadSays(t *testing.T) {
	_, m, _, _ := tiny(t, "vtrace")
	if v := m.RealValue(0.7, 0); v != 0.7 {
		t.Errorf("0.7 reads as %v", v)
	}
}

// A table that begins as the soft optimal policy has logits Q*/Softness and no values.
func TestTheSoftOptimalPolicyIsTheSoftmaxOfQ(t *testing.T) {
	for _, name := range []string{"garnet", "cliff"} {
		cfg, m, _ := learning(t, "hidden=none init=soft-optimal gamma=0.9 world="+name)
		world, err := envs.New(name)
		if err != nil {
			t.Fatal(err)
		}
		p := exact.Of(world.(envs.Finite).MDP(), cfg.Gamma)
		q := make([]float64, p.States*p.Actions)
		if err := p.Optimal(q); err != nil {
			t.Fatal(err)
		}
		forward, seen := net.NewForward(m.Spec, 1), make([]float32, p.States)
		for s := range p.States {
			clear(seen)
			seen[s] = 1
			logits, values := forward.Run(m.Theta, seen, nil, 1)
			for k, z := range logits {
				want := q[s*p.Actions+k] / 0.05
				if math.Abs(float64(z)-want) > 1e-4*(1+math.Abs(want)) || values[0] != 0 {
					t.Fatalf("%s: logit %d of state %d is %v, want %v; its value %v", name, k, s, z, want, values[0])
				}
			}
		}
	}
}

// A machine is refused for what its network cannot be, in words that name the setting.
func TestAMachineThatCannotBeMadeSaysWhy(t *testing.T) {
	for changes, says := range map[string]string{
		"world=nowhere":                    "nowhere",
		"batch=0":                          "the network cannot be built",
		"world=cartpole init=soft-optimal": "finite",
		"world=t-maze init=soft-optimal":   "tell",
	} {
		cfg := kit.Config(t, "cartpole", "")
		cfg.Hidden = "none"
		for _, pair := range strings.Fields(changes) {
			switch key, value, _ := strings.Cut(pair, "="); key { // some past what Set allows
			case "world":
				cfg.World = value
			case "batch":
				cfg.BatchSize = 0
			default:
				if err := cfg.Set(key, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if m, err := NewMachine(graph.Lower, &cfg); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v, want something about %q", changes, m != nil, err, says)
		}
	}
}

// ε of the optimiser may be changed while it runs.
func TestTheOptimiserUsesTheEpsilonInForce(t *testing.T) {
	cfg, before, _, _ := tiny(t, "vtrace", "opt-eps=0.1")
	now, after, _, _ := tiny(t, "vtrace", "opt-eps=0.001")
	grad := make([]float32, len(before.Theta))
	for _, m := range []*Machine{before, after} {
		for i := range grad {
			grad[i] = 0.01
		}
		if _, err := m.Descend(grad, now, 0.1); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(before.Theta, after.Theta) || cfg.OptEps == now.OptEps {
		t.Error("a step with ε = 0.001 depends on what ε was before")
	}
}

// A machine stops when the run whose cores it uses is dropped.
func TestAMachineOfADroppedRunStops(t *testing.T) {
	_, m, _, b := tiny(t, "vtrace")
	cores := schedule.NewCores(1).Share("", 1)
	m.On(cores)
	cores.Acquire()
	cores.Close()
	if err := schedule.Catch(func() error { m.Forward(b); return nil }); !errors.Is(err, schedule.ErrClosed) {
		t.Errorf("it ended with %v", err)
	}
}

// Helpers stop when their machine is closed: with several learners first the replicas', the first machine going on.
func TestClosingStopsEveryHelper(t *testing.T) {
	before := runtime.NumGoroutine()
	cfg := kit.Config(t, "cartpole", "")
	cfg.UnrollLen, cfg.BatchSize, cfg.Learners = 64, 32, 4
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(m, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	several := a.(*DataParallel)
	r := envs.NewRand(33, 0)
	b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	strangers(b, &r)
	if err := several.Update(b, &cfg, 0.001, 3, &telemetry.Update{}); err != nil {
		t.Fatal(err)
	}
	with := runtime.NumGoroutine()
	if err := several.Close(); err != nil {
		t.Fatal(err)
	}
	share := several.members[0].batch
	was := slices.Clone(first(m.Forward(share)))
	for i := range m.Theta {
		m.Theta[i] *= 2
	}
	if slices.Equal(was, first(m.Forward(share))) {
		t.Error("the first machine was closed as well")
	}
	m.crew.Each(8, func(int) {})
	m.Close()
	m.Close() // nothing is left to close
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines of %d are left, there were %d", runtime.NumGoroutine(), with, before)
}

func first(logits, _ []float32) []float32 { return logits }
