package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The core's derivatives are tested through the graph, against differences (learner/graph). Here: the same
// bits for actor and learner and at each width, and no allocations.

// unroll is a core with all that its passes read and write.
type unroll struct {
	*LSTM
	z, wh, state, keep, cells    []float32
	dCells, dz, tCells, previous []float32
}

func newUnroll(k Set, r *rand.Rand, steps, rows, units int) *unroll {
	all := steps * rows
	u := &unroll{LSTM: k.NewLSTM(steps, rows, units),
		z: random(r, all*4*units), wh: random(r, units*4*units), state: random(r, rows*2*units), keep: make([]float32, all),
		cells: make([]float32, all*CellParts*units), dCells: random(r, all*CellParts*units), dz: make([]float32, all*4*units),
		tCells: make([]float32, all*CellParts*units), previous: make([]float32, all*units)}
	Scale(u.wh, 0.2)
	for i := range u.keep {
		if r.IntN(5) > 0 {
			u.keep[i] = 1
		}
	}
	return u
}

func (u *unroll) run() {
	u.Forward(u.wh, u.of(u.z, nil))
	u.Previous(u.previous, u.of(nil, nil))
	u.Backward(u.wh, u.of(u.dz, u.dCells))
	u.Tangent(u.wh, u.of(u.z, u.tCells))
}

// of returns the unroll of a pass with z and moves.
func (u *unroll) of(z, moves []float32) Unroll {
	return Unroll{Cells: u.cells, Z: z, Moves: moves, State: u.state, Keep: u.keep}
}

// An actor plays all trajectories, or a few of them, one step at a time, and clears the state where an
// episode begins. The learner must find the very same numbers.
func TestStepByStepIsTheUnrollBitForBit(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(8, 9))
		for _, units := range []int{1, 7, 16, 50} {
			const steps, rows = 6, 13
			u := newUnroll(Auto, r, steps, rows, units)
			u.run()
			for _, part := range [][2]int{{0, rows}, {5, 6}, {2, 7}} {
				from, upTo := part[0], part[1]
				n := upTo - from
				h, c := make([]float32, n*units), make([]float32, n*units)
				for b := range n {
					copy(h[b*units:(b+1)*units], u.state[(from+b)*2*units:])
					copy(c[b*units:(b+1)*units], u.state[(from+b)*2*units+units:])
				}
				for s := range steps {
					for b := range n {
						if u.keep[s*rows+from+b] == 0 {
							clear(h[b*units : (b+1)*units])
							clear(c[b*units : (b+1)*units])
						}
					}
					if where := differ(h, u.previous[(s*rows+from)*units:]); where != "" {
						t.Fatalf("%d units, step %d, trajectories %d to %d, h before: %s", units, s, from, upTo, where)
					}
					z := append([]float32(nil), u.z[(s*rows+from)*4*units:(s*rows+upTo)*4*units]...)
					Auto.MatMul(z, h, u.wh, n, 4*units, units, true)
					Auto.LSTMStep(h, c, z, n, units)
					for b := range n {
						cells := row(u.cells, s*rows+from+b, CellParts*units)
						if where := differ(join(row(h, b, units), row(c, b, units)), cells); where != "" {
							t.Fatalf("%d units, step %d, trajectories %d to %d: %s", units, s, from, upTo, where)
						}
					}
				}
			}
		}
	})
}

func TestAnUnrollFindsNothingOfTheLastOne(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		u := newUnroll(Auto, rand.New(rand.NewPCG(2, 3)), 4, 3, 9)
		u.run()
		first := join(u.cells, u.previous, u.dz, u.tCells)
		u.run()
		if where := differ(join(u.cells, u.previous, u.dz, u.tCells), first); where != "" {
			t.Error(where)
		}
	})
}

func TestUnrollsAllocateNothing(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		const units = 20
		u := newUnroll(Auto, rand.New(rand.NewPCG(1, 1)), 4, 3, units)
		h, c, z := make([]float32, 3*units), make([]float32, 3*units), make([]float32, 3*4*units)
		if n := testing.AllocsPerRun(10, func() {
			u.run()
			Auto.LSTMStep(h, c, z, 3, units)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// The benchmark beside it measures the products alone: the difference is the cells and the small number of rows of each
// step.
func BenchmarkLSTM(b *testing.B) {
	const steps, rows = 20, 32
	for _, units := range []int{128, 256} {
		r := rand.New(rand.NewPCG(1, 1))
		u := newUnroll(Auto, r, steps, rows, units)
		x := make([]float32, steps*rows*4*units)
		for _, f := range []struct {
			name string
			run  func()
		}{
			{"Forward", func() { u.Forward(u.wh, u.of(u.z, nil)) }},
			{"Backward", func() { u.Backward(u.wh, u.of(u.dz, u.dCells)) }},
			{"Tangent", func() { u.Tangent(u.wh, u.of(u.z, u.tCells)) }},
			{"MatMul", func() { Auto.MatMul(x, u.previous, u.wh, steps*rows, 4*units, units, false) }},
			{"MatMul, step by step", func() {
				for t := range steps {
					Auto.MatMul(x[t*rows*4*units:], u.previous[t*rows*units:], u.wh, rows, 4*units, units, false)
				}
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d", f.name, units), func(b *testing.B) {
				u.run()
				for b.Loop() {
					f.run()
				}
				b.ReportMetric(2*float64(steps*rows*units*4*units)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
