package microscope

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/web/chart"
	"impalab/web/number"
)

// Explain says how the number in the selected cell was made: its formula with the numbers put in.
func (s *Scope) Explain() string {
	q, u, t := s.Now, s.Unroll, s.Asked
	step := &u.Steps[t]
	i, next := sub(t), sub(t+1)
	switch s.Row {
	case chart.BackupChance:
		what, took := "probability", fmt.Sprintf("“%s”", step.Act)
		if !u.NamedActions {
			what, took = "density", step.Act
		}
		return fmt.Sprintf("π, the present policy, takes %s here with %s %s; μ, the policy that played it, took it with %s.",
			took, what, figure(step.Pi), figure(step.Mu))
	case chart.BackupRatio:
		return fmt.Sprintf("π/μ = %s / %s = %s: %s.", figure(step.Pi), figure(step.Mu), figure(step.Ratio),
			counts(step.Ratio))
	case chart.BackupRho:
		return s.explainWeight("ρ"+i, "ρ̄", "α", q.Clip.RhoBar, q.Clip.LeakRho, 1, q.Targets.Rho[t])
	case chart.BackupC:
		return s.explainWeight("c"+i, "c̄", "α", q.Clip.CBar, q.Clip.LeakC, q.Clip.Lambda, q.Targets.C[t])
	case chart.BackupReach:
		return s.explainReach()
	case chart.BackupDelta:
		return fmt.Sprintf("δ%s = r + γ·V(x%s) − V(x%s) = %s − %s = %s: %s.%s", i, next, i,
			s.reward(q.Next[t]), bracket(step.Value), figure(q.Delta[t]), went(q.Delta[t]), s.atEnd(t))
	case chart.BackupValue:
		if !q.Inside(t) {
			return fmt.Sprintf("v%s = V(x%s) = %s: the step lies outside the trust region and is left out.", i, i,
				figure(step.Value))
		}
		if step.End != envs.Running {
			return fmt.Sprintf("v%s = V(x%s) + ρ%s·δ%s = %s + %s·%s = %s.%s", i, i, i, i, figure(step.Value),
				figure(q.Targets.Rho[t]), bracket(q.Delta[t]), figure(q.Targets.VS[t]), s.atEnd(t))
		}
		return fmt.Sprintf("v%s = V(x%s) + ρ%s·δ%s + γ·c%s·(v%s − V(x%s)) = %s + %s·%s + %s·%s·(%s − %s) = %s.",
			i, i, i, i, i, next, next, figure(step.Value), figure(q.Targets.Rho[t]), bracket(q.Delta[t]),
			figure(q.In.Discount[t]), figure(q.Targets.C[t]), figure(q.NextTarget[t]), bracket(q.Next[t]),
			figure(q.Targets.VS[t]))
	case chart.BackupWeight:
		return s.explainForm()
	}
	return s.explainAdvantage()
}

// explainForm explains the weight of the policy gradient: its fate, and why.
func (s *Scope) explainForm() string {
	q, t := s.Now, s.Asked
	step := &s.Unroll.Steps[t]
	if !q.Inside(t) {
		return fmt.Sprintf("The policy gradient weights step %d by 0: left out. It lies outside the trust region.", t)
	}
	why := q.Why(&s.Config, t)
	words := why.Words
	if !math.IsNaN(why.Bound) {
		words += " " + figure(why.Bound)
	}
	ratio := fmt.Sprintf("Its ratio π/μ is %s", figure(step.Ratio))
	if level := s.Config.Level; q.Correction.Levels && level != correct.LevelStep {
		ratio = fmt.Sprintf("The ratio of its stretch is %s", figure(q.Weighed[t]))
	}
	return fmt.Sprintf("The policy gradient weights step %d by %s: %s. %s, A%s is %s (%s), and %s.",
		t, figure(q.Targets.Weight[t]), why.Fate, ratio, sub(t), figure(q.Targets.Advantage[t]),
		went(q.Targets.Advantage[t]), words)
}

// went says how a step went, by the sign of δ or of A.
func went(by float64) string {
	switch {
	case by > 0:
		return "it went better than V expected"
	case by < 0:
		return "it went worse than V expected"
	}
	return "what came is what V expected"
}

// explainWeight explains ρ_t or c_t = λ·(α·min(bar, π/μ) + (1−α)·π/μ).
func (s *Scope) explainWeight(name, bar, leak string, limit, alpha, lambda, made float64) string {
	ratio := s.Unroll.Steps[s.Asked].Ratio
	if s.Now.Correction.NStep {
		return fmt.Sprintf("%s = 1: “%s” uses no ratios in its targets.", name, s.Now.Correction.Title)
	}
	inner, numbers := "min("+bar+", π/μ)", fmt.Sprintf("min(%s, %s)", figure(limit), figure(ratio))
	switch {
	case alpha == 0:
		inner, numbers = "π/μ", figure(ratio)
	case alpha < 1:
		inner = fmt.Sprintf("%s·min(%s, π/μ) + (1−%s)·π/μ", leak, bar, leak)
		numbers = fmt.Sprintf("%s·min(%s, %s) + %s·%s", figure(alpha), figure(limit), figure(ratio), figure(1-alpha),
			figure(ratio))
	}
	whole := lambda * ratio
	if lambda != 1 {
		inner, numbers = "λ·("+inner+")", figure(lambda)+"·("+numbers+")"
	}
	words := "nothing is cut off"
	if lost := whole - made; lost > 1e-12*max(1, whole) {
		words = fmt.Sprintf("%s of its weight is cut off", number.Percent(float32(lost/whole)))
	}
	return fmt.Sprintf("%s = %s = %s = %s: %s.", name, inner, numbers, figure(made), words)
}

// explainReach explains the product of the c's between two steps.
func (s *Scope) explainReach() string {
	from, to := s.Step, s.Asked
	if from == to {
		return fmt.Sprintf("A step reaches itself whole: the product of the c's from step %d begins at 1. Point at a later "+
			"step of this row.", from)
	}
	terms := s.Now.Terms(from)
	if from+len(terms) <= to {
		last := from + len(terms) - 1
		switch {
		case !s.Now.Inside(last + 1):
			return fmt.Sprintf("Nothing of step %d reaches step %d: step %d lies outside the trust region, and the trace stops "+
				"there.", to, from, last+1)
		default:
			return fmt.Sprintf("Nothing of step %d reaches step %d: the episode ended at step %d.", to, from, last)
		}
	}
	var names, figures []string
	for t := from; t < to; t++ {
		names, figures = append(names, "c"+sub(t)), append(figures, figure(s.Now.Targets.C[t]))
	}
	if len(names) > 4 {
		names = []string{names[0], names[1], "…", names[len(names)-1]}
		figures = []string{figures[0], figures[1], "…", figures[len(figures)-1]}
	}
	one := terms[to-from]
	return fmt.Sprintf("Πc = %s = %s = %s: that much of step %d reaches step %d. With γ^%d = %s and ρ%s·δ%s = "+
		"%s·%s it adds %s "+
		"to v%s.", strings.Join(names, "·"), strings.Join(figures, "·"), figure(one.Reach), to, from, to-from,
		figure(one.Discount), sub(to), sub(to), figure(one.Rho), bracket(one.Delta), figure(one.Adds), sub(from))
}

func (s *Scope) explainAdvantage() string {
	q, t := s.Now, s.Asked
	i, next, value := sub(t), sub(t+1), s.Unroll.Steps[t].Value
	own := q.Targets.Advantage[t] - q.Lift
	made := fmt.Sprintf("A%s = r + γ·v%s − V(x%s) = %s − %s = %s", i, next, i, s.reward(q.NextTarget[t]), bracket(value),
		figure(own))
	switch s.Config.Advantage {
	case correct.AdvantageBootstrap:
		made = fmt.Sprintf("A%s = δ%s = %s", i, i, figure(own))
	case correct.AdvantageLASER:
		made = fmt.Sprintf("A%s = v%s − V(x%s) = %s − %s = %s", i, i, i, figure(q.Targets.VS[t]), bracket(value),
			figure(own))
	}
	if q.Lift != 0 {
		made += fmt.Sprintf(", and the lift adds %s", figure(q.Lift))
	}
	raised := "more likely"
	weight := q.Targets.Weight[t]
	if weight*q.Targets.Advantage[t] < 0 {
		raised = "less likely"
	}
	if weight*q.Targets.Advantage[t] == 0 {
		return fmt.Sprintf("%s. The policy gradient weights it by %s: this step moves the policy nowhere.", made,
			figure(weight))
	}
	return fmt.Sprintf("%s. The policy gradient weights it by %s and makes “%s” %s.", made, figure(weight),
		s.Unroll.Steps[t].Act, raised)
}

// reward returns r + γ·v with the numbers put in, or r alone at an end.
func (s *Scope) reward(next float64) string {
	step := &s.Unroll.Steps[s.Asked]
	if step.End == envs.Terminated {
		return figure(step.Reward) + " + 0"
	}
	return fmt.Sprintf("%s + %s·%s", figure(step.Reward), figure(s.Config.Gamma), bracket(next))
}

// atEnd says how an end changes a step.
func (s *Scope) atEnd(t int) string {
	switch s.Unroll.Steps[t].End {
	case envs.Terminated:
		return " The episode ended here: nothing follows."
	case envs.Truncated:
		return " A time limit cut the episode here: V of the state it was cut in stands for what would have followed."
	}
	return ""
}

func counts(ratio float64) string {
	switch {
	case ratio == 0:
		return "π no longer does this"
	case math.Abs(ratio-1) < 0.0005:
		return "π does this as often as μ did"
	case ratio > 1:
		return fmt.Sprintf("π does this %s times as often as μ did", figure(ratio))
	}
	return fmt.Sprintf("π does this only %s times as often as μ did", figure(ratio))
}

// figure returns a number with four figures, so that people can check a sum.
func figure(v float64) string {
	size := math.Abs(v)
	switch {
	case size == 0 || math.IsInf(v, 0) || math.IsNaN(v):
		return number.Figures(v)
	case size < 0.001 || size >= 1e5:
		return number.Figures(v)
	}
	text := number.Fixed(v, min(4, max(0, 3-int(math.Floor(math.Log10(size))))))
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// bracket puts a negative number into brackets.
func bracket(v float64) string {
	if text := figure(v); v < 0 {
		return "(" + text + ")"
	}
	return figure(v)
}

// sub returns a step's number as an index.
func sub(t int) string {
	return strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈",
		"9", "₉").Replace(strconv.Itoa(t))
}
