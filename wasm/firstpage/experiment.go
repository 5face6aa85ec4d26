package firstpage

import (
	"impalab/web/link"
	"impalab/web/number"
)

// experiment is one of the page's two experiments: its runs, and the steps and returns at which its story continues.
// Steps are of both learners.
type experiment struct {
	*link.Pair

	dragAt uint64 // when the lag goes to dragTo
	dragTo int

	doubtful uint64 // so long after the lag has changed a fall should be visible…
	hopeless uint64 // …or none follows
	standing float32
	after    uint64 // how long the page watches it stand
	longest  uint64 // how long it may take to recover; twice as long if it is on its way up then

	usual uint64 // length of the chart's axis at first: the whole of most stories

	measure string // what the chart's height is
	unit    func(returned float64) string
	told    string // the chart, for screen readers
	learned string // the skill that it still lacks, in the sentence about an early drag
	hope    string // what to watch once it has V-trace
	lying   string // why it did not recover
	fresh   string // what fresh data alone do after the fall
	rescued string // how many V-trace has lifted
	lies    bool   // the watched agent lies as long as its run is down, and V-trace after the fall is seldom in time
}

// pole is the first experiment: a pole that V-trace puts up again.
var pole = experiment{
	Pair:   link.PairOf(link.First),
	dragAt: 80_000, dragTo: 64, doubtful: 25_000, hopeless: 100_000,
	standing: 300, after: 25_000, longest: 145_000,
	usual:   160_000,
	measure: "Steps the pole stays up",
	unit:    func(float64) string { return "steps upright" },
	told:    "Steps the pole stays up against steps of practice.",
	learned: "stand",
	hope:    "Watch the right one get up, though its data stay as old.",
	lying:   "It did not get up this time: the longer it lies, the harder it gets up.",
	fresh:   FreshAlone,
	rescued: Rescued,
}

// cheetah is the second experiment: an agent that has learned to run, and does not get up again. The study
// "cheetah-lag" has its lag.
var cheetah = experiment{
	Pair:   link.PairOf(link.Second),
	dragAt: 100_000, dragTo: 64, doubtful: 100_000, hopeless: 500_000,
	standing: 150, after: 60_000, longest: 200_000,
	usual:   500_000,
	measure: "Points for running: 100 for each metre a second",
	unit:    func(returned float64) string { return number.Fixed(returned/100, 1) + " m/s" },
	told:    "Points for running, 100 for each metre a second, against steps of practice.",
	learned: "run",
	hope:    "It keeps most runners running, and seldom lifts one that lies.",
	lying:   "A body on the ground earns nothing, whichever torques it tries, so no data praise a way up.",
	fresh:   "No cheetah that we watched got up again.",
	rescued: BodiesRescued,
	lies:    true,
}

// experimentOf returns the experiment of a link.
func experimentOf(fragment string) *experiment {
	if link.PairOf(fragment).Name == link.Second {
		return &cheetah
	}
	return &pole
}
