package kernel

import "math"

// One step of an optimiser over flat vectors. The published forms differ in where a constant sits,
// so each kernel takes one constant for each place and the caller leaves the other at its neutral
// value: see learner/optim, which writes the forms out.

// RMSPropRates are the constants of one RMSProp step.
type RMSPropRates struct {
	Decay      float32 // of the mean square, in [0, 1)
	EpsInside  float32 // TensorFlow: under the root; 0 for the other form
	EpsOutside float32 // PyTorch: after the root; 0 for the other form
	Momentum   float32 // in [0, 1); RMSProp ignores it
	RateInside float32 // TensorFlow: the learning rate enters the momentum buffer; 1 for the other form
	Rate       float32 // PyTorch: the learning rate scales the buffer's output; 1 for the other form
}

// AdamRates are the constants of one Adam step, bias corrections included.
type AdamRates struct {
	Beta1, Beta2 float32
	Root         float32 // multiplies √v before ε: 1/√(1−β₂ᵗ), or 1 for TensorFlow's "epsilon hat"
	Eps          float32
	Rate         float32 // the learning rate times the rest of the bias corrections
}

// How many numbers the constants of a step are, in the order of their fields.
const (
	RMSPropNumbers = 6
	AdamNumbers    = 5
)

// Numbers writes the constants to x, and RMSPropRatesOf reads them back.
func (r *RMSPropRates) Numbers(x []float32) {
	copy(x, []float32{r.Decay, r.EpsInside, r.EpsOutside, r.Momentum, r.RateInside, r.Rate})
}

// RMSPropRatesOf is the way back of Numbers.
func RMSPropRatesOf(x []float32) RMSPropRates {
	return RMSPropRates{x[0], x[1], x[2], x[3], x[4], x[5]}
}

// Numbers writes the constants to x, and AdamRatesOf reads them back.
func (r *AdamRates) Numbers(x []float32) { copy(x, []float32{r.Beta1, r.Beta2, r.Root, r.Eps, r.Rate}) }

// AdamRatesOf is the way back of Numbers.
func AdamRatesOf(x []float32) AdamRates { return AdamRates{x[0], x[1], x[2], x[3], x[4]} }

// RMSProp is one step without momentum:
//
//	ν ← decay·ν + (1−decay)·g²;  θ ← θ − rateInside·rate·g/(√(ν+ε_in) + ε_out)
func (s Set) RMSProp(theta, nu, grad []float32, r RMSPropRates) {
	same(len(theta), len(grad))
	same(len(nu), len(grad))
	s.rmsprop(theta, nu, grad, r.Decay, 1-r.Decay, r.EpsInside, r.EpsOutside, r.RateInside*r.Rate)
}

// RMSPropMomentum is one step with momentum:
//
//	ν ← decay·ν + (1−decay)·g²;  u ← momentum·u + rateInside·g/(√(ν+ε_in) + ε_out);  θ ← θ − rate·u
func (s Set) RMSPropMomentum(theta, nu, u, grad []float32, r RMSPropRates) {
	same(len(theta), len(grad))
	same(len(nu), len(grad))
	same(len(u), len(grad))
	s.rmspropMomentum(theta, nu, u, grad, r.Decay, 1-r.Decay, r.EpsInside, r.EpsOutside, r.RateInside, r.Momentum, r.Rate)
}

// Adam is one step:
//
//	m ← β₁·m + (1−β₁)·g;  v ← β₂·v + (1−β₂)·g²;  θ ← θ − rate·m/(root·√v + ε)
func (s Set) Adam(theta, m, v, grad []float32, r AdamRates) {
	same(len(theta), len(grad))
	same(len(m), len(grad))
	same(len(v), len(grad))
	s.adam(theta, m, v, grad, r.Beta1, 1-r.Beta1, r.Beta2, 1-r.Beta2, r.Root, r.Eps, r.Rate)
}

func rmspropGo(theta, nu, grad []float32, decay, fresh, epsIn, epsOut, rate float32) {
	for i, g := range grad {
		v := float32(decay*nu[i]) + float32(fresh*float32(g*g))
		nu[i] = v
		theta[i] -= float32(rate * (g / (sqrt(v+epsIn) + epsOut)))
	}
}

func rmspropMomentumGo(theta, nu, u, grad []float32, decay, fresh, epsIn, epsOut, rateIn, momentum, rate float32) {
	for i, g := range grad {
		v := float32(decay*nu[i]) + float32(fresh*float32(g*g))
		nu[i] = v
		w := float32(momentum*u[i]) + float32(rateIn*(g/(sqrt(v+epsIn)+epsOut)))
		u[i] = w
		theta[i] -= float32(rate * w)
	}
}

func adamGo(theta, m, v, grad []float32, beta1, fresh1, beta2, fresh2, root, eps, rate float32) {
	for i, g := range grad {
		m1 := float32(beta1*m[i]) + float32(fresh1*g)
		v1 := float32(beta2*v[i]) + float32(fresh2*float32(g*g))
		m[i], v[i] = m1, v1
		theta[i] -= float32(rate * (m1 / (float32(root*sqrt(v1)) + eps)))
	}
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
