package firstpage

import (
	"math"
	"strconv"

	"impalab/learner/collapse"
	"impalab/web/link"
	"impalab/web/number"
)

// experiment is one of the page's experiments: its runs, the steps and returns at which its story continues, and its
// words. Steps are of both learners.
type experiment struct {
	*link.Pair
	levels collapse.Levels
	voice

	dragAt uint64 // when the lag goes to dragTo
	dragTo int

	doubtful uint64 // so long after the lag has changed a fall should be visible…
	hopeless uint64 // …or none follows
	after    uint64 // how long the page watches it stand
	longest  uint64 // how long it may take to recover; twice as long if it is on its way up then

	usual  uint64  // length of the chart's axis at first: the whole of most stories
	high   float64 // the largest return on the chart
	chance float64 // return of a uniform policy, as a line on the chart; 0: none
	figure func(returned float64) string
	unit   func(returned float64) string

	swift bool // a fall follows the turn at once

	lies bool // the watched agent lies as long as its run is down, and the correction after the fall is seldom in time
}

// voice is the words of a story: what its agents do, and how the correction helps.
type voice struct {
	name, cure string // of the correction: as a title, and within a sentence
	act        string // of the button that gives it
	manner     string // how it treats old steps
	begins     [3]string
	measure    string // what the chart's height is
	told       string // the chart, for screen readers
	learned    string // the skill that an agent lacks, in the sentence about an early drag
	fell, fall string // what the right one did, and does
	fault      string // why
	again      string // it has recovered: what it did…
	gets       string // …or may do
	stands     string // what an agent with its skill does…
	stood      string // …and has done
	taught     string // what fresh data alone did to it
	still      string // it has not recovered: what it does
	enough     string // after it has recovered
	both       string // both have the correction
	hope       string // what to watch once it has the correction
	lying      string // why it did not recover
	fresh      string // what fresh data alone do after the fall
	rescued    string // how many the correction has lifted
	weighs     string // the weights below the button
	shows      string // the picture, in place of the belt's parts; "": it needs no words
}

// upright are the words about agents that stand and fall, under V-trace.
var upright = voice{
	name: "V-trace", cure: "V-trace", act: "Give it V-trace", manner: "weighs every old step again",
	begins: [3]string{"Two learners practise with ", "the same luck", "."},
	fell:   "fell", fall: "fall",
	fault: "Its data are as old as the left one’s; it believes them as they stand.",
	again: "got up", gets: "gets up", stands: "stands", stood: "stood", taught: "got it up", still: "still lies",
	enough: "It is enough to weigh them again.",
	both:   "Both reweigh old steps: late data do no harm.",
	weighs: "How much an old step should count",
}

// pole is the first experiment: a pole that V-trace puts up again.
var pole = func() experiment {
	of := experiment{
		Pair: link.PairOf(link.First), levels: collapse.Upright, voice: upright,
		dragAt: 80_000, dragTo: 64, doubtful: 25_000, hopeless: 100_000, after: 25_000, longest: 145_000,
		usual: 160_000, high: 500, figure: whole,
		unit: func(float64) string { return "steps upright" },
	}
	of.measure = "Steps the pole stays up"
	of.told = "Steps the pole stays up against steps of practice."
	of.learned = "stand"
	of.hope = "Watch the right one get up, though its data stay as old."
	of.lying = "It did not get up this time: the longer it lies, the harder it gets up."
	of.fresh, of.rescued = FreshAlone, Rescued
	return of
}()

// cheetah is the second experiment: an agent that has learned to run, and does not get up again. The study
// "cheetah-lag" has its lag.
var cheetah = func() experiment {
	of := experiment{
		Pair: link.PairOf(link.Second), levels: collapse.Upright, voice: upright,
		dragAt: 100_000, dragTo: 64, doubtful: 100_000, hopeless: 500_000, after: 60_000, longest: 200_000,
		usual: 500_000, high: 500, figure: whole,
		unit: func(returned float64) string { return number.Fixed(returned/100, 1) + " m/s" },
		lies: true,
	}
	of.levels.Risen = 150
	of.measure = "Points for running: 100 for each metre a second"
	of.told = "Points for running, 100 for each metre a second, against steps of practice."
	of.learned = "run"
	of.hope = "It keeps most runners running, and seldom lifts one that lies."
	of.lying = "A body on the ground earns nothing, whichever torques it tries, so no data praise a way up."
	of.fresh, of.rescued = "No cheetah that we watched got up again.", BodiesRescued
	return of
}()

// writer is the third experiment: an agent that writes a prompt backwards, as the study "forget-to-write" has it.
var writer = experiment{
	Pair: link.PairOf(link.Third), levels: collapse.Written,
	dragAt: 400_000, dragTo: 16, doubtful: 60_000, hopeless: 300_000, after: 30_000, longest: 400_000,
	usual: 700_000, high: 1, chance: .25, figure: share, unit: func(float64) string { return "right" },
	swift: true,
	voice: voice{
		name: "Taper", cure: "the taper", act: "Weigh its bad steps", manner: "weighs bad old steps again",
		begins:  [3]string{"Both write a prompt ", "backwards", ", symbol by symbol, paid at the end."},
		measure: "Share of the answer that is right",
		told:    "Share of the answer that is right against steps of practice.",
		learned: "spell", fell: "forgot how to spell", fall: "forget",
		fault: "Its data are no older than the left one’s; it believes all their blame.",
		again: "learned again", gets: "learns again", stands: "writes well", stood: "written well", taught: "taught it",
		still:   "still writes at chance",
		enough:  "It is enough to weigh the bad steps again.",
		both:    "Both weigh their bad steps again, and late data do less harm.",
		hope:    "Watch the right one learn again, though its data stay as old.",
		lying:   "It has not learned again: given late, the taper teaches fewer.",
		fresh:   WritersFresh,
		rescued: WritersRescued,
		weighs:  "How much a bad old step should count",
		shows: "A column is one place of the answer. The darker a field, the likelier its symbol. Dashed: what would be " +
			"right.",
	},
}

// experimentOf returns the experiment of a link.
func experimentOf(fragment string) *experiment {
	for _, of := range [...]*experiment{&cheetah, &writer} {
		if link.PairOf(fragment) == of.Pair {
			return of
		}
	}
	return &pole
}

// whole writes a return in whole points.
func whole(v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return strconv.Itoa(int(math.Round(v)))
}

// share writes the share of an answer that is right.
func share(v float64) string { return number.Fixed(v, 2) }
