package algo

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
)

// report writes the metrics of the last losses and step, and the x-ray of the batch.
func (r *rows) report(l terms, norm float64, now uint64, out *telemetry.Update) {
	b, f := r.batch, &out.Metrics
	r.pi.kl(r.kl, b)
	f[telemetry.KL] = mean(r.kl)
	f[telemetry.EffectiveSample] = float32(correct.EffectiveSample(r.ratio))
	f[telemetry.CutByRho], f[telemetry.CutByC], f[telemetry.EffectiveCut] = unknown, unknown, unknown
	rho, c := r.correction.Cuts()
	switch weighed := r.targets.Weighed(r.correction, &correct.Unroll[float32]{T: b.T, B: b.B, Ratio: r.ratio,
		Discount: r.discount, Limits: r.limits}); {
	case r.correction.Forms():
		f[telemetry.CutByRho] = float32(correct.RemovedShare(r.targets.Weight, weighed))
	case rho:
		f[telemetry.CutByRho] = float32(correct.CutShare(weighed, r.truncation.RhoBar, r.truncation.LeakRho))
	}
	if c {
		f[telemetry.CutByC] = float32(correct.CutShare(r.ratio, r.truncation.CBar, r.truncation.LeakC))
	}
	switch {
	case !r.correction.NStep:
		f[telemetry.EffectiveCut] = float32(correct.EffectiveSample(r.targets.Rho))
	case r.correction.Weights(): // the policy gradient alone
		f[telemetry.EffectiveCut] = float32(correct.EffectiveSample(r.targets.Weight))
	}
	if r.inside != nil {
		f[telemetry.Rejected] = 1 - mean(r.inside)
	}
	f[telemetry.Entropy] = -float32(l.entropy) / max(1, sum(r.online))
	f[telemetry.GradNorm] = float32(norm)
	f[telemetry.CorrectionSize] = float32(math.Sqrt(l.value / float64(b.T*b.B)))
	correct.RatioHistogram(out.Ratios[:], r.ratio, telemetry.RatioLogLo, telemetry.RatioLogHi)

	ages(out, b.Version, now)
	r.m.pop.report(out)
	r.m.control.report(out)
}

// unknown stands for a metric that the correction in force does not have.
var unknown = float32(math.NaN())

// ages says how many updates old the trajectories of a batch are.
func ages(out *telemetry.Update, versions []uint64, now uint64) {
	oldest, total := uint64(0), uint64(0)
	for _, v := range versions {
		oldest, total = max(oldest, now-v), total+now-v
	}
	out.Metrics[telemetry.AgeMean], out.Metrics[telemetry.AgeMax] = float32(total)/float32(len(versions)), float32(oldest)
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
