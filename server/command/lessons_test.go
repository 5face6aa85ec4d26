package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
	"impalab/web/lesson"
)

var (
	lessons = flag.String("lessons", "", "measure every figure of this lesson, of errata, or of all")
	jobs    = flag.Int("jobs", 0, "runs at a time; 0: one for each core")
)

// errOther says that a measurement differs from a stored figure. The lines that differ were printed.
var errOther = errors.New("some figures differ from the measurement; see DIFFERS above")

func TestTheFiguresOfLessonsAreMeasuredAgain(t *testing.T) {
	if *lessons == "" {
		t.Skip("it trains for hours; -lessons says which lesson")
	}
	if err := compareLessons(t.Context(), t.Output(), *lessons, *jobs); err != nil {
		t.Error(err)
	}
}

// compareLessons measures every figure of a lesson, or of all lessons and the errata, and prints where a text differs.
func compareLessons(ctx context.Context, out io.Writer, name string, jobs int) error {
	list := append(slices.Clone(lesson.All()), lesson.Errata())
	if name == lesson.Errata().Name {
		list = list[len(list)-1:]
	} else if name != "all" {
		l, err := lesson.Find(name)
		if err != nil {
			return err
		}
		list = []*lesson.Lesson{l}
	}
	return compareAll(ctx, out, list, jobs)
}

func compareAll(ctx context.Context, out io.Writer, list []*lesson.Lesson, jobs int) error {
	c := &comparison{out: out, jobs: atOnce(jobs), known: map[string]*measured{}}
	for _, l := range list {
		if err := c.lesson(ctx, l); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d claims, %d differ\n", c.claims, c.failed)
	if c.failed > 0 {
		return errOther
	}
	return nil
}

// comparison compares claims with measurements. It trains the same command once.
type comparison struct {
	out            io.Writer
	jobs           int
	known          map[string]*measured // by the flags of impalab train
	claims, failed int
}

func (c *comparison) lesson(ctx context.Context, l *lesson.Lesson) error {
	fmt.Fprintf(c.out, "## %s\n\n", l.Title)
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.Evidence == nil {
			continue
		}
		for j := range s.Evidence.Rows {
			r := &s.Evidence.Rows[j]
			if err := c.row(ctx, s.Title+", "+r.Name, r); err != nil {
				return fmt.Errorf("%s, %s: %w", l.Name, s.Title, err)
			}
		}
	}
	if err := c.check(ctx, &l.Check); err != nil {
		return fmt.Errorf("%s, check: %w", l.Name, err)
	}
	fmt.Fprintln(c.out)
	return nil
}

// report prints one claim, and the measurement if it differs.
func (c *comparison) report(ok bool, step, claim, measurement string) {
	c.claims++
	verdict := "as measured"
	if !ok {
		c.failed++
		verdict = "DIFFERS: " + measurement
	}
	fmt.Fprintf(c.out, "%s: %s: %s\n", step, claim, verdict)
}

func (c *comparison) row(ctx context.Context, step string, r *lesson.Row) error {
	if r.Test != "" {
		fmt.Fprintf(c.out, "%s: tested by %s\n", step, r.TestCommand())
		return nil
	}
	if r.Exact != "" {
		fmt.Fprintf(c.out, "%s: %s = %.10g: computed by go test ./web/lesson/quantity\n", step, r.Exact, r.Is)
		return nil
	}
	m, err := c.train(ctx, r.Train)
	if err != nil {
		return err
	}
	for _, name := range lesson.Fields {
		if claim := r.Field(name); claim != "" {
			figure, words := m.figure(name, claim)
			c.report(lesson.Agrees(claim, figure), step, name+" "+claim, words)
		}
	}
	for i, end := range r.Ends {
		is := math.NaN()
		if i < len(m.runs) {
			is = float64(m.runs[i].ReturnMean100)
		}
		c.report(math.Abs(is-end) <= .05+1e-9, step, fmt.Sprintf("run %d ends at %.1f", i+1, end), fmt.Sprintf("%.5g", is))
	}
	curve := m.runs[0].Curve
	for _, at := range r.Curve {
		y := math.NaN()
		for i := range curve.At {
			if math.Abs(curve.Step(i)-at[0]) < .5 {
				y = curve.At[i]
			}
		}
		c.report(math.Abs(y-at[1]) <= .5, step, fmt.Sprintf("curve at %.0f: %.4g", at[0], at[1]), fmt.Sprintf("%.4g", y))
	}
	return nil
}

// check makes and judges the stored good and bad answers again.
func (c *comparison) check(ctx context.Context, check *lesson.Check) error {
	if check.Run == nil { // it is computed, or the errata, which have no question
		return nil
	}
	for _, stored := range []struct {
		of   lesson.Answer
		pass bool
	}{{check.Good, true}, {check.Bad, false}} {
		m, err := c.train(ctx, stored.of.Train)
		if err != nil {
			return err
		}
		o := m.outcome()
		c.report(math.Abs(o.Return-stored.of.Return) <= .005 && o.Steps == stored.of.Steps, "check",
			fmt.Sprintf("%s: %.4g after %d", stored.of.Train, stored.of.Return, stored.of.Steps),
			fmt.Sprintf("%.5g after %d", o.Return, o.Steps))
		v := check.Judge(o)
		c.report(v.Passed == stored.pass, "check", fmt.Sprintf("%s passes: %t", stored.of.Train, stored.pass), v.Say)
	}
	return nil
}

// measured is the result of one command.
type measured struct {
	summary trial.Summary
	runs    []trial.Report
	cfg     hyper.Config
	turned  bool
	kl      float64 // of the last batch of the run that ended last
}

// parseTrain reads the flags of impalab train.
func parseTrain(flags string) (*Train, error) {
	t := &Train{}
	parser, err := kong.New(t, kong.Name("impalab train"), kong.Exit(func(int) {}))
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(strings.Fields(flags)); err != nil {
		return nil, fmt.Errorf("%s: %w", flags, err)
	}
	return t, nil
}

// train does what impalab train does with these flags.
func (c *comparison) train(ctx context.Context, flags string) (*measured, error) {
	if known := c.known[flags]; known != nil {
		return known, nil
	}
	t, err := parseTrain(flags)
	if err != nil {
		return nil, err
	}
	t.Jobs = c.jobs
	plan, past, err := t.plan(onCores)
	if err != nil {
		return nil, err
	}
	var kl atomic.Value
	plan.Hooks = func() learner.Hooks {
		return past.hooks(learner.Hooks{Update: func(u *telemetry.Update) { kl.Store(float64(u.Metrics[telemetry.KL])) }})
	}
	began := time.Now()
	runs, err := plan.Run(ctx, func(trial.Report) {})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	m := &measured{cfg: plan.Config, runs: runs, turned: len(t.Turn) > 0, kl: kl.Load().(float64)}
	m.summary = trial.Summarise(plan.Config, runs, time.Since(began), nil)
	c.known[flags] = m
	return m, nil
}

// fallen is the return below which a run counts as fallen.
const fallen = 100

// figure returns one measured figure by the name that evidence uses, and its words.
func (m *measured) figure(name, claim string) (lesson.Figure, string) {
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

// outcome returns the first run in the form that a check judges.
func (m *measured) outcome() lesson.Outcome {
	o := lesson.Outcome{Settings: map[string]string{}, Steps: m.runs[0].Steps, Turned: m.turned,
		Return: float64(m.runs[0].ReturnMean100)}
	for _, s := range m.cfg.Settings() {
		o.Settings[s.Key] = s.Value
	}
	return o
}

// Every row that trains can be trained: its flags are train's, and the run they ask for is one that may be had.
func TestTheEvidenceOfLessonsCanBeTrained(t *testing.T) {
	planned := 0
	for _, l := range append(slices.Clone(lesson.All()), lesson.Errata()) {
		commands := []string{l.Check.Good.Train, l.Check.Bad.Train}
		for _, s := range l.Steps {
			if s.Evidence != nil {
				for _, r := range s.Evidence.Rows {
					commands = append(commands, r.Train)
				}
			}
		}
		for _, flags := range commands {
			if flags == "" {
				continue
			}
			train, err := parseTrain(flags)
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
				continue
			}
			if _, _, err := train.plan(onCores); err != nil {
				t.Errorf("%s: %s: %v", l.Name, flags, err)
			}
			planned++
		}
	}
	if planned == 0 {
		t.Error("nothing was planned")
	}
}

// compared compares one lesson and returns the output.
func compared(t *testing.T, l *lesson.Lesson) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := compareAll(t.Context(), &out, []*lesson.Lesson{l}, 1)
	return out.String(), err
}

func TestARowIsTrainedAndEveryClaimCompared(t *testing.T) {
	row := lesson.Row{Name: "catch", Train: "--preset catch --seeds 1-2 --steps 3000", End: "5", Solved: "0 of 2",
		Fallen: "2 of 2", Ends: []float64{5, 5}}
	l := &lesson.Lesson{Name: "x", Steps: []lesson.Step{{Title: "s", Evidence: &lesson.Evidence{Rows: []lesson.Row{row}}}}}
	said, err := compared(t, l)
	if !errors.Is(err, errOther) || !strings.Contains(said, "end 5: DIFFERS: -0.") ||
		!strings.Contains(said, "solved 0 of 2: as measured") || !strings.Contains(said, "fallen 2 of 2: as measured") ||
		!strings.Contains(said, "run 2 ends at 5.0: DIFFERS: -0.") || !strings.Contains(said, "5 claims, 3 differ") {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestTheNearestLessonIsNamed(t *testing.T) {
	err := compareLessons(t.Context(), &bytes.Buffer{}, "lat", 1)
	if err == nil || !strings.Contains(err.Error(), "did you mean late?") {
		t.Error(err)
	}
}
