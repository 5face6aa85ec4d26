package correct

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"impalab/internal/goldens"
)

func TestGoldenLaser(t *testing.T) {
	file := readGolden(t, "laser.json")
	kinds := map[string]func(*testing.T, goldenFile, json.RawMessage){
		"trust_region": goldenTrustRegion, "proposition2": goldenProposition2, "proposition3": goldenProposition3,
	}
	ran := map[string]int{}
	for _, raw := range file.Cases {
		var c struct{ Name, Kind string }
		decode(t, raw, &c)
		run := kinds[c.Kind]
		if run == nil {
			t.Fatalf("unknown kind of case %q", c.Kind)
		}
		t.Run(c.Kind+"/"+c.Name, func(t *testing.T) { run(t, file, raw) })
		ran[c.Kind]++
	}
	t.Logf("%s: %d cases: %v", file.name, len(file.Cases), ran)
}

func goldenTrustRegion(t *testing.T, file goldenFile, raw json.RawMessage) {
	c := struct {
		T, B, A    int
		Params     goldenParams
		Inputs     goldenInputs
		LogRhos    goldens.Nested `json:"log_rhos"`
		Implied    goldens.Nested `json:"implied_policy"`
		KLImplied  goldens.Nested `json:"kl_pi_implied"`
		KLMu       goldens.Nested `json:"kl_pi_mu"`
		Thresholds []struct {
			B           float64
			Mask        goldens.Nested
			MaskMu      goldens.Nested `json:"mask_kl_pi_mu"`
			Returns     goldens.Nested `json:"vtrace_returns"`
			ReturnsMu   goldens.Nested `json:"vtrace_returns_kl_pi_mu"`
			ISReturns   goldens.Nested `json:"is_returns"`
			PGImpala    goldens.Nested `json:"pg_advantages_impala"`
			Laser       goldens.Nested `json:"advantages_laser"`
			PGLaser     goldens.Nested `json:"pg_weighted_laser"`
			ValueSum    float64        `json:"value_loss_sum"`
			PolicySum   float64        `json:"policy_objective_laser_sum"`
			ValidStates int            `json:"n_valid"`
		}
	}{Params: newParams()}
	decode(t, raw, &c)
	tol := file.tolerance(t, "f64")
	n := c.T * c.B
	c.Params.RhoBarPG = c.Params.RhoBar // LASER has one ρ
	clip := truncationOf[float64](c.Params)
	in := unrollOf[float64](c.Inputs, c.T, c.B)
	logPi, logMu, action := []float64(c.Inputs.Target), []float64(c.Inputs.Behaviour), integers(c.Inputs.Action)
	LogSoftmax(logPi, logPi, c.A)
	LogSoftmax(logMu, logMu, c.A)
	in.Ratio, in.Mask = make([]float64, n), make([]float64, n)
	RatiosFromLog(in.Ratio, logPi, logMu, action, c.A)
	goldens.Compare(t, "log_rhos", logs(in.Ratio), c.LogRhos, tol)

	implied, kl := make([]float64, len(logPi)), make([]float64, n)
	Implied(implied, logPi, logMu, c.A, clip.RhoBar, 1)
	goldens.Compare(t, "implied_policy", implied, c.Implied, tol)
	KL(kl, logPi, logMu, c.A)
	goldens.Compare(t, "kl_pi_mu", kl, c.KLMu, tol)
	ImpliedLog(implied, logPi, logMu, c.A, clip.RhoBar, 1)
	KL(kl, logPi, implied, c.A)
	goldens.Compare(t, "kl_pi_implied by way of π̃", kl, c.KLImplied, tol)

	trust := &Corrections[MethodTrustRegion]
	out := NewTargets[float64](c.T, c.B)
	weighted := func() []float64 {
		product := make([]float64, n)
		for i := range product {
			product[i] = out.Weight[i] * out.Advantage[i]
		}
		return product
	}
	for _, th := range c.Thresholds {
		name := " at b=" + strconv.FormatFloat(th.B, 'g', -1, 64)
		TrustMask(in.Mask, kl, logPi, logMu, c.A, clip.RhoBar, th.B, RelevanceBehaviour)
		goldens.Compare(t, "kl_pi_mu", kl, c.KLMu, tol)
		goldens.Compare(t, "mask_kl_pi_mu"+name, in.Mask, th.MaskMu, goldens.Tolerance{})
		Apply(out, trust, in, InForce(trust, clip), AdvantageVTrace)
		goldens.Compare(t, "vtrace_returns_kl_pi_mu"+name, out.VS, th.ReturnsMu, tol)

		TrustMask(in.Mask, kl, logPi, logMu, c.A, clip.RhoBar, th.B, RelevanceImplied)
		goldens.Compare(t, "kl_pi_implied", kl, c.KLImplied, tol)
		goldens.Compare(t, "mask"+name, in.Mask, th.Mask, goldens.Tolerance{})
		Apply(out, trust, in, InForce(trust, clip), AdvantageVTrace)
		goldens.Compare(t, "vtrace_returns"+name, out.VS, th.Returns, tol)
		goldens.Compare(t, "pg_advantages_impala"+name, weighted(), th.PGImpala, tol)
		Apply(out, trust, in, InForce(trust, clip), AdvantageLASER)
		goldens.Compare(t, "advantages_laser"+name, out.Advantage, th.Laser, tol)
		goldens.Compare(t, "pg_weighted_laser"+name, weighted(), th.PGLaser, tol)

		valid, value, policy := 0, 0.0, 0.0
		for i, m := range in.Mask {
			if m == 0 {
				continue
			}
			valid++
			gap := out.VS[i] - in.Value[i]
			value += gap * gap / 2
			policy += out.Weight[i] * logPi[i*c.A+int(action[i])] * out.Advantage[i]
		}
		goldens.Compare(t, "loss sums"+name, []float64{value, policy, float64(valid)},
			[]float64{th.ValueSum, th.PolicySum, float64(th.ValidStates)}, tol)

		full := clip // LASER eq. 7
		full.LeakRho, full.LeakC = 0, 0
		VTrace(out, in, full, AdvantageLASER)
		goldens.Compare(t, "is_returns"+name, out.VS, th.ISReturns, tol)
	}
}

func goldenProposition2(t *testing.T, file goldenFile, raw json.RawMessage) {
	c := struct {
		Q, Mu, Pi     goldens.Nested
		RhoBar        bar            `json:"rho_bar"`
		Omega         goldens.Nested `json:"omega"`
		QOmega        goldens.Nested `json:"q_omega"`
		BestTrue      int            `json:"best_action_true"`
		BestDistorted int            `json:"best_action_distorted"`
		Implied       goldens.Nested `json:"implied_policy"`
		Regret        float64        `json:"regret"`
		Gradient      goldens.Nested `json:"vtrace_logit_gradient"`
		OnPolicy      goldens.Nested `json:"onpolicy_logit_gradient"`
		WithBaseline  map[string]struct {
			Baseline float64
			Gradient goldens.Nested
		} `json:"vtrace_logit_gradient_with_baseline"`
		Rate       float64                   `json:"ascent_lr"`
		Recomputed map[string]goldens.Nested `json:"ascent_recomputed_omega"`
		Frozen     goldens.Nested            `json:"ascent_frozen_omega_20000"`
	}{}
	decode(t, raw, &c)
	tol, iterated := file.tolerance(t, "f64"), file.tolerance(t, "iterated")
	rhoBar, n := float64(c.RhoBar), len(c.Q)

	omega, grad := make([]float64, n), make([]float64, n)
	Omega(omega, c.Pi, c.Mu, rhoBar)
	goldens.Compare(t, "omega", omega, c.Omega, tol)
	qOmega := times(c.Q, omega)
	goldens.Compare(t, "q_omega", qOmega, c.QOmega, tol)
	if Best(c.Q) != c.BestTrue || Best(qOmega) != c.BestDistorted {
		t.Errorf("best actions %d and %d, want %d and %d", Best(c.Q), Best(qOmega), c.BestTrue, c.BestDistorted)
	}
	goldens.Compare(t, "regret", []float64{Regret(c.Q, omega)}, []float64{c.Regret}, tol)
	implied := make([]float64, n)
	Implied(implied, logs(c.Pi), logs(c.Mu), n, rhoBar, 1)
	goldens.Compare(t, "implied_policy", implied, c.Implied, tol)

	ExpectedGradient(grad, c.Pi, omega, c.Q, 0)
	goldens.Compare(t, "vtrace_logit_gradient", grad, c.Gradient, tol)
	ExpectedGradient(grad, c.Pi, ones[float64](n), c.Q, 0)
	goldens.Compare(t, "onpolicy_logit_gradient", grad, c.OnPolicy, tol)
	for name, want := range c.WithBaseline {
		var baseline float64
		switch name {
		case "E_pi_Q":
			baseline = sum(times(c.Pi, c.Q))
		case "max_Q":
			baseline = c.Q[Best(c.Q)]
		case "E_implied_Q":
			baseline = sum(times(implied, c.Q))
		default:
			t.Fatalf("unknown baseline %q", name)
		}
		ExpectedGradient(grad, c.Pi, omega, c.Q, baseline)
		goldens.Compare(t, "gradient with baseline "+name, append(grad, baseline), append(want.Gradient, want.Baseline), tol)
	}

	ascent := NewAscent(c.Q, c.Mu, c.Pi, rhoBar, c.Rate, false)
	seen := 0
	for step := 1; step <= 20000; step++ {
		ascent.Step()
		if want := c.Recomputed[strconv.Itoa(step)]; want != nil {
			goldens.Compare(t, "ascent_recomputed_omega after "+strconv.Itoa(step), ascent.Pi, want, iterated)
			seen++
		}
	}
	if seen != len(c.Recomputed) {
		t.Errorf("met %d of %d points of the ascent", seen, len(c.Recomputed))
	}
	ascent = NewAscent(c.Q, c.Mu, c.Pi, rhoBar, c.Rate, true)
	for range 20000 {
		ascent.Step()
	}
	goldens.Compare(t, "ascent_frozen_omega_20000", ascent.Pi, c.Frozen, iterated)
}

func goldenProposition3(t *testing.T, file goldenFile, raw json.RawMessage) {
	var c struct {
		Q, Mu, Pi goldens.Nested
		RhoBar    bar     `json:"rho_bar"`
		VisitMu   float64 `json:"d_mu"`
		VisitPi   float64 `json:"d_pi"`
		Omega     goldens.Nested
		QOmega    goldens.Nested `json:"q_omega"`
		Bound     float64        `json:"ratio_bound"`
		AlphaMin  float64        `json:"alpha_min"`
		Tests     []struct {
			Alpha          float64
			QAlpha         goldens.Nested `json:"q_alpha"`
			Argmax         int
			Correct        bool
			BoundSatisfied bool `json:"bound_satisfied"`
		}
	}
	decode(t, raw, &c)
	tol := file.tolerance(t, "f64")
	omega, mixed := make([]float64, len(c.Q)), make([]float64, len(c.Q))
	Omega(omega, c.Pi, c.Mu, float64(c.RhoBar))
	goldens.Compare(t, "omega", omega, c.Omega, tol)
	goldens.Compare(t, "q_omega", times(c.Q, omega), c.QOmega, tol)
	bound := OnlineBound(c.Q, omega, c.VisitMu, c.VisitPi)
	goldens.Compare(t, "ratio_bound, alpha_min", []float64{bound, OnlineShare(bound)}, []float64{c.Bound, c.AlphaMin}, tol)
	for _, online := range c.Tests {
		MixedQ(mixed, c.Q, omega, c.VisitMu, c.VisitPi, online.Alpha)
		goldens.Compare(t, "q_alpha", mixed, online.QAlpha, tol)
		best := Best(mixed)
		satisfied := online.Alpha == 1 || online.Alpha/(1-online.Alpha) > bound
		if best != online.Argmax || (best == Best(c.Q)) != online.Correct || satisfied != online.BoundSatisfied {
			t.Errorf("online share %v: argmax %d, bound satisfied %v; want %d, %v", online.Alpha, best, satisfied, online.Argmax,
				online.BoundSatisfied)
		}
	}
}

func times(a, b []float64) []float64 {
	product := make([]float64, len(a))
	for i := range a {
		product[i] = a[i] * b[i]
	}
	return product
}

func sum(a []float64) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return total
}

// Section 2.3's example: truncation implies a uniform policy from two opposite ones.
func TestOppositePoliciesImplyUniform(t *testing.T) {
	for _, phi := range []float64{0.4, 0.1, 1e-3, 1e-9} {
		got := make([]float64, 2)
		Implied(got, logs([]float64{1 - phi, phi}), logs([]float64{phi, 1 - phi}), 2, 1, 1)
		if math.Abs(got[0]-0.5) > 1e-12 || math.Abs(got[1]-0.5) > 1e-12 {
			t.Errorf("φ = %v: π̃ = %v", phi, got)
		}
	}
}
