// Package evolve trains populations: learners of one configuration that copy each other and change their own
// hyperparameters. Look at Population.Run first, then at the rules it plays by, in rules.go.
package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/stream"
)

// Population is population based training, as in IMPALA's appendix F: several learners of one configuration, each with
// its own hyperparameters. Now and then each learner compares itself with a random other one. If that is clearly
// better, it copies the other's state and changes its hyperparameters a little. A population is a function of the
// configuration, whose seed is the population's, and not of the number of cores. With sharers all members share one
// replay (LASER fig. 3 right).
type Population struct {
	cfg     hyper.Config
	plan    Plan
	rows    []*hyper.Row // of the genes
	members []*learner.Learner
	rng     envs.Rand
	rounds  [][]Standing // [round][member]
}

// Standing is a member's result in one round and its parent.
type Standing struct {
	Round, Member int
	Steps         uint64
	Return        float64   // mean of the last hundred episodes; NaN before the first
	Fitness       float64   // the same, normalised and capped; −Inf without episodes and for a run that diverged
	Genes         []float64 // in force during the round, in the order of Plan.Genes
	Diverged      string
	Parent        int // the member whose state begins the next round: its own number, or a better member's
}

// New prepares the members; nothing moves before Run.
func New(cfg hyper.Config, plan Plan) (*Population, error) {
	if plan.Members < 2 || plan.Members > 1024 {
		return nil, fmt.Errorf("--members %d: must be 2 to 1024", plan.Members)
	}
	if plan.Every == 0 {
		return nil, errors.New("--every 0: must be 1 or more")
	}
	if cfg.Sharers > 0 && cfg.Sharers != plan.Members-1 {
		return nil, fmt.Errorf("sharers=%d in a population of %d: the members share one replay all together, or have one "+
			"each; set sharers=%d or sharers=0", cfg.Sharers, plan.Members, plan.Members-1)
	}
	if cfg.Sharers > 0 && cfg.Sharing != hyper.ShareSame {
		return nil, fmt.Errorf("sharing=%s in a population: its members differ in the settings that evolve; set sharing=%s",
			cfg.Sharing, hyper.ShareSame)
	}
	if cfg.Mode != hyper.Reference {
		return nil, fmt.Errorf("mode=%s in a population: its members wait for each other between rounds; set mode=reference",
			cfg.Mode)
	}
	p := &Population{cfg: cfg, plan: plan, rng: envs.NewRand(cfg.Seed, stream.Population)}
	if _, tasks, err := envs.Describe(cfg.World); err == nil {
		for _, t := range tasks {
			if !(t.Reference > t.Random) {
				return nil, fmt.Errorf("world=%s has no score to compare by: chance gets %g and solving it %g; choose another "+
					"world", t.World, t.Random, t.Reference)
			}
		}
	}
	for i, g := range plan.Genes {
		row, err := hyper.Lookup(g.Key)
		if err != nil {
			return nil, err
		}
		if !row.Hot || !row.Numeric() || row.Whole() {
			return nil, fmt.Errorf("%s cannot evolve: it must be a real number that may change during a run", g.Key)
		}
		if slices.ContainsFunc(plan.Genes[:i], func(other Gene) bool { return other.Key == g.Key }) {
			return nil, fmt.Errorf("%s is to evolve twice: name it once", g.Key)
		}
		if g.Low != 0 || g.High != 0 {
			if !(g.Low > 0 && g.Low <= g.High) {
				return nil, fmt.Errorf("%s begins between %g and %g: it must be two numbers above 0, the lower first",
					g.Key, g.Low, g.High)
			}
			g.Among = []float64{g.Low, g.High}
		}
		for _, v := range g.Among {
			if _, err := row.Parse(row.Format(v)); err != nil {
				return nil, err
			}
		}
		p.rows = append(p.rows, row)
	}
	if cells := plan.cells(); plan.Grid && cells != plan.Members {
		return nil, fmt.Errorf("--grid: the values of the genes make %d cells for %d members; set --members %[1]d",
			cells, plan.Members)
	}
	var cfgs []hyper.Config
	for i := range plan.Members {
		cfg, err := p.draw(i)
		if err != nil {
			return nil, err
		}
		cfgs = append(cfgs, cfg)
	}
	if err := p.add(cfgs); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// add makes the members.
func (p *Population) add(cfgs []hyper.Config) (err error) {
	engine := learner.Engine{Lower: graph.Lower}
	if p.cfg.Sharers > 0 {
		p.members, err = engine.NewGroup(cfgs)
		return err
	}
	for _, cfg := range cfgs {
		l, err := engine.New(cfg)
		if err != nil {
			return err
		}
		p.members = append(p.members, l)
	}
	return nil
}

// draw returns the configuration of the next member, with a seed and first hyperparameters of its own. member counts
// from 0.
func (p *Population) draw(member int) (hyper.Config, error) {
	cfg := p.cfg
	cfg.Seed = p.rng.Uint64() & math.MaxUint32
	cell := member
	for i, g := range p.plan.Genes {
		u := p.rng.Float64()
		value := cfg.Get(g.Key)
		switch {
		case p.plan.Grid:
			value = p.rows[i].Format(g.Among[cell%len(g.Among)])
			cell /= len(g.Among)
		case len(g.Among) > 0:
			value = p.rows[i].Format(g.Among[int(u*float64(len(g.Among)))])
		case g.Low > 0: // log x ~ U(log low, log high)
			value = p.rows[i].Format(g.Low * math.Pow(g.High/g.Low, u))
		}
		if err := cfg.Set(g.Key, value); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// Run trains jobs members at a time, round by round, until each has spent the budget or ctx ends, and calls heard after
// every round: the slice is the population's.
func (p *Population) Run(ctx context.Context, jobs int, heard func([]Standing)) error {
	for {
		until := p.plan.Every * uint64(len(p.rounds)+1)
		if err := p.train(ctx, jobs, until); err != nil {
			return err
		}
		last := p.cfg.Steps > 0 && until >= p.cfg.Steps
		now := p.stand()
		if !last && until >= p.plan.BurnIn {
			if err := p.evolve(now); err != nil {
				return err
			}
		}
		p.rounds = append(p.rounds, now)
		if heard != nil {
			heard(now)
		}
		if last {
			return nil
		}
	}
}

var errRoundOver = errors.New("the round is over")

// train brings every member to a number of steps. Members that share a replay take turns. Others share nothing, so the
// order in which they train does not matter.
func (p *Population) train(ctx context.Context, jobs int, until uint64) error {
	if p.cfg.Sharers > 0 {
		return learner.TrainInTurn(ctx, p.members, until)
	}
	errs := make([]error, len(p.members))
	var workers errgroup.Group
	workers.SetLimit(max(1, jobs))
	for i, member := range p.members {
		workers.Go(func() error {
			_, errs[i] = member.Run(ctx, learner.Hooks{Between: func(l *learner.Learner) error {
				if l.Steps() >= until {
					return errRoundOver
				}
				return nil
			}})
			if errors.Is(errs[i], errRoundOver) {
				errs[i] = nil
			}
			return nil
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

// stand returns the standing of every member.
func (p *Population) stand() []Standing {
	now := make([]Standing, len(p.members))
	for i, l := range p.members {
		s := Standing{Round: len(p.rounds), Member: i, Steps: l.Steps(), Return: l.Return100(), Fitness: l.Score(),
			Diverged: l.Diverged(), Parent: i}
		if l.Diverged() != "" || math.IsNaN(s.Fitness) {
			s.Fitness = math.Inf(-1)
		}
		for _, row := range p.rows {
			v, _ := row.Parse(l.Config().Get(row.Key)) // its own text
			s.Genes = append(s.Genes, v)
		}
		now[i] = s
	}
	return now
}

// Last is how the members stood after the last round; nil before the first.
func (p *Population) Last() []Standing {
	if len(p.rounds) == 0 {
		return nil
	}
	return p.rounds[len(p.rounds)-1]
}

// Ancestry returns the curve of a member: round by round, the result of the state that it has now, in whichever member
// that state was.
func (p *Population) Ancestry(member int) []Standing {
	line := make([]Standing, len(p.rounds))
	for r := len(p.rounds) - 1; r >= 0; r-- {
		if r < len(p.rounds)-1 {
			member = p.rounds[r][member].Parent
		}
		line[r] = p.rounds[r][member]
	}
	return line
}

// Close stops the members.
func (p *Population) Close() {
	for _, l := range p.members {
		l.Close()
	}
}
