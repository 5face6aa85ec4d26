// The reference cases of V-MPO: E-step, the whole categorical loss, Gaussian divergences and η under Adam. Of the two
// readings of "half" ours is the floor; the ceiling's numbers are checked with the share that gives it. Of the two
// denominators both are checked.
package loss_test

import (
	"encoding/json"
	"maps"
	"math"
	"strconv"
	"testing"

	"impalab/internal/goldens"
	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

type vmpoCase struct {
	Kind, Name   string
	N, A, D      int
	Share        float64 `json:"top_k_fraction"`
	Eta, Alpha   float64
	EpsEta       float64 `json:"eps_eta"`
	EpsAlpha     float64 `json:"eps_alpha"`
	AlphaMu      float64 `json:"alpha_mu"`
	AlphaSigma   float64 `json:"alpha_sigma"`
	EpsMu        float64 `json:"eps_mu"`
	EpsSigma     float64 `json:"eps_sigma"`
	LR, Eta0     float64
	Steps        int
	Inputs       map[string]goldens.Nested
	Expected     map[string]json.RawMessage
	t            *testing.T
	tol, starTol goldens.Tolerance
	adamTol      goldens.Tolerance
}

func TestGoldenVMPO(t *testing.T) {
	const name = "vmpo.json"
	var file struct {
		Tolerance struct {
			F64     goldens.Tolerance
			EtaStar goldens.Tolerance `json:"eta_star"`
			EtaAdam goldens.Tolerance `json:"eta_adam"`
		}
		Cases []*vmpoCase
	}
	goldens.Decode(t, name, &file)
	if len(file.Cases) == 0 || file.Tolerance.F64 == (goldens.Tolerance{}) {
		t.Fatalf("%s holds no cases or no tolerances", name)
	}
	kinds := map[string]int{}
	for _, c := range file.Cases {
		kinds[c.Kind]++
		c.tol, c.starTol, c.adamTol = file.Tolerance.F64, file.Tolerance.EtaStar, file.Tolerance.EtaAdam
		t.Run(c.Name, func(t *testing.T) {
			c.t = t
			switch c.Kind {
			case "e_step":
				c.eStep()
			case "e_step_masked":
				c.masked()
			case "full_categorical":
				c.categorical()
			case "gaussian_diag":
				c.diagonal()
			case "gaussian_full":
				c.full()
			case "eta_adam":
				c.adam()
			default:
				t.Fatalf("unknown kind of case %q", c.Kind)
			}
		})
	}
	t.Logf("%s: %d cases %v", name, len(file.Cases), kinds)
}

// check compares every expected field with what got holds of it; each must be known.
func (c *vmpoCase) check(expected map[string]json.RawMessage, got map[string][]float64) {
	c.t.Helper()
	for field, raw := range expected {
		have, known := got[field]
		if !known {
			c.t.Errorf("unknown field %q", field)
			continue
		}
		var want goldens.Nested
		if err := json.Unmarshal(raw, &want); err != nil {
			c.t.Fatal(err)
		}
		tol := c.tol
		if field == "eta_star" {
			tol = c.starTol
		}
		goldens.Compare(c.t, field, have, want, tol)
	}
}

func object(t *testing.T, raw json.RawMessage) (m map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// half is TopShare in float64.
func half(advantage, valid []float64, share float64) (chosen []float64, count int) {
	chosen = make([]float64, len(advantage))
	count = loss.TopShare(chosen, make([]float64, len(advantage)), advantage, valid, share)
	return chosen, count
}

func (c *vmpoCase) eStep() {
	adv, w := c.Inputs["advantages"], c.Inputs["importance_weights"]
	for i, behaviour := range c.Inputs["log_pi_behaviour"] {
		if ratio := math.Exp(c.Inputs["log_pi_old"][i] - behaviour); !(math.Abs(min(1, ratio)-w[i]) < 1e-7) {
			c.t.Errorf("weight %d is %v, eq. 34 says min(1, %v)", i, w[i], ratio)
		}
	}
	for reading, raw := range c.Expected {
		want := object(c.t, raw)
		share := c.Share
		if reading == "ceil" {
			share = math.Ceil(share*float64(len(adv))) / float64(len(adv))
		}
		chosen, count := half(adv, nil, share)
		psi := make([]float64, len(adv))
		at := loss.Temperature{Eta: c.Eta, Bound: c.EpsEta, ByCount: true}
		value, slope := loss.EStep(psi, adv, chosen, w, at)
		fromPrior, fromUniform := informations(psi, w, count)
		p, action := chosenOnly(c.Inputs["log_probs"])
		got := map[string][]float64{
			"k": {max(1, math.Floor(share*float64(len(adv))))}, "threshold": {lowest(adv, chosen)}, "mask": chosen,
			"n_selected": {float64(count)},
			"psi":        psi, "temperature_loss": {value}, "temperature_grad": {slope},
			"policy_loss":    {loss.Likelihood(make([]float64, len(p.Prob)), p, action, psi, 1)},
			"kl_psi_uniform": {fromUniform}, "kl_psi_prior": {fromPrior},
		}
		star := make([]float64, len(adv)) // ψ at another η
		eStep := func(eta float64, byCount bool) (value, slope float64) {
			return loss.EStep(star, adv, chosen, w, loss.Temperature{Eta: eta, Bound: c.EpsEta, ByCount: byCount})
		}
		got["eta_star"] = minimiser(func(eta float64) float64 { _, slope := eStep(eta, true); return slope })
		if found := got["eta_star"]; len(found) == 1 {
			value, slope := eStep(found[0], true)
			fromPrior, _ := informations(star, w, count)
			got["eta_star_loss"], got["eta_star_grad"], got["kl_psi_prior_at_eta_star"] = []float64{value}, []float64{slope},
				[]float64{fromPrior}
		}
		if inner, ok := want["weight_normalised"]; ok {
			value, slope := eStep(c.Eta, false)
			mean, n := 0.0, 0.0
			for i := range w {
				mean, n = mean+w[i]*chosen[i], n+chosen[i]
			}
			c.check(object(c.t, inner), map[string][]float64{
				"temperature_loss": {value}, "temperature_grad": {slope}, "log_mean_weight": {math.Log(mean / n)},
				"eta_star": minimiser(func(eta float64) float64 { _, slope := eStep(eta, false); return slope }),
			})
			delete(want, "weight_normalised")
		}
		c.check(want, got)
	}
}

// chosenOnly is a policy of two actions of which the first was taken with the given log-probability.
func chosenOnly(logProb []float64) (loss.Policy[float64], []int32) {
	p := loss.Policy[float64]{Actions: 2}
	for _, l := range logProb {
		p.LogProb = append(p.LogProb, l, 0)
		p.Prob = append(p.Prob, math.Exp(l), 0)
	}
	return p, make([]int32, len(logProb))
}

func lowest(adv, chosen []float64) float64 {
	low := math.Inf(1)
	for i, a := range adv {
		if chosen[i] != 0 {
			low = min(low, a)
		}
	}
	return low
}

// informations are Σ ψ·log(ψ·n/w) and Σ ψ·log(ψ·n).
func informations(psi, w []float64, n int) (fromPrior, fromUniform float64) {
	for i, p := range psi {
		if p > 0 {
			fromPrior += p * math.Log(p*float64(n)/w[i])
			fromUniform += p * math.Log(p*float64(n))
		}
	}
	return fromPrior, fromUniform
}

// minimiser is where a convex loss's slope crosses 0 between 1e-6 and 1e8; empty when it does not.
func minimiser(slope func(float64) float64) []float64 {
	lo, hi := math.Log(1e-6), math.Log(1e8)
	if slope(math.Exp(lo)) >= 0 || slope(math.Exp(hi)) <= 0 {
		return nil
	}
	for range 200 {
		if mid := (lo + hi) / 2; slope(math.Exp(mid)) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return []float64{math.Exp(lo)}
}

func (c *vmpoCase) masked() {
	adv := c.Inputs["advantages"]
	chosen, count := half(adv, c.Inputs["valid"], c.Share)
	psi := make([]float64, len(adv))
	value, slope := loss.EStep(psi, adv, chosen, nil, loss.Temperature{Eta: c.Eta, Bound: c.EpsEta})
	c.check(c.Expected, map[string][]float64{
		"k": {math.Floor(c.Share * float64(len(adv)))}, "mask": chosen, "n_selected": {float64(count)},
		"psi": psi, "temperature_loss": {value}, "temperature_grad": {slope},
	})
}

func (c *vmpoCase) categorical() {
	in, n := c.Inputs, float64(c.N)
	online, old := policyOf(in["logits"], c.A), policyOf(in["target_logits"], c.A)
	var action []int32
	for _, a := range in["actions"] {
		action = append(action, int32(a))
	}
	ratio, logMu := make([]float64, c.N), make([]float64, c.N*c.A)
	correct.LogSoftmax(logMu, in["behaviour_logits"], c.A)
	correct.RatiosFromLog(ratio, old.LogProb, logMu, action, c.A)
	for i, w := range in["importance_weights"] {
		if !(math.Abs(min(1, ratio[i])-w) < 1e-6) && w != 1 { // some cases leave the weights out
			c.t.Errorf("weight %d is %v, eq. 34 says min(1, %v)", i, w, ratio[i])
		}
	}
	chosen, _ := half(in["advantages"], nil, c.Share)
	psi, kl, d := make([]float64, c.N), make([]float64, c.N), make([]float64, c.N*c.A)
	temperature, dEta := loss.EStep(psi, in["advantages"], chosen, in["importance_weights"],
		loss.Temperature{Eta: c.Eta, Bound: c.EpsEta, ByCount: true})
	policy := loss.Likelihood(d, online, action, psi, 1)
	mean := loss.Divergence(d, kl, old, online, c.Alpha/n) / n
	alpha, dAlpha := loss.Multiplier(c.Alpha, c.EpsAlpha, mean)
	c.check(c.Expected, map[string][]float64{
		"mask": chosen, "psi": psi, "policy_loss": {policy}, "temperature_loss": {temperature}, "kl_per_sample": kl,
		"kl_mean":    {mean},
		"alpha_loss": {alpha}, "kl_loss": {c.Alpha * mean}, "kl_term_value": {alpha + c.Alpha*mean},
		"total": {policy + temperature + alpha + c.Alpha*mean}, "grad_logits": d, "grad_eta": {dEta}, "grad_alpha": {dAlpha},
	})
}

func (c *vmpoCase) diagonal() {
	in, n := c.Inputs, float64(c.N)
	old, online := gaussianOf(in["mu_old"], in["sigma_old"], c.D), gaussianOf(in["mu_new"], in["sigma_new"], c.D)
	zeros := func(n int) []float64 { return make([]float64, n) }
	d, klMean, klSpread := zeros(2*c.N*c.D), zeros(c.N), zeros(c.N)
	mean := loss.MeanDivergence(d, klMean, old, online, c.AlphaMu/n) / n
	spread := loss.SpreadDivergence(d, klSpread, old, online, c.AlphaSigma/n) / n
	lossMean, dAlphaMean := loss.Multiplier(c.AlphaMu, c.EpsMu, mean)
	lossSpread, dAlphaSpread := loss.Multiplier(c.AlphaSigma, c.EpsSigma, spread)
	dMean, dLogSigma := halves(d, c.D)

	// The exact split measures the mean with the new covariance: the same function with the new σ as the old one.
	// It also reaches σ_new, by −z², which is the likelihood's slope in log σ less its constant 1.
	exact := gaussianOf(in["mu_old"], in["sigma_new"], c.D)
	dExact, dZ, klExact, klFull := zeros(len(d)), zeros(len(d)), zeros(c.N), zeros(c.N)
	meanExact := loss.MeanDivergence(dExact, klExact, exact, online, c.AlphaMu/n) / n
	exactLoss, dAlphaExact := loss.Multiplier(c.AlphaMu, c.EpsMu, meanExact)
	ones := zeros(c.N)
	for i := range ones {
		ones[i], klFull[i] = 1, klExact[i]+klSpread[i]
	}
	loss.GaussianLikelihood(dZ, online, in["mu_old"], ones, c.AlphaMu/n)
	dMeanExact, _ := halves(dExact, c.D)
	_, dLogSigmaExact := halves(dZ, c.D)
	for i := range dLogSigmaExact {
		dLogSigmaExact[i] += dLogSigma[i] - c.AlphaMu/n
	}
	logProb := zeros(c.N)
	for i := range logProb {
		one := zeros(c.N)
		one[i] = 1
		logProb[i] = -loss.GaussianLikelihood(zeros(len(d)), online, in["actions"], one, 1)
	}
	want := maps.Clone(c.Expected)
	c.check(object(c.t, want["decoupled_new_cov"]), map[string][]float64{
		"loss": {exactLoss + c.AlphaMu*meanExact + lossSpread + c.AlphaSigma*spread}, "grad_mu_new": dMeanExact,
		"grad_log_sigma_new": dLogSigmaExact, "grad_alpha_mu": {dAlphaExact}, "grad_alpha_sigma": {dAlphaSpread},
	})
	delete(want, "decoupled_new_cov")
	c.check(want, map[string][]float64{
		"log_prob_new": logProb, "kl_mu_old_cov": klMean, "kl_mu_new_cov": klExact, "kl_sigma": klSpread, "kl_full": klFull,
		"loss_decoupled_old_cov": {lossMean + c.AlphaMu*mean + lossSpread + c.AlphaSigma*spread},
		"grad_mu_new":            dMean, "grad_log_sigma_new": dLogSigma, "grad_alpha_mu": {dAlphaMean},
		"grad_alpha_sigma": {dAlphaSpread},
	})
}

func (c *vmpoCase) full() {
	got := map[string][]float64{}
	d := c.D
	for i := range c.N {
		row := func(field string, size int) []float64 { return c.Inputs[field][i*size : (i+1)*size] }
		scratch := make([]float64, d)
		mean, spread := oracle.FullDivergence(scratch, row("mu_old", d), row("chol_old", d*d), row("mu_new", d),
			row("chol_new", d*d))
		exact, _ := oracle.FullDivergence(scratch, row("mu_old", d), row("chol_new", d*d), row("mu_new", d),
			row("chol_new", d*d))
		for field, x := range map[string]float64{"kl_mu_old_cov": mean, "kl_mu_new_cov": exact, "kl_sigma": spread,
			"kl_full": exact + spread} {
			got[field] = append(got[field], x)
		}
	}
	c.check(c.Expected, got)
}

func (c *vmpoCase) adam() {
	adv := c.Inputs["advantages"]
	chosen, count := half(adv, nil, c.Share)
	psi, ones := make([]float64, len(adv)), make([]float64, len(adv))
	for i := range ones {
		ones[i] = 1
	}
	eta, m, v := []float64{c.Eta0}, []float64{0}, []float64{0}
	after := map[string]float64{}
	if err := json.Unmarshal(c.Expected["eta_after"], &after); err != nil || len(after) == 0 {
		c.t.Fatal(err)
	}
	seen := 0
	for step := 1; step <= c.Steps; step++ {
		_, slope := loss.EStep(psi, adv, chosen, nil, loss.Temperature{Eta: eta[0], Bound: c.EpsEta})
		oracle.StepAdam(eta, m, v, []float64{slope}, c.LR, 0.9, 0.999, 1e-8, uint64(step))
		eta[0] = max(eta[0], 1e-8)
		if want, ok := after[strconv.Itoa(step)]; ok {
			goldens.Compare(c.t, "eta after "+strconv.Itoa(step), eta, []float64{want}, c.adamTol)
			seen++
		}
	}
	if seen != len(after) {
		c.t.Errorf("%d of %d steps compared", seen, len(after))
	}
	loss.EStep(psi, adv, chosen, nil, loss.Temperature{Eta: eta[0], Bound: c.EpsEta})
	fromPrior, _ := informations(psi, ones, count)
	rest := maps.Clone(c.Expected)
	delete(rest, "eta_after")
	c.tol = c.adamTol
	c.check(rest, map[string][]float64{
		"kl_final": {fromPrior},
		"eta_star": minimiser(func(at float64) float64 {
			_, slope := loss.EStep(psi, adv, chosen, nil, loss.Temperature{Eta: at, Bound: c.EpsEta})
			return slope
		}),
	})
}
