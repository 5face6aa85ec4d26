package kernel

import "math"

// Backward writes Back from the part of Moves that is ∂L/∂y. The memory from before the first step is
// data and gets no derivative (Dai et al. 2019 §3.2). With C_i = Σ_j a_ij·n_j of each head:
//
//	∂C_i = ∂y_i·Wvᵀ,  ∂a_ij = ∂C_i·n_j,  ∂s_ij = a_ij·(∂a_ij − Σ_j a_ij·∂a_ij)/√K
//	∂(q+u) = Σ_j ∂s_ij·n_j,  ∂(q+v) = Σ_j ∂s_ij·R_{i−j}     in the units of n and R
//	∂n_j = Σ_i (∂s_ij·(q_i+u) + a_ij·∂C_i),  ∂q = ∂(q+u)·Wkᵀ + ∂(q+v)·WRᵀ
func (a *Attention) Backward(w []float32, u Attended) {
	rows, d, each := a.Steps*a.Rows, a.Units, a.Units/a.Heads
	a.check(w, &u)
	need(len(u.Moves), rows*a.width())
	need(len(u.Back), rows*AttentionBack(d, a.Heads))
	wide, back := a.Heads*d, AttentionBack(d, a.Heads)
	one, other := a.one[:rows*each], a.other[:rows*d]
	for h := range a.Heads {
		gatherColumns(one, u.Moves, rows, each, a.width(), h*each)
		a.set.MatMulBT(other, one, a.wv(w, h), rows, d, each, false)
		scatterColumns(a.moved, other, rows, d, wide, h*d)
	}
	for b := range a.Rows {
		a.attendGrad(&u, b)
	}
	a.set.MatMul(a.moved, a.position, a.distance, rows*a.Heads, d, a.Memory+1, false)
	scatterColumns(u.Back, a.moved, rows, wide, back, 2*d+wide)
	for h := range a.Heads {
		gatherColumns(other, u.Back, rows, d, back, 2*d+h*d)
		a.set.MatMulBT(one, other, a.wk(w, h), rows, each, d, false)
		gatherColumns(other, u.Back, rows, d, back, 2*d+wide+h*d)
		a.set.MatMulBT(one, other, a.wr(w, h), rows, each, d, true)
		scatterColumns(u.Back, one, rows, each, back, d+h*each)
	}
}

// attendGrad makes ∂n, ∂(q+u) and the cotangents of the scores of a trajectory, whose ∂C is in moved.
func (a *Attention) attendGrad(u *Attended, b int) {
	d, heads, slots, seen := a.Units, a.Heads, a.Memory+1, a.Memory+a.Steps
	wide, back := heads*d, AttentionBack(d, heads)
	a.gather(u, b)
	for t := range a.Steps {
		copy(a.given[t*wide:(t+1)*wide], a.moved[(t*a.Rows+b)*wide:])
	}
	a.set.MatMulBT(a.score, a.given, a.keys, a.Steps*heads, seen, d, false)
	scale := float32(1 / math.Sqrt(float64(d/heads)))
	clear(a.share)
	for t := range a.Steps {
		r := t*a.Rows + b
		for h := range heads {
			share := row(u.Cells[r*a.width()+a.atShares():], h, slots)
			score, move := row(a.score, t*heads+h, seen), row(a.position, r*heads+h, slots)
			copy(a.share[(t*heads+h)*seen+t:], share)
			mean := float32(0)
			for k, v := range share {
				mean += float32(v * score[t+k])
			}
			for k, v := range share {
				move[k] = v * (score[t+k] - mean) * scale
			}
			clear(score)
			copy(score[t:], move)
		}
	}
	a.set.MatMulAT(a.dKeys, a.score, a.asked, seen, d, a.Steps*heads, false)
	a.set.MatMulAT(a.dKeys, a.share, a.given, seen, d, a.Steps*heads, true)
	a.set.MatMul(a.given, a.score, a.keys, a.Steps*heads, d, seen, false)
	for t := range a.Steps {
		to := row(u.Back, t*a.Rows+b, back)
		copy(to[:d], a.dKeys[(a.Memory+t)*d:])
		copy(to[2*d:2*d+wide], a.given[t*wide:])
	}
}

// Weights writes ∂L/∂w [AttentionWeights] to dw. It follows Backward, whose Back it reads: ∂Wk = (q+u)ᵀ·∂(q+u),
// ∂WR = (q+v)ᵀ·∂(q+v), ∂Wv = Cᵀ·∂y, ∂(v−u) = Σ_rows ∂(q+v)·WRᵀ.
func (a *Attention) Weights(dw, w []float32, u Attended) {
	rows, d, each := a.Steps*a.Rows, a.Units, a.Units/a.Heads
	need(len(dw), AttentionWeights(d))
	need(len(w), AttentionWeights(d))
	need(len(u.Cells), rows*a.width())
	need(len(u.Moves), rows*a.width())
	need(len(u.Q), rows*d)
	need(len(u.Back), rows*AttentionBack(d, a.Heads))
	wide, back := a.Heads*d, AttentionBack(d, a.Heads)
	one, other := a.one[:rows*each], a.other[:rows*d]
	for h := range a.Heads {
		gatherColumns(one, u.Q, rows, each, d, h*each)
		gatherColumns(other, u.Back, rows, d, back, 2*d+h*d)
		a.set.MatMulAT(a.wk(dw, h), one, other, each, d, rows, false)
		biasAdd(one, a.shift(w, h), rows)
		gatherColumns(other, u.Back, rows, d, back, 2*d+wide+h*d)
		a.set.MatMulAT(a.wr(dw, h), one, other, each, d, rows, false)
		sum := a.dKeys[:d]
		ColSum(sum, other, rows, d, false)
		a.set.MatMulBT(a.shift(dw, h), sum, a.wr(w, h), 1, each, d, false)
		gatherColumns(other, u.Cells, rows, d, a.width(), a.atContext()+h*d)
		gatherColumns(one, u.Moves, rows, each, a.width(), h*each)
		a.set.MatMulAT(a.wv(dw, h), other, one, d, each, rows, false)
	}
}
