// Rows of a categorical policy: logits to log-probabilities, ratios and divergences. All of it in
// log space and with float64 inside, so that logits of ±10⁴ and forbidden actions (−Inf) are ordinary.
package correct

import "math"

var negInf = math.Inf(-1)

// LogSoftmax writes log π for each row of `actions` logits. A logit of −Inf forbids its action. A row without a finite
// logit becomes NaN. dst may be logits.
func LogSoftmax[F Float](dst, logits []F, actions int) {
	rows := rowsOf(len(logits), actions)
	sameLen(len(dst), len(logits))
	for i := range rows {
		row, out := logits[i*actions:][:actions], dst[i*actions:][:actions]
		norm := logSumExp(row)
		for a, z := range row {
			out[a] = F(float64(z) - norm)
		}
	}
}

// Softmax writes π and log π together: the losses need both, and this way each exponential is
// taken once.
func Softmax[F Float](prob, logp, logits []F, actions int) {
	rows := rowsOf(len(logits), actions)
	sameLen(len(prob), len(logits))
	sameLen(len(logp), len(logits))
	for i := range rows {
		z, p, lp := logits[i*actions:][:actions], prob[i*actions:][:actions], logp[i*actions:][:actions]
		top, sum := peak(z), 0.0
		for a, x := range z {
			e := 1.0 // of the greatest; after a tie, of any of these
			if below := float64(x) - top; below != 0 {
				e = math.Exp(below)
			}
			sum += e
			p[a] = F(e)
		}
		norm, scale := top+math.Log(sum), F(1/sum)
		for a, x := range z {
			lp[a] = F(float64(x) - norm)
			p[a] *= scale
		}
	}
}

// Ratios writes IS = π(a)/μ(a), one for each row, from the two policies' logits.
func Ratios[F Float](ratio []F, targetLogits, behaviourLogits []F, action []int32, actions int) {
	checkPair(len(ratio), len(action), len(targetLogits), len(behaviourLogits), actions)
	for i, a := range action {
		pi, mu := targetLogits[i*actions:][:actions], behaviourLogits[i*actions:][:actions]
		ratio[i] = F(ratioOf(float64(pi[a])-logSumExp(pi), float64(mu[a])-logSumExp(mu)))
	}
}

// RatiosFromLog is Ratios from rows of log π and log μ, which the learner has already computed.
func RatiosFromLog[F Float](ratio []F, logPi, logMu []F, action []int32, actions int) {
	checkPair(len(ratio), len(action), len(logPi), len(logMu), actions)
	for i, a := range action {
		pi, mu := logPi[i*actions:][:actions], logMu[i*actions:][:actions]
		ratio[i] = F(ratioOf(float64(pi[a]), float64(mu[a])))
	}
}

// ratioOf is exp(log π(a) − log μ(a)): 0 where π(a) = 0 whatever μ, +Inf where only μ(a) = 0.
func ratioOf(logPi, logMu float64) float64 {
	if logPi == negInf {
		return 0
	}
	return math.Exp(logPi - logMu)
}

// KL writes KL(p‖q) = Σ_a p(a)·(log p(a) − log q(a)) for each row, in nats: never negative, and +Inf if p gives weight
// to an action that q forbids.
func KL[F Float](kl []F, logp, logq []F, actions int) {
	checkPair(len(kl), len(kl), len(logp), len(logq), actions)
	for i := range kl {
		kl[i] = F(klRow(logp[i*actions:][:actions], logq[i*actions:][:actions]))
	}
}

func klRow[F Float](logp, logq []F) float64 {
	sum := 0.0
	for a, lp := range logp {
		lp, lq := float64(lp), float64(logq[a])
		if lp == negInf {
			continue // 0·log 0 = 0
		}
		if lq == negInf {
			return math.Inf(1)
		}
		sum += math.Exp(lp) * (lp - lq)
	}
	return max(0, sum) // rounding alone can make it negative
}

// logSumExp is log Σ exp(z), shifted by the largest so that nothing overflows.
func logSumExp[F Float](row []F) float64 {
	top, sum := peak(row), 0.0
	for _, z := range row {
		sum += math.Exp(float64(z) - top)
	}
	return top + math.Log(sum)
}

func peak[F Float](row []F) float64 {
	top := row[0]
	for _, z := range row[1:] {
		top = max(top, z)
	}
	return float64(top)
}

func rowsOf(n, actions int) int {
	if actions < 1 || n%actions != 0 {
		panic("correct: rows are not a whole number of actions wide")
	}
	return n / actions
}

func sameLen(got, want int) {
	if got != want {
		panic("correct: slices of one batch differ in length")
	}
}

func checkPair(dst, rows, first, second, actions int) {
	sameLen(dst, rows)
	sameLen(first, rows*actions)
	sameLen(second, rows*actions)
	rowsOf(first, actions)
}
