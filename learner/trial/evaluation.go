package trial

// The result of a policy with fixed parameters, and of the policies of several seeds.

import (
	"context"
	"errors"

	"impalab/learner"
	"impalab/learner/actor"
)

// Evaluation is a policy in both ways of acting.
type Evaluation struct {
	Greedy Policy `json:"greedy"`
	Drawn  Policy `json:"drawn"`
}

// Policy is one way of acting. Scores are capped and normalised: 0 is the uniform policy, 1 the reference or
// better.
type Policy struct {
	Episodes    int              `json:"episodes"`     // of each world
	ReturnMean  Number           `json:"return_mean"`  // over episodes; null on a suite, whose worlds pay differently
	SpeedMean   Number           `json:"speed_mean"`   // forward, m/s; null in a world whose observation does not show it
	ScoreMean   Number           `json:"score_mean"`   // over the worlds
	ScoreMedian Number           `json:"score_median"` // over the worlds
	Cut         int              `json:"cut"`          // episodes that reached the limit
	Tasks       []TaskEvaluation `json:"tasks,omitempty"`
}

// TaskEvaluation is one world of a suite.
type TaskEvaluation struct {
	World      string `json:"world"`
	ReturnMean Number `json:"return_mean"`
	Score      Number `json:"score"`
	Cut        int    `json:"cut"`
}

func newPolicy(e *learner.Evaluation) Policy {
	r := Policy{
		Episodes: e.Tasks[0].Episodes, ReturnMean: Number(e.Tasks[0].Return),
		SpeedMean: None,
		ScoreMean: Number(e.Mean), ScoreMedian: Number(e.Median),
	}
	if speed := e.Tasks[0].Speed; speed != nil {
		r.SpeedMean = Number(*speed)
	}
	for _, t := range e.Tasks {
		r.Cut += t.Cut
		if len(e.Tasks) > 1 {
			r.ReturnMean = None
			r.Tasks = append(r.Tasks, TaskEvaluation{t.World, Number(t.Return), Number(t.Score), t.Cut})
		}
	}
	return r
}

// value returns the mean return, on a suite the mean score, like return_mean_100 in a Report.
func (p *Policy) value() Number {
	if p.Tasks != nil {
		return p.ScoreMean
	}
	return p.ReturnMean
}

// EvaluationSummary combines the policies of several seeds.
type EvaluationSummary struct {
	Seeds       []uint64 `json:"seeds"`
	Greedy      Estimate `json:"greedy"` // the return, of a suite the mean score
	Drawn       Estimate `json:"drawn"`
	Speed       Estimate `json:"greedy_speed"` // m/s
	ScoreMean   Estimate `json:"greedy_score_mean"`
	ScoreMedian Estimate `json:"greedy_score_median"`
}

// SummariseEvaluations combines the runs that have an evaluation.
func SummariseEvaluations(runs []Report) (s EvaluationSummary) {
	pick := func(of func(*Evaluation) Number) Estimate {
		all, _ := estimate(runs, func(r *Report) Number {
			if r.Evaluation == nil {
				return None
			}
			return of(r.Evaluation)
		})
		return all
	}
	for _, r := range runs {
		s.Seeds = append(s.Seeds, r.Seed)
	}
	s.Greedy = pick(func(e *Evaluation) Number { return e.Greedy.value() })
	s.Drawn = pick(func(e *Evaluation) Number { return e.Drawn.value() })
	s.Speed = pick(func(e *Evaluation) Number { return e.Greedy.SpeedMean })
	s.ScoreMean = pick(func(e *Evaluation) Number { return e.Greedy.ScoreMean })
	s.ScoreMedian = pick(func(e *Evaluation) Number { return e.Greedy.ScoreMedian })
	return s
}

// Evaluate adds the evaluation of the policy to a run's report, unless the policy's output is not finite.
func Evaluate(episodes int) Finisher {
	return func(ctx context.Context, l *learner.Learner, report *Report) error {
		greedy, err := l.Evaluate(ctx, episodes, true)
		var drawn learner.Evaluation
		if err == nil {
			drawn, err = l.Evaluate(ctx, episodes, false)
		}
		switch {
		case errors.Is(err, actor.ErrNotFinite):
			return nil
		case err != nil:
			return err
		}
		report.Evaluation = &Evaluation{newPolicy(&greedy), newPolicy(&drawn)}
		return nil
	}
}
