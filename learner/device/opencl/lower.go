//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// lowered launches each operation. a are the places of the arguments of s, the result first.
var lowered = map[program.Op]func(b *builder, s *program.Step, a []place){
	program.Dense: func(b *builder, s *program.Step, a []place) {
		b.productAB(a, s, flagBias)
	},
	program.ProductAB: func(b *builder, s *program.Step, a []place) { b.productAB(a, s, adding(s)) },
	program.ProductAT: func(b *builder, s *program.Step, a []place) {
		ones := b.ones(s, a)
		b.product("productAT", a, s.Size[0]+ones, s.Size[1], s.Size[2], adding(s)|ones*flagOnes, kernel.Identity)
	},
	program.ProductBT: func(b *builder, s *program.Step, a []place) {
		flags, act, a := b.slope(s, a)
		b.product("productBT", a, s.Size[0], s.Size[1], s.Size[2], flags, act)
	},

	program.ConvLayer: func(b *builder, s *program.Step, a []place) {
		b.conv("convForward", a, s, flagBias)
	},
	program.ConvForward: func(b *builder, s *program.Step, a []place) { b.conv("convForward", a, s, adding(s)) },
	program.ConvWeights: func(b *builder, s *program.Step, a []place) {
		b.conv("convWeights", a, s, adding(s)|b.ones(s, a)*flagOnes)
	},
	program.ConvInput: convInput,

	program.Pool: func(b *builder, s *program.Step, a []place) {
		b.each("pool", s.Extents()[0], append([]any{a[0], a[1]}, pooling(s)...)...)
	},
	program.PoolBack: func(b *builder, s *program.Step, a []place) {
		b.each("poolBack", s.Extents()[0], append(append([]any{a[0], a[1], a[2], a[3]}, pooling(s)...), s.Add)...)
	},
	program.PoolPick: func(b *builder, s *program.Step, a []place) {
		b.each("poolPick", s.Extents()[0], append([]any{a[0], a[1], a[2], a[3]}, pooling(s)...)...)
	},

	program.LSTM:        core("lstm", 2),
	program.LSTMBack:    core("lstmBack", 6),
	program.LSTMTangent: core("lstmTangent", 1),
	program.LSTMPrevious: func(b *builder, s *program.Step, a []place) {
		b.each("lstmPrevious", s.Extents()[0], a[0], a[1], a[2], a[3], s.Size[0], s.Size[1], s.Size[2])
	},

	program.Columns: func(b *builder, s *program.Step, a []place) {
		b.each("columns", s.Extents()[0], a[0], a[1], s.Size[0], s.Size[1], s.Size[2], s.Size[3])
	},
	program.Place: func(b *builder, s *program.Step, a []place) {
		for _, t := range b.also {
			b.each("place2", s.Extents()[0], a[0], a[1], b.args(t)[1], s.Size[0], s.Size[1], s.Size[2], s.Size[3], t.Size[2],
				t.Size[3])
			return
		}
		b.each("place", s.Extents()[0], a[0], a[1], s.Size[0], s.Size[1], s.Size[2], s.Size[3], s.Add)
	},
	program.ColSum: func(b *builder, s *program.Step, a []place) {
		b.each("columnSum", s.Size[1], a[0], a[1], s.Size[0], s.Size[1], s.Add)
	},
	program.Repeat: func(b *builder, s *program.Step, a []place) {
		b.each("repeat", s.Extents()[0], a[0], a[1], s.Size[0], s.Size[1], s.Add)
	},

	program.Copy: func(b *builder, s *program.Step, a []place) {
		if len(b.also) > 0 {
			z, act := a[0], kernel.Identity
			for _, t := range b.also[1:] {
				z, act = b.args(t)[0], t.Act
			}
			b.each("sum2", s.Size[0], a[0], a[1], b.args(b.also[0])[1], z, s.Size[0], int(act))
			return
		}
		b.each("copy", s.Size[0], a[0], a[1], s.Size[0], s.Add)
	},
	program.Activate: func(b *builder, s *program.Step, a []place) {
		b.each("activate", s.Size[0], a[0], a[1], s.Size[0], int(s.Act))
	},
	program.ActGrad: func(b *builder, s *program.Step, a []place) {
		b.each("actGrad", s.Size[0], a[0], a[1], a[2], s.Size[0], int(s.Act))
	},

	program.Unpack: func(b *builder, s *program.Step, a []place) { b.unpack(a[0], a[1], s.Size[0]) },

	program.Squares: func(b *builder, s *program.Step, a []place) { b.squares(a[0], a[1], s.Size[0]) },
	program.Scale: func(b *builder, s *program.Step, a []place) {
		b.each("scale", s.Size[0], a[0], a[1], a[2], s.Size[0])
	},
	program.RMSProp:         optimiser("rmsprop", 2),
	program.RMSPropMomentum: optimiser("rmspropMomentum", 3),
	program.Adam:            optimiser("adam", 3),
}

func (b *builder) unpack(y, x place, n int) { b.each("unpack", n, y, x, n) }

// squares launches one work-group with an item for each lane of the sum.
func (b *builder) squares(to, x place, n int) {
	b.grid("squares", [2]int{1, 1}, [2]int{kernel.SumLanes, 1}, to, x, n)
}

// optimiser returns a step on consecutive vectors.
func optimiser(name string, vectors int) func(b *builder, s *program.Step, a []place) {
	return func(b *builder, s *program.Step, a []place) {
		n := s.Size[0]
		var args []any
		for _, x := range a[:2] {
			for k := range vectors {
				args = append(args, place{x.base + k*n, x.stride})
			}
		}
		b.each(name, n, append(args, a[2], a[3], n)...)
	}
}

// Flags of a product.
const (
	flagAdd = 1 << iota
	flagBias
	flagSlope
	flagOnes
)

func adding(s *program.Step) int {
	if s.Add {
		return flagAdd
	}
	return 0
}

// ones returns how many rows of ones A ends with in a gradient of weights: 1 if the bias's gradient follows in memory.
func (b *builder) ones(s *program.Step, a []place) int {
	for _, t := range b.also {
		if b.args(t)[0].base != a[0].base+s.Extents()[0] {
			panic("opencl: weights and their bias lie apart on the device")
		}
	}
	return len(b.also)
}

// slope returns the flags of a product that may go back through an activation, the activation, and the arguments with
// the activation's result.
func (b *builder) slope(s *program.Step, a []place) (flags int, act kernel.Activation, args []place) {
	flags = adding(s)
	for _, t := range b.also {
		return flags | flagSlope, t.Act, append(a, b.args(t)[2])
	}
	return flags, kernel.Identity, a
}

// productAB launches a layer or a product, and fused copies of its columns.
func (b *builder) productAB(a []place, s *program.Step, flags int) {
	var columns []any
	for _, t := range b.also {
		columns = append(columns, b.args(t)[0], t.Size[2], t.Size[3])
	}
	for len(columns) < 6 {
		columns = append(columns, place{}, 0, 0)
	}
	t := b.q.d.tiles
	b.tiled("productAB", a, s.Size[0], s.Size[1], s.Size[2], flags, s.Act, t.n, t.itemN, columns...)
}

// product launches C [m, n] of A and B.
func (b *builder) product(name string, a []place, m, n, k, flags int, act kernel.Activation) {
	t := b.q.d.tiles
	b.tiled(name, a, m, n, k, flags, act, t.n, t.itemN)
}

func (b *builder) tiled(name string, a []place, m, n, k, flags int, act kernel.Activation, tileN, itemN int,
	more ...any) {
	t, bias := b.q.d.tiles, place{}
	if flags&(flagBias|flagSlope) != 0 {
		bias = a[3]
	}
	groups := [2]int{(n + tileN - 1) / tileN, (m + t.m - 1) / t.m}
	items := [2]int{tileN / itemN, t.m / t.itemM}
	b.grid(name, groups, items, append([]any{a[0], a[1], a[2], bias, m, n, k, flags, int(act)}, more...)...)
}

func convOf(s *program.Step) (rows int, g kernel.Conv) {
	z := &s.Size
	return z[0], kernel.Conv{H: z[1], W: z[2], In: z[3], Out: z[4], Size: z[5], Stride: z[6], Pad: z[7]}
}

func geometry(g kernel.Conv) []any {
	return []any{g.H, g.W, g.In, g.Out, g.Size, g.Stride, g.Pad, g.OutH(), g.OutW()}
}

func (b *builder) conv(name string, a []place, s *program.Step, flags int) {
	rows, g := convOf(s)
	results, taps := rows*g.OutH()*g.OutW(), g.Size*g.Size*g.In
	m, k := results, taps
	if s.Op == program.ConvWeights {
		m, k = taps+len(b.also), results
	}
	t := b.q.d.tiles
	b.tiled(name, a, m, g.Out, k, flags, s.Act, t.convN, t.convOne, geometry(g)...)
}

// convInput launches a product for each phase of the stride, like kernel.Conv.BackInput.
func convInput(b *builder, s *program.Step, a []place) {
	rows, g := convOf(s)
	if g.Stride > g.Size && !s.Add {
		b.each("clear", rows*g.InSize(), a[0], rows*g.InSize()) // some pixels are in no window
	}
	t := b.q.d.tiles
	flags, act, a := b.slope(s, a)
	for py := range min(g.Stride, g.Size) {
		for px := range min(g.Stride, g.Size) {
			fy, fx := first(g, py), first(g, px)
			if fy >= g.H || fx >= g.W {
				continue
			}
			ny, nx := tapsOf(g, py), tapsOf(g, px)
			pixelsY, pixelsX := (g.H-1-fy)/g.Stride+1, (g.W-1-fx)/g.Stride+1
			b.tiled("convInput", a, rows*pixelsY*pixelsX, g.In, ny*nx*g.Out, flags, act, t.convN, t.convOne,
				append(geometry(g), py, px, ny, nx, fy, fx, pixelsY, pixelsX)...)
		}
	}
}

// tapsOf returns how many of the window's rows, or columns, have a phase.
func tapsOf(g kernel.Conv, phase int) int { return (g.Size - phase + g.Stride - 1) / g.Stride }

// first returns the first row, or column, of the image with a phase.
func first(g kernel.Conv, phase int) int { return ((phase-g.Pad)%g.Stride + g.Stride) % g.Stride }

func pooling(s *program.Step) []any {
	z := &s.Size
	g := kernel.Pool{H: z[1], W: z[2], C: z[3], Size: z[4], Stride: z[5], Pad: z[6]}
	return []any{z[0], g.H, g.W, g.C, g.Size, g.Stride, g.Pad, g.OutH(), g.OutW()}
}

// core returns a kernel of the LSTM with a work-group for each trajectory and parts·H numbers of local memory.
func core(name string, parts int) func(b *builder, s *program.Step, a []place) {
	return func(b *builder, s *program.Step, a []place) {
		t, rows, units := s.Size[0], s.Size[1], s.Size[2]
		if 4*parts*units > b.q.d.id.number(deviceLocalMemory) {
			b.fail(errUnits)
			return
		}
		var args []any
		for _, p := range a {
			args = append(args, p)
		}
		b.grid(name, [2]int{1, rows}, [2]int{flat, 1}, append(args, t, rows, units, local(parts*units))...)
	}
}
