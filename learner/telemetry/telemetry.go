// Package telemetry defines a learner's reports about itself: plain values that the learner makes between two updates
// and passes on by copy. The hot path shares none of them.
package telemetry

// RatioBins are the buckets of the ratio histogram: log₂(π/μ) from −5 to +5 in steps of a quarter,
// with everything outside in the two end buckets.
const (
	RatioBins  = 40
	RatioLogLo = -5.0
	RatioLogHi = 5.0
	AgeBins    = 32 // data age in updates, scaled so that the last bucket holds the oldest: see the metric AgeMax
)

// Update describes one update of the learner. Means run over the batch's steps.
type Update struct {
	Step     uint64 // environment steps the learner has consumed, replay not counted twice
	Update   uint64 // learner updates so far
	Episodes uint64 // finished episodes so far

	Metrics    [NumMetrics]float32 // by row of the table
	Ratios     [RatioBins]uint32
	Ages       [AgeBins]uint32
	AlgoValues AlgoValues // of the algorithm, beside θ
}

// Episode is one finished training episode, return undiscounted and unscaled.
type Episode struct {
	Step   uint64
	Return float32
	Length uint32
	Task   int32 // of a suite of worlds
}

// Changed says that a setting changed between two updates.
type Changed struct {
	Step, Update  uint64
	Key, From, To string
}

// NextPoint is the step at which a learning curve has its next point after one at step: 256 steps later, and from step
// 262144 on a 1024th of the steps so far. It depends on the step alone, so runs of one seed have points at the same
// steps.
func NextPoint(step uint64) uint64 { return step + max(256, step/1024) }
