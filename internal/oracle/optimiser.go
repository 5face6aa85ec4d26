// Package oracle has the papers' formulas as printed, where the learner computes the same in another form. Only tests
// import it.
package oracle

import "math"

// Float is the type of the numbers.
type Float interface{ ~float32 | ~float64 }

// The optimisers' rules as their authors print them. Each takes one step on every parameter.

// StepRMSProp is TensorFlow 1's form: ν ← d·ν + (1−d)·g²; m ← μ·m + lr·g/√(ν+ε); θ ← θ − m.
func StepRMSProp[F Float](theta, nu, mom, grad []F, lr, decay, eps, momentum F) {
	for i, g := range grad {
		nu[i] = decay*nu[i] + (1-decay)*g*g
		mom[i] = momentum*mom[i] + lr*g/sqrt(nu[i]+eps)
		theta[i] -= mom[i]
	}
}

// StepRMSPropTorch is PyTorch's: ε outside the root, and the learning rate outside the momentum.
func StepRMSPropTorch[F Float](theta, nu, mom, grad []F, lr, decay, eps, momentum F) {
	for i, g := range grad {
		nu[i] = decay*nu[i] + (1-decay)*g*g
		mom[i] = momentum*mom[i] + g/(sqrt(nu[i])+eps)
		theta[i] -= lr * mom[i]
	}
}

// StepAdam is step t (from 1): m ← β₁·m + (1−β₁)·g; v ← β₂·v + (1−β₂)·g²; θ ← θ − lr·m̂/(√v̂ + ε).
func StepAdam[F Float](theta, m, v, grad []F, lr, beta1, beta2, eps F, t uint64) {
	c1, c2 := F(1-math.Pow(float64(beta1), float64(t))), F(1-math.Pow(float64(beta2), float64(t)))
	for i, g := range grad {
		m[i] = beta1*m[i] + (1-beta1)*g
		v[i] = beta2*v[i] + (1-beta2)*g*g
		theta[i] -= lr * (m[i] / c1) / (sqrt(v[i]/c2) + eps)
	}
}

// StepAdamHat is TensorFlow 1's: θ ← θ − lr·√(1−β₂^t)/(1−β₁^t)·m/(√v + ε̂).
func StepAdamHat[F Float](theta, m, v, grad []F, lr, beta1, beta2, eps F, t uint64) {
	rate := lr * sqrt(F(1-math.Pow(float64(beta2), float64(t)))) / F(1-math.Pow(float64(beta1), float64(t)))
	for i, g := range grad {
		m[i] = beta1*m[i] + (1-beta1)*g
		v[i] = beta2*v[i] + (1-beta2)*g*g
		theta[i] -= rate * m[i] / (sqrt(v[i]) + eps)
	}
}

// ClipNorm shortens grad to length at most limit and returns the length it had: g ← g·limit/max(‖g‖, limit).
func ClipNorm[F Float](grad []F, limit F) (norm F) {
	sum := F(0)
	for _, g := range grad {
		sum += g * g
	}
	if norm = sqrt(sum); norm > limit {
		for i := range grad {
			grad[i] *= limit / norm
		}
	}
	return norm
}

func sqrt[F Float](x F) F { return F(math.Sqrt(float64(x))) }
