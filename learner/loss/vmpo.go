// V-MPO's losses (Song et al., 2020, §4), each with its derivative. The E-step weighs the better samples by their
// advantage; the M-step makes them likelier without leaving the old policy by more than a bound. η and α are Lagrange
// multipliers, which their own losses move.
package loss

import (
	"math"
	"slices"
)

// TopShare chooses the rows with the highest ⌊share·n⌋ advantages (at least 1), and all rows that tie with the last of
// them: D̃ of §4.2.1. It writes 1 to their places in chosen [n], 0 elsewhere, and returns their number. Rows with 0 in
// valid [n] are never chosen, though n counts them; nil: all rows are valid. scratch is [n].
func TopShare[F Float](chosen, scratch, advantage, valid []F, share float64) (count int) {
	n := len(advantage)
	sameLen(len(chosen), n)
	sameLen(len(scratch), n)
	if valid != nil {
		sameLen(len(valid), n)
	}
	clear(chosen)
	in := scratch[:0]
	for i, a := range advantage {
		if valid == nil || valid[i] != 0 {
			in = append(in, a)
		}
	}
	if len(in) == 0 {
		return 0
	}
	slices.Sort(in)
	k := max(1, int(share*float64(n)))
	threshold := in[max(0, len(in)-k)]
	for i, a := range advantage {
		if (valid == nil || valid[i] != 0) && a >= threshold {
			chosen[i] = 1
			count++
		}
	}
	return count
}

// Temperature is the E-step's multiplier η with its bound, and how the mean in its loss is taken.
type Temperature struct {
	Eta   float64 // η > 0
	Bound float64 // ε_η, nats
	// ByCount divides by the number of samples, as eq. 33 prints it, and not by the sum of their weights. The two
	// agree while every weight is 1. With log(mean weight) < −ε_η the printed loss has no minimum and η runs away.
	ByCount bool
}

// EStep writes ψ and returns the temperature loss with its slope in η (eq. 12 and 13; with weights eq. 32 and 33):
//
//	ψ_i = w_i·exp(A_i/η) / Σ_D̃ w·exp(A/η)                  0 outside D̃
//	L_η = η·ε_η + η·log( Σ_D̃ w·exp(A/η) / Σ_D̃ w )
//
// chosen marks D̃; weight [n] is the importance weight, nil for 1. Without any weight in D̃ there is nothing to
// learn: ψ, loss and slope are 0.
func EStep[F Float](psi, advantage, chosen, weight []F, t Temperature) (loss, slope float64) {
	n := len(psi)
	sameLen(len(advantage), n)
	sameLen(len(chosen), n)
	if weight != nil {
		sameLen(len(weight), n)
	}
	w := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return float64(weight[i])
	}
	clear(psi)
	top := math.Inf(-1) // the exponent is shifted by it, so that none overflows
	for i, c := range chosen {
		if c != 0 && w(i) > 0 {
			top = max(top, float64(advantage[i]))
		}
	}
	total, weights, count := 0.0, 0.0, 0.0
	for i, c := range chosen {
		if c == 0 {
			continue
		}
		count++
		weights += w(i)
		if w(i) > 0 {
			e := w(i) * math.Exp((float64(advantage[i])-top)/t.Eta)
			total += e
			psi[i] = F(e)
		}
	}
	if total == 0 {
		return 0, 0
	}
	mean := 0.0 // Σ ψ (A − top)/η
	for i := range psi {
		if psi[i] != 0 {
			psi[i] = F(float64(psi[i]) / total)
			mean += float64(psi[i]) * (float64(advantage[i]) - top) / t.Eta
		}
	}
	among := weights
	if t.ByCount {
		among = count
	}
	log := math.Log(total / among)
	// dL_η/dη = ε_η + log(Σ w·exp(A/η)/n) − Σ ψ·A/η = ε_η − KL(ψ‖w/n): η grows while ψ is too far from uniform.
	return t.Eta*(t.Bound+log) + top, t.Bound + log - mean
}

// UniformStep writes ψ_i = w_i/Σ_D̃ w: the top half with equal weights, without a temperature (fig. 8).
func UniformStep[F Float](psi, chosen, weight []F) {
	sameLen(len(chosen), len(psi))
	sameLen(len(weight), len(psi))
	total := 0.0
	for i, c := range chosen {
		psi[i] = c * weight[i]
		total += float64(psi[i])
	}
	if total > 0 {
		for i := range psi {
			psi[i] = F(float64(psi[i]) / total)
		}
	}
}

// Likelihood is L_π = −Σ ψ·log π(a|x) (eq. 12). dLogits [n,Actions] gains cost·∂/∂z; ψ passes no gradient.
func Likelihood[F Float](dLogits []F, p Policy[F], action []int32, psi []F, cost F) float64 {
	sameLen(len(action), p.rows(len(dLogits)))
	sameLen(len(psi), len(action))
	sum := 0.0
	for i, a := range action {
		if psi[i] == 0 {
			continue
		}
		prob, d := p.Prob[i*p.Actions:][:p.Actions], dLogits[i*p.Actions:][:p.Actions]
		sum -= float64(psi[i]) * finite(float64(p.LogProb[i*p.Actions:][:p.Actions][a]))

		// −∂log π_a/∂z_j = π_j − [j=a]
		k := cost * psi[i]
		for j, pj := range prob {
			d[j] += k * pj
		}
		d[a] -= k
	}
	return sum
}

// Divergence is Σ KL(π_T‖π_θ) over all rows, where old is π_T and p is π_θ (the second half of eq. 14). kl [n] is
// overwritten with each row's, in nats. dLogits gains cost·∂/∂z.
func Divergence[F Float](dLogits, kl []F, old, p Policy[F], cost F) float64 {
	n := p.rows(len(dLogits))
	sameLen(old.rows(len(dLogits)), n)
	sameLen(len(kl), n)
	sum := 0.0
	for i := range n {
		row := i * p.Actions
		each := 0.0
		for j := row; j < row+p.Actions; j++ {
			if q := old.Prob[j]; q != 0 { // 0·log 0 = 0
				each += float64(q) * (float64(old.LogProb[j]) - float64(p.LogProb[j]))
			}
			// ∂KL/∂z_j = π_θ(j) − π_T(j)
			dLogits[j] += cost * (p.Prob[j] - old.Prob[j])
		}
		each = max(0, finite(each)) // rounding alone can make it negative
		kl[i] = F(each)
		sum += each
	}
	return sum
}

// Multiplier is α·(ε − KL) and its slope in α (the first half of eq. 14): descending it raises α while KL is above
// its bound and lowers it below.
func Multiplier(alpha, bound, kl float64) (loss, slope float64) {
	return alpha * (bound - kl), bound - kl
}
