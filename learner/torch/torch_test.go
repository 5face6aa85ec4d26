package torch

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/correct"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// python returns a Python that has NumPy. tools/numpy.sh installs Debian's.
func python(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a page of each form runs for many seconds; without -short")
	}
	for _, path := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(t.Context(), path, "-c", "import numpy").Run() == nil {
			return path
		}
	}
	if os.Getenv("NEED_NUMPY") != "" {
		t.Fatal("there is no python3 with NumPy, and NEED_NUMPY is set")
	}
	t.Skip("there is no python3 with NumPy")
	return ""
}

// array is numbers and their shape, as testdata/follow.py reads them.
type array struct {
	of    any
	shape []int
}

func (a array) MarshalJSON() ([]byte, error) { return json.Marshal([]any{a.of, a.shape}) }

// followed is a page with the learner's parameters before and after each of some updates, and their batches.
type followed struct {
	cfg    hyper.Config
	start  []float32
	after  [][]float32
	inputs map[string]any
}

const updates = 3

// learn makes updates of random batches. An older policy played them, and each trajectory has an end; in a world with a
// limit of time it has a cut too.
func learn(t *testing.T, cfg hyper.Config) *followed {
	t.Helper()
	m, err := algo.NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	f := &followed{cfg: cfg, start: slices.Clone(m.Theta)}
	var learner algo.Algorithm = algo.NewImpala(m, &cfg)
	switch cfg.Algo {
	case hyper.A2C:
		learner = algo.NewA2C(m, &cfg)
	case hyper.Laser:
		learner = algo.NewLaser(m, &cfg)
	}
	var batches []any
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	for n := range updates {
		b := random(&cfg, &m.Spec, uint64(n), world.Limit > 0)
		lr := cfg.LearningRate
		steps := n * cfg.Advance()
		if cfg.Anneal == hyper.AnnealLinear {
			lr *= 1 - float64(steps)/float64(cfg.Steps)
		}
		batches = append(batches, map[string]any{"batch": arrays(b, &m.Spec), "n": n + 1, "steps": steps})
		if err := learner.Update(b, &cfg, lr, uint64(n), nil); err != nil {
			t.Fatal(err)
		}
		f.after = append(f.after, slices.Clone(m.Theta))
	}
	f.inputs = map[string]any{"theta": f.start, "updates": batches}
	if m.Spec.Policy == net.Softmax {
		f.inputs["long"] = true
	}
	return f
}

// random is a batch of random numbers.
func random(cfg *hyper.Config, spec *net.Spec, seed uint64, cuts bool) *traj.Batch {
	r := envs.NewRand(seed+1, 0)
	b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, spec.Shape())
	b.Begin()
	for i := range cfg.BatchSize {
		u := traj.NewUnroll(cfg.UnrollLen, spec.Shape())
		for _, x := range [][]float32{u.Obs, u.State, u.Real, u.Reward} {
			for k := range x {
				x[k] = float32(r.Norm())
			}
		}
		for step := range u.T {
			mu := u.Mu[step*u.Actions:][:u.Actions]
			for k := range mu {
				mu[k] = float32(r.Norm()) / 2
			}
			if u.Reals > 0 {
				for k := u.Reals; k < len(mu); k++ {
					mu[k] = float32(math.Exp(float64(mu[k]))) // a deviation
				}
				continue
			}
			correct.LogSoftmax(mu, mu, len(mu))
			u.Action[step] = int32(r.IntN(len(mu)))
		}
		u.End[i%(u.T-1)] = uint8(envs.Terminated)
		if at := (i + 2) % u.T; cuts && at != i%(u.T-1) {
			u.End[at] = uint8(envs.Truncated)
			for k := range u.Cut(at) {
				u.Cuts[0].Obs[k] = float32(r.Norm())
			}
		}
		b.SetColumn(i, u, i >= cfg.Replayed())
	}
	return b
}

// arrays are the fields of a batch as a page describes them.
func arrays(b *traj.Batch, spec *net.Spec) map[string]array {
	T, B, n := b.T, b.B, b.T*b.B
	end, cut, online := make([]float32, n), make([]bool, n), make([]float32, B)
	keep := append(slices.Clone(b.Keep), make([]float32, B)...)
	for i, e := range b.End {
		if envs.End(e) == envs.Terminated {
			end[i] = 1
		}
	}
	for i := range B {
		keep[n+i] = 1
		if b.Online[i] {
			online[i] = 1
		}
	}
	at := make([]int, len(b.Cuts)) // a page has the cuts in the order of the steps
	for k := range at {
		at[k] = k
		cut[b.Cuts[k]] = true
	}
	slices.SortFunc(at, func(i, j int) int { return b.Cuts[i] - b.Cuts[j] })
	after := []float32{}
	for _, k := range at {
		after = append(after, b.Tail[(B+k)*b.Size:][:b.Size]...)
	}
	x := append(slices.Clone(b.Obs), b.Tail[:B*b.Size]...)
	all := map[string]array{
		"x": {x, []int{T + 1, B, b.Size}}, "mu": {b.Mu, []int{T, B, b.Actions}}, "r": {b.Reward, []int{T, B}},
		"end": {end, []int{T, B}}, "cut": {cut, []int{T, B}}, "online": {online, []int{B}}, "a": {b.Action, []int{T, B}},
		"state": {b.State, []int{B, b.States}}, "keep": {keep, []int{T + 1, B, 1}},
	}
	all["x_cut"] = array{after, []int{len(at), b.Size}}
	if spec.Reals() > 0 {
		all["a"] = array{b.Real, []int{T, B, b.Reals}}
	}
	return all
}

// page runs a page on the stored batches, and returns for each update how far its parameters are from the learner's, as
// a share of the parameters' way so far.
func (f *followed) page(t *testing.T, python, text string) (apart []float64) {
	t.Helper()
	f.inputs["page"] = text
	blob, err := json.Marshal(f.inputs)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "case.json")
	if err := os.WriteFile(path, blob, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), python, "testdata/follow.py", path)
	run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, said.String(), text)
	}
	var after [][]float64
	if err := json.Unmarshal(out, &after); err != nil {
		t.Fatal(err)
	}
	for n, theta := range after {
		off, way := 0.0, 0.0
		for i, x := range theta {
			start, learned := float64(f.start[i]), float64(f.after[n][i])
			off += (x - learned) * (x - learned)
			way += (learned - start) * (learned - start)
		}
		apart = append(apart, math.Sqrt(off/way))
	}
	return apart
}

// most is how far a page's parameters may be from the learner's: it computes in float64, and the learner in float32.
const most = 1e-4

// presets are written and followed in full.
var presets = []struct {
	name, preset, settings string
	lines                  int // of code, at most
}{
	{"CartPole", "cartpole", "", 47},
	{"Catch with LSTM", "catch", "lstm=16 feedback=on", 59},
	{"Breakout", "breakout", "", 47},
	{"Pendulum", "impala-pendulum", "", 63},
	{"reverse", "reverse", "", 45},
}

// The text itself runs beside the learner: after one update, and after three, its parameters are the learner's.
func TestAPageLearnsAsTheLearnerDoes(t *testing.T) {
	python := python(t)
	for _, c := range presets {
		t.Run(c.name, func(t *testing.T) {
			follows(t, python, kit.Config(t, c.preset, c.settings), c.lines)
		})
	}
}

func follows(t *testing.T, python string, cfg hyper.Config, lines int) {
	t.Helper()
	text, err := Text(&cfg, "a run")
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			code++
		}
	}
	if code > lines {
		t.Errorf("the page has %d lines of code, want at most %d", code, lines)
	}
	for n, apart := range learn(t, cfg).page(t, python, text) {
		if !(apart < most) {
			t.Errorf("after %d updates the page is %.2g of the way from the learner\n%s", n+1, apart, text)
			return
		}
	}
}

// Every form of the loss and of the optimiser that a page can say is followed, on small networks.
func TestAPageSaysEveryForm(t *testing.T) {
	python := python(t)
	const small = "hidden=6 unroll=5 batch=3 head-scale=1 opt-eps=0.001 "
	cases := []string{
		"cartpole algo=a2c lag=0", "cartpole optimiser=adam opt-form=tensorflow", "cartpole optimiser=adam",
		"cartpole opt-form=pytorch momentum=0.5", "cartpole momentum=0.9 opt-start=1 clip=0.1 lr=0.5", "cartpole reduce=sum",
		"cartpole anneal=linear steps=100 clip=inf", "cartpole mix=0.5 reward=clip", "cartpole reward=asymmetric lift=0.3",
		"cartpole reward=soft-asymmetric reward-scale=2 lift=-0.2 correction=trust-region trust=0.1 mix=0.5",
		"cartpole advantage=laser lambda=0.9 rho=0.7 c=0.8 rho-pg=2", "cartpole advantage=bootstrap gamma=0.5",
		"cartpole correction=leaky alpha=0.7 alpha-c=0.9 rho=0.5 c=0.5", "cartpole torsos=separate head-hidden=4",
		"cartpole correction=trust-region relevance=behaviour trust=0.1 rho=2 popart=on",
		"cartpole correction=taper taper=good taper-low=0.2", "cartpole correction=centred centre=bad",
		"cartpole correction=centred centre=good", "cartpole lstm=3 core-layers=2 torsos=separate reward-scale=1",
		"cartpole popart=fixed", "breakout head-hidden=4 torsos=separate feedback=on", "breakout torso=shallow hidden=none",
		"pendulum policy=tanh", "cartpole algo=laser mix=0.5 trust=0.1 lift=0.2",
		"cartpole algo=laser mix=0.5 trust=0.1 correction=none popart=on", "cartpole algo=laser correction=taper trust=0.05",
		"pendulum policy=gaussian torsos=separate correction=clip popart=on",
	}
	for _, row := range correct.Corrections {
		cfg := kit.Config(t, "cartpole", small+"correction="+row.Name)
		if Refuse(&cfg) == nil {
			cases = append(cases, "cartpole correction="+row.Name)
		}
	}
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c, " ", ","), func(t *testing.T) {
			preset, settings, _ := strings.Cut(c, " ")
			follows(t, python, kit.Config(t, preset, small+settings), 120)
		})
	}
}

// A page with one sign changed in its formulas is far from the learner, so the comparison can fail.
func TestAChangedSignIsSeen(t *testing.T) {
	python := python(t)
	cfg := kit.Config(t, "cartpole", "hidden=6 unroll=5 batch=3 head-scale=1")
	text, err := Text(&cfg, "a run")
	if err != nil {
		t.Fatal(err)
	}
	f := learn(t, cfg)
	for _, change := range [][2]string{
		{"policy_loss = -(", "policy_loss = ("}, {"- V[t]", "+ V[t]"}, {"+ discount[t] * c[t]", "- discount[t] * c[t]"},
		{"log_pi_a - b.mu", "log_pi_a + b.mu"}, {"p.sub_(lr * change)", "p.add_(lr * change)"},
		{"(m2 + 1e-05).sqrt()", "(m2.sqrt() + 1e-05)"},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Errorf("the page has no %s", change[0])
			continue
		}
		if apart := f.page(t, python, changed); slices.Max(apart) < 10*most {
			t.Errorf("%s: only %.2g apart", change[1], apart)
		}
	}
}

// Settings that a page cannot say are refused by name.
func TestWhatAPageCannotSayIsRefusedByName(t *testing.T) {
	for settings, want := range map[string]string{
		"cartpole algo=stac":                               "algo=stac is not written as PyTorch; only algo=impala, laser",
		"cartpole algo=vmpo reward-scale=1":                "algo=vmpo",
		"cartpole algo=laser mix=0.5 sampling=prioritised": "sampling=prioritised",
		"cartpole trxl=8":                                  "trxl=8",
		"breakout torso=deep":                              "torso=deep",
		"pixel-control":                                    "pixel-control=0.002",
		"tiny":                                             "popart=on with world=tiny",
		"cartpole correction=moment":                       "correction=moment",
		"cartpole correction=own":                          "correction=own",
		"cartpole correction=clip ratio=mean":              "ratio=mean",
		"pendulum policy=gaussian correction=trust-region": "correction=trust-region with policy=gaussian",
	} {
		preset, changes, _ := strings.Cut(settings, " ")
		cfg := kit.Config(t, preset, changes)
		if text, err := Text(&cfg, "a run"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s\n%s", settings, err, want, text)
		}
	}
	for _, p := range hyper.Presets { // each is written or refused, never a panic
		cfg := p.Config()
		if text, err := Text(&cfg, p.Name); (err == nil) != (text != "") {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	cfg := kit.Config(t, "cartpole", "")
	if _, err := Text(&cfg, "two\nlines"); err == nil {
		t.Error("a title of two lines is written")
	}
}
