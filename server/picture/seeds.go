package picture

import (
	"impalab/learner/trial"
	"impalab/web/chart"
)

// Seeds is the chart of one configuration's runs over seeds: a thin line for each seed, the interquartile mean of all
// seeds, and its 95 % bootstrap interval.
func Seeds(title string, curves []trial.Curve) Chart {
	var s chart.Seeds
	var mean chart.Curve
	steps := uint64(0)
	for i := range curves {
		line := &chart.Curve{}
		for k, v := range curves[i].At {
			line.Add(uint64(curves[i].Step(k)), float32(v))
		}
		s.Lines = append(s.Lines, line)
		steps = max(steps, curves[i].Budget)
	}
	for _, p := range trial.Together(curves) {
		s.Middle = append(s.Middle, chart.Middle{Step: uint64(p.Step), Mean: p.Mean, Low: p.Low, High: p.High,
			N: len(curves)})
		mean.Add(uint64(p.Step), float32(p.Mean))
	}
	c := Chart{Name: "seeds", Title: title, Says: says("Interquartile mean of the return over seeds", &mean),
		Value: "Mean return", Rows: rows(&mean)}
	c.draw(returnHigh, func(w, h float64) string {
		return chart.DrawSeeds(&chart.Time{Steps: steps}, &s, w, h)
	})
	return c
}
