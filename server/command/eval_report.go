package command

// What eval prints of one policy, and of those of several seeds.

import (
	"fmt"

	"impalab/learner/trial"
)

// evalReport is one evaluated run. The JSON keys never change their meaning.
type evalReport struct {
	World             string       `json:"world"`
	Algo              string       `json:"algo"`
	Seed              uint64       `json:"seed"`
	Steps             uint64       `json:"steps"`
	ReturnMean100     trial.Number `json:"return_mean_100"` // of training, as train has it
	ParamsSHA256      string       `json:"params_sha256"`
	*trial.Evaluation              // none of a run that diverged or was interrupted
	Diverged          bool         `json:"diverged"`
	Reason            string       `json:"reason,omitempty"`
	Interrupted       bool         `json:"interrupted,omitempty"`
}

func newEvalReport(r *trial.Report) evalReport {
	return evalReport{
		r.World, r.Algo, r.Seed, r.Steps, r.ReturnMean100, r.ParamsSHA256,
		r.Evaluation, r.Diverged, r.Reason, r.Interrupted,
	}
}

// evaluation prints one.
func (p *reporter) evaluation(r evalReport) {
	if p.json {
		p.line(r)
		return
	}
	fmt.Fprintf(p.out, "%s, %s, seed %d, %d steps; parameters %.12s\n", r.World, r.Algo, r.Seed, r.Steps, r.ParamsSHA256)
	switch {
	case r.Diverged:
		fmt.Fprintf(p.out, "  not evaluated: it diverged: %s\n", r.Reason)
		return
	case r.Evaluation == nil:
		fmt.Fprintln(p.out, "  not evaluated: it was interrupted")
		return
	}
	p.policy("greedy", &r.Greedy)
	p.policy("drawn", &r.Drawn)
}

func (p *reporter) policy(name string, r *trial.Policy) {
	cut := ""
	if r.Cut > 0 {
		cut = fmt.Sprintf(", %d cut at the limit", r.Cut)
	}
	if r.Tasks == nil {
		fmt.Fprintf(p.out, "  %-6s  mean return %s, score %s (%d episodes%s)\n",
			name, r.ReturnMean, r.ScoreMean, r.Episodes, cut)
		return
	}
	fmt.Fprintf(p.out, "  %-6s  mean score %s, median %s (%d episodes of each world%s)\n",
		name, r.ScoreMean, r.ScoreMedian, r.Episodes, cut)
	for _, t := range r.Tasks {
		fmt.Fprintf(p.out, "          %-16s score %s, mean return %s\n", t.World, t.Score, t.ReturnMean)
	}
}

// evaluations sums up several.
func (p *reporter) evaluations(runs []trial.Report) {
	s := trial.SummariseEvaluations(runs)
	if p.json {
		p.line(s)
		return
	}
	fmt.Fprintf(p.out, "%d seeds, interquartile mean and 95 %% interval over seeds: ", len(s.Seeds))
	fmt.Fprintf(p.out, "greedy %s (%s to %s), drawn %s (%s to %s)\n",
		s.Greedy.Mean, s.Greedy.Low, s.Greedy.High, s.Drawn.Mean, s.Drawn.Low, s.Drawn.High)
}
