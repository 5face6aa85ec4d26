package optim

import (
	"encoding/json"
	"slices"
	"testing"

	"impalab/internal/goldens"
	"impalab/internal/oracle"
)

type goldenFile struct {
	Tolerance map[string]goldens.Tolerance
	Cases     []struct {
		Name, Kind string
		Hyper      struct {
			LR, Decay, Momentum, Eps float64
			B1, B2                   float64
			InitialMS                float64 `json:"initial_ms"`
		}
		MaxNorm float64 `json:"max_norm"`
		Inputs  struct {
			Params []float64
			Grads  []goldens.Nested // a vector for each step; for clipping, tensors of any shape
		}
		Expected json.RawMessage
	}
}

func near(t *testing.T, what string, got, want float64, tol goldens.Tolerance) {
	t.Helper()
	if !tol.Near(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestGoldenOptimisers(t *testing.T) {
	const name = "optimizers.json"
	var file goldenFile
	goldens.Decode(t, name, &file)
	exact, single := file.Tolerance["f64"], file.Tolerance["f32"]
	kinds := map[string]int{}
	for _, c := range file.Cases {
		kinds[c.Kind]++
		h, n := c.Hyper, len(c.Inputs.Params)
		fill := func(v float64) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = v
			}
			return x
		}
		// Each rule in float64 as printed, and the float32 path that training takes.
		theta, first, second := append([]float64(nil), c.Inputs.Params...), fill(0), fill(0)
		theta32 := narrow(theta)
		var step func(t uint64, g []float64)
		var fast Optimiser
		names := [2]string{"m", "v"} // of first and second in the file
		switch c.Kind {
		case "rmsprop_tf", "rmsprop_torch":
			first, names = fill(h.InitialMS), [2]string{"ms", "mom"}
			rule := oracle.StepRMSProp[float64]
			if c.Kind == "rmsprop_torch" {
				rule = oracle.StepRMSPropTorch[float64]
			}
			step = func(_ uint64, g []float64) { rule(theta, first, second, g, h.LR, h.Decay, h.Eps, h.Momentum) }
			r := NewRMSProp(n, float32(h.Decay), float32(h.Eps), float32(h.Momentum), float32(h.InitialMS))
			r.Outside = c.Kind == "rmsprop_torch"
			fast = r
		case "adam_torch", "adam_tf":
			rule := oracle.StepAdam[float64]
			if c.Kind == "adam_tf" {
				rule = oracle.StepAdamHat[float64]
			}
			step = func(k uint64, g []float64) { rule(theta, first, second, g, h.LR, h.B1, h.B2, h.Eps, k) }
			a := NewAdam(n, float32(h.B1), float32(h.B2), float32(h.Eps))
			a.Hat = c.Kind == "adam_tf"
			fast = a
		case "global_norm_clip":
			var want struct {
				GlobalNorm float64 `json:"global_norm"`
				Clipped    goldens.Nested
			}
			if err := json.Unmarshal(c.Expected, &want); err != nil {
				t.Fatal(err)
			}
			all := slices.Concat(c.Inputs.Grads...)
			near(t, c.Name+" norm", oracle.ClipNorm(all, c.MaxNorm), want.GlobalNorm, exact)
			for i := range all {
				near(t, c.Name, all[i], want.Clipped[i], exact)
			}
			continue
		default:
			t.Fatalf("%s: case %s is of kind %q, which this test does not know", name, c.Name, c.Kind)
		}
		var want []map[string]json.RawMessage
		if err := json.Unmarshal(c.Expected, &want); err != nil {
			t.Fatal(err)
		}
		numbers := func(k int, key string) (x []float64) {
			if err := json.Unmarshal(want[k][key], &x); err != nil {
				t.Fatalf("%s: %s of step %d: %v", c.Name, key, k, err)
			}
			return x
		}
		for k, grad := range c.Inputs.Grads {
			step(uint64(k+1), grad)
			fast.Step(theta32, narrow(grad), float32(h.LR))
			for i, w := range numbers(k, "params") {
				near(t, c.Name+" params", theta[i], w, exact)
				near(t, c.Name+" params in float32", float64(theta32[i]), w, single)
			}
			for i, w := range numbers(k, names[0]) {
				near(t, c.Name+" "+names[0], first[i], w, exact)
			}
			for i, w := range numbers(k, names[1]) {
				near(t, c.Name+" "+names[1], second[i], w, exact)
			}
		}
	}
	t.Logf("%s: %d cases %v", name, len(file.Cases), kinds)
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

func TestStepsAllocateNothing(t *testing.T) {
	theta, grad := make([]float32, 1000), make([]float32, 1000)
	for _, o := range []Optimiser{NewRMSProp(1000, 0.99, 1e-5, 0, 0), NewRMSProp(1000, 0.99, 0.1, 0.9, 1),
		NewAdam(1000, 0.9, 0.999, 1e-8)} {
		if n := testing.AllocsPerRun(10, func() { o.Step(theta, grad, 0.1) }); n != 0 {
			t.Errorf("%T: %v allocations a step", o, n)
		}
	}
}
