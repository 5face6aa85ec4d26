package program

// FLOPs counts the multiplications and additions of a step's products, without a convolution's padding and elementwise
// operations. It is 0 for a step without a product.
func (s *Step) FLOPs() float64 {
	z := &s.Size
	switch s.Op {
	case Dense, ProductAB, ProductAT, ProductBT:
		return 2 * float64(z[0]) * float64(z[1]) * float64(z[2])
	case ConvLayer, ConvForward, ConvInput, ConvWeights:
		return 2 * float64(z[0]) * float64(convOf(z).Products())
	case LSTM, LSTMBack, LSTMTangent:
		return 8 * float64(z[0]) * float64(z[1]) * float64(z[2]) * float64(z[2])
	case Attend, AttendBack, AttendWeights:
		rows, d, h, m := float64(z[0])*float64(z[1]), float64(z[2]), float64(z[3]), float64(z[4])
		seen := m + float64(z[0])
		products := 3 * d * d // Wk, WR and Wv
		if s.Op == Attend {
			products += h * d * (2*seen + m + 1) // scores and contexts, distances
		} else if s.Op == AttendBack {
			products += h * d * (4*seen + m + 1)
		}
		return 2 * rows * products
	}
	return 0
}
