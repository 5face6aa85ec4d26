package page

import (
	"embed"
	"encoding/json"
	"math"
	"slices"

	"impalab/learner/hyper"
)

// The card of a preset draws a phenomenon: the curves of real runs. The table names the runs, and the files in
// web/phenomenon hold their measured returns:
//
//	go test ./web/page -run Phenomena -measure

// phenomenon is the runs of one card.
type phenomenon struct {
	preset string
	steps  uint64
	seed   uint64
	lines  []trained
	knob   string // key of the setting that the axis shows; "": the axis shows steps
	label  string // below the axis, after its words
	shape  shape
}

// shape is the form of a picture that has no curves of the return alone.
type shape int

const (
	ofReturns shape = iota
	ofSeeds         // the end of each of eight seeds, a column for each line
	ofPairs         // the mean over a whole run, over four seeds
	ofTuning        // the return of the first line, over its policy cost as a share of its start
)

// seeds returns how many seeds a line has.
func (s shape) seeds() int { return map[shape]int{ofSeeds: 8, ofPairs: 4}[s] }

// trained is one line: a run, or the ends of one run for each value of a knob.
type trained struct {
	words, tone     string
	settings, turns string
}

// values are the places of a knob's axis.
var values = []string{"0", "2", "4", "8", "16", "32", "64"}

var phenomena = []phenomenon{
	{"break-and-mend", 200_000, 8101, []trained{{"V-trace", "pi", "", "80000:lag=64"},
		{"none", "strong", "correction=none", "80000:lag=64,115000:correction=vtrace"}}, "", "", ofReturns},
	{"lag-cliff", 120_000, 1, []trained{{"V-trace", "pi", "", ""}, {"none", "strong", "correction=none", ""}}, "lag",
		"lag", ofReturns},
	{"long-unrolls", 400_000, 1, []trained{{"ρ̄ 1", "strong", "", ""}, {"ρ̄ 2", "pi", "rho=2", ""},
		{"ρ̄ 4", "pi", "rho=4", ""}}, "", "", ofSeeds},
	{"reverse-late", 400_000, 1, []trained{{"taper", "pi", "", ""}, {"none", "strong", "correction=none", ""}}, "", "",
		ofReturns},
	{"stac-lag", 150_000, 1, []trained{{"return", "pi", "", ""}, {"policy cost", "meta", "", ""}}, "", "", ofTuning},
	{"foreign-data", 100_000, 1, []trained{{"V-trace", "pi", "", ""}, {"", "own", "sharers=0", ""},
		{"one-step", "pi", "correction=one-step", ""}, {"", "own", "correction=one-step sharers=0", ""},
		{"none", "strong", "correction=none", ""}, {"", "own", "correction=none sharers=0", ""}}, "", "", ofPairs},
	{"laser", 120_000, 1, []trained{{"7/8 old", "pi", "", ""}, {"all new", "strong", "mix=0", ""}}, "", "", ofReturns},
	{"laser-catch", 40_000, 1, []trained{{"7/8 old", "pi", "", ""}, {"all new", "strong", "mix=0", ""}}, "", "",
		ofReturns},
	alone("cartpole", 60_000), alone("catch", 30_000), alone("acrobot", 200_000), alone("swing-up", 300_000),
	alone("reacher", 200_000), alone("pendulum", 300_000), alone("cliff", 60_000), alone("four-rooms", 60_000),
	alone("garnet", 60_000), alone("t-maze", 150_000), alone("deep-sea", 100_000), alone("chain", 40_000),
	alone("bandit", 10_000), alone("mountain-car", 100_000), alone("stac", 120_000), alone("stacx", 120_000),
	alone("stac-catch", 60_000), alone("stacx-catch", 60_000), alone("vmpo", 120_000), alone("vmpo-catch", 60_000),
	alone("hopper", 1_000_000), alone("walker", 1_000_000), alone("cheetah", 1_000_000), alone("humanoid", 1_000_000),
	alone("impala-hopper", 1_000_000), alone("impala-walker", 1_000_000), alone("impala-cheetah", 1_000_000),
	alone("stac-hopper", 1_000_000), alone("stac-walker", 1_000_000), alone("stac-cheetah", 1_000_000),
	alone("learned-walker", 300_000), alone("impala-humanoid", 1_000_000), alone("stac-humanoid", 1_000_000),
	alone("a2c", 120_000), alone("impala-pendulum", 300_000), alone("vmpo-pendulum", 300_000),
	alone("breakout", 300_000), alone("asterix", 300_000), alone("freeway", 300_000), alone("seaquest", 300_000),
	alone("space-invaders", 300_000), alone("reverse", 400_000),
	{"late-cheetah", 1_500_000, 1, []trained{{"V-trace", "pi", "", "900000:lag=64"},
		{"none", "strong", "", "900000:lag=64,900000:correction=none"}}, "", "", ofReturns},
}

// alone is the learning curve of a preset as it is.
func alone(preset string, steps uint64) phenomenon {
	return phenomenon{preset, steps, 1, []trained{{"", "pi", "", ""}}, "", "", ofReturns}
}

// measured is the file of a phenomenon. At has the mean return of 100 episodes at equal distances of the steps, at each
// value of the knob, or of each seed; null before the first hundred.
type measured struct {
	Command string   `json:"command"` // trains the first line
	Runs    []string `json:"runs"`    // describe of each line
	At      [][]*float64
}

//go:embed phenomenon/*.json
var phenomenonFiles embed.FS

// load returns the measured file.
func (p *phenomenon) load() (*measured, error) {
	text, err := phenomenonFiles.ReadFile("phenomenon/" + p.preset + ".json")
	if err != nil {
		return nil, err
	}
	m := new(measured)
	return m, json.Unmarshal(text, m)
}

func phenomenonOf(preset string) *phenomenon {
	if i := slices.IndexFunc(phenomena, func(p phenomenon) bool { return p.preset == preset }); i >= 0 {
		return &phenomena[i]
	}
	return nil
}

func (p *phenomenon) changes() []hyper.PlannedChange {
	for _, l := range slices.Backward(p.lines) {
		if plan, err := hyper.ParsePlan(l.turns); err == nil && len(plan) > 0 {
			return plan
		}
	}
	return nil
}

// fall returns the first point at which the second line stands below half of its best return before the first change,
// and that return; −1: it did not fall, or nothing changed.
func (p *phenomenon) fall(m *measured) (at int, best float64) {
	turns := p.changes()
	if len(turns) == 0 || len(m.At) < 2 {
		return -1, 0
	}
	best = math.Inf(-1)
	for k, v := range m.At[1] {
		switch {
		case v == nil:
		case p.step(m, k) <= turns[0].Step:
			best = max(best, *v)
		case *v < best/2:
			return k, best
		}
	}
	return -1, 0
}

// step returns the step of a point.
func (p *phenomenon) step(m *measured, k int) uint64 {
	return p.steps * uint64(k+1) / uint64(len(m.At[1]))
}

// fallsAfter returns how many steps after its first change the second line fell; 0: it did not.
func (p *phenomenon) fallsAfter() uint64 {
	m, err := p.load()
	if err != nil {
		return 0
	}
	if at, _ := p.fall(m); at >= 0 {
		return p.step(m, at) - p.changes()[0].Step
	}
	return 0
}
