package kernel

// Flat vectors: operations on gradients between the backward pass and the optimiser.

// Add is y += x.
func Add(y, x []float32) {
	same(len(y), len(x))
	axpy(y, x, 1) // no product with 1 is rounded
}

// Scale is x *= a.
func Scale(x []float32, a float32) { scale(x, a) }

// SumLanes is how many numbers Squares writes.
const SumLanes = sumLanes

// sumLanes is how many partial sums a reduction keeps: element i goes to lane i mod sumLanes. Fixed
// by this package, not by the machine, so every vector width adds in the same order. (64 lanes are
// four AVX-512 registers: enough to hide the latency of the fused multiply-add.)
const sumLanes = 64

// Dot is Σ x_i·y_i: float32 lanes, summed in float64 in the order of the lanes.
func (s Set) Dot(x, y []float32) float64 {
	same(len(x), len(y))
	var lanes [sumLanes]float32
	s.sumInto(&lanes, x, y)
	return SumOf(&lanes)
}

// sumInto adds x_i·y_i to the lanes.
func (s Set) sumInto(lanes *[sumLanes]float32, x, y []float32) {
	whole := len(x) &^ (sumLanes - 1)
	s.dotLanes(lanes, x[:whole], y[:whole])
	if whole < len(x) {
		// Padded copies hold the other elements: adding 0·0 changes nothing.
		var restX, restY [sumLanes]float32
		copy(restX[:], x[whole:])
		copy(restY[:], y[whole:])
		s.dotLanes(lanes, restX[:], restY[:])
	}
}

// SumSq is Σ x_i²: the square of a gradient's norm.
func (s Set) SumSq(x []float32) float64 { return s.Dot(x, x) }

// Squares writes the lanes of SumSq, which SumOf adds up.
func (s Set) Squares(lanes *[SumLanes]float32, x []float32) {
	clear(lanes[:])
	s.sumInto(lanes, x, x)
}

// SumOf adds the lanes of a sum.
func SumOf(lanes *[SumLanes]float32) (sum float64) {
	for _, v := range lanes {
		sum += float64(v)
	}
	return sum
}

func axpyGo(y, x []float32, a float32) {
	for i, v := range x {
		y[i] += float32(a * v)
	}
}

func scaleGo(x []float32, a float32) {
	for i := range x {
		x[i] *= a
	}
}

// dotLanesGo adds whole blocks of sumLanes products to the lanes.
func dotLanesGo(lanes *[sumLanes]float32, x, y []float32) {
	for i := 0; i+sumLanes <= len(x); i += sumLanes {
		bx, by := x[i:i+sumLanes], y[i:i+sumLanes]
		for l := range lanes {
			lanes[l] += float32(bx[l] * by[l])
		}
	}
}
