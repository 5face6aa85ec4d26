// Vectors writes static/corrections.json: small batches, and what each correction makes of them. Other implementations
// can compare their own weights with it.
//
//	go -C tools run ./vectors
//
// The weights are slopes of the published objectives (oracle.go). The learner's code is not used.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
)

// Head is static/corrections.json before its cases. Version grows when a field or a case changes its meaning.
type Head struct {
	Version int               `json:"version"`
	License string            `json:"license"`
	About   []string          `json:"about"`
	Fields  map[string]string `json:"fields"`
}

// Parameters are the numbers of a form. A case has only the parameters of its form.
type Parameters struct {
	Floor    float64 `json:"floor,omitempty"`
	Ceiling  float64 `json:"ceiling,omitempty"`
	ClipLow  float64 `json:"clip_low,omitempty"`
	ClipHigh float64 `json:"clip_high,omitempty"`
	Delta    float64 `json:"delta,omitempty"`
	Tau      float64 `json:"tau,omitempty"`
	Of       string  `json:"of,omitempty"`
	Lift     float64 `json:"lift,omitempty"`
	RhoBar   float64 `json:"rho_bar,omitempty"`
	CBar     float64 `json:"c_bar,omitempty"`
	Lambda   float64 `json:"lambda,omitempty"`
	AlphaRho float64 `json:"alpha_rho,omitempty"`
	AlphaC   float64 `json:"alpha_c,omitempty"`
	Trust    float64 `json:"trust,omitempty"`
}

// Case is one batch of steps, and what a correction makes of it.
type Case struct {
	Name       string      `json:"name"`
	Form       string      `json:"form"`
	Level      string      `json:"level,omitempty"`
	Source     string      `json:"source"`
	Parameters *Parameters `json:"parameters,omitempty"`
	LogPi      []float64   `json:"log_pi,omitempty"`
	LogMu      []float64   `json:"log_mu,omitempty"`
	Response   []int       `json:"response,omitempty"`
	LogPiAll   [][]float64 `json:"log_pi_all,omitempty"`
	LogMuAll   [][]float64 `json:"log_mu_all,omitempty"`
	Action     []int       `json:"action,omitempty"`
	Reward     []float64   `json:"reward,omitempty"`
	Discount   []float64   `json:"discount,omitempty"`
	Value      []float64   `json:"value,omitempty"`
	Bootstrap  float64     `json:"bootstrap,omitempty"`
	Advantage  []float64   `json:"advantage"`
	Target     []float64   `json:"target,omitempty"`
	Weight     []float64   `json:"weight,omitempty"`
	Slope      [][]float64 `json:"slope,omitempty"`
	Lifted     []float64   `json:"lifted,omitempty"`
}

var about = []string{
	"A loss that is the mean over all steps of -weight*advantage*log_pi, with weight and advantage constant, has the " +
		"gradient of the objective of each case. Steps of weight 0 stay in that mean.",
	"All numbers are float64. Compare with a relative tolerance of 1e-9.",
	"No ratio lies on an edge of a form, and no advantage is 0: implementations differ there, by rounding and by choice.",
	"pi is the policy that learns, mu is the policy that acted.",
}

var fields = map[string]string{
	"form":       "the correction, as this project's settings spell it",
	"level":      "whose ratio: the step's, the response's (product of its steps) or the mean (their geometric mean)",
	"source":     "where the objective is printed",
	"log_pi":     "log pi(a) of each step's action; log_mu: log mu(a)",
	"response":   "which response or episode each step belongs to",
	"log_pi_all": "log pi of every action, one row a step; log_mu_all: log mu. action: the index of the action taken",
	"advantage":  "A of each step. Given, but for the V-trace family, where it is reward + discount*target[t+1] - value",
	"weight":     "c of each step, to be compared",
	"target":     "v of each step, of the V-trace family; value: V of each state, bootstrap: of the state behind them",
	"slope":      "of form centred: the slope of A*(log pi(a) - sum_b mu(b)*log pi(b)) in each logit, one row a step",
	"lifted":     "of form lift: the advantages after lift*mean|A| was added to all of them",
	"floor":      "band: the least ratio that counts; ceiling: the greatest, or one-step's cut. taper: its ends, or 0, 1",
	"clip_low":   "how far below 1 the ratio may go, clip_high: how far above",
	"delta":      "shift: how far pi(a) may go from mu(a)",
	"tau":        "moment: the bound of the mean squared log-ratio; of: outward (M2PO) or any (AReaL)",
	"of":         "centred: sum_b only where A < 0 (bad) or A >= 0 (good); everywhere if absent. moment: see tau",
	"rho_bar":    "V-trace's bounds are rho_bar and c_bar; lambda, alpha_rho and alpha_c are 1 in V-trace itself",
	"trust":      "trust-region: the greatest KL(pi || implied policy)",
}

// grid are steps with ratios on both sides of every edge that a case has, and advantages of both signs.
func grid(c Case) Case {
	for _, mu := range []float64{0.02, 0.24, 0.45} {
		for _, w := range []float64{0.04, 0.3, 0.55, 0.79, 0.81, 1, 1.19, 1.27, 1.29, 1.9, 2.1, 5.5, 40} {
			for _, a := range []float64{-1.5, 0.75} {
				if mu*w < 1 {
					c.add(mu*w, mu, a, 0)
				}
			}
		}
	}
	return c
}

// responses are four responses of one to six steps, whose ratios drift apart as they get longer.
func responses(c Case) Case {
	r := rand.New(rand.NewPCG(2025, 7))
	for id, n := range []int{1, 3, 5, 6} {
		for range n {
			mu := 0.1 + 0.7*r.Float64()
			c.add(min(0.97, mu*math.Exp(0.5*r.NormFloat64())), mu, 2*r.Float64()-1.2, id)
		}
	}
	return c
}

func (c *Case) add(pi, mu, a float64, response int) {
	c.LogPi, c.LogMu = append(c.LogPi, math.Log(pi)), append(c.LogMu, math.Log(mu))
	c.Advantage, c.Response = append(c.Advantage, a), append(c.Response, response)
}

// unroll is an unroll of seven steps of three actions, whose fourth step ends an episode. Its last steps are further
// from the policy that acted than its first.
func unroll(c Case) Case {
	r := rand.New(rand.NewPCG(2018, 2))
	logSoftmax := func(z []float64) []float64 {
		sum := 0.0
		for _, x := range z {
			sum += math.Exp(x)
		}
		for i := range z {
			z[i] -= math.Log(sum)
		}
		return z
	}
	for t := range 7 {
		pi, mu := make([]float64, 3), make([]float64, 3)
		for a := range pi {
			mu[a] = 1.2 * r.NormFloat64()
			pi[a] = mu[a] + 0.35*float64(t)*r.NormFloat64()
		}
		pi, mu = logSoftmax(pi), logSoftmax(mu)
		a := r.IntN(3)
		discount := 0.9
		if t == 3 {
			discount = 0
		}
		c.LogPiAll, c.LogMuAll, c.Action = append(c.LogPiAll, pi), append(c.LogMuAll, mu), append(c.Action, a)
		c.LogPi, c.LogMu = append(c.LogPi, pi[a]), append(c.LogMu, mu[a])
		c.Reward = append(c.Reward, math.Round(10*r.NormFloat64())/10)
		c.Discount = append(c.Discount, discount)
		c.Value = append(c.Value, math.Round(100*r.NormFloat64())/100)
	}
	c.Bootstrap = 0.4
	return c
}

// cases are all cases, oldest correction first.
func cases() []Case {
	var all []Case
	step := func(name, form, source string, p Parameters) {
		all = append(all, grid(Case{Name: name, Form: form, Level: "step", Source: source, Parameters: &p}))
	}
	level := func(name, form, level, source string, p Parameters) {
		all = append(all, responses(Case{Name: name, Form: form, Level: level, Source: source, Parameters: &p}))
	}
	family := func(name, form, source string, p Parameters) {
		all = append(all, unroll(Case{Name: name, Form: form, Source: source, Parameters: &p}))
	}
	const impala = "IMPALA, arXiv:1802.01561"
	step("no correction", "none", impala+", section 5.2.2", Parameters{})
	step("epsilon-correction, 1e-6 inside the logarithm", "epsilon", impala+", section 5.2.2", Parameters{})
	for _, ceiling := range []float64{1, 1.02, 2, 5} {
		step(fmt.Sprintf("truncated at %v (one-step; TIS; CISPO without a lower end)", ceiling), "one-step",
			impala+", section 5.2.2; MiniMax-M1, arXiv:2506.13585, eq. 4", Parameters{Ceiling: ceiling})
	}
	family("V-trace", "vtrace", impala+", eq. 1", Parameters{RhoBar: 1, CBar: 1, Lambda: 1, AlphaRho: 1, AlphaC: 1})
	family("V-trace, rho_bar 2", "vtrace", impala+", eq. 1",
		Parameters{RhoBar: 2, CBar: 1, Lambda: 1, AlphaRho: 1, AlphaC: 1})
	family("V-trace, lambda .8", "vtrace", impala+", remark 2",
		Parameters{RhoBar: 1, CBar: 1, Lambda: 0.8, AlphaRho: 1, AlphaC: 1})
	family("leaky V-trace", "leaky", "STAC, arXiv:2002.12928, eq. 5",
		Parameters{RhoBar: 1, CBar: 1, Lambda: 1, AlphaRho: 0.6, AlphaC: 0.9})
	family("full importance sampling", "is", impala+", section 4.1", Parameters{RhoBar: 1, CBar: 1, Lambda: 1})
	for _, b := range []float64{0.01, 0.1} {
		family(fmt.Sprintf("trust region, b %v", b), "trust-region", "LASER, arXiv:1909.11583, section 4",
			Parameters{RhoBar: 1, CBar: 1, Lambda: 1, AlphaRho: 1, AlphaC: 1, Trust: b})
	}
	step("PPO's clip", "clip", "PPO, arXiv:1707.06347, eq. 7", Parameters{ClipLow: 0.2, ClipHigh: 0.2})
	step("DAPO's clip", "clip", "DAPO, arXiv:2503.14476, eq. 10", Parameters{ClipLow: 0.2, ClipHigh: 0.28})
	step("TOPR's taper, by steps", "taper", "TOPR, arXiv:2503.14286, eq. 8", Parameters{})
	step("TOPR with ends .25 and .5", "taper", "TOPR, arXiv:2503.14286, eq. 8", Parameters{Floor: 0.25, Ceiling: 0.5})
	step("a quarter of each bad step, without a ratio", "taper", "a control of this project",
		Parameters{Floor: 0.25, Ceiling: 0.25})
	step("IcePop", "band", "Ring-1T, arXiv:2510.18855, section 2.3.2", Parameters{Floor: 0.5, Ceiling: 5})
	step("masked importance sampling", "band", "TRL, docs/source/paper_index.md", Parameters{Ceiling: 2})
	for _, delta := range []float64{0.15, 0.2} {
		step(fmt.Sprintf("DPPO, total variation, delta %v", delta), "shift", "DPPO, arXiv:2602.04879, eq. 12 to 14",
			Parameters{Delta: delta})
	}
	for _, tau := range []float64{0.004, 0.04, 0.4} {
		level(fmt.Sprintf("M2PO, tau %v", tau), "moment", "step", "M2PO, arXiv:2510.01161, algorithm 1",
			Parameters{Tau: tau, Of: "outward"})
		level(fmt.Sprintf("M2PO as in AReaL, tau %v", tau), "moment", "step",
			"AReaL, _get_m2po_loss_mask in areal/trainer/ppo/actor.py, 00ed9244", Parameters{Tau: tau, Of: "any"})
	}
	level("sequence TIS", "one-step", "response", "verl, docs/algo/rollout_corr_math.md, section 3.3.2",
		Parameters{Ceiling: 2})
	level("geometric mean, truncated", "one-step", "mean", "ms-swift, sequence_truncate", Parameters{Ceiling: 1.1})
	level("TOPR's taper", "taper", "response", "TOPR, arXiv:2503.14286, eq. 8", Parameters{})
	level("taper of the geometric mean", "taper", "mean", "verl, pull request 6986", Parameters{})
	level("masked sequences", "band", "response", "TRL, sequence_mask", Parameters{Ceiling: 1.5})
	level("band of the geometric mean", "band", "mean", "slime, mis.py, level geometric",
		Parameters{Floor: 0.8, Ceiling: 1.2})
	level("clip of the product", "clip", "response", "PPO's clip of a response's ratio",
		Parameters{ClipLow: 0.2, ClipHigh: 0.28})
	level("GSPO", "clip", "mean", "GSPO, arXiv:2507.18071, eq. 7 and 14", Parameters{ClipLow: 3e-4, ClipHigh: 4e-4})
	level("GSPO, with a wider clip", "clip", "mean", "GSPO, arXiv:2507.18071, eq. 7 and 14",
		Parameters{ClipLow: 0.2, ClipHigh: 0.2})
	for _, of := range []string{"", "bad", "good"} {
		c := Case{Name: "score centring", Form: "centred", Source: "arXiv:2609.20807, f = 1"}
		if of != "" {
			c.Name, c.Source, c.Parameters = "score centring of the "+of+" steps alone", "a control of this project",
				&Parameters{Of: of}
		}
		c = unroll(c)
		c.Advantage = []float64{1, -0.5, 2, -1.5, 0.3, -0.2, 0.8}
		c.LogPi, c.LogMu, c.Reward, c.Discount, c.Value, c.Bootstrap = nil, nil, nil, nil, nil, 0
		all = append(all, c)
	}
	for _, beta := range []float64{-0.5, 0.5} {
		all = append(all, Case{Name: fmt.Sprintf("lift %v", beta), Form: "lift", Source: "a control of this project",
			Parameters: &Parameters{Lift: beta}, Advantage: []float64{1, -0.5, 2, -1.5, 0.3, -0.2}})
	}
	for i := range all {
		switch c := &all[i]; c.Form {
		case "vtrace", "leaky", "is", "trust-region":
			vtrace(c)
		case "centred":
			centre(c)
		case "lift":
			lift(c)
		default:
			weigh(c)
		}
	}
	return all
}

// write returns the file's bytes: one field of the head on a line, and one case on a line.
func write() ([]byte, error) {
	head, err := json.MarshalIndent(Head{Version: 1, License: "CC0-1.0", About: about, Fields: fields}, "", " ")
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteString(strings.TrimSuffix(string(head), "\n}") + ",\n \"cases\": [\n")
	var lines []string
	for _, c := range cases() {
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		lines = append(lines, "  "+string(line))
	}
	out.WriteString(strings.Join(lines, ",\n") + "\n ]\n}\n")
	return []byte(out.String()), nil
}

func main() {
	text, err := write()
	if err == nil {
		err = os.WriteFile("../static/corrections.json", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
