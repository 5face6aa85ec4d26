// STAC's metagradient (Zahavy et al., 2020): how the loss after a step depends on the hyperparameters of the step.
//
// θ' depends on η only through g = ∇L_inner(θ; η). With u = (∂θ'/∂g)ᵀ·∇L_outer(θ'), therefore,
//
//	dL_outer/dη = ∂/∂η (uᵀ∇L_inner) = ∂/∂η of the directional derivative of L_inner along u
//
// and that is a sum over the batch: the motions of log π(a), V and Σπ log π along u, each times its factor in the loss.
// No second derivative is taken.
package loss

import "math"

// The metaparameters, in the order everything about them has.
const (
	MetaGamma = iota // γ
	MetaLambda
	MetaLeakRho // α_ρ
	MetaLeakC   // α_c
	MetaValueCost
	MetaPolicyCost
	MetaEntropyCost
	Metas
)

// Meta is one number for each metaparameter.
type Meta [Metas]float64

// Squash is σ(x) = 1/(1+e^{−x}), which keeps a metaparameter in (0, 1), and its derivative.
func Squash(x float64) (value, slope float64) {
	value = 1 / (1 + math.Exp(-x))
	return value, value * (1 - value)
}

// Motion is how a row's numbers in the loss begin to move when θ moves along u, each [n].
type Motion[F Float] struct{ LogProb, Value, Entropy []F } // of log π(a), V and Σ_a π log π

// Move writes the motion of the policy's numbers; tLogits [n,Actions] is the motion of the logits. It leaves
// Motion.Value, which is the network's own tangent.
func Move[F Float](m Motion[F], p Policy[F], action []int32, tLogits []F) {
	sameLen(p.rows(len(tLogits)), len(action))
	sameLen(len(m.LogProb), len(action))
	sameLen(len(m.Entropy), len(action))
	for i, a := range action {
		prob, logp := p.Prob[i*p.Actions:][:p.Actions], p.LogProb[i*p.Actions:][:p.Actions]
		dz := tLogits[i*p.Actions:][:p.Actions]
		drift, mean := F(0), F(0) // Σ π·ż, Σ π log π
		for j, pj := range prob {
			if pj != 0 {
				drift += pj * dz[j]
				mean += pj * logp[j]
			}
		}
		// d log π_a = ż_a − Σ_j π_j·ż_j
		m.LogProb[i] = dz[a] - drift
		// d Σ π log π = Σ_j π_j·(log π_j − Σ π log π)·ż_j
		h := F(0)
		for j, pj := range prob {
			if pj != 0 {
				h += pj * (logp[j] - mean) * dz[j]
			}
		}
		m.Entropy[i] = h
	}
}

// KLFrom is Σ KL(π‖π₀), how far π has come from a policy that stays where it is, in nats; fixed [n,Actions] is
// log π₀. dLogits [n,Actions] gains cost·∂/∂z. STAC's outer loss holds η back with it (§3).
func KLFrom[F Float](dLogits []F, p Policy[F], fixed []F, cost F) (sum float64) {
	n := p.rows(len(dLogits))
	sameLen(len(fixed), len(dLogits))
	for i := range n {
		prob, logp := p.Prob[i*p.Actions:][:p.Actions], p.LogProb[i*p.Actions:][:p.Actions]
		d, from := dLogits[i*p.Actions:][:p.Actions], fixed[i*p.Actions:][:p.Actions]
		kl := F(0)
		for j, pj := range prob {
			if pj != 0 {
				kl += pj * (logp[j] - from[j])
			}
		}
		sum += float64(kl)
		// ∂/∂z_j Σ π (log π − log π₀) = π_j·(log π_j − log π₀_j − KL)
		for j, pj := range prob {
			if pj != 0 {
				d[j] += cost * pj * (logp[j] - from[j] - kl)
			}
		}
	}
	return sum
}

// Terms has the factors of the motions in L_inner, and their derivatives in γ, λ, α_ρ and α_c. All are [n]; nil for
// Mask or Count is all ones.
type Terms[F Float] struct {
	Weight, Advantage, Target, Value []F // m·ρ, A, v, V
	DWeight                          []F // of m·ρ in α_ρ
	DAdvantage, DTarget              [][MetaValueCost]F
	Mask                             []F // of the value's rows
	Count                            []F // of the entropy's rows
}

// MetaGradient is ∂/∂ζ of the directional derivative of
//
//	L_inner = g_p·Σ −ρ·A·log π(a) + g_v·Σ m·(v − V)² + g_e·Σ Σ_a π log π
//
// along the motion, for the hyperparameters ζ themselves (before the sigmoid). costs are g_v, g_p, g_e.
func MetaGradient[F Float](t *Terms[F], m Motion[F], valueCost, policyCost, entropyCost float64) (zeta Meta) {
	n := len(t.Value)
	for _, have := range [...]int{len(t.Weight), len(t.Advantage), len(t.Target), len(t.DWeight), len(t.DAdvantage),
		len(t.DTarget), len(m.LogProb), len(m.Value), len(m.Entropy)} {
		sameLen(have, n)
	}
	for i := range n {
		dLogp, dV, dH := float64(m.LogProb[i]), float64(m.Value[i]), float64(m.Entropy[i])
		weight, advantage := float64(t.Weight[i]), float64(t.Advantage[i])
		dAdvantage, dTarget := t.DAdvantage[i], t.DTarget[i]
		if t.Mask != nil {
			dV *= float64(t.Mask[i])
		}
		if t.Count != nil {
			dH *= float64(t.Count[i])
		}
		for k := range dTarget {
			// ∂/∂ζ of −g_p·ρ·A·(log π)˙ and of g_v·2(V − v)·V˙
			zeta[k] += -policyCost*weight*float64(dAdvantage[k])*dLogp - valueCost*2*float64(dTarget[k])*dV
		}
		zeta[MetaLeakRho] -= policyCost * float64(t.DWeight[i]) * advantage * dLogp
		zeta[MetaValueCost] += 2 * (float64(t.Value[i]) - float64(t.Target[i])) * dV
		zeta[MetaPolicyCost] -= weight * advantage * dLogp
		zeta[MetaEntropyCost] += dH
	}
	return zeta
}
