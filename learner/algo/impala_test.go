package algo

import (
	"math"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// tiny is a configuration whose every parameter can be tried, on a batch that someone else's policy played.
func tiny(t *testing.T, correction string, changes ...string) (*hyper.Config, *Machine, *Impala, *traj.Batch) {
	t.Helper()
	cfg := kit.Config(t, "cartpole", "hidden=5-4 unroll=6 batch=3 head-scale=1 clip=inf lr=0 alpha=0.6 rho=1.2 c=0.9 "+
		"lambda=0.95 trust=0.02 entropy=0.3 value-cost=0.7 policy-cost=1.3 correction="+correction+" "+
		strings.Join(changes, " "))
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return &cfg, m, NewImpala(m, &cfg), batchOf(&cfg, m, func(r *envs.Rand, u *traj.Unroll, step int) {
		p := 0.1 + 0.8*r.Float64()
		u.Mu[2*step], u.Mu[2*step+1] = float32(math.Log(p)), float32(math.Log(1-p))
		u.Action[step], u.Reward[step] = int32(r.IntN(2)), float32(r.Norm())
	})
}

// batchOf is a batch of random observations, with an end and a cut in each unroll. play plays a step. The middle
// trajectory is replayed, so its entropy does not count.
func batchOf(cfg *hyper.Config, m *Machine, play func(r *envs.Rand, u *traj.Unroll, step int)) *traj.Batch {
	r := envs.NewRand(7, 0)
	batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	batch.Begin()
	for b := range cfg.BatchSize {
		u := traj.NewUnroll(cfg.UnrollLen, m.Spec.Shape())
		for i := range u.Obs {
			u.Obs[i] = float32(r.Norm())
		}
		for step := range u.T {
			play(&r, u, step)
		}
		u.End[2] = uint8(envs.Terminated)
		u.End[4] = uint8(envs.Truncated)
		for i := range u.Cut(4) {
			u.Cuts[0].Obs[i] = float32(r.Norm())
		}
		batch.SetColumn(b, u, b != 1)
	}
	return batch
}

// forward64 is the network in float64, as printed.
func forward64(spec *net.Spec, theta, x []float64) (logits []float64, value float64) {
	layers := spec.Layers()
	for i, l := range layers {
		y := make([]float64, l.Out)
		for o := range y {
			y[o] = theta[l.B+o]
			for j, v := range x {
				y[o] += v * theta[l.W+j*l.Out+o]
			}
			if i < len(layers)-1 && l.Act == kernel.Tanh {
				y[o] = math.Tanh(y[o])
			}
		}
		x = y
	}
	return x[:spec.Actions], x[spec.Actions]
}

// loss64 is the whole loss at theta, with the targets, weights and advantages of the update held constant.
func loss64(cfg *hyper.Config, a *Impala, b *traj.Batch, masked bool, theta []float64) float64 {
	correction := correct.Corrections[cfg.Correction]
	total, n := 0.0, float64(b.T*b.B)
	for i := range b.T * b.B {
		x := make([]float64, b.Size)
		for j := range x {
			x[j] = float64(b.Obs[i*b.Size+j])
		}
		logits, value := forward64(&a.m.Spec, theta, x)
		logPi := make([]float64, len(logits))
		correct.LogSoftmax(logPi, logits, len(logits))
		score := logPi[b.Action[i]]
		if correction.LogEpsilon > 0 {
			score = math.Log(math.Exp(score) + correction.LogEpsilon)
		}
		m := 1.0
		if masked {
			m = float64(a.mask[i])
		}
		total -= cfg.PolicyCost * float64(a.targets.Weight[i]) * float64(a.targets.Advantage[i]) * score
		if correction.Centred && cfg.Centre.Has(float64(a.targets.Advantage[i])) {
			for act, lp := range logPi {
				mu := math.Exp(float64(b.Mu[i*b.Actions+act]))
				total += cfg.PolicyCost * float64(a.targets.Weight[i]) * float64(a.targets.Advantage[i]) * mu * lp
			}
		}
		total += cfg.ValueCost * m * (float64(a.targets.VS[i]) - value) * (float64(a.targets.VS[i]) - value)
		if b.Online[i%b.B] {
			for _, lp := range logPi {
				total += cfg.Entropy * m * math.Exp(lp) * lp
			}
		}
	}
	return total / n
}

func TestTheWholeUpdateIsTheGradientOfItsLoss(t *testing.T) {
	type row struct {
		correct.Correction
		centre string
	}
	centred := correct.Corrections[correct.MethodCentred]
	rows := []row{{centred, "bad"}, {centred, "good"}}
	for _, c := range correct.Corrections {
		rows = append(rows, row{c, "all"})
	}
	for _, c := range rows {
		cfg, m, a, batch := tiny(t, c.Name, "centre="+c.centre)
		var out telemetry.Update
		if err := a.Update(batch, cfg, 0, 0, &out); err != nil {
			t.Fatal(err)
		}
		if c.TrustRegion && (out.Metrics[telemetry.Rejected] == 0 || out.Metrics[telemetry.Rejected] == 1) {
			t.Fatalf("%s rejects %v of the steps: the mask is not tried", c.Name, out.Metrics[telemetry.Rejected])
		}
		theta := make([]float64, len(m.Theta))
		for i, v := range m.Theta {
			theta[i] = float64(v)
		}
		const h = 1e-5
		for i := range theta {
			at := theta[i]
			theta[i] = at + h
			up := loss64(cfg, a, batch, c.TrustRegion, theta)
			theta[i] = at - h
			down := loss64(cfg, a, batch, c.TrustRegion, theta)
			theta[i] = at
			if want, got := (up-down)/(2*h), float64(m.grad[i]); math.Abs(got-want) > 2e-4*(0.05+math.Abs(want)) {
				t.Errorf("%s: parameter %d has gradient %v, finite differences say %v", c.Name, i, got, want)
			}
		}
	}
}

func TestAnEpisodeCutByTimeBootstrapsFromWhereItWasCut(t *testing.T) {
	cfg, m, a, batch := tiny(t, "vtrace")
	if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	row := 4*batch.B + 0 // step 4 of the first unroll
	final := make([]float64, batch.Size)
	for i := range final {
		final[i] = float64(batch.Tail[batch.B*batch.Size+i])
	}
	theta := make([]float64, len(m.Theta))
	for i, v := range m.Theta {
		theta[i] = float64(v)
	}
	_, v := forward64(&m.Spec, theta, final)
	want := float64(batch.Reward[row])*cfg.RewardScale + cfg.Gamma*v
	if got := float64(a.reward[row]); math.Abs(got-want) > 1e-5 || a.discount[row] != 0 {
		t.Errorf("reward %v and discount %v, want %v and 0", got, a.discount[row], want)
	}
	if ended := 2 * batch.B; a.discount[ended] != 0 || a.reward[ended] != batch.Reward[ended]*float32(cfg.RewardScale) {
		t.Error("an episode that ended must not bootstrap")
	}
}

func TestAnUpdateAllocatesNothing(t *testing.T) {
	for _, arithmetic := range []string{"auto", kernel.Plain} {
		if _, err := kernel.In(arithmetic); err != nil && arithmetic == kernel.Plain {
			continue // this machine's has another name
		}
		cfg, _, a, batch := tiny(t, "trust-region", "arithmetic="+arithmetic)
		var out telemetry.Update
		if err := a.Update(batch, cfg, 1e-3, 0, &out); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(50, func() { out = telemetry.Update{}; a.Update(batch, cfg, 1e-3, 0, &out) }); n != 0 {
			t.Errorf("%s: %v allocations an update", arithmetic, n)
		}
	}
}
