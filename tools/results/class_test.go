package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/learner/trial"
	"impalab/server/exercise"
)

func TestTheKnownAnswersToExercisesAreJudgedAgain(t *testing.T) {
	if *exercises == "" {
		t.Skip("it trains for minutes; -exercises says which exercise")
	}
	if err := judgeKnownAnswers(t.Context(), t.Output(), *exercises, *jobs); err != nil {
		t.Error(err)
	}
}

// judgeKnownAnswers trains and judges the known good and bad answers to an exercise, or to all exercises, and prints
// where a result differs from the stored one.
func judgeKnownAnswers(ctx context.Context, out io.Writer, name string, jobs int) error {
	set := exercise.All()
	if name != "all" {
		e, err := exercise.Named(name)
		if err != nil {
			return err
		}
		set = []*exercise.Exercise{e}
	}
	judged, failed := 0, 0
	for _, e := range set {
		fmt.Fprintf(out, "## %s\n\n", e.Title)
		for _, k := range exercise.KnownAnswers() {
			if k.Exercise != e.Name {
				continue
			}
			sets := k.Sets
			if !e.Trained() {
				sets = []exercise.Runs{{}}
			}
			for i := range sets {
				line, ok, err := judgeKnown(ctx, e, &k, &sets[i], jobs)
				if err != nil {
					return err
				}
				if judged++; !ok {
					failed++
				}
				fmt.Fprintln(out, line)
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d judged, %d differ\n", judged, failed)
	if failed > 0 {
		return errDiffers
	}
	return nil
}

// judgeKnown judges one answer on one set of seeds. line describes the result; ok reports whether it is the stored one.
func judgeKnown(ctx context.Context, e *exercise.Exercise, k *exercise.Known, stored *exercise.Runs,
	jobs int) (line string, ok bool, err error) {
	answer, err := json.Marshal(k.Answer)
	if err != nil {
		return "", false, err
	}
	var by exercise.Hidden
	measured, differs := "", ""
	if e.Trained() {
		returns, err := finalReturns(ctx, e, k, stored.Seeds, jobs)
		if err != nil {
			return "", false, err
		}
		by.Runs = &exercise.Measured{Returns: returns, IQM: trial.InterquartileMean(slices.Clone(returns))}
		in := trial.NewEstimate(returns)
		measured = fmt.Sprintf(", seeds %s: %.4g [%.4g, %.4g]", stored.Seeds, in.Mean, in.Low, in.High)
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
	kind, verdict := "bad", ": as stored"
	if k.Good {
		kind = "good"
	}
	if differs != "" {
		verdict = ": DIFFERS" + differs
	}
	return fmt.Sprintf("%s: %s%s, credit %.3g%s", kind, answer, measured, v.Credit, verdict), differs == "", nil
}

// finalReturns trains an answer and returns the final return of each seed.
func finalReturns(ctx context.Context, e *exercise.Exercise, k *exercise.Known, list string, jobs int) ([]float64,
	error) {
	cfg, err := e.Reach.Config(&k.Answer)
	if err != nil {
		return nil, err
	}
	seeds, err := trial.ParseSeeds(list)
	if err != nil {
		return nil, err
	}
	run := &trial.Trial{Config: cfg, Seeds: seeds, Jobs: min(atOnce(jobs), len(seeds))}
	reports, err := run.Run(ctx, func(trial.Report) {})
	if err == nil {
		err = ctx.Err()
	}
	var returns []float64
	for _, r := range reports {
		returns = append(returns, float64(r.ReturnMean100))
	}
	return returns, err
}
