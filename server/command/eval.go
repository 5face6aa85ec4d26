package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"impalab/learner/trial"
)

// Eval plays whole episodes with fixed parameters: of a run that it trains first, or of a snapshot. The return of
// training episodes, which train reports, belongs to policies that still changed and that acted late.
type Eval struct {
	runFlags
	Snapshot string `arg:"" optional:"" name:"snapshot" help:"File that train --save wrote; without it, a run is trained first."`
	Steps    string `help:"Environment steps to train for. (the preset's, or 250000)" placeholder:"N"`
	seedFlags
	Episodes int  `range:"1..10000" help:"Episodes of each world, for greedy and for drawn." default:"100" placeholder:"N"`
	JSON     bool `help:"Print one JSON object a line; the last line is the result."`
}

func (Eval) Help() string {
	return `Examples:

  impalab eval --preset catch --steps 60000
  impalab eval --preset breakout --steps 5000000 --seeds 2001-2008 --episodes 100 --json
  impalab train --preset tiny --steps 300000 --save tiny.snapshot
  impalab eval tiny.snapshot --episodes 20

Greedy takes the likeliest action, or the mean of a Gaussian; drawn draws from the policy, as in training. Both begin
in the same states, which training has not seen. A suite scores each world from 0, the uniform policy, to 1, the
reference or better; mean and median are over its worlds. An episode is cut after 27 000 steps, because a greedy policy
may never end one; the line says how many were cut. A run that diverges is evaluated with its last finite parameters.`
}

func (e *Eval) Run(ctx context.Context, prog *Program) error {
	if e.Snapshot != "" {
		return e.evaluate(ctx, prog)
	}
	plan, err := e.trial(onCores, &e.runFlags, e.Steps)
	if err == nil && plan.Config.Steps == 0 {
		err = errors.New("steps=0 trains until interrupted and is never evaluated; set --steps")
	}
	if err != nil {
		return UsageError{err}
	}
	prog.warn(&plan.Config)
	plan.Finish = trial.Evaluate(e.Episodes)
	results, err := prog.train(ctx, plan, nil, func(r trial.Report) { e.print(prog.Stdout, &r) })
	if err != nil || e.Seeds == "" {
		return err
	}
	s := trial.SummariseEvaluations(results)
	if e.JSON {
		printJSON(prog.Stdout, s)
		return nil
	}
	fmt.Fprintf(prog.Stdout, "%d seeds, interquartile mean and 95 %% interval over seeds: greedy %s (%s to %s), drawn %s "+
		"(%s to %s)\n", len(s.Seeds), s.Greedy.Mean, s.Greedy.Low, s.Greedy.High, s.Drawn.Mean, s.Drawn.Low, s.Drawn.High)
	return nil
}

// evaluate evaluates the snapshot.
func (e *Eval) evaluate(ctx context.Context, prog *Program) error {
	l, err := e.resume(onCores, e.Snapshot, e.Seeds, e.Steps)
	if err != nil {
		return UsageError{err}
	}
	defer l.Close()
	result := l.Result()
	report := trial.NewReport(l.Config(), &result, 0)
	if err := trial.Evaluate(e.Episodes)(ctx, l, &report); err != nil {
		return err
	}
	e.print(prog.Stdout, &report)
	return nil
}

// evalReport is what --json prints of a run. The keys never change their meaning.
type evalReport struct {
	World             string       `json:"world"`
	Algo              string       `json:"algo"`
	Seed              uint64       `json:"seed"`
	Steps             uint64       `json:"steps"`
	ReturnMean100     trial.Number `json:"return_mean_100"` // in training, as train reports it
	ParamsSHA256      string       `json:"params_sha256"`
	*trial.Evaluation              // nil if the run was interrupted, or its policy cannot act
	Diverged          bool         `json:"diverged"`
	Reason            string       `json:"reason,omitempty"`
	Interrupted       bool         `json:"interrupted,omitempty"`
}

// print prints the evaluation of one run.
func (e *Eval) print(out io.Writer, r *trial.Report) {
	if e.JSON {
		printJSON(out, evalReport{r.World, r.Algo, r.Seed, r.Steps, r.ReturnMean100, r.ParamsSHA256, r.Evaluation, r.Diverged,
			r.Reason, r.Interrupted})
		return
	}
	fmt.Fprintf(out, "%s, %s, seed %d, %d steps; parameters %.12s\n", r.World, r.Algo, r.Seed, r.Steps, r.ParamsSHA256)
	if r.Diverged {
		fmt.Fprintf(out, "  diverged: %s\n", r.Reason)
	}
	if r.Evaluation == nil {
		why := "its policy gives no finite output"
		if r.Interrupted {
			why = "it was interrupted"
		}
		fmt.Fprintf(out, "  not evaluated: %s\n", why)
		return
	}
	printPolicy(out, "greedy", &r.Evaluation.Greedy)
	printPolicy(out, "drawn", &r.Evaluation.Drawn)
}

func printPolicy(out io.Writer, name string, r *trial.Policy) {
	cut := ""
	if r.Cut > 0 {
		cut = fmt.Sprintf(", %d cut at the limit", r.Cut)
	}
	if r.Tasks == nil {
		fmt.Fprintf(out, "  %-6s  mean return %s, score %s (%d episodes%s)\n",
			name, r.ReturnMean, r.ScoreMean, r.Episodes, cut)
		return
	}
	fmt.Fprintf(out, "  %-6s  mean score %s, median %s (%d episodes of each world%s)\n",
		name, r.ScoreMean, r.ScoreMedian, r.Episodes, cut)
	for _, t := range r.Tasks {
		fmt.Fprintf(out, "          %-16s score %s, mean return %s\n", t.World, t.Score, t.ReturnMean)
	}
}
