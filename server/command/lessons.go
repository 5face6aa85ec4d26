package command

// reproduce lessons makes every figure of the lessons again, and says where a text and its figure differ.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alecthomas/kong"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
	"impalab/web/lesson"
)

// lessonsName is what reproduce calls all lessons; behind a slash it takes one.
const lessonsName = "lessons"

// errLessons says that a text and a measurement differ.
var errLessons = marked{errors.New("some figures of the lessons are not what is measured; see above"), errDiffers}

// lessonsNamed are the lessons that a name of reproduce means; nil for another name.
func lessonsNamed(name string) ([]*lesson.Lesson, error) {
	of, one, single := strings.Cut(name, "/")
	if of != lessonsName {
		return nil, nil
	}
	switch {
	case !single:
		return append(slices.Clone(lesson.All()), lesson.Errata()), nil
	case one == lesson.Errata().Name:
		return []*lesson.Lesson{lesson.Errata()}, nil
	}
	l, err := lesson.Find(one)
	return []*lesson.Lesson{l}, err
}

// proof makes evidence again. The same command is trained once.
type proof struct {
	prog   *Program
	jobs   int
	known  map[string]*proven
	failed int
	rows   int
}

// proven is what one command came to.
type proven struct {
	summary trial.Summary
	runs    []trial.Report
	cfg     hyper.Config
	turned  bool
	kl      float64 // of the last batch, of the run that ended last
}

func (p *proof) lesson(ctx context.Context, l *lesson.Lesson) error {
	fmt.Fprintf(p.prog.Stdout, "## %s\n\n", l.Title)
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.Evidence == nil {
			continue
		}
		for j := range s.Evidence.Rows {
			if err := p.row(ctx, s, &s.Evidence.Rows[j]); err != nil {
				return fmt.Errorf("%s, %s: %w", l.Name, s.Title, err)
			}
		}
	}
	if err := p.check(ctx, &l.Check); err != nil {
		return fmt.Errorf("%s, check: %w", l.Name, err)
	}
	fmt.Fprintln(p.prog.Stdout)
	return nil
}

// say reports one claim.
func (p *proof) say(ok bool, step, claim, measured string) {
	p.rows++
	word := "as measured"
	if !ok {
		p.failed++
		word = "DIFFERS: " + measured
	}
	fmt.Fprintf(p.prog.Stdout, "%s: %s: %s\n", step, claim, word)
}

func (p *proof) row(ctx context.Context, s *lesson.Step, r *lesson.Row) error {
	step := s.Title + ", " + r.Name
	if r.Test != "" {
		fmt.Fprintf(p.prog.Stdout, "%s: held by %s\n", step, r.TestCommand())
		return nil
	}
	if r.Exact != "" {
		v, err := lesson.Compute(r.Exact)
		if err != nil {
			return err
		}
		p.say(math.Abs(v-r.Is) <= 1e-6, step, fmt.Sprintf("%s = %.10g", r.Exact, r.Is), fmt.Sprintf("%.10g", v))
		return nil
	}
	made, err := p.train(ctx, r.Train)
	if err != nil {
		return err
	}
	for _, name := range lesson.Fields {
		claim := r.Field(name)
		if claim == "" {
			continue
		}
		measured, words := made.figure(name, claim)
		p.say(lesson.Agrees(claim, measured), step, name+" "+claim, words)
	}
	curve := made.runs[0].Curve
	for _, at := range r.Curve {
		y := math.NaN()
		for i := range curve.At {
			if math.Abs(curve.Step(i)-at[0]) < .5 {
				y = curve.At[i]
			}
		}
		p.say(math.Abs(y-at[1]) <= .5, step, fmt.Sprintf("curve at %.0f: %.4g", at[0], at[1]), fmt.Sprintf("%.4g", y))
	}
	return nil
}

// check makes the stored good and bad answers again and has them judged.
func (p *proof) check(ctx context.Context, c *lesson.Check) error {
	switch {
	case c.Ask == "": // the errata ask nothing
		return nil
	case c.Run == nil:
		v, err := lesson.Compute(c.Exact)
		if err != nil {
			return err
		}
		p.say(math.Abs(v-c.Is) <= 1e-6, "check", fmt.Sprintf("%s = %.10g", c.Exact, c.Is), fmt.Sprintf("%.10g", v))
		return nil
	}
	for _, stored := range []struct {
		of   lesson.Answer
		pass bool
	}{{c.Good, true}, {c.Bad, false}} {
		made, err := p.train(ctx, stored.of.Train)
		if err != nil {
			return err
		}
		o := made.outcome()
		p.say(math.Abs(o.Return-stored.of.Return) <= .005 && o.Steps == stored.of.Steps, "check",
			fmt.Sprintf("%s: %.4g after %d", stored.of.Train, stored.of.Return, stored.of.Steps),
			fmt.Sprintf("%.5g after %d", o.Return, o.Steps))
		v := c.Judge(o)
		p.say(v.Passed == stored.pass, "check", fmt.Sprintf("%s passes: %t", stored.of.Train, stored.pass), v.Say)
	}
	return nil
}

// train trains what a row's flags say, by the rules of impalab train.
func (p *proof) train(ctx context.Context, flags string) (*proven, error) {
	if known := p.known[flags]; known != nil {
		return known, nil
	}
	t, err := trainFlags(flags)
	if err != nil {
		return nil, err
	}
	t.Jobs = p.jobs
	plan, past, err := t.plan(onCores)
	if err != nil {
		return nil, err
	}
	defer past.close()
	var kl atomic.Value
	plan.Hooks = func() learner.Hooks {
		return past.hooks(learner.Hooks{Update: func(u *telemetry.Update) { kl.Store(float64(u.Figures[telemetry.KL])) }})
	}
	plan.Stop = past.stop
	began := time.Now()
	runs, err := plan.Run(ctx, func(trial.Report) {})
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	made := &proven{cfg: plan.Config, runs: runs, turned: len(t.Turn) > 0, kl: kl.Load().(float64)}
	made.summary = trial.Summarise(plan.Config, runs, time.Since(began), nil)
	p.known[flags] = made
	return made, nil
}

// trainFlags reads the flags of impalab train.
func trainFlags(flags string) (*Train, error) {
	t := &Train{}
	parser, err := kong.New(t, kong.Name("impalab train"), Vars, kong.Exit(func(int) {}))
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(strings.Fields(flags)); err != nil {
		return nil, fmt.Errorf("%s: %w", flags, err)
	}
	return t, nil
}

// fallen is below what a return counts as fallen.
const fallen = 100

// figure is one measured figure, as evidence calls it.
func (m *proven) figure(name, claim string) (lesson.Figure, string) {
	estimate := func(e trial.Estimate) (lesson.Figure, string) {
		return lesson.Figure{Mean: float64(e.Mean), Low: float64(e.Low), High: float64(e.High)},
			fmt.Sprintf("%.5g [%.5g, %.5g]", float64(e.Mean), float64(e.Low), float64(e.High))
	}
	count := func(n int) (lesson.Figure, string) {
		return lesson.Figure{Mean: float64(n)}, fmt.Sprintf("%d of %d", n, len(m.runs))
	}
	switch name {
	case "end":
		return estimate(m.summary.Final)
	case "run":
		return estimate(m.summary.MeanRun)
	case "bias":
		return estimate(m.summary.Bias)
	case "solved":
		return count(m.summary.Solved)
	case "trace":
		of, _, _ := strings.Cut(claim, " ")
		for _, t := range m.runs[0].Traces {
			if t.Name == of {
				return lesson.Figure{Mean: float64(t.Value)}, fmt.Sprintf("%s %.4f", of, float64(t.Value))
			}
		}
		return lesson.Figure{Mean: math.NaN()}, "no such quantity"
	case "kl":
		return lesson.Figure{Mean: m.kl}, fmt.Sprintf("%.4f", m.kl)
	case "steps":
		s := m.summary.ToSolved
		return estimate(trial.Estimate{Mean: s.Median, Low: s.Low, High: s.High})
	}
	n := 0
	for _, r := range m.runs {
		if float64(r.ReturnMean100) < fallen {
			n++
		}
	}
	return count(n)
}

// outcome is the first run as a check looks at it.
func (m *proven) outcome() lesson.Outcome {
	o := lesson.Outcome{Settings: map[string]string{}, Steps: m.runs[0].Steps, Turned: m.turned,
		Return: float64(m.runs[0].ReturnMean100)}
	for i := range hyper.Table {
		o.Settings[hyper.Table[i].Key] = m.cfg.Get(hyper.Table[i].Key)
	}
	return o
}

// lessons makes them again and returns errLessons where one differs.
func (c *Reproduce) lessons(ctx context.Context, prog *Program, list []*lesson.Lesson, jobs int) error {
	p := &proof{prog: prog, jobs: jobs, known: map[string]*proven{}}
	for _, l := range list {
		if err := p.lesson(ctx, l); err != nil {
			return err
		}
	}
	fmt.Fprintf(prog.Stdout, "%d claims, %d differ\n", p.rows, p.failed)
	if p.failed > 0 {
		return errLessons
	}
	return nil
}
