package algo

import (
	"math"
	"testing"

	"impalab/envs"
	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// tinyStac is STAC on tiny's network and batch, with metaparameters away from the ends of the sigmoid.
func tinyStac(t *testing.T, settings ...string) (*hyper.Config, *Stac, *traj.Batch) {
	t.Helper()
	cfg, _, _, batch := tiny(t, "leaky", "algo=stac")
	for i := 0; i < len(settings); i += 2 {
		if err := cfg.Set(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	m, err := NewMachine(graph.Lower, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	s := NewStac(m, cfg)
	for k := range s.eta {
		s.eta[k] = 0.3*float32(k%10) - 0.5
	}
	return cfg, s, batch
}

// netModel is the network as printed, in dual numbers, on the rows of a batch and then of its tail.
func netModel(spec *net.Spec, b *traj.Batch) model {
	layers := spec.Layers()
	return func(theta []dual, head, row int) ([]dual, dual) {
		obs := b.Obs
		if n := b.T * b.B; row >= n {
			obs, row = b.Tail, row-n
		}
		x := make([]dual, b.Size)
		for i := range x {
			x[i].v = float64(obs[row*b.Size+i])
		}
		outs := make([][]dual, len(layers))
		for i, l := range layers {
			if l.Kind == net.Join {
				for _, from := range l.From {
					outs[i] = append(outs[i], outs[from]...)
				}
				continue
			}
			if from := l.From[0]; from != net.Observation {
				x = outs[from]
			}
			y := append([]dual(nil), theta[l.B:l.B+l.Out]...)
			for o := range y {
				for j, v := range x {
					y[o] = y[o].plus(v.times(theta[l.W+j*l.Out+o]))
				}
				if l.Act == kernel.Tanh {
					y[o] = y[o].tanh()
				}
			}
			outs[i] = y
		}
		x = outs[len(layers)-1][head*(spec.Actions+1):]
		return append([]dual(nil), x[:spec.Actions]...), x[spec.Actions]
	}
}

func wide(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// twinOf is the batch as the twin takes it.
func twinOf(b *traj.Batch, cfg *hyper.Config) *twinBatch {
	w := &twinBatch{T: b.T, B: b.B, A: b.Actions, action: b.Action, cuts: b.Cuts, scale: 1 / float64(b.T*b.B), literal: 1,
		rhoBar: cfg.RhoBar, cBar: cfg.CBar, rPG: cfg.PGRhoBar()}
	if cfg.Reduce == "sum" {
		w.scale = 1
	}
	for i, r := range b.Reward {
		w.reward = append(w.reward, float64(r)*float64(float32(cfg.RewardScale)))
		w.mu = append(w.mu, math.Exp(float64(b.Mu[i*b.Actions+int(b.Action[i])])))
		goes, online := 1.0, 0.0
		if envs.End(b.End[i]) == envs.Terminated {
			goes = 0
		}
		if b.Online[i%b.B] {
			online = 1
		}
		w.goes, w.online = append(w.goes, goes), append(w.online, online)
	}
	return w
}

// frozen is the outer loss at other parameters, with base's targets and advantages: STAC's stop-gradient.
func frozen(x, base *twinHead, from []float64, b *twinBatch, zeta loss.Meta, kl float64) float64 {
	total := 0.0
	for i, a := range b.action {
		total -= zeta[loss.MetaPolicyCost] * base.targets.Weight[i] * base.targets.Advantage[i] * x.logPi[i*b.A+int(a)]
		total += zeta[loss.MetaValueCost] * (base.targets.VS[i] - x.value[i]) * (base.targets.VS[i] - x.value[i])
		for j := range b.A {
			lp := x.logPi[i*b.A+j]
			total += math.Exp(lp) * (zeta[loss.MetaEntropyCost]*b.online[i]*lp + kl*(lp-from[i*b.A+j]))
		}
	}
	return total * b.scale
}

func TestTheMetagradientIsTheDerivativeOfTheWholeUpdate(t *testing.T) {
	for _, settings := range [][]string{
		{"optimiser", "rmsprop", "clip", "inf"},
		{"optimiser", "rmsprop", "clip", "0.05", "opt-start", "1", "correction", "vtrace"},
		{"optimiser", "rmsprop", "clip", "inf", "reduce", "sum", "outer-kl", "0"},
		{"optimiser", "adam", "clip", "inf", "opt-eps", "1e-5"},
		{"algo", "stacx", "heads", "3", "optimiser", "rmsprop", "clip", "0.03", "opt-start", "1"},
		{"algo", "stacx", "heads", "2", "optimiser", "adam", "clip", "inf", "opt-eps", "1e-5"},
		{"algo", "stacx", "heads", "2", "head-hidden", "3", "optimiser", "rmsprop", "clip", "0.03", "opt-start", "1"},
	} {
		cfg, s, batch := tinyStac(t, append(settings, "lr", "0.02", "meta-lr", "0", "tune",
			"gamma-lambda-alpha-alphac-value-policy-entropy")...)
		m := s.m
		if err := s.Update(batch, cfg, cfg.LearningRate, 0, nil); err != nil { // so that the optimiser remembers something
			t.Fatal(err)
		}
		theta, state, count := wide(m.Theta), m.Opt.State(), *m.Opt.Count()
		first, second := wide(state[0]), wide(state[1])
		if err := s.Update(batch, cfg, cfg.LearningRate, 1, nil); err != nil {
			t.Fatal(err)
		}

		f, b := netModel(&m.Spec, batch), twinOf(batch, cfg)
		step := rmsprop(cfg.LearningRate, cfg.OptDecay, cfg.OptEps)
		if cfg.Optimiser == "adam" {
			step = func(theta, mean, grad, slope []float64) {
				v, k := append([]float64(nil), second...), count+1
				oracle.StepAdam(theta, mean, v, grad, cfg.LearningRate, cfg.Beta1, cfg.Beta2, cfg.OptEps, k)
				optim.JacobianAdam(slope, mean, v, grad, cfg.LearningRate, cfg.Beta1, cfg.Beta2, cfg.OptEps,
					1-math.Pow(cfg.Beta1, float64(k)), 1-math.Pow(cfg.Beta2, float64(k)))
			}
		}
		outer := loss.Meta{cfg.Gamma, cfg.Lambda, cfg.LeakRho, cfg.CLeak(), cfg.ValueCost, cfg.PolicyCost, cfg.Entropy}
		if cfg.Correction == correct.MethodVTrace {
			outer[loss.MetaLeakRho], outer[loss.MetaLeakC] = 1, 1
		}
		within := func(raw []float64) (zetas, chains []loss.Meta) {
			for h := range len(raw) / loss.Metas {
				var zeta, chain loss.Meta
				for k, x := range raw[h*loss.Metas:][:loss.Metas] {
					of := 1.0
					if k >= loss.MetaValueCost {
						of = outer[k]
					}
					share, slope := loss.Squash(x)
					zeta[k], chain[k] = share*of, slope*of
				}
				zetas, chains = append(zetas, zeta), append(chains, chain)
			}
			return zetas, chains
		}
		raw := wide(s.eta)
		zetas, chains := within(raw)
		base := iterate(f, theta, first, zetas, outer, b, step, cfg.Clip)
		if short := oracle.ClipNorm(append([]float64(nil), base.grad...), cfg.Clip); math.IsInf(cfg.Clip,
			1) == (short > cfg.Clip) {
			t.Fatalf("%v: a gradient of norm %v does not try the clip", settings, short)
		}
		value := func(k int, x float64) float64 {
			at := append([]float64(nil), raw...)
			at[k] = x
			zetas, _ := within(at)
			w := iterate(f, theta, first, zetas, outer, b, step, cfg.Clip)
			return frozen(w.outer, base.outer, base.heads[0].logPi, b, outer, cfg.OuterKL)
		}
		// A float32 sum of terms that nearly cancel is only as exact as the terms: the largest slope sets the floor.
		largest := 0.0
		for i := range raw {
			head, k := i/loss.Metas, i%loss.Metas
			largest = max(largest, math.Abs(chains[head][k]*(base.byOuter[head][k]+cfg.OuterKL*base.byKL[head][k])))
		}
		for i := range raw {
			const h = 1e-4
			want := (8*(value(i, raw[i]+h)-value(i, raw[i]-h)) - value(i, raw[i]+2*h) + value(i, raw[i]-2*h)) / (12 * h)
			head, k := i/loss.Metas, i%loss.Metas
			got := chains[head][k] * (base.byOuter[head][k] + cfg.OuterKL*base.byKL[head][k])
			if !(math.Abs(got-want) <= 1e-4*math.Abs(want)+1e-12) {
				t.Errorf("%v: head %d, metaparameter %d in float64: %v, finite differences say %v", settings, head, k, got, want)
			}
			if got := float64(s.slope[i]); !(math.Abs(got-want) <= 2e-3*math.Abs(want)+1e-4*largest) {
				t.Errorf("%v: head %d, metaparameter %d as the learner has it: %v, finite differences say %v", settings, head, k,
					got, want)
			}
		}
	}
}

func TestWithNothingTunedStacIsImpala(t *testing.T) {
	for _, correction := range []string{"leaky", "vtrace"} { // vtrace has no leak, whatever the setting says
		cfg, s, batch := tinyStac(t, "tune", "none", "lr", "0.02", "correction", correction)
		own, m, a, _ := tiny(t, correction)
		for now := range uint64(5) {
			if err := s.Update(batch, cfg, 0.02, now, nil); err != nil {
				t.Fatal(err)
			}
			if err := a.Update(batch, own, 0.02, now, nil); err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range m.Theta {
			if s.m.Theta[i] != v {
				t.Fatalf("%s: parameter %d is %v, IMPALA's is %v", correction, i, s.m.Theta[i], v)
			}
		}
	}
}

// Every metaparameter begins at σ(meta-init), of its setting where that is a cost; one leak stands for both.
func TestMetaparametersBeginWhereTheSettingSays(t *testing.T) {
	cfg, m, _, batch := tiny(t, "leaky", "algo=stac", "meta-init=2", "tune=all")
	s := NewStac(m, cfg)
	for k := range s.eta {
		if s.eta[k] != 2 {
			t.Errorf("logit %d begins at %v", k, s.eta[k])
		}
		s.eta[k] = 2 + 0.1*float32(k)
	}
	if err := s.Update(batch, cfg, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	cost := loss.Meta{1, 1, 1, 1, cfg.ValueCost, cfg.PolicyCost, cfg.Entropy}
	for k, got := range s.heads[0].value {
		from := k
		if k == loss.MetaLeakC {
			from = loss.MetaLeakRho
		}
		if want := cost[k] / (1 + math.Exp(-2-0.1*float64(from))); math.Abs(got-want) > 1e-6 {
			t.Errorf("metaparameter %d is %v, want %v", k, got, want)
		}
	}
}

func TestOnlyTunedMetaparametersMove(t *testing.T) {
	for _, c := range []struct {
		tune  string
		moves [loss.Metas]bool
	}{
		{"none", [loss.Metas]bool{}},
		{"gamma-entropy", [loss.Metas]bool{loss.MetaGamma: true, loss.MetaEntropyCost: true}},
		{"all", [loss.Metas]bool{true, true, true, true, true, true, true}},
		{"alphac", [loss.Metas]bool{loss.MetaLeakC: true}},
	} {
		cfg, s, batch := tinyStac(t, "tune", c.tune, "meta-lr", "0.1", "lr", "0.02", "alpha", "0.6", "alpha-c", "0.8")
		var before loss.Meta
		var out telemetry.Update
		for now := range uint64(3) {
			out = telemetry.Update{}
			if err := s.Update(batch, cfg, 0.02, now, &out); err != nil {
				t.Fatal(err)
			}
			if now == 0 {
				before = s.heads[0].value
			}
		}
		after := s.heads[0].value
		fixed := loss.Meta{cfg.Gamma, cfg.Lambda, cfg.LeakRho, cfg.CLeak(), cfg.ValueCost, cfg.PolicyCost, cfg.Entropy}
		traced := out.AlgoValues.List()
		for k, moves := range c.moves {
			if got := before[k] != after[k]; got != moves {
				t.Errorf("tune=%s: metaparameter %d goes from %v to %v", c.tune, k, before[k], after[k])
			}
			if !moves && float32(after[k]) != float32(fixed[k]) {
				t.Errorf("tune=%s: metaparameter %d is not tuned, and %v instead of the setting's %v", c.tune, k, after[k],
					fixed[k])
			}
			if !moves || c.tune == "all" && k == loss.MetaLeakC { // one leak is told once
				continue
			}
			if len(traced) == 0 || traced[0] != (telemetry.AlgoValue{Of: telemetry.Gamma + k, Value: float32(after[k]),
				Bound: float32(math.Inf(1))}) {
				t.Fatalf("tune=%s: metaparameter %d is %v, traced is %+v", c.tune, k, after[k], out.AlgoValues.List())
			}
			traced = traced[1:]
		}
		if len(traced) != 0 {
			t.Errorf("tune=%s: traced besides what is tuned: %+v", c.tune, traced)
		}
		if one := after[loss.MetaLeakRho] == after[loss.MetaLeakC]; one != (c.tune == "all") {
			t.Errorf("tune=%s: leaks %v and %v", c.tune, after[loss.MetaLeakRho], after[loss.MetaLeakC])
		}
	}
}

// One leak for both weights has the derivatives of both.
func TestOneLeakHasTheDerivativeOfBoth(t *testing.T) {
	slopes := func(tune string) []float32 {
		cfg, s, batch := tinyStac(t, "tune", tune, "lr", "0.02", "meta-lr", "0")
		for k := range s.eta {
			s.eta[k] = 0.5
		}
		if err := s.Update(batch, cfg, 0.02, 0, nil); err != nil {
			t.Fatal(err)
		}
		return s.slope
	}
	one, two := slopes("alpha"), slopes("alpha-alphac")
	rho, c := two[loss.MetaLeakRho], two[loss.MetaLeakC]
	if rho == 0 || c == 0 || one[loss.MetaLeakRho] != rho+c || one[loss.MetaLeakC] != 0 {
		t.Errorf("one leak: %v, two: %v and %v", one, rho, c)
	}
}

// Adam's first step is lr·g/(|g| + ε), whatever its memories: ε = 1e-4 (STAC table 3) shows where g is small.
func TestTheMetaparametersTakeAdamsStepsOfTable3(t *testing.T) {
	cfg, s, batch := tinyStac(t, "meta-lr", "0.1", "lr", "0.02", "tune", "all")
	m, v := 0.0, 0.0 // of γ
	for now := range uint64(3) {
		before := float64(s.eta[loss.MetaGamma])
		if err := s.Update(batch, cfg, 0.02, now, nil); err != nil {
			t.Fatal(err)
		}
		g := float64(s.slope[loss.MetaGamma])
		m, v = 0.9*m+0.1*g, 0.999*v+0.001*g*g
		k := float64(now + 1)
		want := -0.1 * m / (1 - math.Pow(0.9, k)) / (math.Sqrt(v/(1-math.Pow(0.999, k))) + 1e-4)
		if got := float64(s.eta[loss.MetaGamma]) - before; math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("step %v moves γ's logit by %v, want %v", k, got, want)
		}
	}
}

func TestAStacUpdateAllocatesNothing(t *testing.T) {
	for _, name := range []string{"stac", "stacx"} {
		cfg, s, batch := tinyStac(t, "algo", name)
		var out telemetry.Update
		now := uint64(0)
		update := func() {
			out = telemetry.Update{}
			if err := s.Update(batch, cfg, 1e-3, now, &out); err != nil {
				t.Fatal(err)
			}
			now++
		}
		update()
		if n := testing.AllocsPerRun(50, update); n != 0 {
			t.Errorf("%s: %v allocations an update", name, n)
		}
	}
}
