// Package optim is the optimisers of the papers, on flat vectors: RMSProp in TensorFlow 1's form and in PyTorch's,
// Adam in both, and clipping by the global norm. Each rule stands once beside its equation, generic, for tests
// and for reading (rule.go); training runs the same rule through the kernels.
package optim

import (
	"math"
	"slices"

	"impalab/learner/kernel"
)

// Optimiser takes steps on a flat vector of parameters. It belongs to one goroutine.
type Optimiser interface {
	// Step moves theta against grad with learning rate lr. A device has the gradient; grad is then not looked at.
	Step(theta, grad []float32, lr float32)
	// Jacobian writes ∂θ'/∂g of the step just taken along grad: how θ' would have answered to another gradient.
	Jacobian(jac, grad []float32, lr float32)
	// SetEps changes ε between two steps.
	SetEps(eps float32)
	// State returns the optimiser's memory for snapshots, in a fixed order; the slices are its own. A device's copy is
	// fetched first. A caller that changes the slices does so before the next step.
	State() [][]float32
	// Count is the number of steps taken, for snapshots.
	Count() *uint64
	// On makes d take its steps from now on.
	On(d Device)
}

// Device takes steps along a gradient that it holds. It also holds θ and the optimiser's state, so that only θ comes
// back, into theta. state is the state's place in this process; the first step sends it to the device.
type Device interface {
	RMSProp(theta []float32, state [][]float32, r kernel.RMSPropRates) // with momentum where state[1] is there
	Adam(theta []float32, state [][]float32, r kernel.AdamRates)
	// Fetch copies the device's state to state. The next step sends it again, because the caller may have changed it.
	Fetch(state [][]float32)
}

// RMSProp divides by a running root mean square of the gradient.
type RMSProp struct {
	Decay, Eps, Momentum float32
	// Outside puts ε outside the root, as PyTorch does; the papers' figures are for inside (IMPALA table G.1).
	Outside bool
	Kernels kernel.Set // the kernels of its steps

	nu, mom []float32 // mom only with momentum
	state   [][]float32
	steps   uint64
	device  Device // that takes its steps; nil: Kernels do
}

// NewRMSProp is RMSProp for n parameters in TensorFlow 1's form: ε inside the root, the mean square beginning at
// start (1 there; 0 learns better at small scale with mean losses).
func NewRMSProp(n int, decay, eps, momentum, start float32) *RMSProp {
	r := &RMSProp{Decay: decay, Eps: eps, Momentum: momentum, nu: make([]float32, n)}
	if momentum != 0 {
		r.mom = make([]float32, n)
	}
	for i := range r.nu {
		r.nu[i] = start
	}
	r.state = [][]float32{r.nu, r.mom}
	return r
}

func (r *RMSProp) Step(theta, grad []float32, lr float32) {
	r.steps++
	rates := kernel.RMSPropRates{Decay: r.Decay, Momentum: r.Momentum, EpsInside: r.Eps, RateInside: lr, Rate: 1}
	if r.Outside {
		rates.EpsInside, rates.EpsOutside, rates.RateInside, rates.Rate = 0, r.Eps, 1, lr
	}
	if r.device != nil {
		r.device.RMSProp(theta, r.state, rates)
		return
	}
	if r.mom == nil {
		r.Kernels.RMSProp(theta, r.nu, grad, rates)
		return
	}
	r.Kernels.RMSPropMomentum(theta, r.nu, r.mom, grad, rates)
}

func (r *RMSProp) SetEps(eps float32) { r.Eps = eps }
func (r *RMSProp) State() [][]float32 { return here(r.device, r.state) }
func (r *RMSProp) Count() *uint64     { return &r.steps }
func (r *RMSProp) On(d Device)        { r.device = d }

// Adam keeps running means of the gradient and of its square, and corrects their bias towards 0 (Kingma and Ba, 2015).
type Adam struct {
	Beta1, Beta2, Eps float32
	// Hat adds ε before the bias correction, as TensorFlow 1 does ("epsilon hat"); otherwise after it, as the paper and
	// PyTorch do.
	Hat     bool
	Kernels kernel.Set // the kernels of its steps

	m, v   []float32
	state  [][]float32
	steps  uint64
	device Device // that takes its steps; nil: Kernels do
}

// NewAdam is Adam for n parameters.
func NewAdam(n int, beta1, beta2, eps float32) *Adam {
	a := &Adam{Beta1: beta1, Beta2: beta2, Eps: eps, m: make([]float32, n), v: make([]float32, n)}
	a.state = [][]float32{a.m, a.v}
	return a
}

func (a *Adam) Step(theta, grad []float32, lr float32) {
	a.steps++
	c1, c2 := correction(float64(a.Beta1), a.steps), correction(float64(a.Beta2), a.steps)
	rates := kernel.AdamRates{Beta1: a.Beta1, Beta2: a.Beta2, Root: float32(1 / math.Sqrt(c2)), Eps: a.Eps,
		Rate: float32(float64(lr) / c1)}
	if a.Hat {
		rates.Root, rates.Rate = 1, float32(float64(lr)*math.Sqrt(c2)/c1)
	}
	if a.device != nil {
		a.device.Adam(theta, a.state, rates)
		return
	}
	a.Kernels.Adam(theta, a.m, a.v, grad, rates)
}

func (a *Adam) SetEps(eps float32) { a.Eps = eps }
func (a *Adam) State() [][]float32 { return here(a.device, a.state) }
func (a *Adam) Count() *uint64     { return &a.steps }
func (a *Adam) On(d Device)        { a.device = d }

// here returns the optimiser's state, fetched from its device if it has one.
func here(d Device, state [][]float32) [][]float32 {
	if d != nil {
		d.Fetch(state)
	}
	return slices.Clone(state)
}

// correction is 1 − β^t.
func correction(beta float64, t uint64) float64 { return 1 - math.Pow(beta, float64(t)) }

// Float is the type of the numbers of the rules that tests compute in float64 too.
type Float interface{ ~float32 | ~float64 }

func sqrt[F Float](x F) F { return F(math.Sqrt(float64(x))) }
