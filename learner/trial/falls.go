package trial

import (
	"impalab/envs"
	"impalab/learner"
	"impalab/learner/collapse"
	"impalab/learner/telemetry"
)

// The Lab pauses a run that fell, by the rule of package collapse, which knows only the past. Here the rule is compared
// with a judgement of the whole curve (judge.go), which shares no code with the rule.

// Falls is the answer of the rule and of the judgement for one run.
type Falls struct {
	Fell   Number    `json:"fell"`  // step at which the rule found the fall; null: it found none
	Onset  Number    `json:"onset"` // first step of that fall
	Judged Judgement `json:"judged"`
}

// record applies the rule to a run in a world, at the points that the Lab draws.
func (f *Falls) record(world *envs.Spec, hooks learner.Hooks) learner.Hooks {
	watch := collapse.Watch{Random: float64(world.Random), Solved: float64(world.Solved)}
	next := uint64(0)
	return first(hooks, func(l *learner.Learner) error {
		if l.Steps() >= next {
			next = telemetry.NextPoint(l.Steps())
			p := collapse.Point{Step: l.Steps(), Update: l.Updates(), Episodes: l.Episodes(), Mean: l.Return100()}
			if watch.See(p) && !f.Fell.known() {
				f.Fell, f.Onset = Number(p.Step), Number(watch.Falls[0].Onset.Step)
			}
		}
		return nil
	})
}

// FallsSummary counts the runs of one configuration.
type FallsSummary struct {
	Rose       int    `json:"rose"`        // above a third of the world's range
	Fell       int    `json:"fell"`        // by the rule
	Judged     int    `json:"judged"`      // fell, by the judgement
	RuleAlone  int    `json:"rule_alone"`  // fell by the rule and not by the judgement
	JudgeAlone int    `json:"judge_alone"` // fell by the judgement and not by the rule
	Kept       int    `json:"kept"`        // ended within a tenth of their best
	KeptFell   int    `json:"kept_fell"`   // of these, fell by the rule
	Told       Number `json:"told"`        // median of the steps from the onset to the rule's answer; null: none fell
}

// SummariseFalls combines the runs of one configuration.
func SummariseFalls(runs []Report) FallsSummary {
	s := FallsSummary{Told: None}
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	var took []float64
	for _, r := range runs {
		fell, judged := r.Falls.Fell.known(), &r.Falls.Judged
		count(&s.Rose, judged.Rose)
		count(&s.Fell, fell)
		count(&s.Judged, judged.Fell)
		count(&s.RuleAlone, fell && !judged.Fell)
		count(&s.JudgeAlone, !fell && judged.Fell)
		count(&s.Kept, judged.Kept)
		count(&s.KeptFell, fell && judged.Kept)
		if fell {
			took = append(took, float64(r.Falls.Fell-r.Falls.Onset))
		}
	}
	if len(took) > 0 {
		s.Told = Number(median(took))
	}
	return s
}
