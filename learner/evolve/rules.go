package evolve

import (
	"cmp"
	"slices"

	"impalab/learner/hyper"
)

// How a population evolves, by IMPALA's rules (appendix F): which member copies which, and how hyperparameters change.
// IMPALA compares after every 5 000 episodes of the population together. Here each member has made a number of steps,
// so the order in which members run does not matter.

// Plan is how a population changes.
type Plan struct {
	Members int
	BurnIn  uint64 // steps of each member before which nothing evolves
	Every   uint64 // steps of each member between two comparisons
	Genes   []Gene // the settings that evolve
	Grid    bool   // the first values are the cells of the grid of all genes' Among, one for each member
}

// As IMPALA has them (appendix F).
const (
	margin = 0.05 // of the capped normalised score, by which another must be better
	chance = 0.33 // that a hyperparameter changes
	factor = 1.2  // times or divided by this
)

// Gene is a hyperparameter that evolves. Its first value is log-uniform from Low to High, or one of Among, or else the
// configuration's.
type Gene struct {
	Key       string
	Low, High float64
	Among     []float64
}

// cells returns the number of cells of the grid of all genes' values.
func (p *Plan) cells() int {
	cells := 1
	for _, g := range p.Genes {
		cells *= len(g.Among)
	}
	return cells
}

// PaperGenes returns the hyperparameters that IMPALA evolves on DMLab-30, with their first values (table D.1; its
// losses are sums).
func PaperGenes() []Gene {
	return []Gene{
		{Key: "lr", Low: 5e-6, High: 5e-3},
		{Key: "entropy", Low: 5e-5, High: 1e-2},
		{Key: "opt-eps", Among: []float64{1e-1, 1e-3, 1e-5, 1e-7}},
	}
}

// AtariGenes are PaperGenes and the clip of the gradient, from the configuration's own value (IMPALA table G.1).
func AtariGenes() []Gene { return append(PaperGenes(), Gene{Key: "clip"}) }

// evolve lets each member look at another, and changes its hyperparameters whether or not it copied it.
func (p *Population) evolve(now []Standing) error {
	for i := range now {
		other := p.rng.IntN(len(now) - 1)
		if other >= i {
			other++
		}
		if now[other].Fitness > now[i].Fitness+margin {
			now[i].Parent = other
		}
	}
	// The worst first: a better member, which it may copy, has not changed yet.
	order := make([]int, len(now))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(now[a].Fitness, now[b].Fitness) })
	for _, i := range order {
		parent := now[i].Parent
		if parent != i {
			if err := p.members[i].CopyFrom(p.members[parent]); err != nil {
				return err
			}
		}
		for k, row := range p.rows {
			change, err := hyper.ParseChange(row.Key, row.Format(p.mutate(row, now[parent].Genes[k])))
			if err != nil {
				return err
			}
			if _, err := p.members[i].Apply(change); err != nil {
				return err
			}
		}
	}
	return nil
}

// mutate changes a hyperparameter with 33 % probability by ×1.2 or ÷1.2: unbiased, where ×1.2 or ×0.8 is not.
func (p *Population) mutate(row *hyper.Row, value float64) float64 {
	switch u := p.rng.Float64(); {
	case u < chance/2:
		value *= factor
	case u < chance:
		value /= factor
	}
	return max(row.Min, min(value, row.Max)) // NaN, "same as another", stays
}

// Best is the member that was fittest in the last round, the first of several.
func (p *Population) Best() int {
	best, last := 0, p.Last()
	for i := range last {
		if last[i].Fitness > last[best].Fitness {
			best = i
		}
	}
	return best
}
