package command

// eval says what a policy is worth with its parameters held still: whole episodes, played greedily and by drawing from
// the policy, of a run that it trains first or of a snapshot. The return of training episodes, which train reports, is
// that of policies that were still changing, and that acted as late as the lag let them.

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner/trial"
)

type Eval struct {
	runFlags
	Snapshot string `arg:"" optional:"" name:"snapshot" help:"File that train --save wrote; without one, a run is trained first."`
	Steps    string `help:"Environment steps to train for. (the preset's, or 250000)" placeholder:"N"`
	Seeds    string `help:"Train and evaluate several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs     int    `help:"Seeds trained at once (the number of cores)." placeholder:"N"`
	Episodes int    `help:"Episodes of each world, greedy and drawn alike." default:"100" placeholder:"N"`
	JSON     bool   `help:"Print one JSON object a line; the last line is the result."`
}

// Help is printed under eval --help.
func (Eval) Help() string {
	return `Examples:

  impalab eval --preset catch --steps 60000
  impalab eval --preset breakout --steps 5000000 --seeds 2001-2008 --episodes 100 --json
  impalab train --preset tiny --steps 300000 --save tiny.snapshot
  impalab eval tiny.snapshot --episodes 20

Greedy takes the likeliest action, or the mean of a Gaussian; drawn draws from the policy, as in training.
Both begin in the same states, which training has not seen. A suite scores each world from 0, the uniform policy,
to 1, the reference or better; mean and median are over its worlds. An episode is cut after 27 000 steps, as a greedy
policy may never end one; the line says how many were.`
}

// maxEpisodes bounds one evaluation: an episode is a copy of the world, and a world may be large.
const maxEpisodes = 10_000

// Run trains and evaluates, or only evaluates.
func (e *Eval) Run(ctx context.Context, prog *Program) error {
	if e.Episodes < 1 || e.Episodes > maxEpisodes {
		return UsageError{fmt.Errorf("--episodes %d: must be 1 to %d", e.Episodes, maxEpisodes)}
	}
	if e.Snapshot != "" {
		return e.resumed(ctx, prog)
	}
	plan, err := newTrial(onCores, &e.runFlags, e.Steps, e.Seeds, e.Jobs)
	if err != nil {
		return err
	}
	if plan.Config.Steps == 0 {
		return UsageError{errors.New("steps=0 trains until interrupted and is never evaluated; set --steps")}
	}
	prog.warn(&plan.Config)
	plan.Finish = trial.Evaluate(e.Episodes)
	out := reporter{out: prog.Stdout, json: e.JSON}
	results, err := prog.train(ctx, plan, nil, func(r trial.Report) { out.evaluation(newEvalReport(&r)) })
	if err == nil && e.Seeds != "" {
		out.evaluations(results)
	}
	return err
}

// resumed evaluates the snapshot.
func (e *Eval) resumed(ctx context.Context, prog *Program) error {
	l, err := e.open(onCores, e.Snapshot, e.Seeds, e.Steps)
	if err != nil {
		return UsageError{err}
	}
	defer l.Close()
	result := l.Result()
	report := trial.NewReport(l.Config(), &result, 0)
	if err := trial.Evaluate(e.Episodes)(ctx, l, &report); err != nil {
		return err
	}
	(&reporter{out: prog.Stdout, json: e.JSON}).evaluation(newEvalReport(&report))
	return nil
}
