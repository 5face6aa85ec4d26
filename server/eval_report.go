package main

// What eval prints of one policy, and of those of several seeds.

import (
	"fmt"

	"impalab/learner"
)

// evaluation is a policy in both ways of acting.
type evaluation struct {
	Greedy policyReport `json:"greedy"`
	Drawn  policyReport `json:"drawn"`
}

// policyReport is one way of acting. Scores are capped and normalised: 0 is the uniform policy, 1 the reference or
// better.
type policyReport struct {
	Episodes    int              `json:"episodes"`     // of each world
	ReturnMean  number           `json:"return_mean"`  // over episodes; null on a suite, whose worlds pay differently
	ScoreMean   number           `json:"score_mean"`   // over the worlds
	ScoreMedian number           `json:"score_median"` // likewise
	Cut         int              `json:"cut"`          // episodes that were ended at the limit
	Tasks       []taskEvaluation `json:"tasks,omitempty"`
}

// taskEvaluation is one world of a suite.
type taskEvaluation struct {
	World      string `json:"world"`
	ReturnMean number `json:"return_mean"`
	Score      number `json:"score"`
	Cut        int    `json:"cut"`
}

func newPolicyReport(e *learner.Evaluation) policyReport {
	r := policyReport{
		Episodes: e.Tasks[0].Episodes, ReturnMean: number(e.Tasks[0].Return),
		ScoreMean: number(e.Mean), ScoreMedian: number(e.Median),
	}
	for _, t := range e.Tasks {
		r.Cut += t.Cut
		if len(e.Tasks) > 1 {
			r.ReturnMean = none
			r.Tasks = append(r.Tasks, taskEvaluation{t.World, number(t.Return), number(t.Score), t.Cut})
		}
	}
	return r
}

// value is the return on a world by itself, on a suite the mean score, as return_mean_100 is in train.
func (p *policyReport) value() float64 {
	if p.Tasks != nil {
		return float64(p.ScoreMean)
	}
	return float64(p.ReturnMean)
}

// evalReport is one evaluated run. The JSON keys never change their meaning.
type evalReport struct {
	World         string `json:"world"`
	Algo          string `json:"algo"`
	Seed          uint64 `json:"seed"`
	Steps         uint64 `json:"steps"`
	ReturnMean100 number `json:"return_mean_100"` // of training, as train has it
	ParamsSHA256  string `json:"params_sha256"`
	*evaluation          // none of a run that diverged or was interrupted
	Diverged      bool   `json:"diverged"`
	Reason        string `json:"reason,omitempty"`
	Interrupted   bool   `json:"interrupted,omitempty"`
}

func newEvalReport(r *runReport) evalReport {
	return evalReport{
		r.World, r.Algo, r.Seed, r.Steps, r.ReturnMean100, r.ParamsSHA256,
		r.evaluation, r.Diverged, r.Reason, r.Interrupted,
	}
}

// evalSummary is what several seeds say together, those without an evaluation left out.
type evalSummary struct {
	Seeds       []uint64 `json:"seeds"`
	Greedy      estimate `json:"greedy"` // the return, of a suite the mean score
	Drawn       estimate `json:"drawn"`
	ScoreMean   estimate `json:"greedy_score_mean"`
	ScoreMedian estimate `json:"greedy_score_median"`
}

func newEvalSummary(runs []runReport) (s evalSummary) {
	pick := func(of func(*evaluation) float64) estimate {
		var values []float64
		for _, r := range runs {
			if r.evaluation != nil {
				values = append(values, of(r.evaluation))
			}
		}
		return newEstimate(values)
	}
	for _, r := range runs {
		s.Seeds = append(s.Seeds, r.Seed)
	}
	s.Greedy = pick(func(e *evaluation) float64 { return e.Greedy.value() })
	s.Drawn = pick(func(e *evaluation) float64 { return e.Drawn.value() })
	s.ScoreMean = pick(func(e *evaluation) float64 { return float64(e.Greedy.ScoreMean) })
	s.ScoreMedian = pick(func(e *evaluation) float64 { return float64(e.Greedy.ScoreMedian) })
	return s
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
	case r.evaluation == nil:
		fmt.Fprintln(p.out, "  not evaluated: it was interrupted")
		return
	}
	p.policy("greedy", &r.Greedy)
	p.policy("drawn", &r.Drawn)
}

func (p *reporter) policy(name string, r *policyReport) {
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
func (p *reporter) evaluations(runs []runReport) {
	s := newEvalSummary(runs)
	if p.json {
		p.line(s)
		return
	}
	fmt.Fprintf(p.out, "%d seeds, interquartile mean and 95 %% interval over seeds: ", len(s.Seeds))
	fmt.Fprintf(p.out, "greedy %s (%s to %s), drawn %s (%s to %s)\n",
		s.Greedy.Mean, s.Greedy.Low, s.Greedy.High, s.Drawn.Mean, s.Drawn.Low, s.Drawn.High)
}
