package algo

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// tinyReal is tiny with an action of a real number, drawn from someone else's Gaussian.
func tinyReal(t *testing.T, changes string) (*hyper.Config, *Machine, *traj.Batch) {
	t.Helper()
	cfg := kit.Config(t, "pendulum", "hidden=5-4 unroll=6 batch=3 head-scale=1 clip=inf lr=0 reward-scale=1 "+
		"alpha=0.6 rho=1.2 c=0.9 lambda=0.95 "+
		"trust=0.5 relevance=behaviour entropy=0.3 value-cost=0.7 policy-cost=1.3 "+changes)
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return &cfg, m, batchOf(&cfg, m, func(r *envs.Rand, u *traj.Unroll, step int) {
		mean, sigma := 0.5*r.Norm(), 0.4+0.4*r.Float64()
		u.Mu[2*step], u.Mu[2*step+1] = float32(mean), float32(sigma)
		u.Real[step], u.Reward[step] = float32(mean+sigma*r.Norm()), float32(r.Norm())
	})
}

// look64 is the policies and values of a batch's rows at theta, in float64.
func look64(spec *net.Spec, theta []float64, b *traj.Batch) (p loss.Gaussian[float64], values []float64) {
	p = loss.Gaussian[float64]{Dims: spec.Reals(), Squash: spec.Policy == net.Tanh}
	for i := range b.T * b.B {
		raw, value := forward64(spec, theta, widened(b.Obs[i*b.Size:(i+1)*b.Size]))
		row := make([]float64, len(raw))
		correct.Gaussian(row, nil, raw, p.Dims, spec.Policy.Spread())
		p.Rows, values = append(p.Rows, row...), append(values, value)
	}
	return p, values
}

// actorCritic64 is the loss of IMPALA at theta, with a's targets, weights and mask held constant, its mean over the
// rows.
func actorCritic64(cfg *hyper.Config, a *rows, b *traj.Batch, theta []float64) float64 {
	p, values := look64(&a.m.Spec, theta, b)
	void, n := make([]float64, len(p.Rows)), float64(len(values))
	var counts []float64
	if a.inside != nil {
		counts = widened(a.inside)
	}
	return (cfg.PolicyCost*loss.GaussianPolicyGradient(void, p, widened(b.Real), widened(a.targets.Weight),
		widened(a.targets.Advantage), 0) +
		cfg.ValueCost*loss.Value(make([]float64, len(values)), values, widened(a.targets.VS), counts, 0) +
		cfg.Entropy*loss.GaussianEntropy(void, p, widened(a.online), 0)) / n
}

// agree holds a gradient against finite differences of f.
func agree(t *testing.T, name string, grad []float32, theta []float64, f func(theta []float64) float64) {
	t.Helper()
	const h = 1e-5
	for i, at := range theta {
		theta[i] = at + h
		up := f(theta)
		theta[i] = at - h
		down := f(theta)
		theta[i] = at
		if want, got := (up-down)/(2*h), float64(grad[i]); math.Abs(got-want) > 3e-4*(0.05+math.Abs(want)) {
			t.Errorf("%s: parameter %d has gradient %v, finite differences say %v", name, i, got, want)
		}
	}
}

func TestTheWholeUpdateOfAGaussianPolicyIsTheGradientOfItsLoss(t *testing.T) {
	for _, changes := range []string{
		"policy=gaussian", "policy=tanh", "policy=gaussian correction=trust-region", "policy=tanh correction=leaky",
		"policy=gaussian correction=none", "policy=tanh correction=clip", "policy=gaussian correction=taper ratio=mean",
		"policy=gaussian correction=moment moment=0.001 lift=0.3",
		"policy=tanh algo=laser correction=trust-region",
	} {
		cfg, m, batch := tinyReal(t, changes)
		impala := NewImpala(m, cfg)
		var learner Algorithm = impala
		a := impala.rows
		if cfg.Algo == "laser" {
			l := NewLaser(m, cfg)
			learner, a = l, l.rows
		}
		var out telemetry.Update
		if err := learner.Update(batch, cfg, 0, 0, &out); err != nil {
			t.Fatal(err)
		}
		if a.inside != nil && (out.Metrics[telemetry.Rejected] == 0 || out.Metrics[telemetry.Rejected] == 1) {
			t.Fatalf("%s: %v of the steps rejected: the mask is not tried", changes, out.Metrics[telemetry.Rejected])
		}
		agree(t, changes, m.grad, widened(m.Theta),
			func(theta []float64) float64 { return actorCritic64(cfg, a, batch, theta) })
	}
}

func TestTheWholeVMPOUpdateOfAGaussianPolicyIsTheGradientOfItsLoss(t *testing.T) {
	for _, changes := range []string{"policy=gaussian", "policy=tanh", "policy=gaussian kl=off"} {
		cfg, m, batch := tinyReal(t, "algo=vmpo eps-eta=0.05 target-every=3 dual-lr=0.01 "+changes)
		a := NewVMPO(m, cfg)
		for i := range a.target {
			a.target[i] *= 1.2
		}
		a.dual[1], a.dual[2] = 0.8, 1.7 // so that no one takes the one for the other
		old, _ := look64(&m.Spec, widened(a.target), batch)
		if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		alpha := a.last.KLWeight
		if cfg.KLBound == "off" {
			alpha = [maxParts]float64{}
		}
		agree(t, changes, m.grad, widened(m.Theta), func(theta []float64) float64 {
			p, values := look64(&m.Spec, theta, batch)
			void, kl, n := make([]float64, len(p.Rows)), make([]float64, len(values)), float64(len(values))
			return cfg.PolicyCost*loss.GaussianLikelihood(void, p, widened(batch.Real), widened(a.psi), 0) +
				(alpha[0]*loss.MeanDivergence(void, kl, old, p, 0)+alpha[1]*loss.SpreadDivergence(void, kl, old, p, 0)+
					cfg.ValueCost*loss.Value(kl, values, widened(a.targets.VS), nil, 0)+
					cfg.Entropy*loss.GaussianEntropy(void, p, widened(a.online), 0))/n
		})
	}
}

func TestBothMultipliersMoveTowardsTheirBounds(t *testing.T) {
	for _, c := range []struct {
		changes       string
		dMean, dSigma int
	}{
		{"eps-mean=100 eps-sigma=1e-9", -1, 1}, {"eps-mean=1e-9 eps-sigma=100", 1, -1}, {"kl=off", 0, 0},
	} {
		cfg, m, batch := tinyReal(t, "algo=vmpo policy=gaussian dual-lr=0.01 "+c.changes)
		a := NewVMPO(m, cfg)
		for i := range a.target {
			a.target[i] *= 1.2
		}
		if err := a.Update(batch, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		if sign(a.dual[1]-firstPartWeight) != c.dMean || sign(a.dual[2]-firstPartWeight) != c.dSigma {
			t.Errorf("%s: α_μ is %v and α_Σ is %v, want them moved by %d and %d", c.changes, a.dual[1], a.dual[2], c.dMean,
				c.dSigma)
		}
		if want := cfg.EpsTemperature - a.last.OfWeights; want == 0 || math.Abs(float64(a.slope[0])-want) > 1e-5 {
			t.Errorf("%s: the slope of η is %v, want %v", c.changes, a.slope[0], want)
		}
	}
}

// The metagradient is compared with whole updates under other metaparameters. θ' comes from the learner. The outer loss
// at θ' is computed in float64 with the targets and advantages of the first update, where STAC stops gradients.
func TestTheMetagradientOfAGaussianPolicyIsTheDerivativeOfTheWholeUpdate(t *testing.T) {
	for _, policy := range []string{"gaussian", "tanh"} {
		cfg, m, batch := tinyReal(t, "algo=stac correction=leaky lr=0.02 meta-lr=0 "+
			"tune=gamma-lambda-alpha-alphac-value-policy-entropy policy="+policy)
		s := NewStac(m, cfg)
		for k := range s.eta {
			s.eta[k] = 0.3*float32(k) - 0.5
		}
		theta := append([]float32(nil), m.Theta...)
		var memory [][]float32
		for _, x := range m.Opt.State() {
			memory = append(memory, append([]float32(nil), x...))
		}
		count := *m.Opt.Count()
		update := func() {
			copy(m.Theta, theta)
			for i, x := range m.Opt.State() {
				copy(x, memory[i])
			}
			*m.Opt.Count() = count
			if err := s.Update(batch, cfg, cfg.LearningRate, 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		update()
		slope := append([]float32(nil), s.slope...)
		fixed, _ := look64(&m.Spec, widened(theta), batch)
		now := s.outer
		frozen := &rows{common: &common{m: m}, online: slices.Clone(now.online), targets: &correct.Targets[float32]{
			VS: slices.Clone(now.targets.VS), Advantage: slices.Clone(now.targets.Advantage),
			Weight: slices.Clone(now.targets.Weight),
		}}
		outer := func(k int, eta float32) float64 {
			was := s.eta[k]
			s.eta[k] = eta
			update()
			s.eta[k] = was
			at := widened(m.Theta)
			p, _ := look64(&m.Spec, at, batch)
			return actorCritic64(cfg, frozen, batch, at) + cfg.OuterKL*loss.KLFromGaussian(make([]float64, len(p.Rows)), p,
				fixed, 0)/float64(batch.T*batch.B)
		}
		largest := 0.0
		for _, v := range slope {
			largest = max(largest, math.Abs(float64(v)))
		}
		for k, got := range slope {
			const h = 0.05
			x := s.eta[k]
			want := (8*(outer(k, x+h)-outer(k, x-h)) - outer(k, x+2*h) + outer(k, x-2*h)) / (12 * h)
			if math.Abs(float64(got)-want) > 5e-3*math.Abs(want)+2e-3*largest {
				t.Errorf("%s: metaparameter %d has slope %v, finite differences say %v", policy, k, got, want)
			}
		}
	}
}

func TestUpdatesOfAGaussianPolicyAllocateNothing(t *testing.T) {
	for _, changes := range []string{"algo=impala policy=gaussian", "algo=vmpo policy=gaussian", "algo=stac policy=tanh",
		"algo=laser policy=tanh"} {
		cfg, m, batch := tinyReal(t, changes)
		a, err := New(m, cfg)
		if err != nil {
			t.Fatal(err)
		}
		var out telemetry.Update
		now := uint64(0)
		update := func() {
			out = telemetry.Update{}
			if err := a.Update(batch, cfg, 1e-3, now, &out); err != nil {
				t.Fatal(err)
			}
			now++
		}
		update()
		if n := testing.AllocsPerRun(50, update); n != 0 {
			t.Errorf("%s: %v allocations an update", changes, n)
		}
	}
}
