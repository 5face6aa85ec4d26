package loss

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"impalab/learner/correct"
)

// vector is a case of static/corrections.json.
type vector struct {
	Name, Form, Level       string
	Parameters              map[string]any
	LogPi                   []float64   `json:"log_pi"`
	LogMu                   []float64   `json:"log_mu"`
	LogPiAll                [][]float64 `json:"log_pi_all"`
	LogMuAll                [][]float64 `json:"log_mu_all"`
	Response                []int
	Action                  []int32
	Reward, Discount, Value []float64
	Bootstrap               float64

	Advantage, Target, Weight, Lifted []float64
	Slope                             [][]float64
}

func (v *vector) number(key string) float64 { x, _ := v.Parameters[key].(float64); return x }

// unroll is the case as one trajectory. Where advantages are given, A_t = r_t + γ_t·V_{t+1} − V_t has V = 0.
func (v *vector) unroll() (*correct.Unroll[float64], correct.Advantage) {
	n := len(v.Advantage)
	in := &correct.Unroll[float64]{T: n, B: 1, Reward: v.Reward, Discount: v.Discount, Value: v.Value,
		Bootstrap: []float64{v.Bootstrap}, Ratio: make([]float64, n), Pi: make([]float64, n), Limits: correct.Limits{
			Floor: v.number("floor"), Ceiling: v.number("ceiling"), ClipLow: v.number("clip_low"),
			ClipHigh: v.number("clip_high"), Shift: v.number("delta"), Moment: v.number("tau"), Lift: v.number("lift"),
			TaperLow: v.number("floor"), TaperHigh: cmp.Or(v.number("ceiling"), 1),
			Level: correct.Level(max(0, slices.Index(correct.LevelNames, v.Level)))}}
	if v.Parameters["of"] == "any" {
		in.Limits.MomentOf = correct.MomentAny
	}
	for t := range v.LogPi {
		in.Pi[t], in.Ratio[t] = math.Exp(v.LogPi[t]), math.Exp(v.LogPi[t]-v.LogMu[t])
	}
	if v.Form == "trust-region" {
		in.Mask = make([]float64, n)
		correct.TrustMask(in.Mask, make([]float64, n), slices.Concat(v.LogPiAll...), slices.Concat(v.LogMuAll...), 3,
			v.number("rho_bar"), v.number("trust"), correct.RelevanceImplied)
	}
	if v.Reward != nil {
		return in, correct.AdvantageVTrace
	}
	in.Reward, in.Discount, in.Value = v.Advantage, make([]float64, n), make([]float64, n)
	for t := range in.Discount { // 1 within a response
		if t+1 < len(v.Response) && v.Response[t] == v.Response[t+1] {
			in.Discount[t] = 1
		}
	}
	return in, correct.AdvantageBootstrap
}

// slopes returns the negated gradient of the loss in the logits, one row a step.
func (v *vector) slopes(weight []float64, c *correct.Correction) []float64 {
	p := Policy[float64]{LogProb: slices.Concat(v.LogPiAll...), Actions: len(v.LogPiAll[0])}
	for _, x := range p.LogProb {
		p.Prob = append(p.Prob, math.Exp(x))
	}
	d := make([]float64, len(p.Prob))
	PolicyGradient(d, p, v.Action, weight, v.Advantage, c.LogEpsilon, 1)
	if c.Centred {
		of, _ := v.Parameters["of"].(string)
		half := correct.CentreOf(max(0, slices.Index(correct.CentreOfNames, of)))
		Centre(d, p, slices.Concat(v.LogMuAll...), weight, v.Advantage, half, 1)
	}
	for i := range d {
		d[i] = -d[i]
	}
	return d
}

// The published objectives' weights, which tools/vectors computes without the learner's code, are the learner's.
func TestCorrectionsAgreeWithThePublishedVectors(t *testing.T) {
	text, err := os.ReadFile("../../static/corrections.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"lift": true}
	for _, v := range file.Cases {
		seen[v.Form] = true
		form := v.Form
		if form == "lift" {
			form = "none"
		}
		at := slices.IndexFunc(correct.Corrections[:], func(c correct.Correction) bool { return c.Name == form })
		c := &correct.Corrections[at]
		in, advantage := v.unroll()
		out := correct.NewTargets[float64](in.T, 1)
		rho := v.number("rho_bar") + v.number("ceiling") // a case has one of them
		correct.Apply(out, c, in, correct.InForce(c, correct.Truncation[float64]{RhoBar: rho, CBar: v.number("c_bar"),
			RhoBarPG: rho, Lambda: v.number("lambda"), LeakRho: v.number("alpha_rho"), LeakC: v.number("alpha_c")}), advantage)
		if c.LogEpsilon > 0 { // no weight: two actions show what the slope of log(π + ε) is
			for i, a := range v.Advantage {
				pi := math.Exp(v.LogPi[i])
				one := vector{LogPiAll: [][]float64{{v.LogPi[i], math.Log1p(-pi)}}, Action: []int32{0}, Advantage: []float64{a}}
				out.Weight[i] = one.slopes(out.Weight[i:i+1], c)[0] / (a * (1 - pi))
			}
		}
		switch {
		case v.Slope != nil:
			agree(t, v.Name+", slope", v.slopes(out.Weight, c), slices.Concat(v.Slope...))
		case v.Lifted != nil:
			agree(t, v.Name+", lifted", out.Advantage, v.Lifted)
		default:
			agree(t, v.Name+", weight", out.Weight, v.Weight)
			agree(t, v.Name+", advantage", out.Advantage, v.Advantage)
		}
		if v.Target != nil {
			agree(t, v.Name+", target", out.VS, v.Target)
		}
	}
	for _, c := range correct.Corrections {
		if !seen[c.Name] && c.Weight != correct.WeightOwn {
			t.Errorf("no vector has the correction %s", c.Name)
		}
	}
}

func agree(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, not %d", name, len(got), len(want))
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-12+1e-9*math.Abs(want[i])) {
			t.Errorf("%s, step %d: %v, the vectors say %v", name, i, got[i], want[i])
		}
	}
}
