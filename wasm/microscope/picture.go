package microscope

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/web/chart"
)

// Backup returns the visible part of the diagram.
func (s *Scope) Backup() *chart.Backup {
	q, u := s.Now, s.Unroll
	b := &chart.Backup{
		From: s.From, Chosen: s.Step, Asked: s.Asked, Row: s.Row, RhoBar: q.Clip.RhoBar, CBar: q.Clip.CBar,
		Densities: !u.NamedActions, After: math.NaN(), Before: len(s.Changed()) > 0,
	}
	b.ByRho, b.ByC = q.Correction.Cuts()
	largest := 0.0
	for _, step := range u.Steps {
		largest = max(largest, step.Ratio)
	}
	b.RatioTop = chart.RatioTop(largest)
	reach := make([]float64, len(u.Steps))
	for t := range reach {
		reach[t] = math.NaN()
	}
	for _, one := range q.Terms(s.Step) {
		reach[one.At] = one.Reach
	}
	last := min(s.From+s.Sight, len(u.Steps))
	for t := s.From; t < last; t++ {
		step := &u.Steps[t]
		fate := q.Why(&s.Config, t).Fate
		one := chart.BackupStep{
			Act: step.Act, Pi: step.Pi, Mu: step.Mu, Ratio: step.Ratio, Rho: q.Targets.Rho[t], C: q.Targets.C[t],
			Kept: q.Targets.Rho[t], Lost: b.ByRho, Weight: q.Targets.Weight[t],
			Less:  fate == correct.Cut || fate == correct.LeftOut,
			Reach: reach[t], Delta: q.Delta[t], Value: step.Value, Target: q.Targets.VS[t], Was: s.Run.Targets.VS[t],
			Advantage: q.Targets.Advantage[t], Ends: step.End != envs.Running, Outside: !q.Inside(t),
		}
		if q.Correction.NStep { // ratios weight the policy gradient, and no target
			one.Kept, one.Lost = one.Weight, one.Less
		}
		b.Steps = append(b.Steps, one)
	}
	if last == len(u.Steps) && u.Steps[last-1].End == envs.Running {
		b.After = u.Bootstrap
	}
	return b
}
