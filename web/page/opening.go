package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/lesson"
	"impalab/web/play"
	"impalab/web/wire"
)

// An opening is the figure beside a step of a lesson: real runs on CartPole, which the page plays up to the step's
// question and, after the reader's guess, on to their end. The table names the runs, and the files in web/opening hold
// their measurements:
//
//	go test ./web/page -run Openings -measure

// opening is the figure of one step. The step asks about its last line.
type opening struct {
	lesson string
	step   int // from 1
	preset string
	ask    uint64 // steps of the runs at the question
	steps  uint64 // of the whole figure
	mean   bool   // the question is about the mean over the run; else about its end
	lines  []trained
}

const openingSeed = 1101

// openings has the figures of a lesson's short path before its other ones.
var openings = []opening{
	{"late", 1, "lag-cliff", 12_500, 250_000, false, []trained{{"fresh data", "pi", "correction=none lag=0", ""}}},
	{"late", 3, "lag-cliff", 10_000, 60_000, false, []trained{{"fresh data", "pi", "correction=none lag=0", ""},
		{"eight updates late", "strong", "correction=none lag=8", ""}}},
	{"late", 6, "lag-cliff", 10_000, 250_000, false, []trained{{"rate .003", "strong", "correction=none lag=8", ""},
		{"rate .001", "pi", "correction=none lag=8 lr=0.001", ""}}},
	{"ratios", 6, "long-unrolls", 60_000, 400_000, false, []trained{{"one ratio cut", "strong", "rho=inf c=1", ""},
		{"both uncut", "pi", "rho=inf c=inf", ""}}},
	{"rho-bar", 5, "long-unrolls", 60_000, 400_000, false, []trained{{"ρ̄ = 2", "strong", "rho=2", ""},
		{"ρ̄ = 1", "pi", "rho=1", ""}}},
	{"c-bar", 5, "lag-cliff", 10_000, 250_000, true, []trained{{"c̄ = 1", "strong", "c=1", ""},
		{"c̄ = 0", "pi", "c=0", ""}}},
	{"leak", 5, "long-unrolls", 60_000, 400_000, false, []trained{{"α = 1", "strong", "correction=leaky alpha=1", ""},
		{"α = ½", "pi", "correction=leaky alpha=0.5", ""}}},
	{"replay", 6, "cartpole", 10_000, 100_000, false, []trained{{"none", "strong", "mix=1", ""},
		{"trust region", "pi", "mix=1 correction=trust-region trust=0.03", ""}}},
	{"replay", 3, "cartpole", 10_000, 100_000, false, []trained{{"fresh data", "strong", "mix=0", ""},
		{"old data alone", "pi", "mix=1", ""}}},
	{"v-mpo", 4, "vmpo", 20_000, 250_000, false, []trained{{"V-MPO at lag 64", "pi", "lag=64 correction=none", ""}}},
	{"v-mpo", 3, "vmpo", 20_000, 250_000, false, []trained{{"with the leash", "strong", "", ""},
		{"without", "pi", "kl=off", ""}}},
	{"stac", 3, "stac-lag", 20_000, 250_000, false, []trained{{"knobs glued", "strong", "meta-lr=0", ""},
		{"knobs free", "pi", "meta-lr=0.01", ""}}},
	{"stac", 5, "stac", 20_000, 200_000, false, []trained{{"knobs free", "strong", "gamma=0.9", ""},
		{"knobs glued", "pi", "gamma=0.9 meta-lr=0", ""}}},
	{"language-models", 1, "lag-cliff", 10_000, 250_000, false, []trained{
		{"μ recorded", "strong", "correction=one-step rho=2 lag=16", ""},
		{"computed again", "pi", "correction=none lag=16", ""}}},
	{"language-models", 3, "lag-cliff", 10_000, 250_000, false, []trained{
		{"the bad half weighed", "strong", "correction=taper lag=16", ""},
		{"the good half", "pi", "correction=taper taper=good lag=16", ""}}},
}

// played is the file of an opening.
type played struct {
	Command string       `json:"command"`
	Runs    []string     `json:"runs"` // describe of each line
	Lines   []playedLine `json:"lines"`
}

// playedLine is one run. At has the mean return of 100 episodes at equal distances of the steps; null before the first
// episode. Poses has several parts, of which openingBefore end with the question, as learner.Poses returns them.
// Belt has the leans, in milliradians, of the steps that waited at the question, the newest first.
type playedLine struct {
	At    []*float64 `json:"at"`
	Poses [][]int16  `json:"poses"`
	Belt  []int      `json:"belt,omitempty"`
}

const (
	openingPoints = 125 // of a curve
	openingBefore = 5
)

//go:embed opening/*.json
var openingFiles embed.FS

// config returns the configuration of a line.
func (o *opening) config(i int) (hyper.Config, error) {
	cfg, err := hyper.FromPreset(o.preset)
	for _, s := range strings.Fields(o.lines[i].settings) {
		key, value, _ := strings.Cut(s, "=")
		if err == nil {
			err = cfg.Set(key, value)
		}
	}
	cfg.Seed, cfg.Steps = openingSeed, o.steps
	return cfg, err
}

func (o *opening) file() string { return o.lesson + "-" + strconv.Itoa(o.step) + ".json" }

func (o *opening) load() (*played, error) {
	text, err := openingFiles.ReadFile("opening/" + o.file())
	if err != nil {
		return nil, err
	}
	p := new(played)
	return p, json.Unmarshal(text, p)
}

// openingsOf returns the figures of a lesson that play runs.
func openingsOf(l *lesson.Lesson) (list []*opening) {
	for i := range openings {
		if openings[i].lesson == l.Name {
			list = append(list, &openings[i])
		}
	}
	return list
}

// script returns the data of the page's script, as JSON.
func (o *opening) script() (string, error) {
	type line struct {
		Words string     `json:"words"`
		Tone  string     `json:"tone"`
		At    []*float64 `json:"at"`
		Poses [][]int16  `json:"poses"`
	}
	p, err := o.load()
	if err != nil {
		return "", err
	}
	out := struct {
		Ask    uint64 `json:"ask"`
		Steps  uint64 `json:"steps"`
		Before int    `json:"before"`
		Mean   bool   `json:"mean"`
		Lines  []line `json:"lines"`
	}{Ask: o.ask, Steps: o.steps, Before: openingBefore, Mean: o.mean}
	for i, l := range p.Lines {
		out.Lines = append(out.Lines, line{o.lines[i].words, o.lines[i].tone, l.At, l.Poses})
	}
	text, err := json.Marshal(out)
	return string(text), err
}

// poleParts returns a stick on a cart for a script. An episode of CartPole ends at a lean of 0.21, where the fall
// begins.
func poleParts() string { return chart.PoleParts(play.Fall(.2)) }

// question returns the title of the step.
func (o *opening) question() string {
	for _, l := range lesson.All() {
		if l.Name == o.lesson {
			return l.Steps[o.step-1].Title
		}
	}
	return ""
}

// facts returns the lag and the seed of the figure in words.
func (o *opening) facts() string {
	return fmt.Sprintf("lag %d · seed %d", o.lag(), openingSeed)
}

func (o *opening) lag() int {
	cfg, err := o.config(len(o.lines) - 1)
	if err != nil {
		return 0 // a test checks every line
	}
	return cfg.Lag
}

// queue draws the steps that waited at the question, one lane for each run of the lag in question; "" without a lag.
func (o *opening) queue(wide float64) (string, error) {
	p, err := o.load()
	if err != nil || o.lag() == 0 {
		return "", err
	}
	belt := chart.Belt{Lag: o.lag()}
	for i, l := range p.Lines {
		if cfg, err := o.config(i); err != nil || cfg.Lag != belt.Lag {
			continue
		}
		lane := chart.BeltLane{Class: o.lines[i].tone, Whole: true}
		for _, lean := range l.Belt {
			lane.Poses = append(lane.Poses, wire.Pose{Lean: float32(lean) / 1000, Weight: 1})
		}
		if len(lane.Poses) > 0 {
			lane.Lean = lane.Poses[0].Lean
		}
		belt.Lanes = append(belt.Lanes, lane)
	}
	return chart.DrawBelt(&belt, wide), nil
}

// queueWidths are the widths of a queue beside a lesson's text and on a phone.
var queueWidths = []earlyBelt{earlyBeltOf(760, "broad"), earlyBeltOf(330, "narrow")}

// queues returns the widths at which the steps that wait are drawn; none without a lag.
func (o *opening) queues() (list []earlyBelt) {
	lanes, lag := 0, o.lag()
	for i := range o.lines {
		if cfg, err := o.config(i); err == nil && cfg.Lag == lag && lag > 0 {
			lanes++
		}
	}
	for _, e := range queueWidths[:min(len(queueWidths), 2*lanes)] {
		e.box = fmt.Sprintf("0 0 %v %v", e.wide, chart.BeltHeight(e.wide, lanes))
		list = append(list, e)
	}
	return list
}

var gradient = regexp.MustCompile(`<linearGradient.*?</linearGradient>`)

// agedQueue is queue for a page. The ramp of the ages has a name of its own for each width, and only a lesson's first
// queue has it.
func (o *opening) agedQueue(e earlyBelt) (string, error) {
	drawn, err := o.queue(e.wide)
	for i := range openings {
		if before := &openings[i]; before == o {
			break
		} else if before.lesson == o.lesson && before.lag() > 0 {
			drawn = gradient.ReplaceAllString(drawn, "")
		}
	}
	return strings.Replace(drawn, `id="age"`, `id="age-`+e.class+`"`, 1), err
}

// openingAt returns the runs that a step of a lesson plays; nil: none.
func openingAt(l *lesson.Lesson, step int) *opening {
	for _, o := range openingsOf(l) {
		if o.step == step {
			return o
		}
	}
	return nil
}

// asked reports whether a step of a lesson plays runs up to its question.
func asked(l *lesson.Lesson, step int) bool { return openingAt(l, step) != nil }

// spark draws a lesson's figure, small: the line in question up to the question, and the line beside it to its end.
func spark(l *lesson.Lesson) (string, error) {
	all := openingsOf(l)
	o := all[0]
	for _, one := range all {
		if len(one.lines) > len(o.lines) {
			o = one
		}
	}
	p, err := o.load()
	if err != nil {
		return "", err
	}
	var s strings.Builder
	ask := 100 * float64(o.ask) / float64(o.steps)
	fmt.Fprintf(&s, `<rect class="field" x="%.1f" y="0" width="%.1f" height="60"/>`, ask, 100-ask)
	for i, line := range p.Lines {
		fmt.Fprintf(&s, `<polyline class="%s" points="`, o.lines[i].tone)
		for k, v := range line.At {
			x := 100 * float64(k+1) / openingPoints
			if v != nil && (i < len(p.Lines)-1 && k%2 == 0 || x <= ask) {
				fmt.Fprintf(&s, "%.1f,%.1f ", x, 57-54**v/500)
			}
		}
		s.WriteString(`"/>`)
	}
	return s.String(), nil
}
