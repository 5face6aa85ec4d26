package kernel

// A dense layer's operations besides its product: bias and activation forward, their derivatives back.

// BiasAct is y = act(y + bias) in place: y[rows,cols], bias[cols].
func (s Set) BiasAct(y, bias []float32, rows, cols int, act Activation) {
	need(len(y), rows*cols)
	need(len(bias), cols)
	y, bias = y[:rows*cols], bias[:cols]
	if len(y) == 0 {
		return
	}
	switch act {
	case Identity:
		biasAdd(y, bias, rows)
	case ReLU:
		biasReLU(y, bias, rows)
	case Tanh:
		biasAdd(y, bias, rows)
		s.tanh(y, y)
	case Sigmoid:
		biasAdd(y, bias, rows)
		s.sigmoid(y, y)
	default:
		panic("kernel: unknown activation")
	}
}

// Act is dst = act(src). dst may be src.
func (s Set) Act(dst, src []float32, act Activation) {
	same(len(dst), len(src))
	switch act {
	case Identity:
		copy(dst, src)
	case ReLU:
		reluGrad(dst, src, src) // src where it is not ≤ 0
	case Tanh:
		s.tanh(dst, src)
	case Sigmoid:
		s.sigmoid(dst, src)
	default:
		panic("kernel: unknown activation")
	}
}

// ActGrad is dz = dy ⊙ act′(z), from the activation's output y = act(z). dz may be dy.
func (s Set) ActGrad(dz, dy, y []float32, act Activation) {
	same(len(dz), len(dy))
	same(len(dz), len(y))
	switch act {
	case Identity:
		copy(dz, dy)
	case ReLU:
		reluGrad(dz, dy, y)
	case Tanh:
		s.tanhGrad(dz, dy, y)
	case Sigmoid:
		sigmoidGrad(dz, dy, y)
	default:
		panic("kernel: unknown activation")
	}
}

// ColSum is dst[j] = Σ_i x[i,j] over the rows in order, or dst += with accumulate: bias gradients.
func ColSum(dst, x []float32, rows, cols int, accumulate bool) {
	need(len(dst), cols)
	need(len(x), rows*cols)
	dst, x = dst[:cols], x[:rows*cols]
	if !accumulate {
		clear(dst)
	}
	if len(x) > 0 {
		colSum(dst, x, rows)
	}
}

func biasAddGo(y, bias []float32, rows int) {
	cols := len(bias)
	for i := range rows {
		row := y[i*cols : i*cols+cols]
		for j, b := range bias {
			row[j] += b
		}
	}
}

// biasReLUGo lets NaN through: a network that broke must look broken.
func biasReLUGo(y, bias []float32, rows int) {
	cols := len(bias)
	for i := range rows {
		row := y[i*cols : i*cols+cols]
		for j, b := range bias {
			v := row[j] + b
			if v < 0 {
				v = 0
			}
			row[j] = v
		}
	}
}

func reluGradGo(dz, dy, y []float32) {
	for i, v := range y {
		if v <= 0 {
			dz[i] = 0
		} else {
			dz[i] = dy[i]
		}
	}
}

// σ′ = σ·(1 − σ), with the same bits in every arithmetic.
func sigmoidGrad(dz, dy, y []float32) {
	for i, v := range y {
		dz[i] = dy[i] * (v * (1 - v))
	}
}

// tanh′ = 1 − tanh².
func tanhGradGo(dz, dy, y []float32) {
	for i, v := range y {
		dz[i] = dy[i] * (1 - float32(v*v))
	}
}

func colSumGo(dst, x []float32, rows int) {
	cols := len(dst)
	for i := range rows {
		row := x[i*cols : i*cols+cols]
		for j, v := range row {
			dst[j] += v
		}
	}
}
