package device

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"impalab/learner/kernel"
	"impalab/learner/program"
)

// Examine lets a device do every operation, in each of its forms, on numbers of all kinds, and compares each bit with
// the cores'. The error names the first operation that differs. With only, for tests, it examines these operations
// alone.
func Examine(d Device, only ...program.Op) error {
	steps, arena := examination()
	if len(only) > 0 {
		steps = slices.DeleteFunc(steps, func(s program.Step) bool { return !slices.Contains(only, s.Op) })
	}
	want, got := slices.Clone(arena), slices.Clone(arena)
	program.Bind(steps, want).Run()
	if err := d.Run(steps, got); err != nil {
		return err
	}
	for i := range steps {
		s := &steps[i]
		for j := range s.Extents()[0] {
			at := s.At[0] + j
			if !same(got[at], want[at]) {
				return fmt.Errorf("%s fails its self-test: number %d of the operation %s is %g (%#08x), and on this machine's "+
					"cores %g (%#08x)", d.Name(), j, s.Op, got[at], math.Float32bits(got[at]), want[at],
					math.Float32bits(want[at]))
			}
		}
	}
	return nil
}

// same compares bits. All NaNs are equal: processors differ in their bits.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// examination returns the steps, each with arguments of its own in an arena.
func examination() (steps []program.Step, arena []float32) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, s := range examples() {
		for _, add := range []bool{false, true} {
			if add && !s.Op.Adds() {
				continue
			}
			s.Add = add
			for i, n := range s.Extents() {
				s.At[i] = len(arena)
				arena = append(arena, numbers(random, kindOf(s.Op, i), n)...)
			}
			steps = append(steps, s)
			if s.Op == program.PoolBack || s.Op == program.PoolPick { // the arguments must be a pooling's result
				program.Bind([]program.Step{{Op: program.Pool, Size: s.Size, At: [6]int{s.At[3], s.At[2]}}}, arena).Run()
			}
		}
	}
	at := func(n int) int {
		arena = append(arena, numbers(random, ordinary, n)...)
		return len(arena) - n
	}
	return append(steps, together(at)...), arena
}

// together returns steps in the order of networks, which a device may fuse. at makes room in the arena.
func together(at func(n int) int) (steps []program.Step) {
	do := func(op program.Op, add bool, act kernel.Activation, places []int, size ...int) int {
		s := program.Step{Op: op, Add: add, Act: act}
		copy(s.Size[:], size)
		copy(s.At[:], places)
		steps = append(steps, s)
		return s.At[0]
	}
	for _, act := range []kernel.Activation{kernel.Identity, kernel.ReLU, kernel.Tanh} {
		// The columns of a layer, and two derivatives side by side.
		y := do(program.Dense, false, act, []int{at(70 * 7), at(70 * 19), at(19 * 7), at(7)}, 70, 7, 19)
		do(program.Columns, false, 0, []int{at(70 * 3), y}, 70, 7, 0, 3)
		do(program.Columns, false, 0, []int{at(70 * 4), y}, 70, 7, 3, 4)
		dy := do(program.Place, false, 0, []int{at(70 * 7), at(70 * 3)}, 70, 7, 0, 3)
		do(program.Place, true, 0, []int{dy, at(70 * 4)}, 70, 7, 3, 4)
		// Their derivatives: of the input, of the weights and of the bias behind the weights.
		dx := do(program.ProductBT, false, 0, []int{at(70 * 19), dy, at(19 * 7)}, 70, 19, 7)
		do(program.ActGrad, false, act, []int{dx, dx, at(70 * 19)}, 70*19)
		dw := do(program.ProductAT, false, 0, []int{at(19*7 + 7), at(70 * 19), dy}, 19, 7, 70)
		do(program.ColSum, false, 0, []int{dw + 19*7, dy}, 70, 7)
	}
	for _, apart := range []bool{false, true} { // a sum, and an activation in its place or elsewhere
		y := do(program.Copy, false, 0, []int{at(1000), at(1000)}, 1000)
		do(program.Copy, true, 0, []int{y, at(1000)}, 1000)
		z := y
		if apart {
			z = at(1000)
		}
		do(program.Activate, false, kernel.ReLU, []int{z, y}, 1000)
	}
	g := kernel.Conv{H: 6, W: 5, In: 3, Out: 17, Size: 3, Stride: 1}
	size, dy := program.ConvSizes(g, 3), at(3*g.OutSize())
	for _, add := range []bool{false, true} {
		dx := do(program.ConvInput, add, 0, []int{at(3 * g.InSize()), dy, at(g.Weights())}, size[:]...)
		do(program.ActGrad, false, kernel.ReLU, []int{dx, dx, at(3 * g.InSize())}, 3*g.InSize())
		dw := do(program.ConvWeights, add, 0, []int{at(g.Weights() + g.Out), at(3 * g.InSize()), dy}, size[:]...)
		do(program.ColSum, add, 0, []int{dw + g.Weights(), dy}, 3*g.OutH()*g.OutW(), g.Out)
	}
	return steps
}

// kind is the range of an argument's numbers.
type kind uint8

const (
	ordinary kind = iota // a tenth of them zeros of both signs
	every                // also very large and very small numbers, infinities and NaN
	mark                 // 0 or 1
	share                // between 0 and 1
)

// kindOf returns the kind of an operation's argument i. Only elementwise operations have infinities.
func kindOf(o program.Op, i int) kind {
	switch o {
	case program.Activate, program.ActGrad, program.Copy, program.Columns, program.Place, program.Repeat, program.Pool,
		program.Unpack:
		return every
	case program.LSTM:
		return []kind{ordinary, ordinary, ordinary, ordinary, mark}[i]
	case program.LSTMBack, program.LSTMTangent:
		return []kind{ordinary, ordinary, ordinary, ordinary, ordinary, mark}[i]
	case program.LSTMPrevious:
		return []kind{ordinary, ordinary, ordinary, mark}[i]
	case program.Scale:
		return []kind{ordinary, every, ordinary}[i]
	// With zero gradients the mean square decays to denormals.
	case program.RMSProp, program.RMSPropMomentum, program.Adam:
		return []kind{ordinary, every, every, share}[i]
	}
	return ordinary
}

var odd = []float32{
	0, float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-40, -1e-38,
	math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1, -1, 88.73,
	-104,
}

func numbers(random *rand.Rand, k kind, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		switch at := random.IntN(10); {
		case k == mark:
			x[i] = float32(min(1, at/3))
		case k == share:
			x[i] = random.Float32()
		case k == every && at < 3:
			x[i] = odd[random.IntN(len(odd))]
		case at == 0:
			x[i] = odd[random.IntN(2)]
		case at == 1:
			x[i] = float32(random.NormFloat64()) * 1e-3
		default:
			x[i] = float32(random.NormFloat64()) * 2
		}
	}
	return x
}

// examples returns every operation, in sizes that fill no tile and no vector.
func examples() []program.Step {
	convolutions := []kernel.Conv{
		{H: 4, W: 5, In: 2, Out: 3, Size: 3, Stride: 2, Pad: 1},
		{H: 6, W: 5, In: 3, Out: 17, Size: 3, Stride: 1},
		{H: 7, W: 9, In: 5, Out: 20, Size: 2, Stride: 3}, // some pixels are in no window
		{H: 8, W: 8, In: 4, Out: 16, Size: 4, Stride: 2},
	}
	poolings := []kernel.Pool{
		{H: 4, W: 5, C: 2, Size: 3, Stride: 2, Pad: 1}, {H: 6, W: 6, C: 17, Size: 2, Stride: 2},
		{H: 5, W: 7, C: 3, Size: 3, Stride: 1, Pad: 2},
	}
	var all []program.Step
	add := func(op program.Op, act kernel.Activation, size ...int) {
		s := program.Step{Op: op, Act: act}
		copy(s.Size[:], size)
		all = append(all, s)
	}
	for _, act := range []kernel.Activation{kernel.Identity, kernel.ReLU, kernel.Tanh} {
		add(program.Dense, act, 70, 66, 19)
		add(program.Dense, act, 7, 5, 300)
		add(program.Activate, act, 1000)
		add(program.ActGrad, act, 1000)
		for _, g := range convolutions {
			all = append(all, program.Step{Op: program.ConvLayer, Act: act, Size: program.ConvSizes(g, 3)})
		}
	}
	for _, op := range []program.Op{program.ProductAB, program.ProductAT, program.ProductBT} {
		add(op, kernel.Identity, 67, 18, 33)
		add(op, kernel.Identity, 5, 70, 130)
		add(op, kernel.Identity, 20, 1, 300)
	}
	for _, op := range []program.Op{program.ConvForward, program.ConvInput, program.ConvWeights} {
		for _, g := range convolutions {
			all = append(all, program.Step{Op: op, Size: program.ConvSizes(g, 3)})
		}
	}
	for _, op := range []program.Op{program.Pool, program.PoolBack, program.PoolPick} {
		for _, g := range poolings {
			all = append(all, program.Step{Op: op, Size: program.PoolSizes(g, 3)})
		}
	}
	for _, op := range []program.Op{program.LSTM, program.LSTMBack, program.LSTMTangent, program.LSTMPrevious} {
		add(op, kernel.Identity, 4, 3, 5)
		add(op, kernel.Identity, 3, 2, 67)
	}
	for _, n := range []int{3, 14} {
		add(program.Columns, kernel.Identity, 25, 17, 2, n)
		add(program.Place, kernel.Identity, 25, 17, 2, n)
	}
	add(program.ColSum, kernel.Identity, 70, 17)
	add(program.Repeat, kernel.Identity, 25, 17)
	add(program.Copy, kernel.Identity, 1000)
	for _, op := range []program.Op{program.Squares, program.Scale, program.RMSProp, program.RMSPropMomentum,
		program.Adam} {
		add(op, kernel.Identity, 1000)
		add(op, kernel.Identity, 50)
	}
	add(program.Unpack, kernel.Identity, 1000)
	return all
}
