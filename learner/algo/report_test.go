package algo

import (
	"math"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// row is a policy's figures for one step: π(a|x)/μ(a|x), KL(π‖μ), its entropy in nats, and V.
type row struct{ ratio, kl, entropy, value float64 }

// softmaxRows and gaussianRows are the rows of a batch by the formulas, in float64.
func softmaxRows(m *Machine, b *traj.Batch) (rows []row) {
	k := b.Actions
	for i := range b.T * b.B {
		logits, value := forward64(&m.Spec, widened(m.Theta), widened(b.Obs[i*b.Size:(i+1)*b.Size]))
		logPi := make([]float64, k)
		correct.LogSoftmax(logPi, logits[:k], k)
		r := row{value: value}
		for a, lp := range logPi {
			mu := float64(b.Mu[i*k+a])
			r.kl += math.Exp(lp) * (lp - mu)
			r.entropy -= math.Exp(lp) * lp
			if int(b.Action[i]) == a {
				r.ratio = math.Exp(lp - mu)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func gaussianRows(m *Machine, b *traj.Batch) (rows []row) {
	p, values := look64(&m.Spec, widened(m.Theta), b)
	for i, value := range values {
		mean, spread := p.Rows[2*i], p.Rows[2*i+1]
		muMean, muSpread, x := float64(b.Mu[2*i]), float64(b.Mu[2*i+1]), float64(b.Real[i])
		log := func(mean, spread float64) float64 {
			return -math.Log(spread) - (x-mean)*(x-mean)/(2*spread*spread)
		}
		rows = append(rows, row{
			ratio:   math.Exp(log(mean, spread) - log(muMean, muSpread)),
			kl:      math.Log(muSpread/spread) + (spread*spread+math.Pow(mean-muMean, 2))/(2*muSpread*muSpread) - 0.5,
			entropy: 0.5*math.Log(2*math.Pi*math.E) + math.Log(spread), value: value,
		})
	}
	return rows
}

// figuresOf are the figures of a batch by the formulas on the page. a has learned from it.
func figuresOf(cfg *hyper.Config, a *rows, grad []float32, b *traj.Batch, steps []row) (
	f [telemetry.NumMetrics]float64) {
	n := float64(len(steps))
	var ratios []float64
	counted, missed, inside := 0.0, 0.0, 0.0
	for i, r := range steps {
		ratios = append(ratios, r.ratio)
		m := 1.0
		if a.inside != nil {
			m = float64(a.inside[i])
		}
		inside += m
		if b.Online[i%b.B] {
			f[telemetry.Entropy] += m * r.entropy
			counted += m
		}
		f[telemetry.KL] += r.kl / n
		missed += m * math.Pow(float64(a.targets.VS[i])-r.value, 2)
	}
	f[telemetry.Entropy] /= max(1, counted)
	f[telemetry.CorrectionSize] = math.Sqrt(missed / n)
	f[telemetry.Rejected] = 1 - inside/n
	for _, g := range grad {
		f[telemetry.GradNorm] += float64(g) * float64(g)
	}
	f[telemetry.GradNorm] = math.Sqrt(f[telemetry.GradNorm])

	f[telemetry.EffectiveSample] = correct.EffectiveSample(ratios)
	alphaRho, alphaC := 1.0, 1.0
	if a.correction.Leak == correct.LeakSetting {
		alphaRho, alphaC = cfg.LeakRho, cfg.CLeak()
	}
	f[telemetry.CutByRho], f[telemetry.CutByC], f[telemetry.EffectiveCut] = math.NaN(), math.NaN(), math.NaN()
	switch a.correction.Name {
	case "vtrace", "leaky", "trust-region":
		f[telemetry.CutByRho] = correct.CutShare(ratios, cfg.RhoBar, alphaRho)
		f[telemetry.CutByC] = correct.CutShare(ratios, cfg.CBar, alphaC)
		f[telemetry.EffectiveCut] = correct.EffectiveSample(widened(a.targets.Rho))
	case "is":
		f[telemetry.EffectiveCut] = correct.EffectiveSample(widened(a.targets.Rho))
	case "one-step":
		f[telemetry.CutByRho] = correct.CutShare(stretched(cfg, b, ratios), cfg.RhoBar, 1)
		f[telemetry.EffectiveCut] = correct.EffectiveSample(widened(a.targets.Weight))
	case "taper", "clip", "band", "moment", "shift", "own":
		removed, total := 0.0, 0.0
		for i, w := range stretched(cfg, b, ratios) {
			removed += max(0, w-float64(a.targets.Weight[i]))
			total += w
		}
		f[telemetry.CutByRho] = removed / total
		f[telemetry.EffectiveCut] = correct.EffectiveSample(widened(a.targets.Weight))
	}
	return f
}

// stretched is the ratio of each step's stretch at the level of cfg: the product, or its root.
func stretched(cfg *hyper.Config, b *traj.Batch, ratios []float64) []float64 {
	if cfg.Level == correct.LevelStep {
		return ratios
	}
	out := make([]float64, len(ratios))
	for i := range ratios {
		first, last := i, i
		for first-b.B >= 0 && envs.End(b.End[first-b.B]) == envs.Running {
			first -= b.B
		}
		for envs.End(b.End[last]) == envs.Running && last+b.B < len(ratios) {
			last += b.B
		}
		product, n := 1.0, 0
		for k := first; k <= last; k += b.B {
			product, n = product*ratios[k], n+1
		}
		if out[i] = product; cfg.Level == correct.LevelMean {
			out[i] = math.Pow(product, 1/float64(n))
		}
	}
	return out
}

// Every figure is what its row of the table says, under every correction and of every algorithm; – where there is none.
func TestTheFiguresOfAnUpdateDescribeItsBatch(t *testing.T) {
	cases := []string{
		"algo=laser correction=trust-region", "algo=a2c", "algo=vmpo correction=vtrace",
		"algo=stacx heads=2 tune=none correction=leaky", "algo=impala policy=gaussian correction=vtrace",
		"algo=laser policy=gaussian correction=trust-region",
	}
	for _, c := range correct.Corrections {
		cases = append(cases, "algo=impala correction="+c.Name)
		if c.Levels {
			cases = append(cases, "algo=impala ratio=response correction="+c.Name, "algo=impala ratio=mean correction="+c.Name)
		}
	}
	for _, changes := range cases {
		var cfg *hyper.Config
		var m *Machine
		var b *traj.Batch
		var steps []row
		if strings.Contains(changes, "gaussian") {
			cfg, m, b = tinyReal(t, changes)
			steps = gaussianRows(m, b)
		} else {
			cfg, m, _, b = tiny(t, "vtrace", strings.Fields(changes)...)
			steps = softmaxRows(m, b)
		}
		copy(b.Version, []uint64{7, 3, 9}) // of ages 5, 9 and 3
		b.Online[0], b.Online[1], b.Online[2] = true, true, false
		algorithm := made(t, m, cfg)
		var out telemetry.Update
		if err := algorithm.Update(b, cfg, 0, 12, &out); err != nil {
			t.Fatal(err)
		}
		var a *rows
		grad := m.grad
		switch x := algorithm.(type) {
		case *Impala:
			a = x.rows
		case *A2C:
			a = x.rows
		case *Laser:
			a = x.rows
		case *VMPO:
			a = x.rows
		case *Stac: // of the first head, whose rows forward64 takes from the wide head's first columns
			a, grad = x.heads[0].rows, x.grad
			for i, v := range x.heads[0].vals {
				steps[i].value = float64(v)
			}
		}
		want := figuresOf(cfg, a, grad, b, steps)
		want[telemetry.AgeMean], want[telemetry.AgeMax] = 17.0/3, 9
		for i, f := range telemetry.Metrics {
			got := float64(out.Metrics[i])
			if !(math.Abs(got-want[i]) <= 1e-4*(1+math.Abs(want[i]))) && !(math.IsNaN(got) && math.IsNaN(want[i])) {
				t.Errorf("%s: %s is %v, want %v", changes, f.Name, got, want[i])
			}
		}
		var ratios [telemetry.RatioBins]uint32
		for _, r := range steps {
			const bin = (telemetry.RatioLogHi - telemetry.RatioLogLo) / telemetry.RatioBins
			at := (math.Log2(r.ratio) - telemetry.RatioLogLo) / bin
			ratios[int(min(max(at, 0), telemetry.RatioBins-1))]++
		}
		var ages [telemetry.AgeBins]uint32
		for _, age := range []int{5, 9, 3} {
			ages[age*telemetry.AgeBins/10]++
		}
		if out.Ratios != ratios || out.Ages != ages {
			t.Errorf("%s: ratios %v, want %v; ages %v, want %v", changes, out.Ratios, ratios, out.Ages, ages)
		}
	}
}

func TestABatchOfTheNewestPolicyHasNoAge(t *testing.T) {
	var out telemetry.Update
	ages(&out, []uint64{5, 5}, 5)
	if out.Metrics != [telemetry.NumMetrics]float32{} || out.Ages != [telemetry.AgeBins]uint32{2} {
		t.Errorf("figures %v, ages %v", out.Metrics, out.Ages)
	}
}

// The entropy is a mean over the steps in which it counts, of one as of many; of none it is 0.
func TestTheEntropyOfFewStepsIsTheirMean(t *testing.T) {
	cfg, m, a, b := tiny(t, "trust-region", "trust=inf")
	rows := softmaxRows(m, b)
	for _, online := range []bool{true, false} {
		for k := range b.Online {
			b.Online[k] = online && k == 0
		}
		if err := a.Update(b, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		want, counts := 0.0, make([]float32, len(rows))
		if online {
			want, counts[0] = rows[0].entropy, 1
		}
		copy(a.online, counts)
		l := terms{entropy: a.pi.entropy(a.online, 0)}
		var out telemetry.Update
		a.report(l, 0, 0, &out)
		if got := float64(out.Metrics[telemetry.Entropy]); math.Abs(got-want) > 1e-5 {
			t.Errorf("fresh steps %v: entropy %v, want %v", online, got, want)
		}
	}
}

// V-MPO reports its constraints as they were at the update; several learners report the mean.
func TestConstraintsAreToldAsTheyStood(t *testing.T) {
	for _, policy := range []string{"softmax", "gaussian"} {
		var told [2][]telemetry.AlgoValue
		for round := range told {
			var cfg *hyper.Config
			var m *Machine
			var b *traj.Batch
			if policy == "gaussian" {
				cfg, m, b = tinyReal(t, "algo=vmpo policy=gaussian")
			} else {
				cfg, m, _, b = tiny(t, "vtrace", "algo=vmpo")
			}
			a := NewVMPO(m, cfg)
			for i := range a.target {
				a.target[i] *= 1.2
			}
			calls := 0
			m.Reduce = func(x []float32) error { // as if the other learners' mean were thrice ours
				if calls++; calls == 1 && round == 1 {
					for i := range x {
						x[i] *= 2
					}
				}
				return nil
			}
			rows := b.T * b.B
			var want []float64
			if policy == "gaussian" {
				from, _ := look64(&m.Spec, widened(a.target), b)
				to, _ := look64(&m.Spec, widened(m.Theta), b)
				void, kl := make([]float64, len(to.Rows)), make([]float64, rows)
				want = []float64{firstPartWeight, loss.MeanDivergence(void, kl, from, to, 0) / float64(rows),
					firstPartWeight, loss.SpreadDivergence(void, kl, from, to, 0) / float64(rows)}
			} else {
				sum := 0.0
				for i := range rows {
					x := widened(b.Obs[i*b.Size : (i+1)*b.Size])
					from, _ := forward64(&m.Spec, widened(a.target), x)
					to, _ := forward64(&m.Spec, widened(m.Theta), x)
					correct.LogSoftmax(from, from, len(from))
					correct.LogSoftmax(to, to, len(to))
					for k, lq := range from {
						sum += math.Exp(lq) * (lq - to[k]) / float64(rows)
					}
				}
				want = []float64{firstKLWeight, sum}
			}
			var out telemetry.Update
			if err := a.Update(b, cfg, 0, 0, &out); err != nil {
				t.Fatal(err)
			}
			told[round] = out.AlgoValues.List()
			if len(told[round]) != 2+len(want) || told[round][0].Value != firstTemperature {
				t.Fatalf("%s: told %+v", policy, told[round])
			}
			for k, w := range want {
				if round == 1 && k%2 == 1 {
					w *= 2
				}
				if got := float64(told[round][2+k].Value); math.Abs(got-w) > 1e-4*w || w == 0 {
					t.Errorf("%s, round %d: told %v, want %v", policy, round, got, w)
				}
			}
		}
		if one, mean := told[0][1].Value, told[1][1].Value; one == 0 || mean != 2*one {
			t.Errorf("%s: KL(ψ‖w) is told as %v alone and %v on the mean", policy, one, mean)
		}
	}
}
