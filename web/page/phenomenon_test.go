package page

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"impalab/internal/kit"
	training "impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
)

var measure = flag.Bool("measure", false, "train the runs of every card's picture whose file is out of date")

// train returns the curve of a line, or its value at each place of the knob.
func (p *phenomenon) train(t *testing.T, i int) (at []*float64) {
	t.Helper()
	var costs []float64 // the policy cost at each point of the curve
	one := func(more string, seed uint64) trial.Report {
		cfg := kit.Config(t, p.preset, p.lines[i].settings+" "+more)
		cfg.Steps = p.steps
		plan, err := hyper.ParsePlan(p.lines[i].turns)
		if err != nil {
			t.Fatal(err)
		}
		run := trial.Trial{Config: cfg, Seeds: []uint64{seed}, Jobs: 1}
		if p.shape == ofTuning {
			run.Hooks = func() training.Hooks {
				return training.Hooks{Due: func() bool { return true }, Update: func(u *telemetry.Update) {
					for _, of := range u.AlgoValues.List() {
						if of.Of == telemetry.PolicyCost {
							costs = append(costs, float64(of.Value))
						}
					}
				}}
			}
		}
		if len(plan) > 0 {
			run.Script = &trial.Script{Turns: plan}
		}
		reports, err := run.Run(context.Background(), func(trial.Report) {})
		if err != nil {
			t.Fatal(err)
		}
		return reports[0]
	}
	number := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		unit := math.Pow(10, math.Floor(math.Log10(math.Max(math.Abs(v), 1e-3)))-2)
		v = math.Round(math.Round(v/unit)*unit*1e6) / 1e6
		return &v
	}
	for k := range p.shape.seeds() {
		report := one("", p.seed+uint64(k))
		if p.shape == ofPairs {
			at = append(at, number(float64(report.ReturnMeanRun)))
		} else {
			at = append(at, number(float64(report.ReturnMean100)))
		}
	}
	switch {
	case at != nil:
	case p.knob == "":
		curve := one("", p.seed).Curve.At
		for k, v := range curve {
			if p.lines[i].tone == "meta" {
				v = costs[(len(costs)-1)*k/(len(curve)-1)] / costs[0]
			}
			if k%2 == 1 {
				at = append(at, number(v))
			}
		}
	default:
		for _, value := range values {
			curve := one(p.knob+"="+value, p.seed).Curve.At
			at = append(at, number(curve[len(curve)-1]))
		}
	}
	return at
}

// presetWords are the settings of a preset, so that the file of a changed preset is out of date.
func presetWords(name string) (words string) {
	cfg, err := hyper.FromPreset(name)
	base, err2 := hyper.FromRecord([]hyper.Setting{{Key: "world", Value: "bandit"}})
	if err != nil || err2 != nil {
		return "unknown "
	}
	for _, s := range cfg.Diff(&base) {
		if s.Key != "seed" && s.Key != "steps" {
			words += s.Key + "=" + s.Value + " "
		}
	}
	return words
}

// describe says what makes a line. A file whose runs are described otherwise is out of date.
func (p *phenomenon) describe(i int) string {
	l := p.lines[i]
	text := fmt.Sprintf("preset=%s %sseed=%d steps=%d", p.preset, presetWords(p.preset), p.seed, p.steps)
	if l.settings != "" {
		text += " " + l.settings
	}
	if n := p.shape.seeds(); n > 0 {
		text = strings.Replace(text, fmt.Sprintf("seed=%d", p.seed), fmt.Sprintf("seed=%d-%d", p.seed, p.seed+uint64(n)-1), 1)
	}
	if l.tone == "meta" {
		text += " its policy cost"
	}
	if p.knob != "" {
		text += " " + p.knob + "=" + strings.Join(values, "|")
	}
	if l.turns != "" {
		text += " turns " + l.turns
	}
	return text
}

// Every card draws the runs that its table names. The shortest is trained again, to the same returns.
func TestPhenomenaAreMeasured(t *testing.T) {
	for i := range phenomena {
		p := &phenomena[i]
		t.Run(p.preset, func(t *testing.T) {
			have, err := p.load()
			old := err != nil || len(have.Runs) != len(p.lines)
			for k := range p.lines {
				old = old || have.Runs[k] != p.describe(k)
			}
			if old && !*measure {
				t.Fatalf("its file is out of date: go test ./web/page -run Phenomena -measure (%v)", err)
			}
			if old {
				m := &measured{Command: "go test ./web/page -run Phenomena/" + p.preset + " -measure"}
				for k := range p.lines {
					m.Runs = append(m.Runs, p.describe(k))
					m.At = append(m.At, p.train(t, k))
				}
				text, err := json.Marshal(m)
				if err == nil {
					err = os.WriteFile("phenomenon/"+p.preset+".json", append(text, '\n'), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			drawn, err := p.drawCurves(pictureHigh)
			if err != nil || len(drawn) > 4000 || strings.Contains(drawn, "NaN") {
				t.Errorf("%d bytes, %v", len(drawn), err)
			}
			if p.preset == "bandit" {
				for k, v := range p.train(t, 0) {
					if was := have.At[0][k]; (v == nil) != (was == nil) || v != nil && *v != *was {
						t.Fatalf("point %d is %v, stored %v", k, v, was)
					}
				}
			}
		})
	}
}

// The first group's cards differ in what they draw, not only in its numbers.
func TestEachCardThatBreaksHasAPictureOfItsOwnKind(t *testing.T) {
	parts := regexp.MustCompile(`<(\w+) class="([^"]*)"`)
	seen := map[string]string{}
	for _, name := range breaks {
		p := phenomenonOf(name)
		text, err := p.drawCurves(pictureHigh)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]bool{}
		for _, m := range parts.FindAllStringSubmatch(text, -1) {
			kinds[m[1]+" "+m[2]] = true
		}
		kind := fmt.Sprint(slices.Sorted(maps.Keys(kinds)))
		if other := seen[kind]; other != "" {
			t.Errorf("%s and %s both draw %s", name, other, kind)
		}
		seen[kind] = name
	}
}

// The names of a card's lines stand beside the changes, never across them.
func TestNamesOfLinesCrossNoChange(t *testing.T) {
	turn := regexp.MustCompile(`class="turn" x1="([\d.]+)"`)
	name := regexp.MustCompile(`<text class="(?:pi|strong)" text-anchor="middle" x="([\d.]+)" y="[\d.]+">([^<]+)<`)
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	p := phenomenonOf("break-and-mend")
	drawn, err := p.drawCurves(firstHigh)
	if err != nil {
		t.Fatal(err)
	}
	names := name.FindAllStringSubmatch(drawn, -1)
	if len(names) != 2 {
		t.Fatalf("names %v in %s", names, drawn)
	}
	for _, n := range names {
		half := .5 * firstLetter * float64(utf8.RuneCountInString(n[2])) / 2
		for _, at := range turn.FindAllStringSubmatch(drawn, -1) {
			if math.Abs(number(n[1])-number(at[1])) < half {
				t.Errorf("%q at %s crosses the change at %s", n[2], n[1], at[1])
			}
		}
	}
}
