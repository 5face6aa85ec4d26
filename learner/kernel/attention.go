package kernel

import "math"

// The attention of a gated Transformer-XL (Dai et al. 2019, Parisotto et al. 2019): each step attends to itself
// and to at most Memory earlier steps of its episode. The scores depend on their contents and on their age.
//
//	s_ij = ((q_i + u)·Wk·n_j + (q_i + v)·WR·R_{i−j})/√K     of each head, which has K = Units/Heads numbers
//	y_i  = Σ_j softmax_j(s_ij)·(n_j·Wv)
//
// No keys are computed: a query is multiplied by Wk first, since (q·Wk)·n = q·(Wk·n). The memory holds n of earlier
// steps. Actors take one step at a time and the learner whole unrolls, through the same products in the same order. A
// step outside the window is added as 0·n, which changes no bit.

// Attention runs unrolls of Steps steps of Rows trajectories. It owns scratch and is for one goroutine.
type Attention struct {
	Steps, Rows          int
	Units, Heads, Memory int
	Stride               int // between rows of state; 0: they lie side by side

	set      Set
	distance []float32 // [Memory+1, Units] R: row k stands for Memory−k steps ago
	turned   []float32 // its transpose

	one, other []float32 // [rows, Units], of one head
	position   []float32 // [rows·Heads, Memory+1] the scores of the distances, or their cotangents
	moved      []float32 // [rows, Heads, Units] q+v in the units of R, or the cotangent of the context

	// Of one trajectory.
	keys, dKeys  []float32 // [Memory+Steps, Units]
	asked, given []float32 // [Steps·Heads, Units]
	score, share []float32 // [Steps·Heads, Memory+Steps]
}

// Attended is the memory of the trajectories that go through an Attention. All matrices are time-major: row t·Rows + b.
// The result of a trajectory does not depend on the trajectories beside it. A has Memory+1 numbers for each head, from
// the oldest step of the window to the present one.
type Attended struct {
	Cells []float32 // [Steps·Rows, Width]: y [Units], A, then q+u in the units of n and Σ_j a_ij·n_j [Heads, Units]
	N     []float32 // [Steps·Rows, Units]
	Q     []float32 // [Steps·Rows, Units]: q + u
	State []float32 // [Rows, MemorySize], or Stride apart: how many steps it has, then their n, oldest first
	Keep  []float32 // [Steps·Rows]: 0 where an episode began at this step, else 1; only of a forward pass

	Moves []float32 // [Steps·Rows, Width]: ∂L/∂cells, of which only y's part is read
	Back  []float32 // [Steps·Rows, BackWidth]: ∂L/∂n, ∂L/∂q, then the cotangents of q+u and q+v [Heads, Units]
}

// AttentionWeights returns the number of parameters of an attention: Wk and WR, K rows of Units for each head; Wv, a
// matrix [Units, K] for each head; then v − u [Units].
func AttentionWeights(units int) int { return (3*units + 1) * units }

// MemorySize returns the number of values in a trajectory's state.
func MemorySize(units, memory int) int { return 1 + memory*units }

// AttentionWidth returns the width of the cells.
func AttentionWidth(units, heads, memory int) int { return units + heads*(memory+1) + 2*heads*units }

// AttentionBack returns the width of Back.
func AttentionBack(units, heads int) int { return 2*units + 2*heads*units }

// NewAttention makes the scratch; all sizes are at least 1, and heads divides units.
func (s Set) NewAttention(steps, rows, units, heads, memory int) *Attention {
	if steps < 1 || rows < 1 || heads < 1 || units < heads || units%heads != 0 || memory < 1 {
		panic("kernel: an attention without steps, rows, units or memory, or with heads that do not divide its units")
	}
	n, slots := steps*rows, memory+1
	floats := func(n int) []float32 { return make([]float32, n) }
	a := &Attention{Steps: steps, Rows: rows, Units: units, Heads: heads, Memory: memory, set: s,
		distance: floats(slots * units), turned: floats(slots * units),
		one: floats(n * units), other: floats(n * units),
		position: floats(n * heads * slots), moved: floats(n * heads * units),
		keys: floats((memory + steps) * units), dKeys: floats((memory + steps) * units),
		asked: floats(steps * heads * units), given: floats(steps * heads * units),
		score: floats(steps * heads * (memory + steps)), share: floats(steps * heads * (memory + steps)),
	}
	for k := range slots {
		sinusoid(row(a.distance, k, units), memory-k)
	}
	transpose(a.turned, a.distance, slots, units, slots, units)
	return a
}

// sinusoid writes R of a distance: sines of falling frequencies, then cosines (Vaswani et al. 2017).
func sinusoid(r []float32, steps int) {
	half := (len(r) + 1) / 2
	for j := range r {
		angle := float64(steps) * math.Pow(10000, -float64(j%half)/float64(half))
		if j < half {
			r[j] = float32(math.Sin(angle))
		} else {
			r[j] = float32(math.Cos(angle))
		}
	}
}

// Of one head's parameters in w.
func (a *Attention) wk(w []float32, h int) []float32 { return a.block(w, h) }
func (a *Attention) wr(w []float32, h int) []float32 { return a.block(w[a.Units*a.Units:], h) }
func (a *Attention) wv(w []float32, h int) []float32 { return a.block(w[2*a.Units*a.Units:], h) }

func (a *Attention) block(w []float32, h int) []float32 { return row(w, h, a.Units/a.Heads*a.Units) }

// shift returns v − u of one head.
func (a *Attention) shift(w []float32, h int) []float32 {
	return row(w[3*a.Units*a.Units:], h, a.Units/a.Heads)
}

// The offsets of the parts in a row of the cells, and in a row of Back.
func (a *Attention) atShares() int  { return a.Units }
func (a *Attention) atAsked() int   { return a.Units + a.Heads*(a.Memory+1) }
func (a *Attention) atContext() int { return a.atAsked() + a.Heads*a.Units }
func (a *Attention) width() int     { return a.atContext() + a.Heads*a.Units }

// Forward writes the cells of u under w.
func (a *Attention) Forward(w []float32, u Attended) {
	rows, d, each, slots := a.Steps*a.Rows, a.Units, a.Units/a.Heads, a.Memory+1
	a.check(w, &u)
	need(len(u.Q), rows*d)
	need(len(u.Keep), rows)
	width, wide := a.width(), a.Heads*d
	one, other := a.one[:rows*each], a.other[:rows*d]
	for h := range a.Heads {
		gatherColumns(one, u.Q, rows, each, d, h*each)
		a.set.MatMul(other, one, a.wk(w, h), rows, d, each, false)
		scatterColumns(u.Cells, other, rows, d, width, a.atAsked()+h*d)
		biasAdd(one, a.shift(w, h), rows)
		a.set.MatMul(other, one, a.wr(w, h), rows, d, each, false)
		scatterColumns(a.moved, other, rows, d, wide, h*d)
	}
	a.set.MatMul(a.position, a.moved, a.turned, rows*a.Heads, slots, d, false)
	for b := range a.Rows {
		a.attend(&u, b)
	}
	for h := range a.Heads {
		gatherColumns(other, u.Cells, rows, d, width, a.atContext()+h*d)
		a.set.MatMul(one, other, a.wv(w, h), rows, each, d, false)
		scatterColumns(u.Cells, one, rows, each, width, h*each)
	}
}

// attend computes the shares and the contexts of a trajectory.
func (a *Attention) attend(u *Attended, b int) {
	heads, slots, seen := a.Heads, a.Memory+1, a.Memory+a.Steps
	a.gather(u, b)
	a.set.MatMulBT(a.score, a.asked, a.keys, a.Steps*heads, seen, a.Units, false)
	scale := float32(1 / math.Sqrt(float64(a.Units/heads)))
	began := -a.remembered(a.state(u, b)) // the first step that the present step may see
	for t := range a.Steps {
		r := t*a.Rows + b
		if u.Keep[r] == 0 {
			began = t
		}
		low := max(0, began-t+a.Memory)
		for h := range heads {
			share := row(u.Cells[r*a.width()+a.atShares():], h, slots)
			score := row(a.score, t*heads+h, seen)
			a.softmax(share, score[t:], row(a.position, r*heads+h, slots), low, scale)
			clear(score)
			copy(score[t:], share)
		}
	}
	a.set.MatMul(a.given, a.score, a.keys, a.Steps*heads, a.Units, seen, false)
	for t := range a.Steps {
		copy(u.Cells[(t*a.Rows+b)*a.width()+a.atContext():][:heads*a.Units], a.given[t*heads*a.Units:])
	}
}

// softmax writes the shares of a window. They are 0 before slot low, where it begins.
func (a *Attention) softmax(share, score, position []float32, low int, scale float32) {
	clear(share[:low])
	most := float32(math.Inf(-1))
	for k := low; k < len(share); k++ {
		share[k] = (score[k] + position[k]) * scale
		if share[k] > most {
			most = share[k]
		}
	}
	window := share[low:]
	for k := range window {
		window[k] -= most
	}
	a.set.exp(window, window)
	sum := float32(0)
	for _, v := range window {
		sum += v
	}
	for k := range window {
		window[k] /= sum
	}
}

// gather copies a trajectory's keys, its memory first, and its queries.
func (a *Attention) gather(u *Attended, b int) {
	d, memory, wide := a.Units, a.Memory, a.Heads*a.Units
	copy(a.keys[:memory*d], a.state(u, b)[1:])
	for t := range a.Steps {
		r := t*a.Rows + b
		copy(a.keys[(memory+t)*d:], row(u.N, r, d))
		copy(a.asked[t*wide:(t+1)*wide], u.Cells[r*a.width()+a.atAsked():])
	}
}

// state returns a trajectory's state before the first step.
func (a *Attention) state(u *Attended, b int) []float32 {
	size := MemorySize(a.Units, a.Memory)
	at := b * max(size, a.Stride)
	return u.State[at : at+size]
}

// remembered returns the number of steps in a state. A state from outside may have any number there.
func (a *Attention) remembered(state []float32) int {
	switch count := state[0]; {
	case count >= float32(a.Memory):
		return a.Memory
	case count >= 1:
		return int(count)
	}
	return 0
}

// After writes the state [MemorySize] of trajectory b after step t. It needs N, State and Keep of u. The state may be
// its own before an unroll of one step.
func (a *Attention) After(state []float32, u Attended, t, b int) {
	d, memory := a.Units, a.Memory
	before := a.state(&u, b)
	began := -a.remembered(before)
	for i := range t + 1 {
		if u.Keep[i*a.Rows+b] == 0 {
			began = i
		}
	}
	for k := range memory {
		at, to := t-memory+1+k, row(state[1:], k, d) // the step of slot k
		switch {
		case at < began:
			clear(to)
		case at < 0:
			copy(to, row(before[1:], memory+at, d))
		default:
			copy(to, row(u.N, at*a.Rows+b, d))
		}
	}
	state[0] = float32(min(memory, t+1-began))
}

func (a *Attention) check(w []float32, u *Attended) {
	rows := a.Steps * a.Rows
	need(len(w), AttentionWeights(a.Units))
	need(len(u.Cells), rows*a.width())
	need(len(u.N), rows*a.Units)
	need(len(u.State), (a.Rows-1)*max(a.Stride, MemorySize(a.Units, a.Memory))+MemorySize(a.Units, a.Memory))
}

// gatherColumns copies n columns from column at on of src, whose rows have width numbers, to dst [rows, n].
func gatherColumns(dst, src []float32, rows, n, width, at int) {
	for r := range rows {
		copy(dst[r*n:(r+1)*n], src[r*width+at:])
	}
}

// scatterColumns is the reverse of gatherColumns.
func scatterColumns(dst, src []float32, rows, n, width, at int) {
	for r := range rows {
		copy(dst[r*width+at:][:n], src[r*n:])
	}
}
