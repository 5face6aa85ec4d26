package optim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/internal/goldens"
)

// popArtState is the file's state after a step, or the expected state.
type popArtState struct {
	Shift, Scale []float64
	SecondMoment []float64 `json:"second_moment"`
	W            [][]float64
	B            []float64
	Normalised   []float64 `json:"normalized_targets"`
}

// Of the file's three readings of a batch ours is the paper's, "sequential": sample after sample. The sum of all
// steps from the old moments, which is unstable in large batches, and their mean are not offered.
func TestGoldenPopArt(t *testing.T) {
	const name = "popart.json"
	var file struct {
		Tolerance map[string]goldens.Tolerance
		Cases     []struct {
			Name, Kind string
			NIn        int     `json:"n_in"`
			NOut       int     `json:"n_out"`
			StepSize   float64 `json:"step_size"`
			Low        float64 `json:"scale_lb"`
			High       float64 `json:"scale_ub"`
			Inputs     struct {
				W       [][]float64
				B       []float64
				X       [][]float64
				Targets [][]float64
				Indices [][]int32
			}
			Preserved [][]float64 `json:"unnormalized_output_of_x"`
			Expected  map[string][]popArtState
		}
	}
	goldens.Decode(t, name, &file)
	exact, preserved := file.Tolerance["f64"], file.Tolerance["preserved_output"]
	if len(file.Cases) == 0 || exact == (goldens.Tolerance{}) || preserved == (goldens.Tolerance{}) {
		t.Fatalf("%s holds no cases or no tolerances", name)
	}
	all := func(what string, got, want []float64, tol goldens.Tolerance) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
		}
		for i := range want {
			near(t, what, got[i], want[i], tol)
		}
	}
	steps := 0
	for _, c := range file.Cases {
		if c.Kind != "" {
			t.Fatalf("%s: case %s is of kind %q, which this test does not know", name, c.Name, c.Kind)
		}
		p := NewPopArt(c.NOut, c.StepSize, c.Low, c.High)
		var w []float64
		for _, row := range c.Inputs.W {
			w = append(w, row...)
		}
		b := append([]float64(nil), c.Inputs.B...)
		for reading := range c.Expected {
			if !slices.Contains([]string{"sum", "sequential", "mean"}, reading) {
				t.Fatalf("%s: case %s has reading %q, which this test does not know", name, c.Name, reading)
			}
		}
		if len(c.Expected["sequential"]) != len(c.Inputs.Targets) {
			t.Fatalf("%s: %d states for %d steps", c.Name, len(c.Expected["sequential"]), len(c.Inputs.Targets))
		}
		for k, want := range c.Expected["sequential"] {
			steps++
			p.Observe(w, b, c.NOut, 0, c.Inputs.Targets[k], c.Inputs.Indices[k])
			all(c.Name+" shift", p.Shift, want.Shift, exact)
			all(c.Name+" scale", p.Scale, want.Scale, exact)
			second := make([]float64, c.NOut)
			for o, m := range p.Shift {
				second[o] = p.variance[o] + m*m
			}
			all(c.Name+" second moment", second, want.SecondMoment, exact)
			var wantW, normalised []float64
			for _, row := range want.W {
				wantW = append(wantW, row...)
			}
			all(c.Name+" w", w, wantW, exact)
			all(c.Name+" b", b, want.B, exact)
			for i, g := range c.Inputs.Targets[k] {
				o := c.Inputs.Indices[k][i]
				normalised = append(normalised, (g-p.Shift[o])/p.Scale[o])
			}
			all(c.Name+" normalised targets", normalised, want.Normalised, exact)
			for r, x := range c.Inputs.X {
				for o := range c.NOut {
					y := b[o]
					for i, v := range x {
						y += v * w[i*c.NOut+o]
					}
					near(t, c.Name+" output", p.Scale[o]*y+p.Shift[o], c.Preserved[r][o], preserved)
				}
			}
		}
	}
	t.Logf("%s: %d cases, %d steps, sample after sample", name, len(file.Cases), steps)
}

func TestPopArtLeavesTheOtherColumnsAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	w, b := make([]float32, 12), []float32{1, 2, 3}
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	before := append([]float32(nil), w...)
	p := NewPopArt[float32](1, 0.1, 1e-2, 1e6)
	p.Observe(w, b, 3, 2, []float32{50, -30, 80}, nil)
	for i := range w {
		if moved := w[i] != before[i]; moved != (i%3 == 2) {
			t.Errorf("weight %d: %v was %v", i, w[i], before[i])
		}
	}
	if b[0] != 1 || b[1] != 2 || b[2] == 3 {
		t.Errorf("biases %v", b)
	}
}

func TestPopArtsScaleHoldsInFloat32FarFromZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	short, long := NewPopArt[float32](1, 1e-4, 1e-2, 1e6), NewPopArt(1, 1e-4, 1e-2, 1e6)
	for range 500 {
		targets, wide := make([]float32, 400), make([]float64, 400)
		for i := range targets {
			targets[i] = float32(20000 + 10*rng.NormFloat64())
			wide[i] = float64(targets[i])
		}
		short.Observe([]float32{1}, []float32{0}, 1, 0, targets, nil)
		long.Observe([]float64{1}, []float64{0}, 1, 0, wide, nil)
	}
	if off := float64(short.Scale[0])/long.Scale[0] - 1; math.Abs(off) > 0.01 {
		t.Errorf("scale %v, in float64 %v", short.Scale[0], long.Scale[0])
	}
}

func TestPopArtSettlesAtTheTargetsMomentsWhateverTheBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	p := NewPopArt[float64](1, 0.01, 1e-2, 1e6)
	w, b, batch := []float64{1}, []float64{0}, make([]float64, 500) // n·β = 5: a batch-sum rule would blow up
	for range 200 {
		for i := range batch {
			batch[i] = 100 + 20*rng.NormFloat64()
		}
		p.Observe(w, b, 1, 0, batch, nil)
	}
	if math.Abs(p.Shift[0]-100) > 10 || math.Abs(p.Scale[0]-20) > 10 {
		t.Errorf("shift %v and scale %v, want 100 and 20", p.Shift[0], p.Scale[0])
	}
}
