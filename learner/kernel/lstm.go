package kernel

// The recurrent core: a long short-term memory (Hochreiter & Schmidhuber 1997, with the forget gate of Gers
// et al. 2000). Actors take one step at a time with LSTMStep; the learner runs whole unrolls with an LSTM.
// Both go through the same cell after the same products, so both get the same bits.
//
//	h′, c′ = keep_t·(h_{t−1}, c_{t−1})      a wall where an episode began at step t
//	z = x·Wx + b + h′·Wh                     4H columns: i, f, g, o
//	i, f, o = σ(z),  g = tanh(z)
//	c = f·c′ + i·g,  h = o·tanh(c)

// The parts of a row of the cells, H columns each: the values that an unroll keeps for its derivatives.
const (
	partH = iota
	partC
	partI
	partF
	partG
	partO
	partTanhC

	// CellParts times H is the width of the cells. Its first H columns are h, the next H are c.
	CellParts
)

// LSTMStep moves n rows one step on. z [n, 4H] is x·Wx + b + h·Wh, summed in this order, and is
// overwritten; h [n, H] and c [n, H] are the state before (0 where an episode begins) and after.
func (s Set) LSTMStep(h, c, z []float32, n, units int) {
	need(len(h), n*units)
	need(len(c), n*units)
	need(len(z), n*4*units)
	for r := range n {
		h, c, z := row(h, r, units), row(c, r, units), row(z, r, 4*units)
		s.lstmCell(h, c, h, z, z, c)
	}
}

// lstmCellGo makes one row: the gates [4H] of z [4H], then c, tanh c and h [H]. Gates may be z, c may be
// cPrev, and tanhC may be h where it is not needed.
func lstmCellGo(h, c, tanhC, gates, z, cPrev []float32) {
	n := len(h)
	sigmoidGo(gates[:2*n], z[:2*n])
	tanhGo(gates[2*n:3*n], z[2*n:3*n])
	sigmoidGo(gates[3*n:4*n], z[3*n:4*n])
	i, f, g, o := gates[:n], gates[n:2*n], gates[2*n:3*n], gates[3*n:4*n]
	for j := range n {
		c[j] = float32(f[j]*cPrev[j]) + float32(i[j]*g[j])
	}
	tanhGo(tanhC, c)
	for j := range n {
		h[j] = o[j] * tanhC[j]
	}
}

// LSTM runs unrolls of Steps steps of Rows trajectories through a core of Units units. It owns scratch and is for one
// goroutine.
type LSTM struct {
	Steps, Rows, Units int

	set Set

	z      []float32 // [Rows, 4·Units]
	h, c   []float32 // [Rows, Units], a step's initial state
	dh, dc []float32 // [Rows, Units], how that moves, or its cotangent
	turned []float32 // [4·Units, Units], Whᵀ, made by the first Backward
}

// Unroll is the memory of the trajectories that go through a core. All matrices are time-major: row t·Rows + b. The
// result of a trajectory does not depend on the trajectories beside it.
type Unroll struct {
	Cells []float32 // [Steps·Rows, CellParts·Units]: h, c, then the gates
	Z     []float32 // [Steps·Rows, 4·Units]: x·Wx + b, its cotangent, or how it moves
	Moves []float32 // [Steps·Rows, CellParts·Units]: ∂L/∂cells, or how the cells move; not of a forward pass
	State []float32 // [Rows, 2·Units]: h, then c, before the first step
	Keep  []float32 // [Steps·Rows]: 0 where an episode began at this step, else 1
}

// NewLSTM makes the scratch; all sizes are at least 1.
func (s Set) NewLSTM(steps, rows, units int) *LSTM {
	if steps < 1 || rows < 1 || units < 1 {
		panic("kernel: an LSTM without steps, rows or units")
	}
	n := rows * units
	return &LSTM{set: s, Steps: steps, Rows: rows, Units: units, z: make([]float32, 4*n),
		h: make([]float32, n), c: make([]float32, n), dh: make([]float32, n), dc: make([]float32, n)}
}

// Forward writes the cells of u under wh [Units, 4·Units].
func (l *LSTM) Forward(wh []float32, u Unroll) {
	l.check(wh, &u)
	for t := range l.Steps {
		l.carry(&u, l.h, u.Cells, u.State, t, partH)
		l.carry(&u, l.c, u.Cells, u.State, t, partC)
		copy(l.z, l.gates(&u, t))
		l.set.MatMul(l.z, l.h, wh, l.Rows, 4*l.Units, l.Units, true)
		for b := range l.Rows {
			to := l.row(u.Cells, t, b)
			l.set.lstmCell(part(to, partH, l.Units), part(to, partC, l.Units), part(to, partTanhC, l.Units),
				to[partI*l.Units:partTanhC*l.Units], row(l.z, b, 4*l.Units), row(l.c, b, l.Units))
		}
	}
}

// Previous is dst [Steps·Rows, Units], h′: the h that each step of u started from.
func (l *LSTM) Previous(dst []float32, u Unroll) {
	n := l.Rows * l.Units
	need(len(dst), l.Steps*n)
	for t := range l.Steps {
		l.carry(&u, dst[t*n:], u.Cells, u.State, t, partH)
	}
}

// carry writes keep_t·x_{t−1} to dst [Rows, Units]. x is part p of the cells, or of state at the start (0 without a
// state). If keep is 0, carry writes 0 instead of a product with 0, so that not even NaN passes an episode's end.
func (l *LSTM) carry(u *Unroll, dst, cells, state []float32, t, p int) {
	from, width := state, 2*l.Units
	if t > 0 {
		width = CellParts * l.Units
		from = cells[(t-1)*l.Rows*width:]
	}
	for b := range l.Rows {
		to := row(dst, b, l.Units)
		if len(from) == 0 || u.Keep[t*l.Rows+b] == 0 {
			clear(to)
			continue
		}
		copy(to, row(from, b, width)[p*l.Units:])
	}
}

// gates is step t of the matrix Z of u.
func (l *LSTM) gates(u *Unroll, t int) []float32 {
	n := l.Rows * 4 * l.Units
	return u.Z[t*n : (t+1)*n]
}

// row is the row of step t and trajectory b in cells, their values or how they move.
func (l *LSTM) row(cells []float32, t, b int) []float32 {
	return row(cells, t*l.Rows+b, CellParts*l.Units)
}

func (l *LSTM) check(wh []float32, u *Unroll) {
	rows := l.Steps * l.Rows
	need(len(wh), l.Units*4*l.Units)
	need(len(u.Cells), rows*CellParts*l.Units)
	need(len(u.Z), rows*4*l.Units)
	need(len(u.State), l.Rows*2*l.Units)
	need(len(u.Keep), rows)
}

// row is row r of a matrix of n columns.
func row(x []float32, r, n int) []float32 { return x[r*n : (r+1)*n : (r+1)*n] }

// part is part p of a row whose parts have n columns.
func part(x []float32, p, n int) []float32 { return row(x, p, n) }
