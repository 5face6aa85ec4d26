package exact

import (
	"math"
	"strconv"
	"testing"

	"impalab/internal/goldens"
)

// The golden file was made by an independent program; its fields are documented in it.

type goldenFile struct {
	Tolerance map[string]goldens.Tolerance
	Cases     []goldenCase
}

type goldenCase struct {
	Name      string
	Kind      string
	NStates   int `json:"n_states"`
	NActions  int `json:"n_actions"`
	Gamma     float64
	Absorbing bool `json:"absorbing_last_state"`
	P         [][][]float64
	R, Pi, Mu [][]float64
	V0        []float64
	VPi       []float64 `json:"v_pi"`
	VMu       []float64 `json:"v_mu"`
	Settings  []goldenSetting
}

type goldenSetting struct {
	RhoBar     *float64 `json:"rho_bar"`
	CBar       *float64 `json:"c_bar"`
	LeakRho    float64  `json:"alpha_rho"`
	LeakC      float64  `json:"alpha_c"`
	Lambda     float64
	Implied    [][]float64          `json:"implied_policy"`
	VImplied   []float64            `json:"v_implied"`
	Iterates   map[string][]float64 `json:"operator_iterates"`
	NStep      map[string][]float64 `json:"n_step_operator"`
	Eta        []float64            `json:"eta_per_state"`
	EtaMax     float64              `json:"eta_max"`
	Norm       float64              `json:"operator_inf_norm"`
	Beta       float64
	Bound      float64 `json:"eta_bound"`
	LeakyBound float64 `json:"leaky_bound"`
	Nonneg     bool    `json:"nonnegative_coefficients"`
	Radius     float64 `json:"spectral_radius"`
	Dominates  bool    `json:"rho_dominates_c"`
	Printed    bool    `json:"stac_paper_condition"`
}

func TestGoldenFixedPoints(t *testing.T) {
	const name = "implied_policy_fixed_point.json"
	var g goldenFile
	goldens.Decode(t, name, &g)
	settings := 0
	for _, c := range g.Cases {
		if c.Kind != "" {
			t.Fatalf("%s: case kind %q is not known", name, c.Kind)
		}
		t.Run(c.Name, func(t *testing.T) { c.run(t, g.Tolerance["f64"]) })
		settings += len(c.Settings)
	}
	if settings == 0 {
		t.Fatalf("%s holds no settings", name)
	}
	t.Logf("%s: %d cases, %d settings", name, len(g.Cases), settings)
}

func (c goldenCase) run(t *testing.T, tol goldens.Tolerance) {
	check := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
		}
		for i := range got {
			if !tol.Near(got[i], want[i]) {
				t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	one := func(x float64) []float64 { return []float64{x} }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	p := &Problem{States: c.NStates, Actions: c.NActions, R: flat(c.R), Gamma: c.Gamma}
	for _, rows := range c.P {
		p.P = append(p.P, flat(rows)...)
	}
	pi, mu := flat(c.Pi), flat(c.Mu)
	v := make([]float64, p.States)
	must(p.Value(v, pi))
	check("V^π", v, c.VPi)
	must(p.Value(v, mu))
	check("V^μ", v, c.VMu)

	for i, s := range c.Settings {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			k := Correction{bar(s.RhoBar), bar(s.CBar), s.LeakRho, s.LeakC, s.Lambda}
			implied := make([]float64, len(pi))
			p.Implied(implied, pi, mu, k)
			check("implied policy", implied, flat(s.Implied))
			must(p.Value(v, implied))
			check("V of the implied policy", v, s.VImplied)

			for times, want := range s.Iterates {
				copy(v, c.V0)
				for range number(t, times) {
					must(p.Operator(v, v, pi, mu, k))
				}
				check("operator ×"+times, v, want)
			}
			for n, want := range s.NStep {
				p.OperatorN(v, c.V0, number(t, n), pi, mu, k)
				check(n+"-step operator", v, want)
			}

			got, err := p.Contraction(pi, mu, k)
			must(err)
			check("η", got.PerState, s.Eta)
			check("η max", one(got.Max), one(s.EtaMax))
			check("norm", one(got.Norm), one(s.Norm))
			check("β", one(got.Beta), one(s.Beta))
			check("bound", one(got.Bound), one(s.Bound))
			check("leaky bound", one(got.LeakyBound), one(s.LeakyBound))
			check("spectral radius", one(got.SpectralRadius()), one(s.Radius))
			if got.Nonnegative != s.Nonneg || got.RhoDominatesC != s.Dominates || got.Printed != s.Printed {
				t.Errorf("nonnegative, ρ ≥ c, printed condition: %v %v %v, want %v %v %v",
					got.Nonnegative, got.RhoDominatesC, got.Printed, s.Nonneg, s.Dominates, s.Printed)
			}
		})
	}
}

// bar reads null as +∞.
func bar(x *float64) float64 {
	if x == nil {
		return math.Inf(1)
	}
	return *x
}

func flat(rows [][]float64) []float64 {
	var out []float64
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
