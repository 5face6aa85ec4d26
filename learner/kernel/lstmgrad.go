package kernel

// The derivatives of an unroll, in both directions: Backward carries the cells' cotangent to z, Tangent
// carries a direction of z to the cells. Each is the transpose of the other, over every part of the cells.

// Backward writes Z = ∂L/∂z from Moves = ∂L/∂cells (backpropagation through time). The state before the first step is
// data and gets no derivative.
func (l *LSTM) Backward(wh []float32, u Unroll) {
	l.check(wh, &u)
	need(len(u.Moves), l.Steps*l.Rows*CellParts*l.Units)
	if l.turned == nil {
		l.turned = make([]float32, 4*l.Units*l.Units)
	}
	transpose(l.turned, wh, l.Units, 4*l.Units, l.Units, 4*l.Units) // once, where MatMulBT would at every step
	clear(l.dh)
	clear(l.dc)
	for t := l.Steps - 1; ; t-- {
		l.carry(&u, l.c, u.Cells, u.State, t, partC)
		dz := l.gates(&u, t)
		for b := range l.Rows {
			l.set.lstmCellBack(row(dz, b, 4*l.Units), row(l.dc, b, l.Units), row(l.dh, b, l.Units),
				l.row(u.Moves, t, b), l.row(u.Cells, t, b), row(l.c, b, l.Units))
		}
		if t == 0 {
			return
		}
		l.set.MatMul(l.dh, dz, l.turned, l.Rows, l.Units, 4*l.Units, false)
		for b := range l.Rows {
			if u.Keep[t*l.Rows+b] == 0 {
				clear(row(l.dh, b, l.Units))
				clear(row(l.dc, b, l.Units))
			}
		}
	}
}

// lstmCellBackGo makes dz [4H] of one row. dh and dc [H] come from the next step; dc leaves for the one before.
func lstmCellBackGo(dz, dc, dh, dCells, cells, cPrev []float32) {
	n := len(dc)
	i, f, g, o := part(cells, partI, n), part(cells, partF, n), part(cells, partG, n), part(cells, partO, n)
	dI, dF, dG, dO := part(dCells, partI, n), part(dCells, partF, n), part(dCells, partG, n), part(dCells, partO, n)
	tanhC, dTanhC := part(cells, partTanhC, n), part(dCells, partTanhC, n)
	dCellH, dCellC := part(dCells, partH, n), part(dCells, partC, n)
	zi, zf, zg, zo := part(dz, 0, n), part(dz, 1, n), part(dz, 2, n), part(dz, 3, n)
	for j := range n {
		h := dh[j] + dCellH[j]
		// ∂L/∂c, through the next step, and through h = o·tanh(c)
		c := dc[j] + dCellC[j] + float32((dTanhC[j]+float32(h*o[j]))*(1-float32(tanhC[j]*tanhC[j])))
		// c = f·c′ + i·g, and σ′ = σ·(1 − σ), tanh′ = 1 − tanh²
		zi[j] = (dI[j] + float32(c*g[j])) * (i[j] * (1 - i[j]))
		zf[j] = (dF[j] + float32(c*cPrev[j])) * (f[j] * (1 - f[j]))
		zg[j] = (dG[j] + float32(c*i[j])) * (1 - float32(g[j]*g[j]))
		zo[j] = (dO[j] + float32(h*tanhC[j])) * (o[j] * (1 - o[j]))
		dc[j] = c * f[j]
	}
}

// Tangent writes Moves, how the cells begin to move when z moves along Z and the state stays: forward mode.
func (l *LSTM) Tangent(wh []float32, u Unroll) {
	l.check(wh, &u)
	need(len(u.Moves), l.Steps*l.Rows*CellParts*l.Units)
	for t := range l.Steps {
		l.carry(&u, l.c, u.Cells, u.State, t, partC)
		l.carry(&u, l.dh, u.Moves, nil, t, partH)
		l.carry(&u, l.dc, u.Moves, nil, t, partC)
		copy(l.z, l.gates(&u, t))
		l.set.MatMul(l.z, l.dh, wh, l.Rows, 4*l.Units, l.Units, true)
		for b := range l.Rows {
			l.set.lstmCellTangent(l.row(u.Moves, t, b), row(l.z, b, 4*l.Units), l.row(u.Cells, t, b),
				row(l.c, b, l.Units), row(l.dc, b, l.Units))
		}
	}
}

// lstmCellTangentGo makes one row of tCells from the directions of z [4H] and c′ [H].
func lstmCellTangentGo(tCells, tz, cells, cPrev, tcPrev []float32) {
	n := len(cPrev)
	i, f, g, o := part(cells, partI, n), part(cells, partF, n), part(cells, partG, n), part(cells, partO, n)
	tI, tF, tG, tO := part(tCells, partI, n), part(tCells, partF, n), part(tCells, partG, n), part(tCells, partO, n)
	tanhC, tTanhC := part(cells, partTanhC, n), part(tCells, partTanhC, n)
	tH, tC := part(tCells, partH, n), part(tCells, partC, n)
	zi, zf, zg, zo := part(tz, 0, n), part(tz, 1, n), part(tz, 2, n), part(tz, 3, n)
	for j := range n {
		tI[j] = zi[j] * (i[j] * (1 - i[j]))
		tF[j] = zf[j] * (f[j] * (1 - f[j]))
		tG[j] = zg[j] * (1 - float32(g[j]*g[j]))
		tO[j] = zo[j] * (o[j] * (1 - o[j]))
		c := float32(tF[j]*cPrev[j]) + float32(f[j]*tcPrev[j]) + float32(tI[j]*g[j]) + float32(i[j]*tG[j])
		tC[j] = c
		tTanhC[j] = c * (1 - float32(tanhC[j]*tanhC[j]))
		tH[j] = float32(tO[j]*tanhC[j]) + float32(o[j]*tTanhC[j])
	}
}
