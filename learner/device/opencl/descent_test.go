//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/optim"
	"impalab/learner/program"
)

// optimisers are every rule in every form, each twice: on nothing but this machine's kernels, and on d.
func optimisers(n int, d optim.Device) map[string][2]optim.Optimiser {
	rms := func(momentum float32, outside bool) (pair [2]optim.Optimiser) {
		for i := range pair {
			r := optim.NewRMSProp(n, 0.97, 1e-3, momentum, 1)
			r.Outside, pair[i] = outside, r
		}
		pair[1].On(d)
		return pair
	}
	adam := func(hat bool) (pair [2]optim.Optimiser) {
		for i := range pair {
			a := optim.NewAdam(n, 0.9, 0.99, 1e-5)
			a.Hat, pair[i] = hat, a
		}
		pair[1].On(d)
		return pair
	}
	return map[string][2]optim.Optimiser{
		"rmsprop": rms(0, false), "rmsprop outside": rms(0, true), "momentum": rms(0.8, false),
		"momentum outside": rms(0.8, true), "adam": adam(false), "adam hat": adam(true),
	}
}

// Between two steps θ changes on the host, a gradient is shortened, and the optimiser's memory is read and changed.
func TestStepsOnADeviceAreTheProcessorsBitForBit(t *testing.T) {
	d := underTest(t, usual)
	for name := range optimisers(1, nil) {
		cores, err := program.NewSharded(kernel.Auto, lower, true, 7, 6, 2)
		if err != nil {
			t.Fatal(err)
		}
		p := mustPlan(t, d).(device.OnDevice)
		pair := optimisers(little.Params(), p)[name]
		random := rand.New(rand.NewPCG(5, 6))
		fill := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(random.NormFloat64())
			}
			return x
		}
		here, grad := fill(little.Params()), make([]float32, little.Params())
		there := slices.Clone(here)
		for turn := range 6 {
			input, state, keep := fill(7*6*4), fill(6*little.States()), fill(7*6)
			dLogits, dValues := fill(7*6*3), fill(7*6)
			cores.Forward(here, input, state, keep)
			p.Forward(there, input, state, keep)
			if turn == 2 { // as PopArt does
				here[3], there[3] = 0.25, 0.25
			}
			cores.Backward(grad, dLogits, dValues)
			want := kernel.Auto.SumSq(grad)
			if got := kernel.SumOf(p.Gradient(dLogits, dValues)); got != want {
				t.Fatalf("%s: the gradient's squares add up to %g, on the processor to %g", name, got, want)
			}
			if turn%2 == 1 {
				kernel.Scale(grad, 0.3)
				p.Shorten(0.3)
			}
			pair[0].Step(here, grad, 0.01)
			pair[1].Step(there, nil, 0.01)
			if !slices.Equal(here, there) {
				t.Fatalf("%s: other parameters after step %d", name, turn)
			}
			if turn == 3 {
				for k, x := range pair[0].State() {
					if y := pair[1].State()[k]; !slices.Equal(x, y) {
						t.Fatalf("%s: it remembers something else at %d", name, k)
					}
				}
			}
			if turn == 4 {
				for _, o := range pair {
					o.State()[0][5] = 2
				}
			}
		}
		if err := device.Err(p); err != nil {
			t.Error(err)
		}
		p.Close()
		cores.Close()
	}
}

// A step to parameters that are not finite ends the run with those before it, and a run's optimiser may be looked at
// after every update.
func TestARunOnADeviceDivergesAsOnTheProcessor(t *testing.T) {
	cores, other := learner.Engine{Lower: graph.Lower}, on(t, underTest(t, usual))
	for _, changes := range []string{"opt-start=0", "optimiser=adam"} { // 0/0 for zero gradients: ε rounds to 0 in float32
		cfg := config(t, "catch", "opt-eps=1e-60 steps=4000 batch=4 hidden=8 activation=relu "+changes)
		var want learner.Result
		for i, e := range []learner.Engine{cores, other} {
			got, err := look(t, e, cfg)
			if err != nil || got.Diverged == "" {
				t.Fatalf("%s: it should diverge: %+v, %v", changes, got, err)
			}
			if i == 0 {
				want = got
			}
			if got.Diverged != want.Diverged || got.ParamsSHA256 != want.ParamsSHA256 {
				t.Errorf("%s: %s with %.12s, on the processor %s with %.12s", changes, got.Diverged, got.ParamsSHA256,
					want.Diverged, want.ParamsSHA256)
			}
		}
	}
}

// look runs cfg and looks at the optimiser after every update.
func look(t *testing.T, e learner.Engine, cfg hyper.Config) (learner.Result, error) {
	l, err := e.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		l.Machine().Opt.State()
		return nil
	}})
}
