// The reference cases: numbers that other implementations computed. Where sources differ we chose: with λ < 1 the
// advantage bootstraps from v_{t+1} (`pg_advantages`, as in the paper); the trust region measures KL(π‖π̃) by default
// and KL(π‖μ) on request (both are checked); all three advantages exist (`pg_advantages_impala`, `advantages_laser`).
package correct

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/internal/goldens"
)

type goldenFile struct {
	name      string
	Tolerance map[string]json.RawMessage
	Cases     []json.RawMessage
}

// readGolden reads a file of reference cases.
func readGolden(t *testing.T, name string) goldenFile {
	t.Helper()
	file := goldenFile{name: name}
	goldens.Decode(t, name, &file)
	if len(file.Cases) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	return file
}

func (f goldenFile) tolerance(t *testing.T, name string) (tol goldens.Tolerance) {
	t.Helper()
	if f.Tolerance[name] == nil {
		t.Fatalf("%s names no tolerance %q", f.name, name)
	}
	decode(t, f.Tolerance[name], &tol)
	return tol
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func as[F Float](from []float64) []F {
	to := make([]F, len(from))
	for i, x := range from {
		to[i] = F(x)
	}
	return to
}

func integers(from []float64) []int32 {
	to := make([]int32, len(from))
	for i, x := range from {
		to[i] = int32(x)
	}
	return to
}

func ones[F Float](n int) []F {
	s := make([]F, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// bar reads a truncation level, where null is infinity.
type bar float64

func (b *bar) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*b = bar(math.Inf(1))
		return nil
	}
	return json.Unmarshal(data, (*float64)(b))
}

type goldenParams struct {
	RhoBar   bar     `json:"rho_bar"`
	CBar     bar     `json:"c_bar"`
	RhoBarPG bar     `json:"pg_rho_bar"`
	Lambda   float64 `json:"lambda"`
	LeakRho  float64 `json:"alpha_rho"`
	LeakC    float64 `json:"alpha_c"`
}

func newParams() goldenParams {
	inf := bar(math.Inf(1))
	return goldenParams{RhoBar: inf, CBar: inf, RhoBarPG: inf, LeakRho: 1, LeakC: 1, Lambda: 1}
}

func truncationOf[F Float](p goldenParams) Truncation[F] {
	return Truncation[F]{F(p.RhoBar), F(p.CBar), F(p.RhoBarPG), F(p.Lambda), F(p.LeakRho), F(p.LeakC)}
}

type goldenInputs struct {
	Behaviour goldens.Nested `json:"behaviour_logits"`
	Target    goldens.Nested `json:"target_logits"`
	Action    goldens.Nested `json:"actions"`
	LogRhos   goldens.Nested `json:"log_rhos"`
	Discount  goldens.Nested `json:"discounts"`
	Reward    goldens.Nested `json:"rewards"`
	Value     goldens.Nested `json:"values"`
	Bootstrap goldens.Nested `json:"bootstrap_value"`
}

func unrollOf[F Float](in goldenInputs, T, B int) *Unroll[F] {
	return &Unroll[F]{T: T, B: B, Reward: as[F](in.Reward), Discount: as[F](in.Discount),
		Value: as[F](in.Value), Bootstrap: as[F](in.Bootstrap)}
}

type vtraceCase struct {
	Name, Kind string
	T, B, A    int
	Params     goldenParams
	Inputs     goldenInputs
	Expected   map[string]goldens.Nested
	NStep      goldens.Nested `json:"n_step_return"`
	Equals     string
	AlphaOrder *bool `json:"alpha_order_ok"`
	Upstream   *struct {
		VSMinusValues goldens.Nested `json:"vs_minus_values"`
		PGAdvantages  goldens.Nested `json:"pg_advantages"`
		Rtol          float64
	} `json:"upstream_expected"`
}

func TestGoldenVTrace(t *testing.T) {
	for _, name := range []string{"vtrace.json.gz", "leaky_vtrace.json.gz"} {
		file := readGolden(t, name)
		f64, f32 := file.tolerance(t, "f64"), file.tolerance(t, "f32")
		for _, raw := range file.Cases {
			c := vtraceCase{Params: newParams()}
			decode(t, raw, &c)
			t.Run(c.Name, func(t *testing.T) {
				goldenVTrace[float64](t, c, f64)
				goldenVTrace[float32](t, c, f32)
			})
		}
		t.Logf("%s: %d cases, each in float64 and float32", name, len(file.Cases))
	}
}

func goldenVTrace[F Float](t *testing.T, c vtraceCase, tol goldens.Tolerance) {
	n, clip := c.T*c.B, truncationOf[F](c.Params)
	in := unrollOf[F](c.Inputs, c.T, c.B)
	in.Ratio = make([]F, n)
	logPi, logMu := as[F](c.Inputs.Target), as[F](c.Inputs.Behaviour)
	action := integers(c.Inputs.Action)
	switch c.Kind {
	case "from_importance_weights":
		for i, log := range c.Inputs.LogRhos {
			in.Ratio[i] = F(math.Exp(log))
		}
	case "from_logits", "": // the leaky file names no kind
		Ratios(in.Ratio, logPi, logMu, action, c.A)
		LogSoftmax(logPi, logPi, c.A)
		LogSoftmax(logMu, logMu, c.A)
		again := make([]F, n)
		RatiosFromLog(again, logPi, logMu, action, c.A)
		goldens.Compare(t, "ratios from log-probabilities", again, widen(in.Ratio), tol)
	default:
		t.Fatalf("unknown kind of case %q", c.Kind)
	}
	out := NewTargets[F](c.T, c.B)
	VTrace(out, in, clip, AdvantageVTrace)

	for field, want := range c.Expected {
		got := make([]F, n)
		for i := range got {
			switch field {
			case "vs":
				got[i] = out.VS[i]
			case "pg_advantages":
				got[i] = out.Weight[i] * out.Advantage[i]
			case "clipped_rhos":
				got[i] = out.Rho[i]
			case "cs":
				got[i] = out.C[i]
			case "log_rhos":
				got[i] = F(math.Log(float64(in.Ratio[i])))
			case "target_action_log_probs":
				got[i] = logPi[i*c.A+int(action[i])]
			case "behaviour_action_log_probs":
				got[i] = logMu[i*c.A+int(action[i])]
			case "pg_advantages_lambda_mix": // the reading not chosen; the two meet at λ = 1
				got[i] = F(want[i])
				if c.Params.Lambda == 1 {
					got[i] = out.Weight[i] * out.Advantage[i]
				}
			default:
				t.Fatalf("unknown field %q", field)
			}
		}
		goldens.Compare(t, field, got, want, tol)
	}

	other := NewTargets[F](c.T, c.B)
	if c.NStep != nil {
		goldens.Compare(t, "v against the n-step return", out.VS, c.NStep, tol)
		NStep(other, in, AdvantageVTrace)
		goldens.Compare(t, "NStep", other.VS, c.NStep, tol)
	}
	switch {
	case c.Equals == "":
	case strings.HasPrefix(c.Equals, "importance_sampling"):
		full := clip
		full.RhoBar, full.CBar, full.RhoBarPG = F(math.Inf(1)), F(math.Inf(1)), F(math.Inf(1))
		VTrace(other, in, full, AdvantageVTrace)
		goldens.Compare(t, "v against importance sampling", out.VS, widen(other.VS), tol)
	case c.Equals == "plain V-trace":
		vtrace := &Corrections[MethodVTrace]
		Apply(other, vtrace, in, InForce(vtrace, clip), AdvantageVTrace)
		goldens.Compare(t, "v against V-trace", out.VS, widen(other.VS), tol)
	default:
		t.Fatalf("unknown identity %q", c.Equals)
	}
	if c.AlphaOrder != nil && *c.AlphaOrder != (c.Params.LeakRho >= c.Params.LeakC) {
		t.Errorf("alpha_order_ok = %v does not read as STAC prints it", *c.AlphaOrder)
	}
	if up := c.Upstream; up != nil {
		loose := goldens.Tolerance{Rtol: up.Rtol, Atol: up.Rtol}
		gap, weighted := make([]F, n), make([]F, n)
		for i := range gap {
			gap[i], weighted[i] = out.VS[i]-in.Value[i], out.Weight[i]*out.Advantage[i]
		}
		goldens.Compare(t, "upstream v−V", gap, up.VSMinusValues, loose)
		goldens.Compare(t, "upstream advantages", weighted, up.PGAdvantages, loose)
	}
}

func widen[F Float](from []F) []float64 {
	to := make([]float64, len(from))
	for i, x := range from {
		to[i] = float64(x)
	}
	return to
}

// TestGoldenImplied checks the implied policies; the fixed points that go with them are checked
// where worlds are solved exactly.
func TestGoldenImplied(t *testing.T) {
	file := readGolden(t, "implied_policy_fixed_point.json")
	tol, settings := file.tolerance(t, "f64"), 0
	for _, raw := range file.Cases {
		var c struct {
			Name     string
			Kind     string
			Actions  int `json:"n_actions"`
			Pi, Mu   goldens.Nested
			Settings []json.RawMessage
		}
		decode(t, raw, &c)
		if c.Kind != "" {
			t.Fatalf("unknown kind of case %q", c.Kind)
		}
		t.Run(c.Name, func(t *testing.T) {
			logPi, logMu := logs(c.Pi), logs(c.Mu)
			for i, raw := range c.Settings {
				s := struct {
					goldenParams
					Implied   goldens.Nested `json:"implied_policy"`
					Dominates bool           `json:"rho_dominates_c"`
				}{goldenParams: newParams()}
				decode(t, raw, &s)
				clip := truncationOf[float64](s.goldenParams)
				got := make([]float64, len(c.Pi))
				Implied(got, logPi, logMu, c.Actions, clip.RhoBar, clip.LeakRho)
				goldens.Compare(t, "implied_policy of setting "+strconv.Itoa(i), got, s.Implied, tol)
				// Unsound considers every possible ratio; the file considers the ratios of one small world.
				if len(clip.Unsound()) == 0 && !s.Dominates {
					t.Errorf("setting %d: called sound, though ρ < c somewhere", i)
				}
				settings++
			}
		})
	}
	t.Logf("%s: %d cases, %d settings", file.name, len(file.Cases), settings)
}

func logs(p []float64) []float64 {
	out := make([]float64, len(p))
	for i, x := range p {
		out[i] = math.Log(x)
	}
	return out
}
