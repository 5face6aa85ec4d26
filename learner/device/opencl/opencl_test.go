//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"cmp"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/optim"
	"impalab/learner/program"
)

// underTest opens the first device of the vendor that TEST_DEVICE names. Without a name, it opens PoCL, which runs the
// kernels on the processor. `make test` installs PoCL where it may. With NEED_OPENCL, a missing device fails the test.
func underTest(t testing.TB, with tiles) *Device {
	t.Helper()
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("this machine has no vectors, or was told to use none: devices give other bits")
	}
	name := cmp.Or(os.Getenv("TEST_DEVICE"), "pocl")
	v := vendorNamed(name)
	if _, err := v.devices(); err != nil {
		if os.Getenv("NEED_OPENCL") != "" || name != "pocl" {
			t.Fatalf("%s: %v; make opencl installs PoCL", name, err)
		}
		t.Skipf("PoCL: %v; make opencl installs it", err)
	}
	d, err := v.open(0, with)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func vendorNamed(name string) *vendor {
	for i := range vendors {
		if vendors[i].name == name {
			return &vendors[i]
		}
	}
	panic("no vendor is called " + name)
}

// small divides nothing as usual does, and leaves more edges.
var small = tiles{m: 16, n: 16, k: 8, itemM: 2, itemN: 2, convN: 8, convOne: 2}

func TestADeviceGivesTheProcessorsBitsInEveryOperation(t *testing.T) {
	if err := device.Examine(underTest(t, usual)); err != nil {
		t.Error(err)
	}
}

func TestTilesCannotBeSeenInAnyBit(t *testing.T) {
	if testing.Short() {
		t.Skip("PoCL takes seconds to build the kernels anew")
	}
	// One macro writes all the products; these look along both sides of their matrices, and into images.
	if err := device.Examine(underTest(t, small), program.Dense, program.Columns, program.ProductAT, program.ColSum,
		program.ProductBT, program.ConvInput, program.ActGrad); err != nil {
		t.Error(err)
	}
}

func TestEveryOperationHasAKernel(t *testing.T) {
	op := program.Op(1)
	for ; op.String() != "no operation"; op++ {
		if lowered[op] == nil != op.CoresOnly() {
			t.Errorf("%s: for the cores only %v, and it has a kernel %v", op, op.CoresOnly(), lowered[op] != nil)
		}
	}
}

func TestATransformerIsRefusedBeforeAnythingIsMade(t *testing.T) {
	looking := net.Spec{Obs: 4, Actions: 3, TrXL: 6, CoreHeads: 2, CoreMemory: 5}
	make := func(t, b int) (*program.Program, error) { return graph.Lower(looking, t, b, false) }
	_, err := newPlan(nil, make, true, 3, 4, 2)
	if err == nil || !strings.Contains(err.Error(), "of a Transformer-XL has no kernel for devices") {
		t.Errorf("%v", err)
	}
}

var little = net.Spec{Obs: 4, Hidden: []int{16}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1, LSTM: 5}

func lower(t, b int) (*program.Program, error) { return graph.Lower(little, t, b, true) }

func mustPlan(t testing.TB, d *Device) device.Plan {
	t.Helper()
	p, err := d.Plan(lower, true, 7, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pass is a whole turn of a plan for little: everything that an update may ask of it.
func pass(p device.Plan, random *rand.Rand) func() []float32 {
	fill := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(random.NormFloat64())
		}
		return x
	}
	theta, input, state, keep := fill(little.Params()), fill(7*6*4), fill(6*little.States()), fill(7*6)
	dLogits, dValues, grad := fill(7*6*3), fill(7*6), make([]float32, little.Params())
	after := make([]float32, little.States())
	return func() []float32 {
		p.Forward(theta, input, state, keep)
		p.StateAfter(17, after)
		p.Backward(grad, dLogits, dValues)
		p.Tangent(grad)
		return grad
	}
}

// step is a turn of the optimiser after a pass: what else an update asks of a device.
func step(p device.OnDevice) func() {
	theta, dLogits, dValues := make([]float32, little.Params()), make([]float32, 7*6*3), make([]float32, 7*6)
	adam, rms := optim.NewAdam(len(theta), 0.9, 0.99, 1e-5), optim.NewRMSProp(len(theta), 0.9, 1e-5, 0.5, 1)
	adam.On(p)
	rms.On(p)
	return func() {
		p.Gradient(dLogits, dValues)
		p.Shorten(0.5)
		adam.Step(theta, nil, 0.1)
		rms.Step(theta, nil, 0.1)
	}
}

// StateAfter returns the states of the last Forward, whatever is computed in between.
func TestStatesStayUntilTheNextForward(t *testing.T) {
	p := mustPlan(t, underTest(t, usual))
	defer p.Close()
	cores, err := program.NewSharded(kernel.Auto, lower, true, 7, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer cores.Close()
	for _, one := range []device.Plan{p, cores} {
		pass(one, rand.New(rand.NewPCG(1, 1)))() // which asks for a state, and goes back
	}
	got, want := make([]float32, little.States()), make([]float32, little.States())
	for row := range 7 * 6 {
		p.StateAfter(row, got)
		if cores.StateAfter(row, want); !slices.Equal(got, want) {
			t.Fatalf("row %d: %v, on the processor %v", row, got, want)
		}
	}
}

// A look under the microscope goes forward and asks for states, and the next update goes forward again.
func TestStatesComeFromTheLastForward(t *testing.T) {
	lower := func(t, b int) (*program.Program, error) { return graph.Lower(little, t, b, false) }
	p, err := underTest(t, usual).Plan(lower, true, 7, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	cores, err := program.NewSharded(kernel.Auto, lower, true, 7, 6, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer cores.Close()
	random := rand.New(rand.NewPCG(1, 2))
	fill := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(random.NormFloat64())
		}
		return x
	}
	got, want, grad := make([]float32, little.States()), make([]float32, little.States()), fill(little.Params())
	for turn := range 4 {
		theta, input, state, keep := fill(little.Params()), fill(7*6*4), fill(6*little.States()), fill(7*6)
		dLogits, dValues := fill(7*6*3), fill(7*6)
		for _, one := range []device.Plan{p, cores} {
			one.Forward(theta, input, state, keep)
		}
		for back := range 2 {
			for row := range 7 * 6 {
				p.StateAfter(row, got)
				if cores.StateAfter(row, want); !slices.Equal(got, want) {
					t.Fatalf("turn %d, row %d, %d times back: %v, on the processor %v", turn, row, back, got, want)
				}
			}
			if turn < 2 {
				break
			}
			for _, one := range []device.Plan{p, cores} {
				one.Backward(grad, dLogits, dValues)
			}
		}
	}
}

func TestAnUpdateOnADeviceAllocatesNothing(t *testing.T) {
	p := mustPlan(t, underTest(t, usual))
	defer p.Close()
	turn, descend := pass(p, rand.New(rand.NewPCG(1, 1))), step(p.(device.OnDevice))
	turn()
	if n := testing.AllocsPerRun(50, func() { turn(); descend() }); n != 0 && !raced {
		t.Errorf("%v allocations", n)
	}
	if err := device.Err(p); err != nil {
		t.Error(err)
	}
}

func TestPlansOfOneDeviceRunSideBySide(t *testing.T) {
	d := underTest(t, usual)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			seed := func() *rand.Rand { return rand.New(rand.NewPCG(uint64(i), 2)) }
			cores, err := program.NewSharded(kernel.Auto, lower, true, 7, 6, 2)
			if err != nil {
				t.Error(err)
				return
			}
			defer cores.Close()
			want := pass(cores, seed())()
			for range 5 {
				p := mustPlan(t, d)
				turn := pass(p, seed())
				for range 3 {
					if got := turn(); !slices.Equal(got, want) {
						t.Errorf("plan %d comes to another gradient than the cores", i)
					}
				}
				p.Close()
			}
		})
	}
	all.Wait()
}

func TestDevicesAndPlansAreOpenedAndClosedOverAndOver(t *testing.T) {
	d := underTest(t, usual)
	for range 100 {
		p := mustPlan(t, d)
		p.Close()
		p.Close()
	}
	for range 5 {
		again := underTest(t, usual)
		p := mustPlan(t, again)
		pass(p, rand.New(rand.NewPCG(1, 1)))()
		if err := device.Err(p); err != nil {
			t.Fatal(err)
		}
		p.Close()
		again.Close()
	}
	p := mustPlan(t, d)
	turn := pass(p, rand.New(rand.NewPCG(1, 1)))
	p.Close()
	defer func() {
		if recover() == nil {
			t.Error("a closed plan still works")
		}
	}()
	turn()
}

func TestWorkThatADeviceCannotDoIsRefusedInASentence(t *testing.T) {
	d := underTest(t, usual)
	refused := func(what string, err error, words ...string) {
		t.Helper()
		for _, w := range append(words, "") {
			if err == nil || !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, which does not say %q in a line", what, err, w)
			}
		}
	}
	_, err := (&vendor{name: "x", libraries: []string{"libnowhere.so.1"}}).devices()
	refused("no library", err, "libnowhere.so.1", "cannot open")
	_, err = (&vendor{name: "x", libraries: []string{"libc.so.6"}}).devices()
	refused("another library", err, "libc.so.6 is no OpenCL driver")
	_, err = vendorNamed("pocl").open(7, usual)
	refused("device 7", err, "pocl")
	wrong := usual
	wrong.convN = -16
	_, err = open(d.id, wrong)
	refused("a driver that cannot build a kernel", err, "a kernel cannot be built", "error")
	huge := usual
	huge.m, huge.n = 1<<12, 1<<12
	_, err = open(d.id, huge)
	refused("too large a work-group", err, "work-groups")
	refused("too long an arena", d.fits(program.MaxArena+1, 1<<62), "an arena has at most")
	refused("too little memory", d.fits(1<<20+1, 4<<20), "MB at once", "smaller batches")
	if err := d.fits(1<<20, d.id.number(deviceMaxAlloc)); err != nil {
		t.Error(err)
	}

	// Without its queue the plan computes nothing, and reports why.
	p := mustPlan(t, d).(*plan)
	turn := pass(p, rand.New(rand.NewPCG(1, 1)))
	p.q.err = failure(-5)
	turn()
	refused("a failure on the way", device.Err(p), "out of resources")
	p.Close()
}
