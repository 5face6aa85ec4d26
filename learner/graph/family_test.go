package graph

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// Programs made from stored ones equal the graph's own, by bits.
func TestAFewProgramsOfANetworkMakeAllForOtherRows(t *testing.T) {
	specs := layeredSpecs()
	maps.Copy(specs, someSpecs())
	maps.Copy(specs, lookers)
	for name, spec := range specs {
		spec := spec.Flat()
		lengths, wanted := []int{1}, [][2]int{{1, 1}, {1, 7}, {1, 16}, {1, 100}, {1, 129}}
		if spec.States() > 0 {
			lengths, wanted = []int{3, 5}, [][2]int{{1, 1}, {1, 16}, {4, 3}, {9, 16}, {12, 21}}
		}
		for _, tangent := range []bool{false, true} {
			if tangent && spec.TrXL > 0 {
				continue
			}
			var few program.Stored
			for _, length := range lengths {
				for _, b := range []int{3 * program.Line, 5 * program.Line} {
					p, err := Lower(spec, length, b, tangent)
					if err != nil {
						t.Fatal(err)
					}
					few = append(few, p)
				}
			}
			for _, w := range wanted {
				want, err := Lower(spec, w[0], w[1], tangent)
				if err != nil {
					t.Fatal(err)
				}
				got, err := few.Find(spec.Text(), w[0], w[1], tangent)
				if err != nil {
					t.Errorf("%s, %v, tangent %v: %v", name, w, tangent, err)
					continue
				}
				if one, other := outputs(got), outputs(want); !slices.Equal(one, other) {
					t.Errorf("%s, %v, tangent %v: not what the graph's own program gives", name, w, tangent)
				}
			}
		}
	}
}

// outputs are all that a program gives for numbers that depend on its shape alone, as text: NaN are to be equal too.
func outputs(p *program.Program) (all []string) {
	chance := rand.New(rand.NewPCG(1, 2))
	draw := func(s program.Segment) []float32 {
		x := make([]float32, p.Segments[s].N)
		for i := range x {
			x[i] = chance.Float32() - 0.5
		}
		return x
	}
	keep := draw(program.Keep)
	for i := range keep {
		keep[i] = float32(i % 2)
	}
	h := program.NewHost(kernel.Auto, p)
	add := func(lists ...[]float32) {
		for _, x := range lists {
			all = append(all, fmt.Sprint(x))
		}
	}
	add2 := func(a, b []float32) { add(a, b) }
	add2(h.Forward(draw(program.Theta), draw(program.Input), draw(program.State), keep))
	if p.Tangent != nil {
		add2(h.Tangent(draw(program.Direction)))
	}
	grad := make([]float32, p.Params())
	h.Backward(grad, draw(program.DLogits), draw(program.DValues))
	add(grad)
	return all
}
