package kernel

// Exp is dst = e^src: +Inf from 88.73 up, and gradual underflow down to 0.
func (s Set) Exp(dst, src []float32) {
	same(len(dst), len(src))
	s.exp(dst, src)
}

// Sigmoid is dst = 1/(1 + e^−src), in [0, 1].
func (s Set) Sigmoid(dst, src []float32) {
	same(len(dst), len(src))
	s.sigmoid(dst, src)
}
