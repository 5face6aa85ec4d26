package kernel

// The derivatives of an unroll, in both directions: Backward carries the tape's cotangent to z, Tangent
// carries a direction of z to the tape. Each is the transpose of the other, over every part of the tape.

// Backward is dz [Steps·Rows, 4·Units] = ∂L/∂z from dTape = ∂L/∂tape (backpropagation through time). The
// state before the first step is data and gets no derivative.
func (l *LSTM) Backward(dz, dTape, tape, wh, state, keep []float32) {
	l.check(tape, dz, wh, state, keep)
	need(len(dTape), l.Steps*l.Rows*TapeParts*l.Units)
	clear(l.dh)
	clear(l.dc)
	for t := l.Steps - 1; t >= 0; t-- {
		l.carry(l.c, tape, state, keep, t, partC)
		for b := range l.Rows {
			_, _, gates, tanhC := l.parts(tape, t, b)
			lstmCellBack(row(l.gates(dz, t), b, 4*l.Units), row(l.dc, b, l.Units), row(l.dh, b, l.Units),
				row(dTape, t*l.Rows+b, TapeParts*l.Units), gates, tanhC, row(l.c, b, l.Units))
		}
		if t == 0 {
			return
		}
		MatMulBT(l.dh, l.gates(dz, t), wh, l.Rows, l.Units, 4*l.Units, false)
		for b := range l.Rows {
			if keep[t*l.Rows+b] == 0 {
				clear(row(l.dh, b, l.Units))
				clear(row(l.dc, b, l.Units))
			}
		}
	}
}

// lstmCellBack makes dz [4H] of one row. dh and dc [H] come from the next step; dc leaves for the one before.
func lstmCellBack(dz, dc, dh, dTape, gates, tanhC, cPrev []float32) {
	n := len(dc)
	part := func(x []float32, p int) []float32 { return x[p*n : (p+1)*n : (p+1)*n] }
	i, f, g, o := part(gates, 0), part(gates, 1), part(gates, 2), part(gates, 3)
	zi, zf, zg, zo := part(dz, 0), part(dz, 1), part(dz, 2), part(dz, 3)
	dTapeH, dTapeC, dTapeTanhC := part(dTape, partH), part(dTape, partC), part(dTape, partTanhC)
	dI, dF, dG, dO := part(dTape, partI), part(dTape, partF), part(dTape, partG), part(dTape, partO)
	dh, tanhC, cPrev = dh[:n], tanhC[:n], cPrev[:n]
	for j := range n {
		h := dh[j] + dTapeH[j]
		// ∂L/∂c, through the next step, and through h = o·tanh(c)
		c := dc[j] + dTapeC[j] + float32((dTapeTanhC[j]+float32(h*o[j]))*(1-float32(tanhC[j]*tanhC[j])))
		// c = f·c′ + i·g, and σ′ = σ·(1 − σ), tanh′ = 1 − tanh²
		zi[j] = (dI[j] + float32(c*g[j])) * float32(i[j]*(1-i[j]))
		zf[j] = (dF[j] + float32(c*cPrev[j])) * float32(f[j]*(1-f[j]))
		zg[j] = (dG[j] + float32(c*i[j])) * (1 - float32(g[j]*g[j]))
		zo[j] = (dO[j] + float32(h*tanhC[j])) * float32(o[j]*(1-o[j]))
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
			_, _, gates, tanhC := l.parts(tape, t, b)
			lstmCellTangent(row(tTape, t*l.Rows+b, TapeParts*l.Units), row(l.z, b, 4*l.Units), gates, tanhC,
				row(l.c, b, l.Units), row(l.dc, b, l.Units))
		}
	}
}

// lstmCellTangent makes one row of tTape from the directions of z [4H] and c′ [H].
func lstmCellTangent(tTape, tz, gates, tanhC, cPrev, tcPrev []float32) {
	n := len(cPrev)
	part := func(x []float32, p int) []float32 { return x[p*n : (p+1)*n : (p+1)*n] }
	i, f, g, o := part(gates, 0), part(gates, 1), part(gates, 2), part(gates, 3)
	zi, zf, zg, zo := part(tz, 0), part(tz, 1), part(tz, 2), part(tz, 3)
	tH, tC, tTanhC := part(tTape, partH), part(tTape, partC), part(tTape, partTanhC)
	tI, tF, tG, tO := part(tTape, partI), part(tTape, partF), part(tTape, partG), part(tTape, partO)
	tanhC, tcPrev = tanhC[:n], tcPrev[:n]
	for j := range n {
		tI[j] = zi[j] * float32(i[j]*(1-i[j]))
		tF[j] = zf[j] * float32(f[j]*(1-f[j]))
		tG[j] = zg[j] * (1 - float32(g[j]*g[j]))
		tO[j] = zo[j] * float32(o[j]*(1-o[j]))
		c := float32(tF[j]*cPrev[j]) + float32(f[j]*tcPrev[j]) + float32(tI[j]*g[j]) + float32(i[j]*tG[j])
		tC[j] = c
		tTanhC[j] = c * (1 - float32(tanhC[j]*tanhC[j]))
		tH[j] = float32(tO[j]*tanhC[j]) + float32(o[j]*tTanhC[j])
	}
}
