package trial

// The median, and the interval of a statistic over seeds. It is never over episodes: episodes of one run are not
// independent.
// Agarwal et al., "Deep RL at the edge of the statistical precipice", 2021.

import (
	"math/rand/v2"
	"sort"
)

// resamples is how often the bootstrap draws: the ends of the interval then move by about 1 % of its width.
const resamples = 10_000

// bootstrapSeed is fixed, so that the same runs always give the same interval.
const bootstrapSeed = 95

// median returns the middle value, or the mean of the middle two. It sorts values, +Inf last: a seed that never
// succeeds has infinite time, so that a few lucky seeds do not look fast.
func median(values []float64) float64 {
	sort.Float64s(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Interval returns a statistic of values and its 95 % percentile bootstrap interval. The statistic may sort its
// argument.
func Interval(values []float64, statistic func([]float64) float64) (mean, low, high float64) {
	mean = statistic(append([]float64(nil), values...))
	chance := rand.New(rand.NewPCG(bootstrapSeed, 0))
	draw := make([]float64, len(values))
	drawn := make([]float64, resamples)
	for i := range drawn {
		for j := range draw {
			draw[j] = values[chance.IntN(len(values))]
		}
		drawn[i] = statistic(draw)
	}
	sort.Float64s(drawn)
	return mean, drawn[resamples*25/1000], drawn[resamples*975/1000-1]
}
