package algo

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// report writes the figures of the last losses and step, and the x-ray of the batch.
func (a *Impala) report(b *traj.Batch, l terms, norm float64, now uint64, out *telemetry.Update) {
	f := &out.Figures
	a.pi.kl(a.kl, b)
	f[telemetry.KL] = mean(a.kl)
	f[telemetry.EffectiveSample] = float32(correct.EffectiveSample(a.ratio))
	f[telemetry.CutByRho], f[telemetry.CutByC], f[telemetry.EffectiveCut] = unknown, unknown, unknown
	rho, c := a.correction.Cuts()
	if rho {
		f[telemetry.CutByRho] = float32(correct.CutShare(a.ratio, a.cut.RhoBar, a.cut.LeakRho))
	}
	if c {
		f[telemetry.CutByC] = float32(correct.CutShare(a.ratio, a.cut.CBar, a.cut.LeakC))
	}
	switch {
	case !a.correction.NStep:
		f[telemetry.EffectiveCut] = float32(correct.EffectiveSample(a.targets.Rho))
	case a.correction.Weights(): // the policy gradient alone
		f[telemetry.EffectiveCut] = float32(correct.EffectiveSample(a.targets.RhoPG))
	}
	if inside := a.inside(); inside != nil {
		f[telemetry.Rejected] = 1 - mean(inside)
	}
	f[telemetry.Entropy] = -float32(l.entropy) / max(1, sum(a.online))
	f[telemetry.GradNorm] = float32(norm)
	f[telemetry.CorrectionSize] = float32(math.Sqrt(l.value / float64(b.T*b.B)))
	correct.RatioHistogram(out.Ratios[:], a.ratio, telemetry.RatioLogLo, telemetry.RatioLogHi)

	ages(out, b.Version, now)
	a.m.pop.report(out)
	a.m.control.report(out)
}

// unknown stands for a figure that the correction in force does not have.
var unknown = float32(math.NaN())

// ages says how many updates old the trajectories of a batch are.
func ages(out *telemetry.Update, versions []uint64, now uint64) {
	oldest, total := uint64(0), uint64(0)
	for _, v := range versions {
		oldest, total = max(oldest, now-v), total+now-v
	}
	out.Figures[telemetry.AgeMean], out.Figures[telemetry.AgeMax] = float32(total)/float32(len(versions)), float32(oldest)
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
