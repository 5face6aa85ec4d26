package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"impalab/learner/hyper"
	"impalab/web/number"
)

// The card of a preset draws a phenomenon: the curves of real runs. The table names the runs, and the files in
// web/phenomenon hold their measured returns:
//
//	go test ./web -run Phenomena -measure

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
		{"none, then V-trace", "strong", "correction=none", "80000:lag=64,115000:correction=vtrace"}}, "", "", ofReturns},
	{"lag-cliff", 120_000, 1, []trained{{"V-trace", "pi", "", ""}, {"none", "strong", "correction=none", ""}}, "lag",
		"lag", ofReturns},
	{"long-unrolls", 400_000, 1, []trained{{"ρ̄ 1", "strong", "", ""}, {"ρ̄ 2", "pi", "rho=2", ""},
		{"ρ̄ 4", "pi", "rho=4", ""}}, "", "", ofSeeds},
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
	alone("space-invaders", 300_000),
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

// The box of the curves in a card's picture. Below the foot stands the axis.
const curvesRight, curvesTop, curvesAxis = 152.0, 14.0, 16.0

// left is the left end of the curves. A lone curve stands beside its world.
func (p *phenomenon) left() float64 {
	if len(p.lines) > 1 {
		return 8
	}
	return 78
}

// drawCurves draws the measured lines of a phenomenon in a picture of a height, with the area between two of them, the
// turns, and a cross where the second line fell.
func (p *phenomenon) drawCurves(tall float64) (string, error) {
	m, err := p.load()
	if err != nil {
		return "", err
	}
	switch p.shape {
	case ofSeeds:
		return p.drawDots(m), nil
	case ofPairs:
		return p.drawBars(m), nil
	case ofTuning:
		return p.drawTuned(m), nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, line := range m.At {
		for _, v := range line {
			if v != nil {
				low, high = min(low, *v), max(high, *v)
			}
		}
	}
	if !(low <= high) {
		return "", fmt.Errorf("%s: no return was measured", p.preset)
	}
	high = max(high, low+1e-3)
	n, left, curvesFoot := len(m.At[0]), p.left(), tall-curvesAxis
	x := func(i int) float64 { return left + (curvesRight-left)*float64(i)/float64(n-1) }
	y := func(v float64) float64 { return curvesFoot - (curvesFoot-curvesTop)*(v-low)/(high-low) }
	var s strings.Builder
	if len(m.At) == 2 {
		s.WriteString(lakeBetween(m.At[0], m.At[1], x, y))
	}
	fmt.Fprintf(&s, `<line class="foot" x1="%g" y1="%g" x2="%g" y2="%g"/>`, left, curvesFoot+2, curvesRight, curvesFoot+2)
	for _, turn := range p.turns() {
		at := left + (curvesRight-left)*float64(turn.Step)/float64(p.steps)
		fmt.Fprintf(&s, `<line class="turn" x1="%.1f" y1="4" x2="%.1f" y2="%g"/>`, at, at, curvesFoot+2)
	}
	for i, line := range slices.Backward(m.At) {
		fmt.Fprintf(&s, `<polyline class="%s" pathLength="1" points="`, p.lines[i].tone)
		for k, v := range line {
			if v != nil {
				fmt.Fprintf(&s, "%.1f,%.1f ", x(k), y(*v))
			}
		}
		s.WriteString(`"/>`)
	}
	if at, of := p.fall(m); at >= 0 {
		x, y := x(at), y(of/2)
		fmt.Fprintf(&s, `<path class="cross" d="M%.1f %.1fl6 6m0-6l-6 6"/>`, x-3, y-3)
	}
	p.words(&s, m, high, tall, y)
	return s.String(), nil
}

// words writes the highest return, the axis and the names of the lines.
func (p *phenomenon) words(s *strings.Builder, m *measured, high, tall float64, y func(float64) float64) {
	left, axis, letter := p.left(), tall-4, letterSize
	if tall > pictureHigh {
		letter = firstLetter
	}
	text := func(class, anchor string, x, y float64, words string) {
		fmt.Fprintf(s, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, class, anchor, x, y, words)
	}
	text("", "start", left, curvesTop-3, shortNumber(high))
	if p.knob != "" {
		text("", "start", left, axis, values[0])
		text("age", "middle", (left+curvesRight)/2, axis, p.label)
		text("", "end", curvesRight, axis, values[len(values)-1])
	}
	until := curvesRight
	if p.knob == "" {
		steps := number.Count(p.steps) + " steps"
		text("", "end", curvesRight, axis, steps)
		until -= .6 * letter * float64(utf8.RuneCountInString(steps))
	}
	for _, turn := range p.turns()[:min(1, len(p.turns()))] {
		at := left + (curvesRight-left)*float64(turn.Step)/float64(p.steps)
		text("age", "end", min(at-2, until-4), axis, turn.Change.Key()+" → "+turn.Change.Value())
	}
	if len(p.lines) < 2 {
		return
	}
	// Both names stand between their lines, where the lines leave the most room, else where they are farthest apart.
	a, b, per := m.At[0], m.At[1], float64(len(m.At[0])-1)/(curvesRight-left)
	longest := max(utf8.RuneCountInString(p.lines[0].words), utf8.RuneCountInString(p.lines[1].words))
	half, line := 1+int(.55*letter*per*float64(longest)/2), 1.1*letter
	most, far, at, between := 0.0, 0.0, -1, false
	for k := len(a) / 4; k < len(a); k++ {
		if a[k] == nil || b[k] == nil {
			continue
		}
		if gap := math.Abs(*a[k] - *b[k]); !between && gap >= far {
			far, at = gap, k
		}
		if top, foot := within(a, b, k, half, y); foot-top >= 2*letter && foot-top > most {
			most, at, between = foot-top, k, true
		}
	}
	if at < 0 {
		return
	}
	x := left + float64(at)/per
	top, foot := min(y(*a[at]), y(*b[at])), max(y(*a[at]), y(*b[at]))
	anchor := "middle"
	if between {
		top, foot = within(a, b, at, half, y)
	} else if anchor = "start"; x > 90 {
		anchor = "end"
	}
	for i := range p.lines[:2] {
		up := foot - 3
		if (i == 0) == (*a[at] > *b[at]) {
			up = top + line
		}
		text(p.lines[i].tone, anchor, x, up, p.lines[i].words)
	}
}

// Height of letters in a picture, and in the first, which is shown larger. The style sheet has the same.
const letterSize, firstLetter = 8.4, 4.6

// within returns the free band between two lines around a point, NaN if it reaches beyond their ends.
func within(a, b []*float64, k, half int, y func(float64) float64) (top, foot float64) {
	if k < half || k+half >= len(a) {
		return math.NaN(), math.NaN()
	}
	top, foot = math.Inf(-1), math.Inf(1)
	for i := k - half; i <= k+half; i++ {
		if a[i] == nil || b[i] == nil {
			return math.NaN(), math.NaN()
		}
		top, foot = max(top, min(y(*a[i]), y(*b[i]))), min(foot, max(y(*a[i]), y(*b[i])))
	}
	return top, foot
}

func (p *phenomenon) turns() []hyper.PlannedChange {
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
	turns := p.turns()
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
		return p.step(m, at) - p.turns()[0].Step
	}
	return 0
}

// lakeBetween returns the area where the first line is visibly above the second.
func lakeBetween(over, under []*float64, x func(int) float64, y func(float64) float64) string {
	var s strings.Builder
	var back []string
	flush := func() {
		if len(back) > 1 {
			slices.Reverse(back)
			s.WriteString(strings.Join(back, " ") + `"/>`)
		} else if len(back) == 1 {
			s.WriteString(`"/>`)
		}
		back = back[:0]
	}
	for k := range over {
		if over[k] == nil || under[k] == nil || y(*under[k])-y(*over[k]) < .5 {
			flush()
			continue
		}
		if len(over) > 20 && k%2 == 1 { // every second point is enough for an area
			continue
		}
		if len(back) == 0 {
			s.WriteString(`<polygon class="lake" points="`)
		}
		fmt.Fprintf(&s, "%.1f,%.1f ", x(k), y(*over[k]))
		back = append(back, fmt.Sprintf("%.1f,%.1f", x(k), y(*under[k])))
	}
	flush()
	return s.String()
}

// shortNumber writes a return in a few characters.
func shortNumber(v float64) string {
	if math.Abs(v) >= 10 {
		return strings.ReplaceAll(fmt.Sprintf("%.0f", v), "-", "−")
	}
	return strings.ReplaceAll(fmt.Sprintf("%.2g", v), "-", "−")
}
