package kernel

import "math"

// LogSoftmax writes log π of each row of `actions` logits, and π itself before the division: π = weight/sum. logp and
// weight are [n, actions] like raw, sum is [n]. A logit of −Inf forbids its action. A row with NaN or +Inf, or without
// a finite logit, gets the sum NaN.
//
// Actors and the learner both call it. So π(a)/μ(a) is exactly 1 where the same parameters acted.
func (s Set) LogSoftmax(logp, weight, sum, raw []float32, actions int) {
	same(len(logp), len(raw))
	same(len(weight), len(raw))
	same(len(raw), len(sum)*actions)
	for i := range sum {
		row, out := raw[i*actions:][:actions], logp[i*actions:][:actions]
		top := row[0]
		for _, v := range row[1:] {
			top = max(top, v)
		}
		for j, v := range row {
			out[j] = v - top
		}
	}
	s.exp(weight, logp)
	for i := range sum {
		total := float32(0)
		for _, v := range weight[i*actions:][:actions] {
			total += v
		}
		sum[i] = total
		logTotal, out := float32(math.Log(float64(total))), logp[i*actions:][:actions]
		for j := range out {
			out[j] -= logTotal
		}
	}
}
