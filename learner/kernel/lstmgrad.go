package kernel

// The derivatives of an unroll, in both directions: Backward carries the tape's cotangent to z, Tangent
// carries a direction of z to the tape. Each is the transpose of the other, over every part of the tape.

// Backward is dz [Steps·Rows, 4·Units] = ∂L/∂z from dTape = ∂L/∂tape (backpropagation through time). The
// state before the first step is data and gets no derivative.
func (l *LSTM) Backward(dz, dTape, tape, wh, state, keep []float32) {
	l.check(tape, dz, wh, state, keep)
	need(len(dTape), l.Steps*l.Rows*TapeParts*l.Units)
	if l.turned == nil {
		l.turned = make([]float32, 4*l.Units*l.Units)
	}
	transpose(l.turned, wh, l.Units, 4*l.Units, l.Units, 4*l.Units) // once, where MatMulBT would at every step
	clear(l.dh)
	clear(l.dc)
	for t := l.Steps - 1; t >= 0; t-- {
		l.carry(l.c, tape, state, keep, t, partC)
		for b := range l.Rows {
			lstmCellBack(row(l.gates(dz, t), b, 4*l.Units), row(l.dc, b, l.Units), row(l.dh, b, l.Units),
				l.row(dTape, t, b), l.row(tape, t, b), row(l.c, b, l.Units))
		}
		if t == 0 {
			return
		}
		MatMul(l.dh, l.gates(dz, t), l.turned, l.Rows, l.Units, 4*l.Units, false)
		for b := range l.Rows {
			if keep[t*l.Rows+b] == 0 {
				clear(row(l.dh, b, l.Units))
				clear(row(l.dc, b, l.Units))
			}
		}
	}
}

// lstmCellBackGo makes dz [4H] of one row. dh and dc [H] come from the next step; dc leaves for the one before.
func lstmCellBackGo(dz, dc, dh, dTape, tape, cPrev []float32) {
	n := len(dc)
	i, f, g, o := part(tape, partI, n), part(tape, partF, n), part(tape, partG, n), part(tape, partO, n)
	dI, dF, dG, dO := part(dTape, partI, n), part(dTape, partF, n), part(dTape, partG, n), part(dTape, partO, n)
	tanhC, dTanhC := part(tape, partTanhC, n), part(dTape, partTanhC, n)
	dTapeH, dTapeC := part(dTape, partH, n), part(dTape, partC, n)
	zi, zf, zg, zo := part(dz, 0, n), part(dz, 1, n), part(dz, 2, n), part(dz, 3, n)
	for j := range n {
		h := dh[j] + dTapeH[j]
		// ∂L/∂c, through the next step, and through h = o·tanh(c)
		c := dc[j] + dTapeC[j] + (dTanhC[j]+h*o[j])*(1-tanhC[j]*tanhC[j])
		// c = f·c′ + i·g, and σ′ = σ·(1 − σ), tanh′ = 1 − tanh²
		zi[j] = (dI[j] + c*g[j]) * (i[j] * (1 - i[j]))
		zf[j] = (dF[j] + c*cPrev[j]) * (f[j] * (1 - f[j]))
		zg[j] = (dG[j] + c*i[j]) * (1 - g[j]*g[j])
		zo[j] = (dO[j] + h*tanhC[j]) * (o[j] * (1 - o[j]))
		dc[j] = c * f[j]
	}
}

// Tangent is tTape, how the tape begins to move when z moves along tz and the state stays: forward mode.
func (l *LSTM) Tangent(tTape, tz, tape, wh, state, keep []float32) {
	l.check(tape, tz, wh, state, keep)
	need(len(tTape), l.Steps*l.Rows*TapeParts*l.Units)
	for t := range l.Steps {
		l.carry(l.c, tape, state, keep, t, partC)
		l.carry(l.dh, tTape, nil, keep, t, partH)
		l.carry(l.dc, tTape, nil, keep, t, partC)
		copy(l.z, l.gates(tz, t))
		MatMul(l.z, l.dh, wh, l.Rows, 4*l.Units, l.Units, true)
		for b := range l.Rows {
			lstmCellTangent(l.row(tTape, t, b), row(l.z, b, 4*l.Units), l.row(tape, t, b),
				row(l.c, b, l.Units), row(l.dc, b, l.Units))
		}
	}
}

// lstmCellTangentGo makes one row of tTape from the directions of z [4H] and c′ [H].
func lstmCellTangentGo(tTape, tz, tape, cPrev, tcPrev []float32) {
	n := len(cPrev)
	i, f, g, o := part(tape, partI, n), part(tape, partF, n), part(tape, partG, n), part(tape, partO, n)
	tI, tF, tG, tO := part(tTape, partI, n), part(tTape, partF, n), part(tTape, partG, n), part(tTape, partO, n)
	tanhC, tTanhC := part(tape, partTanhC, n), part(tTape, partTanhC, n)
	tH, tC := part(tTape, partH, n), part(tTape, partC, n)
	zi, zf, zg, zo := part(tz, 0, n), part(tz, 1, n), part(tz, 2, n), part(tz, 3, n)
	for j := range n {
		tI[j] = zi[j] * (i[j] * (1 - i[j]))
		tF[j] = zf[j] * (f[j] * (1 - f[j]))
		tG[j] = zg[j] * (1 - g[j]*g[j])
		tO[j] = zo[j] * (o[j] * (1 - o[j]))
		c := tF[j]*cPrev[j] + f[j]*tcPrev[j] + tI[j]*g[j] + i[j]*tG[j]
		tC[j] = c
		tTanhC[j] = c * (1 - tanhC[j]*tanhC[j])
		tH[j] = tO[j]*tanhC[j] + o[j]*tTanhC[j]
	}
}
