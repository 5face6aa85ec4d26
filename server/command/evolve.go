package command

// evolve trains a population that tunes its own hyperparameters (IMPALA appendix F), and reports what each
// member achieved, with which values, and the ancestry of the best one.

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"impalab/learner/evolve"
	"impalab/learner/hyper"
)

type Evolve struct {
	runFlags
	Members int      `default:"8" help:"How many learn side by side." placeholder:"N"`
	Steps   string   `help:"Environment steps of each member. (the preset's, or 250000)" placeholder:"N"`
	Every   uint64   `default:"10000" help:"Steps of each member between two comparisons." placeholder:"N"`
	BurnIn  uint64   `default:"20000" help:"Steps of each member before the first comparison; the budget or more: nobody ever copies." placeholder:"N"`
	Genes   string   `default:"dmlab" enum:"dmlab,atari" help:"What evolves unless --gene says: dmlab is lr, entropy and opt-eps (IMPALA table D.1), atari those and clip (table G.1)." placeholder:"SET"`
	Gene    []string `help:"Let a setting evolve: KEY from its own value, KEY=LOW..HIGH from a log-uniform draw, KEY=A|B|C from one of these. May be repeated." placeholder:"GENE"`
	Jobs    int      `help:"Members trained at once (the number of cores); it changes no result." placeholder:"N"`
	JSON    bool     `help:"Print one JSON object a line: each member after each round; the last line is the result."`
}

// Help is printed under evolve --help.
func (Evolve) Help() string {
	return `Every so many steps (IMPALA: every 5000 episodes of all) each member looks at a random other one. When that
one's score is better by more than 0.05 of the way from chance to solved, the member copies its parameters,
optimiser and settings. Then, copied or not, each evolving setting is multiplied by 1.2 or divided by it, with
33 % probability.

  impalab evolve --preset cartpole --seed 1
  impalab evolve --preset cartpole --gene lr=1e-5..1e-2 --gene entropy=1e-4..1e-1 --json
  impalab evolve --preset cartpole --gene lr=1e-5..1e-2 --burn-in 250000    # the same members, left alone
  impalab evolve --preset lag-cliff --gene rho --gene lr                    # from the preset's own values

The seed decides everything: the members' seeds, their first values and who looks at whom.
At the end the best member's ancestry is its real learning curve: what it was in each round, in whichever member
that was.`
}

// Run evolves.
func (e *Evolve) Run(ctx context.Context, prog *Program) error {
	cfg, err := e.config(e.Steps)
	if err != nil {
		return err
	}
	plan := evolve.Plan{Members: e.Members, Every: e.Every, BurnIn: e.BurnIn, Genes: evolve.PaperGenes()}
	if e.Genes == "atari" {
		plan.Genes = evolve.AtariGenes()
	}
	if len(e.Gene) > 0 {
		plan.Genes = nil
		for _, text := range e.Gene {
			g, err := parseGene(text)
			if err != nil {
				return UsageError{err}
			}
			plan.Genes = append(plan.Genes, g)
		}
	}
	jobs, err := atOnce(e.Jobs)
	if err != nil {
		return err
	}
	prog.warn(&cfg)
	if err := affordable(&cfg, plan.Members); err != nil {
		return UsageError{err}
	}
	p, err := evolve.New(cfg, plan)
	if err != nil {
		return UsageError{err}
	}
	defer p.Close()

	began := time.Now()
	live := newProgress(prog.Stderr, plan.Genes)
	err = p.Run(ctx, jobs, func(round []evolve.Standing) {
		if e.JSON {
			for _, s := range round {
				(&reporter{out: prog.Stdout}).line(newStandingReport(plan.Genes, s))
			}
		} else {
			live.show(round)
		}
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	if last := p.Last(); last != nil {
		report := newEvolveReport(&cfg, plan.Genes, p, time.Since(began))
		if e.JSON {
			(&reporter{out: prog.Stdout}).line(report)
		} else {
			live.clear()
			report.print(prog.Stdout, plan.Genes, p)
		}
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	return nil
}

// parseGene reads KEY, KEY=LOW..HIGH or KEY=A|B|C.
func parseGene(text string) (g evolve.Gene, err error) {
	key, value, given := strings.Cut(text, "=")
	g.Key = strings.TrimSpace(key)
	row, err := hyper.Lookup(g.Key)
	if err != nil {
		return g, err
	}
	if !given {
		return g, nil
	}
	number := func(s string) (v float64) {
		if err == nil {
			if v, err = strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil || !(v > 0) || math.IsInf(v, 1) {
				err = fmt.Errorf("--gene %s: %q is not a number above 0; use %s, %s=LOW..HIGH or %s=A|B|C",
					text, s, row.Key, row.Key, row.Key)
			}
		}
		return v
	}
	if low, high, ok := strings.Cut(value, ".."); ok {
		g.Low, g.High = number(low), number(high)
		return g, err
	}
	for _, one := range strings.Split(value, "|") {
		g.Among = append(g.Among, number(one))
	}
	return g, err
}
