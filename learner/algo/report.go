package algo

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// report says what the last losses and the step along them came to, and what the page's x-ray shows of the batch.
func (a *Impala) report(b *traj.Batch, l terms, norm float64, now uint64, out *telemetry.Update) {
	n := float32(b.T * b.B)
	out.PolicyLoss, out.ValueLoss, out.Entropy = float32(l.policy)/n, float32(l.value)/n, -float32(l.entropy)/max(1, sum(a.online))
	out.GradNorm = float32(norm)
	a.pi.kl(a.kl, b)
	out.KL = mean(a.kl)
	out.ClippedRho = float32(correct.ShareAbove(a.ratio, a.cut.RhoBar))
	out.ClippedC = float32(correct.ShareAbove(a.ratio, a.cut.CBar))
	out.EffectiveSample = float32(correct.EffectiveSample(a.targets.Rho))
	if a.inside != nil {
		out.Rejected = 1 - mean(a.inside)
	}
	out.ValueError = float32(math.Sqrt(float64(out.ValueLoss)))
	correct.RatioHistogram(out.Ratios[:], a.ratio, telemetry.RatioLogLo, telemetry.RatioLogHi)

	ages(out, b.Version, now)
	a.m.pop.report(out)
}

// ages says how many updates old the trajectories of a batch are.
func ages(out *telemetry.Update, versions []uint64, now uint64) {
	oldest, total := uint64(0), uint64(0)
	for _, v := range versions {
		oldest, total = max(oldest, now-v), total+now-v
	}
	out.AgeMean, out.AgeMax = float32(total)/float32(len(versions)), float32(oldest)
	for _, v := range versions {
		bin := int((now - v) * telemetry.AgeBins / (oldest + 1))
		out.Ages[bin]++
	}
}

func sum(x []float32) (s float32) {
	for _, v := range x {
		s += v
	}
	return s
}

func mean(x []float32) float32 { return sum(x) / float32(len(x)) }
