package optim

// The Jacobian of a step in its gradient, ∂θ'/∂g, for differentiating through the optimiser (STAC §3). Every rule here
// treats each parameter by itself, so the Jacobian is diagonal: one number for each parameter. It includes how the
// running means move with g; their values before the step are constants.

// Jacobian writes ∂θ'/∂g of the step just taken along grad with learning rate lr.
func (r *RMSProp) Jacobian(jac, grad []float32, lr float32) {
	if r.Outside {
		JacobianRMSPropTorch(jac, r.nu, grad, lr, r.Decay, r.Eps)
	} else {
		JacobianRMSProp(jac, r.nu, grad, lr, r.Decay, r.Eps)
	}
}

// Jacobian writes ∂θ'/∂g of the step just taken along grad with learning rate lr.
func (a *Adam) Jacobian(jac, grad []float32, lr float32) {
	eps := a.Eps
	c1, c2 := correction(float64(a.Beta1), a.steps), correction(float64(a.Beta2), a.steps)
	if a.Hat {
		eps /= float32(sqrt(c2)) // ε̂ before the bias correction is ε/√(1−β₂^t) after it
	}
	JacobianAdam(jac, a.m, a.v, grad, lr, a.Beta1, a.Beta2, eps, float32(c1), float32(c2))
}

// JacobianRMSProp is for TensorFlow 1's form, nu as the step left it, whatever the momentum:
//
//	θ' = … − lr·g/√(ν+ε), ν = d·ν₀ + (1−d)·g²:  ∂θ'/∂g = −lr·(d·ν₀ + ε)/(ν+ε)^{3/2}
func JacobianRMSProp[F Float](jac, nu, grad []F, lr, decay, eps F) {
	for i, g := range grad {
		under := nu[i] + eps
		jac[i] = -lr * max(0, under-(1-decay)*g*g) / (under * sqrt(under))
	}
}

// JacobianRMSPropTorch is for PyTorch's:
//
//	θ' = … − lr·g/(√ν+ε):  ∂θ'/∂g = −lr·( 1 − g·(1−d)·g/(√ν·(√ν+ε)) )/(√ν+ε)
func JacobianRMSPropTorch[F Float](jac, nu, grad []F, lr, decay, eps F) {
	for i, g := range grad {
		root := sqrt(nu[i])
		under := root + eps
		bend := F(0) // 0·0/0 where nothing ever pulled: the limit
		if root > 0 {
			bend = (1 - decay) * g * g / (root * under)
		}
		jac[i] = -lr * (1 - bend) / under
	}
}

// JacobianAdam is for Adam, m and v as the step left them, c1 and c2 its 1−β₁^t and 1−β₂^t:
//
//	θ' = θ − lr·m̂/(√v̂+ε):  ∂θ'/∂g = −lr·( (1−β₁)/c₁ − m̂·(1−β₂)·g/(c₂·√v̂·(√v̂+ε)) )/(√v̂+ε)
func JacobianAdam[F Float](jac, m, v, grad []F, lr, beta1, beta2, eps, c1, c2 F) {
	for i, g := range grad {
		root := sqrt(v[i] / c2)
		under := root + eps
		bend := F(0)
		if root > 0 {
			bend = (m[i] / c1) * (1 - beta2) * g / (c2 * root * under)
		}
		jac[i] = -lr * ((1-beta1)/c1 - bend) / under
	}
}

// PullClip turns u, a derivative in a gradient that ClipNorm shortened from norm to limit, into the derivative in the
// gradient before. clipped is the result of ClipNorm.
//
//	g_c = g·limit/‖g‖:  ∂g_c/∂g = limit/‖g‖·(I − ĝĝᵀ), ĝ = g_c/limit
func PullClip[F Float](u, clipped []F, norm, limit F) {
	if !(norm > limit) {
		return
	}
	along := 0.0
	for i, g := range clipped {
		along += float64(g) / float64(limit) * float64(u[i])
	}
	for i, g := range clipped {
		u[i] = limit / norm * (u[i] - g/limit*F(along))
	}
}
