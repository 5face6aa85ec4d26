package command

import (
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"impalab/envs"
	"impalab/learner/evolve"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// members are the returns of one population at its end.
type members struct {
	Returns []float64 // the best first; a member without an episode counts as −Inf
	Mean    float64   // interquartile, of the members with an episode
	Best    float64   // return of the fittest
	Above   float64
}

// populations trains a population for each seed, with the rounds that evolve uses by default. Seeds train side by side.
func populations(ctx context.Context, k *keeper, s *trial.Study, v *trial.Variant, cfg hyper.Config, seeds []uint64,
	jobs int) (*trial.Populations, error) {
	plan := evolve.Plan{Members: trial.PopulationMembers, Every: 10_000, BurnIn: 20_000, Grid: s.Grid}
	if s.Members > 0 {
		plan.Members = s.Members
	}
	if v.Alone {
		plan.BurnIn = cfg.Steps
	}
	var err error
	if plan.Genes, err = parseGenes(strings.Fields(s.Population)); err != nil {
		return nil, err
	}
	all := make([]members, len(seeds))
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, seed := range seeds {
		group.Go(func() error {
			if k.load(&cfg, seed, &all[i]) {
				return nil
			}
			var err error
			if all[i], err = population(ctx, cfg, seed, plan); err != nil {
				return err
			}
			return k.save(&cfg, seed, &all[i])
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	over := func(of func(*members) float64) trial.Estimate {
		var values []float64
		for i := range all {
			if x := of(&all[i]); !math.IsInf(x, 0) {
				values = append(values, x)
			}
		}
		return trial.NewEstimate(values)
	}
	p := &trial.Populations{Seeds: seeds,
		Members: over(func(m *members) float64 { return m.Mean }),
		Best:    over(func(m *members) float64 { return m.Best }),
		Above:   over(func(m *members) float64 { return m.Above })}
	for rank := range plan.Members {
		p.Ranked = append(p.Ranked, over(func(m *members) float64 { return m.Returns[rank] }))
	}
	return p, nil
}

// population trains one population.
func population(ctx context.Context, cfg hyper.Config, seed uint64, plan evolve.Plan) (m members, err error) {
	cfg.Seed = seed
	p, err := evolve.New(cfg, plan)
	if err != nil {
		return m, err
	}
	defer p.Close()
	if err = p.Run(ctx, 1, nil); ctx.Err() != nil {
		return m, ErrInterrupted
	}
	if err != nil {
		return m, err
	}
	result := newEvolveReport(&cfg, plan.Genes, p, 0)
	m.Mean, m.Best = float64(result.Final.Mean), p.Last()[result.Best].Return
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		return m, err
	}
	half := float64(world.Random+world.Solved) / 2
	for _, one := range p.Last() {
		if math.IsNaN(one.Return) {
			one.Return = math.Inf(-1)
		}
		m.Returns = append(m.Returns, one.Return)
		if one.Return > half {
			m.Above += 1 / float64(plan.Members)
		}
	}
	slices.Sort(m.Returns)
	slices.Reverse(m.Returns)
	return m, nil
}
