package web

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/trial"
)

var measure = flag.Bool("measure", false, "train the runs of every card's picture whose file is out of date")

// train returns the curve of a line, or its value at each place of the knob.
func (p *phenomenon) train(t *testing.T, i int) (at []*float64) {
	t.Helper()
	one := func(more string) []float64 {
		cfg, err := hyper.FromPreset(p.preset)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range strings.Fields(p.lines[i].settings + " " + more) {
			key, value, _ := strings.Cut(s, "=")
			if err := cfg.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
		cfg.Steps = p.steps
		plan, err := hyper.ParsePlan(p.lines[i].turns)
		if err != nil {
			t.Fatal(err)
		}
		run := trial.Trial{Config: cfg, Seeds: []uint64{p.seed}, Jobs: 1}
		if len(plan) > 0 {
			run.Script = &trial.Script{Turns: plan}
		}
		reports, err := run.Run(context.Background(), func(trial.Report) {})
		if err != nil {
			t.Fatal(err)
		}
		return reports[0].Curve.At
	}
	number := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		unit := math.Pow(10, math.Floor(math.Log10(math.Max(math.Abs(v), 1e-3)))-2)
		v = math.Round(math.Round(v/unit)*unit*1e6) / 1e6
		return &v
	}
	if p.knob == "" {
		for k, v := range one("") {
			if k%2 == 1 {
				at = append(at, number(v))
			}
		}
		return at
	}
	for _, value := range values {
		curve := one(p.knob + "=" + value)
		at = append(at, number(curve[len(curve)-1]))
	}
	return at
}

// describe says what makes a line. A file whose runs are described otherwise is out of date.
func (p *phenomenon) describe(i int) string {
	l := p.lines[i]
	text := fmt.Sprintf("preset=%s seed=%d steps=%d", p.preset, p.seed, p.steps)
	if l.settings != "" {
		text += " " + l.settings
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
				t.Fatalf("its file is out of date: go test ./web -run Phenomena -measure (%v)", err)
			}
			if old {
				m := &measured{Command: "go test ./web -run Phenomena/" + p.preset + " -measure"}
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
