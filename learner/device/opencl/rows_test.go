//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// rowsOf is the forward pass of spec for up to n rows.
func rowsOf(t testing.TB, d *Device, spec net.Spec, n int) *rows {
	t.Helper()
	lower := func(t, b int) (*program.Program, error) { return graph.Lower(spec, t, b, false) }
	r, err := newRows(d, lower, spec.LSTM > 0, n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestRowsOnADeviceAreTheActorsForwardBitForBit(t *testing.T) {
	d := underTest(t, usual)
	for _, spec := range []net.Spec{
		{Obs: 4, Hidden: []int{16}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1, Values: 2},
		{Obs: 4, Hidden: []int{9}, Activation: kernel.ReLU, Actions: 3, HeadScale: 1, LSTM: 5, Feedback: 4},
	} {
		const most = 7
		random := rand.New(rand.NewPCG(1, 3))
		fill := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(random.NormFloat64())
			}
			return x
		}
		r, f := rowsOf(t, d, spec, most), net.NewForward(spec, most)
		theta, state := fill(spec.Params()), fill(most*spec.States())
		states := slices.Clone(state)
		for turn, n := range []int{most, 3, 1, most, 5} { // a turn must not use rows of the last one
			if turn == 2 {
				theta = fill(spec.Params())
			}
			input := fill(n * spec.Inputs())
			logits, values := r.Run(theta, input, state, n)
			wantLogits, wantValues := f.Run(theta, input, states, n)
			if !slices.Equal(logits, wantLogits) || !slices.Equal(values, wantValues) || !slices.Equal(state, states) {
				t.Fatalf("turn %d of %s: %v %v, on the processor %v %v", turn, spec.Text(), logits, values, wantLogits,
					wantValues)
			}
		}
		input := fill(most * spec.Inputs())
		before := r.q.spent
		if n := testing.AllocsPerRun(20, func() { r.Run(theta, input, state, most) }); n != 0 && !raced {
			t.Errorf("%v allocations", n)
		}
		if sent := (r.q.spent.sent - before.sent) / 21; sent != 4*most*(spec.Inputs()+spec.States()) {
			t.Errorf("%d bytes are sent with θ that is there already", sent)
		}
	}
}

// Rows that take turns with a plan may have its θ from the device, and whatever θ they are given all the same.
func TestRowsTakeThePlansParametersOrTheirOwn(t *testing.T) {
	p := mustPlan(t, underTest(t, usual))
	defer p.Close()
	r, err := p.(device.OnDevice).Rows(lower, 6, false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	turn, f := pass(p, rand.New(rand.NewPCG(1, 1))), net.NewForward(little, 6)
	turn()
	random := rand.New(rand.NewPCG(1, 1)) // repeats the plan's θ, then gives another
	input, state := make([]float32, 6*4), make([]float32, 6*little.States())
	for range 2 {
		theta := make([]float32, little.Params())
		for i := range theta {
			theta[i] = float32(random.NormFloat64())
		}
		for range 2 {
			got, _ := r.Run(theta, input, slices.Clone(state), 6)
			if want, _ := f.Run(theta, input, slices.Clone(state), 6); !slices.Equal(got, want) {
				t.Fatalf("%v, on the processor %v", got, want)
			}
		}
	}
}

// 0 and −0 are one number and two parameters: they come to different bits of what follows.
func TestParametersThatDifferInASignAreSentAgain(t *testing.T) {
	spec := net.Spec{Obs: 1, Hidden: nil, Actions: 1, HeadScale: 1}
	r, f := rowsOf(t, underTest(t, usual), spec, 1), net.NewForward(spec, 1)
	theta := make([]float32, spec.Params())
	minus := float32(math.Copysign(0, -1))
	for _, zero := range []float32{0, minus, 0} {
		for i := range theta {
			theta[i] = zero
		}
		got, _ := r.Run(theta, []float32{1}, nil, 1)
		want, _ := f.Run(theta, []float32{1}, nil, 1)
		if r.q.host[r.base[program.Theta]] != zero || math.Signbit(float64(r.q.host[r.base[program.Theta]])) !=
			math.Signbit(float64(zero)) || math.Float32bits(got[0]) != math.Float32bits(want[0]) {
			t.Errorf("θ of %g: %g, on the processor %g", zero, got[0], want[0])
		}
	}
}

func TestARunEndsWithTheReasonWhyItsDeviceCannotValueTheTail(t *testing.T) {
	runToFailure(t, &watchedDevice{Device: underTest(t, usual), spoilt: 1}, config(t, "cartpole", "steps=100000"))
}

// runToFailure runs cfg on a device that fails, to the sentence that says so.
func runToFailure(t *testing.T, w *watchedDevice, cfg hyper.Config) {
	t.Helper()
	l, err := onDevice(t, w).New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if r, err := l.Run(t.Context(), learner.Hooks{}); err == nil || err.Error() != failure(-5).Error() || r.Updates > 0 {
		t.Errorf("it ended after %d updates with %v", r.Updates, err)
	}
}

// watchedDevice records the plans and rows made on it.
type watchedDevice struct {
	*Device
	plans  []*plan
	rows   []*rows
	spoilt int // the rows, counted from 1, that fail from the beginning
}

func (w *watchedDevice) Close() {}

func (w *watchedDevice) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	p, err := newPlan(w.Device, make, recurrent, t, b, shards)
	if err != nil {
		return nil, err
	}
	w.plans = append(w.plans, p)
	return watchedPlan{p, w}, nil
}

type watchedPlan struct {
	*plan
	w *watchedDevice
}

func (p watchedPlan) Rows(make program.Maker, n int, beside bool) (device.Rows, error) {
	r, err := p.plan.Rows(make, n, beside)
	if err == nil {
		p.w.rows = append(p.w.rows, r.(*rows))
		if len(p.w.rows) == p.w.spoilt {
			r.(*rows).q.err = failure(-5)
		}
	}
	return r, err
}
