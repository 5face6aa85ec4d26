package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"impalab/envs"
	training "impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/lesson"
)

const (
	openingParts = 9
	openingPoses = 24 // of a part: each second step of an episode
)

// describe says what makes a line. A file whose runs are described otherwise is out of date.
func (o *opening) describe(i int) string {
	return strings.TrimRight(fmt.Sprintf("preset=%s %sseed=%d steps=%d ask=%d %s", o.preset, presetWords(o.preset),
		openingSeed, o.steps, o.ask, o.lines[i].settings), " ")
}

var errEnough = errors.New("enough")

// take records the data of an opening between two updates of its run.
func (p *playedLine) take(o *opening, l *training.Learner, world envs.World) {
	for len(p.At) < openingPoints && l.Steps() >= o.steps*uint64(len(p.At)+1)/openingPoints {
		p.At = append(p.At, rounded(l.Return100()))
	}
	if s, ok := l.Studied(); ok && l.Steps() <= o.ask {
		p.Belt = append([]int{int(math.Round(1000 * float64(envs.Lean(world, s.Obs))))}, p.Belt...)
		p.Belt = p.Belt[:min(len(p.Belt), l.Config().Lag+1)]
	}
	if n := len(p.Poses); n < openingParts && l.Steps() >= o.partAt(n) {
		p.Poses = append(p.Poses, l.Poses(openingPoses))
	}
}

// partAt is the step at which the policy of a part plays.
func (o *opening) partAt(n int) uint64 {
	if n < openingBefore {
		return o.ask * uint64(2*n+1) / (2 * openingBefore)
	}
	const after = openingParts - openingBefore
	return o.ask + (o.steps-o.ask)*uint64(10*(n-openingBefore)+9)/(10*after)
}

func rounded(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(10*v) / 10
	return &v
}

// train returns the data of an opening for one line, up to a step.
func (o *opening) train(t *testing.T, i int, until uint64) (p playedLine) {
	t.Helper()
	cfg, err := o.config(i)
	if err != nil {
		t.Fatal(err)
	}
	world, err := envs.New(cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	run := trial.Trial{Config: cfg, Seeds: []uint64{openingSeed}, Jobs: 1, Hooks: func() training.Hooks {
		return training.Hooks{Between: func(l *training.Learner) error {
			if l.Steps() >= until {
				return errEnough
			}
			p.take(o, l, world)
			return nil
		}}
	}}
	reports, err := run.Run(context.Background(), func(trial.Report) {})
	if until < o.steps {
		if !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
		return p
	}
	if err != nil {
		t.Fatal(err)
	}
	for len(p.At) < openingPoints {
		p.At = append(p.At, rounded(float64(reports[0].ReturnMean100)))
	}
	return p
}

// Every figure of a lesson plays the runs that its table names. The start of one is trained again, to the same numbers.
func TestOpeningsAreMeasured(t *testing.T) {
	for i := range openings {
		o := &openings[i]
		t.Run(strings.TrimSuffix(o.file(), ".json"), func(t *testing.T) {
			have, err := o.load()
			old := err != nil || len(have.Lines) != len(o.lines)
			for k := range o.lines {
				old = old || have.Runs[k] != o.describe(k)
			}
			if old && !*measure {
				t.Fatalf("its file is out of date: go test ./web/page -run Openings -measure (%v)", err)
			}
			if old {
				p := &played{Command: "go test ./web/page -run Openings/" + strings.TrimSuffix(o.file(), ".json") + " -measure"}
				for k := range o.lines {
					p.Runs = append(p.Runs, o.describe(k))
					p.Lines = append(p.Lines, o.train(t, k, o.steps))
				}
				text, err := json.Marshal(p)
				if err == nil {
					err = os.WriteFile("opening/"+o.file(), append(text, '\n'), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			for k, l := range have.Lines {
				if len(l.At) != openingPoints || len(l.Poses) != openingParts {
					t.Errorf("line %d has %d points and %d parts", k, len(l.At), len(l.Poses))
				}
				for _, poses := range l.Poses {
					if len(poses) != 2*openingPoses {
						t.Errorf("line %d: a part of %d numbers", k, len(poses))
					}
				}
				if cfg, _ := o.config(k); cfg.Lag > 0 && len(l.Belt) != cfg.Lag+1 {
					t.Errorf("line %d: %d steps wait at lag %d", k, len(l.Belt), cfg.Lag)
				}
			}
			text, err := o.script()
			if err != nil || len(text) > 16_000 {
				t.Errorf("%d bytes, %v", len(text), err)
			}
			if o.lesson == "late" && o.step == 3 {
				again, was := o.train(t, 1, o.ask), have.Lines[1]
				if n := len(again.At); n == 0 || !reflect.DeepEqual(again.At, was.At[:n]) {
					t.Errorf("its curve is not %v", was.At[:n])
				}
				if n := len(again.Poses); n == 0 || !reflect.DeepEqual(again.Poses, was.Poses[:n]) {
					t.Error("its poses differ")
				}
				if !reflect.DeepEqual(again.Belt, was.Belt) {
					t.Errorf("%v wait, stored %v", again.Belt, was.Belt)
				}
			}
		})
	}
}

// A figure stands beside a question whose answer is a return at the end of a run, or the mean over it.
func TestOpeningsBelongToQuestions(t *testing.T) {
	for i := range openings {
		o := &openings[i]
		var of *lesson.Step
		for _, l := range lesson.All() {
			if l.Name == o.lesson {
				of = &l.Steps[o.step-1]
			}
		}
		if of == nil || of.Predict == nil || of.Predict.Curve == nil && (of.Predict.Bar == nil || of.Predict.Bar.To != 500) {
			t.Errorf("%s: it asks nothing that a curve of steps answers", o.file())
			continue
		}
		if c := of.Predict.Curve; c != nil && (uint64(c.Known) != o.ask || uint64(c.Truth[len(c.Truth)-1].X) != o.steps) {
			t.Errorf("%s: the drawing begins at %v and ends at %v", o.file(), c.Known, c.Truth[len(c.Truth)-1].X)
		}
		if cfg, err := o.config(0); err != nil || cfg.World != "cartpole" || cfg.Mode != hyper.Reference {
			t.Errorf("%s: %s %v", o.file(), cfg.World, err)
		}
	}
}
