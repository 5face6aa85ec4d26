// Package stats has the statistic over seeds that studies, boards and exercises share. It has no dependencies, so a
// page can have it too.
package stats

import "sort"

// InterquartileMean returns the mean without the lowest and highest quarter; a quarter is rounded down, so three seeds
// keep all three. It sorts values, of which there must be at least one. Agarwal et al., "Deep RL at the edge of the
// statistical precipice", 2021.
func InterquartileMean(values []float64) float64 {
	sort.Float64s(values)
	cut := len(values) / 4
	kept := values[cut : len(values)-cut]
	sum := 0.0
	for _, v := range kept {
		sum += v
	}
	return sum / float64(len(kept))
}
