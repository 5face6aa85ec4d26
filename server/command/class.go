package command

// reproduce class judges every answer that is known to be good or bad anew, on runs that it trains again, and says
// where one differs from what is stored.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"impalab/learner/trial"
	"impalab/server/exercise"
)

// className is what reproduce calls the exercises of a class; behind a slash it takes one.
const className = "class"

// errClass says that what is stored and what is measured differ.
var errClass = marked{errors.New("some answers to exercises are not judged or measured as stored; see above"),
	errDiffers}

// exercisesNamed are the exercises that a name of reproduce means; nil for another name.
func exercisesNamed(name string) ([]*exercise.Exercise, error) {
	of, one, single := strings.Cut(name, "/")
	if of != className {
		return nil, nil
	}
	if !single {
		return exercise.All(), nil
	}
	e, err := exercise.Named(one)
	return []*exercise.Exercise{e}, err
}

// class makes the figures of exercises again.
func (c *Reproduce) class(ctx context.Context, prog *Program, set []*exercise.Exercise, jobs int) error {
	if c.Seeds != "" {
		return UsageError{errors.New("--seeds: reproduce class trains the seeds that its figures are of")}
	}
	judged, failed := 0, 0
	for _, e := range set {
		fmt.Fprintf(prog.Stdout, "## %s\n\n", e.Title)
		for _, k := range exercise.KnownAnswers() {
			if k.Exercise != e.Name {
				continue
			}
			sets := k.Sets
			if !e.Trained() {
				sets = []exercise.Runs{{}}
			}
			for i := range sets {
				line, ok, err := c.knownAnswer(ctx, prog, e, &k, &sets[i], jobs)
				if err != nil {
					return err
				}
				if judged++; !ok {
					failed++
				}
				fmt.Fprintln(prog.Stdout, line)
			}
		}
		fmt.Fprintln(prog.Stdout)
	}
	fmt.Fprintf(prog.Stdout, "%d judged, %d differ\n", judged, failed)
	if failed > 0 {
		return errClass
	}
	return nil
}

// knownAnswer judges one answer on one set of seeds.
func (c *Reproduce) knownAnswer(ctx context.Context, prog *Program, e *exercise.Exercise, k *exercise.Known,
	stored *exercise.Runs, jobs int) (line string, ok bool, err error) {
	said, err := json.Marshal(k.Answer)
	if err != nil {
		return "", false, err
	}
	var by exercise.Hidden
	of, differs := "", ""
	if e.Trained() {
		returns, err := c.returnsOf(ctx, prog, e, k, stored.Seeds, jobs)
		if err != nil {
			return "", false, err
		}
		by.Runs = &exercise.Measured{Returns: returns, IQM: trial.InterquartileMean(slices.Clone(returns))}
		in := trial.NewEstimate(returns)
		of = fmt.Sprintf(", seeds %s: %.4g [%.4g, %.4g]", stored.Seeds, in.Mean, in.Low, in.High)
		for i, x := range returns {
			if i >= len(stored.Returns) || !(math.Abs(x-stored.Returns[i]) <= .006) {
				differs = fmt.Sprintf("; seed %d of them is not as stored", i+1)
			}
		}
		if h := e.Reach.Hidden; k.Good && e.Reach.Measure == exercise.OfReturn && float64(in.Low) <= h.From {
			differs += fmt.Sprintf("; the threshold %g is not below the interval", h.From)
		}
	}
	v, err := e.Judge(&k.Answer, by)
	if err != nil {
		return "", false, err
	}
	if k.Good != (v.Credit == 1) || !strings.Contains(v.Say, k.Says) {
		differs += fmt.Sprintf("; it says %q", v.Say)
	}
	kind := "bad"
	if k.Good {
		kind = "good"
	}
	line = fmt.Sprintf("%s: %s%s, credit %.3g", kind, said, of, v.Credit)
	if differs != "" {
		return line + ": DIFFERS" + differs, false, nil
	}
	return line + ": as stored", true, nil
}

// returnsOf trains an answer.
func (c *Reproduce) returnsOf(ctx context.Context, prog *Program, e *exercise.Exercise, k *exercise.Known, list string,
	jobs int) ([]float64, error) {
	cfg, err := e.Reach.Config(&k.Answer)
	if err != nil {
		return nil, err
	}
	seeds, err := seedList(list)
	if err != nil {
		return nil, err
	}
	run := &trial.Trial{Config: cfg, Seeds: seeds, Jobs: min(jobs, len(seeds))}
	if err := affordable(&cfg, run.Jobs); err != nil {
		return nil, UsageError{err}
	}
	if run.Kept, err = newKeeper(c.Keep, className); err != nil {
		return nil, UsageError{err}
	}
	meter := newMeter(prog.Stderr, run.Budget(), time.Now)
	run.Hooks = meter.hooks
	reports, err := run.Run(ctx, func(trial.Report) {})
	meter.clear()
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	var returns []float64
	for _, r := range reports {
		returns = append(returns, float64(r.ReturnMean100))
	}
	return returns, nil
}
