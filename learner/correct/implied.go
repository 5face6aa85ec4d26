// V-trace evaluates the implied policy. The trust region leaves out the steps where the implied policy is too far from
// the policy that learns.
package correct

import (
	"math"
)

// Implied writes rows of π_ρ̄,α(a|x) ∝ α·min(ρ̄·μ(a|x), π(a|x)) + (1−α)·π(a|x) (IMPALA eq. 3 when α = 1). If π and μ
// share no action, the row is 0/0, and Implied writes zeros. It takes ρ̄ = 0 as the limit: μ where π allows it. dst may
// be logPi or logMu.
func Implied[F Float](dst, logPi, logMu []F, actions int, rhoBar, leak F) {
	ImpliedLog(dst, logPi, logMu, actions, rhoBar, leak)
	for i, lp := range dst {
		dst[i] = F(math.Exp(float64(lp)))
	}
}

// ImpliedLog writes the log of Implied; a row in which π and μ share no action is −Inf throughout.
func ImpliedLog[F Float](dst, logPi, logMu []F, actions int, rhoBar, leak F) {
	rows := rowsOf(len(dst), actions)
	checkPair(rows, rows, len(logPi), len(logMu), actions)
	logRhoBar := logBar(rhoBar)
	for i := range rows {
		pi, mu, out := logPi[i*actions:][:actions], logMu[i*actions:][:actions], dst[i*actions:][:actions]
		norm := cutNorm(pi, mu, logRhoBar, float64(leak))
		for a := range out {
			if u := cutMass(float64(pi[a]), float64(mu[a]), logRhoBar, float64(leak)); u == negInf {
				out[a] = F(u)
			} else {
				out[a] = F(u - norm)
			}
		}
	}
}

// cutMass is log[ α·min(ρ̄·μ, π) + (1−α)·π ], before normalising.
func cutMass(logPi, logMu, logRhoBar, leak float64) float64 {
	if logPi == negInf {
		return negInf
	}
	over := negInf // log of ρ̄·μ/π; μ = 0 stays 0 whatever ρ̄
	if logMu != negInf {
		over = logRhoBar + logMu - logPi
	}
	switch {
	case over >= 0:
		return logPi
	case leak == 1:
		return logPi + over
	default:
		return logPi + math.Log(leak*math.Exp(over)+1-leak)
	}
}

// cutNorm returns the log of the row's sum of cut masses. If all are −Inf, callers do not use the result.
func cutNorm[F Float](pi, mu []F, logRhoBar, leak float64) float64 {
	top := negInf
	for a := range pi {
		top = max(top, cutMass(float64(pi[a]), float64(mu[a]), logRhoBar, leak))
	}
	sum := 0.0
	for a := range pi {
		sum += math.Exp(cutMass(float64(pi[a]), float64(mu[a]), logRhoBar, leak) - top)
	}
	return top + math.Log(sum)
}

// logBar replaces ρ̄ = 0 by the smallest positive number: normalising removes the factor.
func logBar[F Float](rhoBar F) float64 {
	return math.Log(max(float64(rhoBar), math.SmallestNonzeroFloat64))
}

// Relevance says which divergence decides whether a step is trusted.
type Relevance uint8

const (
	RelevanceImplied   Relevance = iota // KL(π‖π̃_μ), LASER §4.3
	RelevanceBehaviour                  // KL(π‖μ), LASER Algorithm 1
)

// RelevanceNames are the relevances as settings and links spell them.
var RelevanceNames = []string{RelevanceImplied: "implied", RelevanceBehaviour: "behaviour"}

func (r Relevance) String() string { return RelevanceNames[r] }

// TrustMask writes the divergence of each row and m = 1 where it is strictly below bound, else 0
// (LASER §4.3). Policies that share no action, and μ = 0 where π > 0, diverge by +Inf: m is 0.
func TrustMask[F Float](mask, kl []F, logPi, logMu []F, actions int, rhoBar, bound F, relevance Relevance) {
	checkPair(len(mask), len(kl), len(logPi), len(logMu), actions)
	if !(bound >= 0) {
		panic("correct: a trust region's bound is zero or more")
	}
	logRhoBar := logBar(rhoBar)
	for i := range kl {
		pi, mu := logPi[i*actions:][:actions], logMu[i*actions:][:actions]
		switch relevance {
		case RelevanceImplied:
			kl[i] = F(klImplied(pi, mu, logRhoBar))
		case RelevanceBehaviour:
			kl[i] = F(klRow(pi, mu))
		default:
			panic("correct: unknown kind of relevance")
		}
		mask[i] = 0
		if kl[i] < bound {
			mask[i] = 1
		}
	}
}

// klImplied is KL(π‖π̃_μ) = Σ_a π(a)·(log π(a) − log min(ρ̄·μ(a), π(a))) + log of the latter's sum.
func klImplied[F Float](pi, mu []F, logRhoBar float64) float64 {
	sum := 0.0
	for a := range pi {
		lp := float64(pi[a])
		if lp == negInf {
			continue
		}
		cut := cutMass(lp, float64(mu[a]), logRhoBar, 1)
		if cut == negInf {
			return math.Inf(1)
		}
		sum += math.Exp(lp) * (lp - cut)
	}
	return max(0, sum+cutNorm(pi, mu, logRhoBar, 1))
}
