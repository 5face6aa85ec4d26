package program

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner/kernel"
)

// Every operation against its definition, written out in float64 one number at a time. Sizes are odd and all different.

type opCase struct {
	step Step
	// want returns the step's output over zeros, from its inputs.
	want func(in [][]float64) []float64
	// keep says that an input is 0 or 1; nil: none is.
	keep int
}

var (
	unevenConv = kernel.Conv{H: 4, W: 5, In: 2, Out: 3, Size: 3, Stride: 2, Pad: 1}
	plainConv  = kernel.Conv{H: 6, W: 5, In: 3, Out: 17, Size: 3, Stride: 1}
	unevenPool = kernel.Pool{H: 4, W: 5, C: 2, Size: 3, Stride: 2, Pad: 1}
)

func opCases() []opCase {
	var cases []opCase
	add := func(s Step, want func(in [][]float64) []float64) {
		cases = append(cases, opCase{step: s, want: want})
	}
	for _, act := range []kernel.Activation{kernel.Identity, kernel.ReLU, kernel.Tanh, kernel.Sigmoid} {
		add(Step{Op: Dense, Act: act, Size: [8]int{7, 5, 9}}, func(in [][]float64) []float64 {
			return act64(act, bias64(product64(in[0], in[1], 7, 5, 9, 9, 1, 5, 1), in[2]))
		})
		add(Step{Op: Activate, Act: act, Size: [8]int{37}}, func(in [][]float64) []float64 {
			return act64(act, slices.Clone(in[0]))
		})
		add(Step{Op: ActGrad, Act: act, Size: [8]int{37}}, func(in [][]float64) []float64 {
			return actGrad64(act, in[0], in[1])
		})
		for _, g := range []kernel.Conv{unevenConv, plainConv} {
			add(Step{Op: ConvLayer, Act: act, Size: ConvSizes(g, 2)}, func(in [][]float64) []float64 {
				y := make([]float64, 2*g.OutSize())
				eachTap(g, 2, func(x, w, at int) { y[at] += in[0][x] * in[1][w] })
				return act64(act, bias64(y, in[2]))
			})
		}
	}
	add(Step{Op: ProductAB, Size: [8]int{7, 18, 9}}, func(in [][]float64) []float64 {
		return product64(in[0], in[1], 7, 18, 9, 9, 1, 18, 1)
	})
	add(Step{Op: ProductAT, Size: [8]int{7, 18, 9}}, func(in [][]float64) []float64 {
		return product64(in[0], in[1], 7, 18, 9, 1, 7, 18, 1)
	})
	add(Step{Op: ProductBT, Size: [8]int{7, 18, 9}}, func(in [][]float64) []float64 {
		return product64(in[0], in[1], 7, 18, 9, 9, 1, 1, 9)
	})
	for _, g := range []kernel.Conv{unevenConv, plainConv} {
		add(Step{Op: ConvForward, Size: ConvSizes(g, 2)}, func(in [][]float64) []float64 {
			y := make([]float64, 2*g.OutSize())
			eachTap(g, 2, func(x, w, at int) { y[at] += in[0][x] * in[1][w] })
			return y
		})
		add(Step{Op: ConvInput, Size: ConvSizes(g, 2)}, func(in [][]float64) []float64 {
			dx := make([]float64, 2*g.InSize())
			eachTap(g, 2, func(x, w, y int) { dx[x] += in[0][y] * in[1][w] })
			return dx
		})
		add(Step{Op: ConvWeights, Size: ConvSizes(g, 2)}, func(in [][]float64) []float64 {
			dw := make([]float64, g.Weights())
			eachTap(g, 2, func(x, w, y int) { dw[w] += in[0][x] * in[1][y] })
			return dw
		})
	}
	add(Step{Op: Pool, Size: PoolSizes(unevenPool, 2)}, func(in [][]float64) []float64 {
		y := make([]float64, 2*unevenPool.OutSize())
		for at, x := range picks(unevenPool, 2, in[0]) {
			y[at] = in[0][x]
		}
		return y
	})
	add(Step{Op: PoolBack, Size: PoolSizes(unevenPool, 2)}, func(in [][]float64) []float64 { // dy, x, y
		dx := make([]float64, len(in[1]))
		for at, x := range picks(unevenPool, 2, in[1]) {
			dx[x] += in[0][at]
		}
		return dx
	})
	add(Step{Op: PoolPick, Size: PoolSizes(unevenPool, 2)}, func(in [][]float64) []float64 { // v, x, y
		out := make([]float64, len(in[2]))
		for at, x := range picks(unevenPool, 2, in[1]) {
			out[at] = in[0][x]
		}
		return out
	})
	for _, n := range []int{3, 14} { // copied one by one, and by rows
		add(Step{Op: Columns, Size: [8]int{5, 17, 2, n}}, func(in [][]float64) (y []float64) {
			for r := range 5 {
				y = append(y, in[0][r*17+2:r*17+2+n]...)
			}
			return y
		})
		add(Step{Op: Place, Size: [8]int{5, 17, 2, n}}, func(in [][]float64) []float64 {
			y := make([]float64, 5*17)
			for r := range 5 {
				copy(y[r*17+2:], in[0][r*n:(r+1)*n])
			}
			return y
		})
	}
	add(Step{Op: ColSum, Size: [8]int{5, 17}}, func(in [][]float64) []float64 {
		y := make([]float64, 17)
		for i, v := range in[0] {
			y[i%17] += v
		}
		return y
	})
	add(Step{Op: Repeat, Size: [8]int{5, 17}}, func(in [][]float64) []float64 { return slices.Repeat(in[0], 5) })
	add(Step{Op: Copy, Size: [8]int{37}}, func(in [][]float64) []float64 { return slices.Clone(in[0]) })

	add(Step{Op: Squares, Size: [8]int{131}}, func(in [][]float64) []float64 {
		y := make([]float64, 64)
		for i, v := range in[0] {
			y[i%64] += v * v
		}
		return y
	})
	add(Step{Op: Scale, Size: [8]int{37}}, func(in [][]float64) (y []float64) {
		for _, v := range in[0] {
			y = append(y, in[1][0]*v)
		}
		return y
	})
	add(Step{Op: RMSProp, Size: [8]int{37}}, func(in [][]float64) []float64 {
		rates := slices.Clone(in[2])
		rates[3] = 0 // of momentum
		u := make([]float64, 37)
		return rmsprop64(append(slices.Clone(in[0]), u...), in[1], rates)[:2*37]
	})
	add(Step{Op: RMSPropMomentum, Size: [8]int{37}}, func(in [][]float64) []float64 {
		return rmsprop64(slices.Clone(in[0]), in[1], in[2])
	})
	add(Step{Op: Adam, Size: [8]int{37}}, func(in [][]float64) []float64 {
		x, beta1, beta2, root, eps, rate := slices.Clone(in[0]), in[2][0], in[2][1], in[2][2], in[2][3], in[2][4]
		for i, g := range in[1] {
			theta, m, v := &x[i], &x[37+i], &x[2*37+i]
			*m = beta1**m + (1-beta1)*g
			*v = beta2**v + (1-beta2)*g*g
			*theta -= rate * *m / (root*math.Sqrt(*v) + eps)
		}
		return x
	})

	add(Step{Op: Unpack, Size: [8]int{37}}, func(in [][]float64) (y []float64) {
		for i := range 37 {
			y = append(y, float64(math.Float32bits(float32(in[0][i/32]))>>(i%32)&1))
		}
		return y
	})

	const t, b, h = 4, 3, 5
	core := func(op Op, keep int, want func(in [][]float64) []float64) {
		cases = append(cases, opCase{step: Step{Op: op, Size: [8]int{t, b, h}}, want: want, keep: keep})
	}
	core(LSTM, 3, func(in [][]float64) []float64 { return cells64(in[0], in[1], in[2], in[3], t, b, h) })
	core(LSTMPrevious, 2, func(in [][]float64) []float64 { return previous64(in[0], in[1], in[2], t, b, h) })
	return append(cases, attentionCases()...)
}

func TestEveryOperationIsItsDefinition(t *testing.T) {
	// By differences, below and in attention_test.go.
	seen := map[Op]bool{LSTMBack: true, LSTMTangent: true, AttendBack: true, AttendWeights: true}
	for _, c := range opCases() {
		seen[c.step.Op] = true
		for _, add := range []bool{false, true} {
			if add && !c.step.Op.Adds() {
				continue
			}
			s := c.step
			s.Add = add
			in, out := lay(&s, 1, c.keep)
			before := slices.Clone(out.dst())
			out.run(s)
			want := c.want(in)
			for i, w := range want {
				if add {
					w += float64(before[i])
				}
				if got := float64(out.dst()[i]); !(math.Abs(got-w) <= 1e-4*(1+math.Abs(w))) {
					t.Errorf("%s, %v, add %v: %g at %d, the definition says %g", s.Op, s.Size, add, got, i, w)
					break
				}
			}
			if len(want) != len(out.dst()) {
				t.Errorf("%s writes %d numbers, the definition %d", s.Op, len(out.dst()), len(want))
			}
		}
	}
	for op := Op(1); op < ops; op++ {
		if !seen[op] {
			t.Errorf("%s is held against nothing", op)
		}
	}
}

// rmsprop64 is a step of RMSProp on x: θ, ν and the momentum.
func rmsprop64(x, grad, rates []float64) []float64 {
	n := len(grad)
	for i, g := range grad {
		theta, nu, u := &x[i], &x[n+i], &x[2*n+i]
		*nu = rates[0]**nu + (1-rates[0])*g*g
		*u = rates[3]**u + rates[4]*g/(math.Sqrt(*nu+rates[1])+rates[2])
		*theta -= rates[5] * *u
	}
	return x
}

// LSTMTangent along tz is how the cells of the definition move, and LSTMBack is its transpose.
func TestTheCoresDerivativesAreDifferencesOfItsDefinition(t *testing.T) {
	const steps, b, h = 4, 3, 5
	forward := Step{Op: LSTM, Size: [8]int{steps, b, h}}
	in, cells := lay(&forward, 2, 3)
	cells.run(forward)

	inputs := func(first []float32) [][]float32 {
		return [][]float32{first, cells.dst(), cells.of(2), cells.of(3), cells.of(4)}
	}
	random := rand.New(rand.NewPCG(3, 4))
	tz, dCells := noise(random, steps*b*4*h), noise(random, steps*b*kernel.CellParts*h)
	tangent := alone(Step{Op: LSTMTangent, Size: forward.Size}, inputs(tz))
	back := alone(Step{Op: LSTMBack, Size: forward.Size}, inputs(dCells))

	const eps = 1e-6
	at := func(sign float64) []float64 {
		z := slices.Clone(in[0])
		for i := range z {
			z[i] += sign * eps * float64(tz[i])
		}
		return cells64(z, in[1], in[2], in[3], steps, b, h)
	}
	up, down := at(1), at(-1)
	along, across := 0.0, 0.0
	for i, got := range tangent {
		want := (up[i] - down[i]) / (2 * eps)
		if math.Abs(float64(got)-want) > 1e-4*(1+math.Abs(want)) {
			t.Fatalf("cell %d moves by %g, the difference says %g", i, got, want)
		}
		along += float64(got) * float64(dCells[i])
	}
	for i, v := range back {
		across += float64(v) * float64(tz[i])
	}
	if math.Abs(along-across) > 1e-4*(1+math.Abs(along)) {
		t.Errorf("⟨dCells, J·tz⟩ is %g, ⟨Jᵀ·dCells, tz⟩ %g", along, across)
	}
}

func TestWhatMayWriteOverItsInputDoes(t *testing.T) {
	for _, c := range opCases() {
		if !c.step.Op.InPlace() {
			continue
		}
		s := c.step
		in, out := lay(&s, 5, c.keep)
		want := c.want(in)
		s.At[0] = s.At[1]
		out.run(s)
		for i, w := range want {
			if got := float64(out.of(1)[i]); math.Abs(got-w) > 1e-4*(1+math.Abs(w)) {
				t.Fatalf("%s in place: %g at %d, the definition says %g", s.Op, got, i, w)
			}
		}
	}
}

// layout is an arena for one step.
type layout struct {
	arena   []float32
	at      [1 + maxInputs]int
	extents []int
}

// lay makes an arena of random numbers and places s there. Input keep, if not 0, holds zeros and ones. The y of a
// pooling is the pooling's result.
func lay(s *Step, seed uint64, keep int) (in [][]float64, l *layout) {
	random := rand.New(rand.NewPCG(seed, uint64(s.Op)))
	l = &layout{extents: s.Extents()}
	for i, n := range l.extents {
		s.At[i] = len(l.arena)
		l.arena = append(l.arena, noise(random, n)...)
	}
	l.at = s.At
	// An optimiser's memory is never below 0, and a mean's weight is below 1.
	if s.Op >= RMSProp && s.Op <= Adam {
		for i, v := range l.arena {
			l.arena[i] = min(0.9, float32(math.Abs(float64(v))))
		}
	}
	if keep > 0 {
		for i := range l.of(keep + 1) {
			l.of(keep + 1)[i] = float32(min(1, random.IntN(4)))
		}
	}
	if s.Op == Attend { // states that remember as many steps as they can, or fewer
		for b := range s.Size[1] {
			l.of(4)[b*l.extents[4]/s.Size[1]] = float32((s.Size[4] + b) % (s.Size[4] + 1))
		}
	}
	if s.Op == PoolBack || s.Op == PoolPick {
		copy(l.of(3), alone(Step{Op: Pool, Size: s.Size}, [][]float32{l.of(2)}))
	}
	for i := range l.extents[1:] {
		var x []float64
		for _, v := range l.of(1 + i) {
			x = append(x, float64(v))
		}
		in = append(in, x)
	}
	return in, l
}

func (l *layout) of(i int) []float32 { return l.arena[l.at[i] : l.at[i]+l.extents[i]] }
func (l *layout) dst() []float32     { return l.of(0) }
func (l *layout) run(s Step)         { Bind([]Step{s}, l.arena).Run() }

// alone returns a step's output, from copies of its inputs.
func alone(s Step, in [][]float32) []float32 {
	n := s.Extents()[0]
	arena := make([]float32, n)
	for i, x := range in {
		s.At[1+i] = len(arena)
		arena = append(arena, x...)
	}
	Bind([]Step{s}, arena).Run()
	return arena[:n]
}

func noise(random *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	return x
}

// product64 is C [m, n] = A·B read through strides.
func product64(a, b []float64, m, n, k, ra, ca, rb, cb int) []float64 {
	c := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for p := range k {
				c[i*n+j] += a[i*ra+p*ca] * b[p*rb+j*cb]
			}
		}
	}
	return c
}

func bias64(y, bias []float64) []float64 {
	for i := range y {
		y[i] += bias[i%len(bias)]
	}
	return y
}

func act64(act kernel.Activation, y []float64) []float64 {
	for i, v := range y {
		switch act {
		case kernel.ReLU:
			y[i] = max(0, v)
		case kernel.Tanh:
			y[i] = math.Tanh(v)
		case kernel.Sigmoid:
			y[i] = 1 / (1 + math.Exp(-v))
		}
	}
	return y
}

func actGrad64(act kernel.Activation, dy, y []float64) []float64 {
	dz := slices.Clone(dy)
	for i, v := range y {
		switch {
		case act == kernel.ReLU && v <= 0:
			dz[i] = 0
		case act == kernel.Tanh:
			dz[i] *= 1 - v*v
		case act == kernel.Sigmoid:
			dz[i] *= v * (1 - v)
		}
	}
	return dz
}

// eachTap visits which x meets which w in which y.
func eachTap(g kernel.Conv, rows int, visit func(x, w, y int)) {
	for r := range rows {
		for oy := range g.OutH() {
			for ox := range g.OutW() {
				for o := range g.Out {
					for ky := range g.Size {
						for kx := range g.Size {
							y, x := oy*g.Stride+ky-g.Pad, ox*g.Stride+kx-g.Pad
							if y < 0 || y >= g.H || x < 0 || x >= g.W {
								continue
							}
							for i := range g.In {
								visit(((r*g.H+y)*g.W+x)*g.In+i, ((ky*g.Size+kx)*g.In+i)*g.Out+o,
									((r*g.OutH()+oy)*g.OutW()+ox)*g.Out+o)
							}
						}
					}
				}
			}
		}
	}
}

// picks is where each window's largest x lies.
func picks(g kernel.Pool, rows int, x []float64) (at []int) {
	for r := range rows {
		for oy := range g.OutH() {
			for ox := range g.OutW() {
				for c := range g.C {
					best := -1
					for y := max(0, oy*g.Stride-g.Pad); y < min(g.H, oy*g.Stride-g.Pad+g.Size); y++ {
						for xx := max(0, ox*g.Stride-g.Pad); xx < min(g.W, ox*g.Stride-g.Pad+g.Size); xx++ {
							if i := ((r*g.H+y)*g.W+xx)*g.C + c; best < 0 || x[i] > x[best] {
								best = i
							}
						}
					}
					at = append(at, best)
				}
			}
		}
	}
	return at
}

// cells64 is an unroll of the LSTM: h, c, i, f, g, o and tanh c of each step.
func cells64(z, wh, state, keep []float64, t, b, h int) []float64 {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	const parts = int(kernel.CellParts)
	cells := make([]float64, t*b*parts*h)
	for step := range t {
		for row := range b {
			from := before64(cells, state, keep, step, row, b, h)
			gates := slices.Clone(z[(step*b+row)*4*h : (step*b+row+1)*4*h])
			for k, v := range from[:h] {
				for j := range gates {
					gates[j] += v * wh[k*4*h+j]
				}
			}
			to := cells[(step*b+row)*parts*h:]
			for j := range h {
				i, f, g, o := sigmoid(gates[j]), sigmoid(gates[h+j]), math.Tanh(gates[2*h+j]), sigmoid(gates[3*h+j])
				c := f*from[h+j] + i*g
				for p, v := range []float64{o * math.Tanh(c), c, i, f, g, o, math.Tanh(c)} {
					to[p*h+j] = v
				}
			}
		}
	}
	return cells
}

// before64 is the h and c that a step starts from.
func before64(cells, state, keep []float64, step, row, b, h int) []float64 {
	switch {
	case keep[step*b+row] == 0:
		return make([]float64, 2*h)
	case step == 0:
		return state[row*2*h : (row+1)*2*h]
	}
	return cells[((step-1)*b+row)*int(kernel.CellParts)*h:][:2*h]
}

func previous64(cells, state, keep []float64, t, b, h int) (y []float64) {
	for step := range t {
		for row := range b {
			y = append(y, before64(cells, state, keep, step, row, b, h)[:h]...)
		}
	}
	return y
}
