// The reference cases of IMPALA's losses, end to end: raw rewards and `done` flags through reward
// transform, V-trace and the three terms to the gradients. The cases' baseline loss is ½·Σ(v−V)²,
// so g_v is half their baseline_cost. Both forms of the optimistic reward are checked.
package loss_test

import (
	"encoding/json"
	"testing"

	"impalab/internal/goldens"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

type goldenCase struct {
	Kind, Name string
	T, B, A    int
	Hyper      struct {
		Gamma          float64
		BaselineCost   float64 `json:"baseline_cost"`
		EntropyCost    float64 `json:"entropy_cost"`
		RewardClipping string  `json:"reward_clipping"`
	}
	Inputs struct {
		Behaviour goldens.Nested `json:"behaviour_logits"`
		Target    goldens.Nested `json:"target_logits"`
		Actions   goldens.Nested
		Rewards   goldens.Nested
		Done      goldens.Nested
		Values    goldens.Nested
		Bootstrap goldens.Nested `json:"bootstrap_value"`
	}
	Expected map[string]goldens.Nested
}

// transforms are our names for the cases' reward clippings.
var transforms = map[string]loss.Reward{
	"abs_one": loss.RewardClip, "soft_asymmetric": loss.RewardSoftAsymmetric, "none": loss.RewardAsIs,
}

func TestGoldenImpalaLoss(t *testing.T) {
	const name = "impala_loss.json"
	var file struct {
		Tolerance struct{ F64, F32 goldens.Tolerance }
		Cases     []json.RawMessage
	}
	goldens.Decode(t, name, &file)
	if len(file.Cases) == 0 || file.Tolerance.F64 == (goldens.Tolerance{}) || file.Tolerance.F32 == (goldens.Tolerance{}) {
		t.Fatalf("%s holds no cases or no tolerances", name)
	}
	for _, raw := range file.Cases {
		var c goldenCase
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Name, func(t *testing.T) {
			switch c.Kind {
			case "loss":
				goldenLoss[float64](t, c, file.Tolerance.F64)
				goldenLoss[float32](t, c, file.Tolerance.F32)
			case "reward_clipping":
				goldenRewards(t, c, file.Tolerance.F64)
			default:
				t.Fatalf("unknown kind of case %q", c.Kind)
			}
		})
	}
	t.Logf("%s: %d cases, each loss in float64 and float32", name, len(file.Cases))
}

func goldenLoss[F loss.Float](t *testing.T, c goldenCase, tol goldens.Tolerance) {
	n, in := c.T*c.B, c.Inputs
	transform, known := transforms[c.Hyper.RewardClipping]
	if !known {
		t.Fatalf("unknown reward clipping %q", c.Hyper.RewardClipping)
	}
	unroll := &correct.Unroll[F]{T: c.T, B: c.B, Reward: as[F](in.Rewards), Discount: make([]F, n),
		Value:     as[F](in.Values),
		Bootstrap: as[F](in.Bootstrap), Ratio: make([]F, n)}
	loss.Transform(unroll.Reward, unroll.Reward, transform)
	for i, done := range in.Done {
		unroll.Discount[i] = F(c.Hyper.Gamma * (1 - done))
	}
	action := make([]int32, n)
	for i, a := range in.Actions {
		action[i] = int32(a)
	}
	logits := as[F](in.Target)
	p := loss.Policy[F]{Prob: make([]F, len(logits)), LogProb: make([]F, len(logits)), Actions: c.A}
	correct.Softmax(p.Prob, p.LogProb, logits, c.A)
	correct.Ratios(unroll.Ratio, logits, as[F](in.Behaviour), action, c.A)
	targets := correct.NewTargets[F](c.T, c.B)
	correct.VTrace(targets, unroll, correct.Truncation[F]{RhoBar: 1, CBar: 1, RhoBarPG: 1, Lambda: 1, LeakRho: 1,
		LeakC: 1}, correct.AdvantageVTrace)

	dLogits, dValues := make([]F, len(logits)), make([]F, n)
	policy := loss.PolicyGradient(dLogits, p, action, targets.Weight, targets.Advantage, 0, 1)
	value := loss.Value(dValues, unroll.Value, targets.VS, nil, F(c.Hyper.BaselineCost/2))
	entropy := loss.Entropy(dLogits, p, nil, F(c.Hyper.EntropyCost))

	for field, want := range c.Expected {
		var got []F
		switch field {
		case "clipped_rewards":
			got = unroll.Reward
		case "discounts":
			got = unroll.Discount
		case "vs":
			got = targets.VS
		case "pg_advantages":
			for i, w := range targets.Weight {
				got = append(got, w*targets.Advantage[i])
			}
		case "policy_gradient_loss":
			got = []F{F(policy)}
		case "baseline_loss":
			got = []F{F(value / 2)}
		case "entropy_loss":
			got = []F{F(entropy)}
		case "total":
			got = []F{F(policy + c.Hyper.BaselineCost/2*value + c.Hyper.EntropyCost*entropy)}
		case "grad_logits":
			got = dLogits
		case "grad_values":
			got = dValues
		default:
			t.Fatalf("unknown field %q", field)
		}
		goldens.Compare(t, field, got, want, tol)
	}
}

func goldenRewards(t *testing.T, c goldenCase, tol goldens.Tolerance) {
	for field, want := range c.Expected {
		transform, known := transforms[field]
		mirrored := false
		if field == "paper_figure_formula_literal" { // its first minus sign is the one not followed
			transform, known, mirrored = loss.RewardAsymmetric, true, true
		}
		if !known {
			t.Fatalf("unknown field %q", field)
		}
		got := append([]float64(nil), c.Inputs.Rewards...)
		loss.Transform(got, got, transform)
		for i, r := range c.Inputs.Rewards {
			if mirrored && r < 0 {
				got[i] = -got[i]
			}
		}
		goldens.Compare(t, field, got, want, tol)
	}
}

func as[F loss.Float](from []float64) []F {
	to := make([]F, len(from))
	for i, x := range from {
		to[i] = F(x)
	}
	return to
}
