package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"impalab/learner/evolve"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// Evolve trains a population that tunes its own hyperparameters (IMPALA appendix F).
type Evolve struct {
	runFlags
	Members int      `default:"8" help:"Members that train side by side." placeholder:"N"`
	Steps   string   `help:"Environment steps of each member. (the preset's, or 250000)" placeholder:"N"`
	Every   uint64   `default:"10000" help:"Steps of each member between two comparisons." placeholder:"N"`
	BurnIn  uint64   `default:"20000" help:"Steps of each member before the first comparison; with the budget or more, no member ever copies." placeholder:"N"`
	Genes   string   `default:"dmlab" enum:"dmlab,atari" help:"Settings that evolve without --gene: dmlab is lr, entropy and opt-eps (IMPALA table D.1), atari adds clip (table G.1)." placeholder:"SET"`
	Gene    []string `help:"Let a setting evolve: KEY from its own value, KEY=LOW..HIGH from a log-uniform draw, KEY=A|B|C from one of these. May be repeated." placeholder:"GENE"`
	Grid    bool     `help:"Start each member from one cell of the grid of all values KEY=A|B|C, not from random draws."`
	Jobs    int      `range:"1.." help:"Members trained at once (the number of cores); it changes no result." placeholder:"N"`
	JSON    bool     `help:"Print one JSON object a line: each member after each round; the last line is the result."`
}

func (Evolve) Help() string {
	return `After --every steps (IMPALA: after 5000 episodes of all) each member compares itself with a random other member. If
the other's score is better by more than 0.05 of the way from chance to solved, the member copies its parameters,
optimiser and settings. In both cases each evolving setting is then multiplied or divided by 1.2, with 33 % probability.

  impalab evolve --preset cartpole --seed 1
  impalab evolve --preset cartpole --gene lr=1e-5..1e-2 --gene entropy=1e-4..1e-1 --json
  impalab evolve --preset cartpole --gene lr=1e-5..1e-2 --burn-in 250000    # the same members without copying
  impalab evolve --preset lag-cliff --gene rho --gene lr                    # from the preset's own values
  impalab evolve --preset laser --set sharers=7 --set sharing=same          # eight members share one replay

The seed decides the members' seeds, their first values and all comparisons. At the end the best member's ancestry is
its real learning curve: the member that held its parameters in each round.`
}

func (e *Evolve) Run(ctx context.Context, prog *Program) error {
	cfg, plan, err := e.plan()
	if err != nil {
		return UsageError{err}
	}
	prog.warn(&cfg)
	p, err := evolve.New(cfg, plan)
	if err != nil {
		return UsageError{err}
	}
	defer p.Close()

	began := time.Now()
	live := progress{out: prog.Stderr, genes: plan.Genes}
	err = p.Run(ctx, atOnce(e.Jobs), func(round []evolve.Standing) {
		if e.JSON {
			for _, s := range round {
				printJSON(prog.Stdout, newStandingReport(plan.Genes, s))
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
			printJSON(prog.Stdout, report)
		} else {
			live.clear()
			report.print(prog.Stdout, plan.Genes, p)
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: a population has no stored state to continue from; run the command again to train it from "+
			"its start", ErrInterrupted)
	}
	return nil
}

// plan returns the configuration and the population that the flags ask for.
func (e *Evolve) plan() (cfg hyper.Config, plan evolve.Plan, err error) {
	plan = evolve.Plan{Members: e.Members, Every: e.Every, BurnIn: e.BurnIn, Grid: e.Grid, Genes: evolve.PaperGenes()}
	if e.Genes == "atari" {
		plan.Genes = evolve.AtariGenes()
	}
	if len(e.Gene) > 0 {
		if plan.Genes, err = parseGenes(e.Gene); err != nil {
			return cfg, plan, err
		}
	}
	if cfg, err = e.config(e.Steps); err == nil {
		runs := plan.Members
		if cfg.Sharers > 0 { // the cost of one run has them all
			runs = 1
		}
		err = affordable(&cfg, runs)
	}
	return cfg, plan, err
}

// parseGenes reads the values of --gene.
func parseGenes(list []string) (genes []evolve.Gene, err error) {
	for _, text := range list {
		g, err := parseGene(text)
		if err != nil {
			return nil, err
		}
		genes = append(genes, g)
	}
	return genes, nil
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

// standingReport describes a member after a round. The JSON keys never change their meaning.
type standingReport struct {
	Round    int                     `json:"round"`
	Member   int                     `json:"member"`
	Steps    uint64                  `json:"steps"`
	Return   trial.Number            `json:"return_mean_100"`
	Fitness  trial.Number            `json:"fitness"` // capped normalised score, or null
	Settings map[string]trial.Number `json:"settings"`
	Parent   int                     `json:"parent"` // the member whose state it takes into the next round
	Reason   string                  `json:"reason,omitempty"`
}

func newStandingReport(genes []evolve.Gene, s evolve.Standing) standingReport {
	r := standingReport{
		Round: s.Round, Member: s.Member, Steps: s.Steps,
		Return: trial.Number(s.Return), Fitness: trial.Number(s.Fitness),
		Settings: map[string]trial.Number{}, Parent: s.Parent, Reason: s.Diverged,
	}
	for i, g := range genes {
		r.Settings[g.Key] = trial.Number(s.Genes[i])
	}
	return r
}

// evolveReport is the result of a population.
type evolveReport struct {
	World    string           `json:"world"`
	Algo     string           `json:"algo"`
	Seed     uint64           `json:"seed"`
	Members  int              `json:"members"`
	Rounds   int              `json:"rounds"`
	Final    trial.Estimate   `json:"return_mean_100"` // over the members
	Best     int              `json:"best"`
	Ancestry []standingReport `json:"ancestry"` // of the best, round by round
	Diverged int              `json:"diverged"` // members, at the end
	Wall     float64          `json:"wall_s"`
}

func newEvolveReport(cfg *hyper.Config, genes []evolve.Gene, p *evolve.Population, wall time.Duration) evolveReport {
	last := p.Last()
	r := evolveReport{World: cfg.World, Algo: string(cfg.Algo), Seed: cfg.Seed, Members: len(last), Best: p.Best(),
		Wall: wall.Seconds()}
	var final []float64
	for _, s := range last {
		if !math.IsNaN(s.Return) {
			final = append(final, s.Return)
		}
		if s.Diverged != "" {
			r.Diverged++
		}
	}
	r.Final = trial.NewEstimate(final)
	for _, s := range p.Ancestry(r.Best) {
		r.Ancestry = append(r.Ancestry, newStandingReport(genes, s))
	}
	r.Rounds = len(r.Ancestry)
	return r
}

func (r *evolveReport) print(w io.Writer, genes []evolve.Gene, p *evolve.Population) {
	fmt.Fprint(w, standings(genes, p.Last(), false))
	fmt.Fprintf(w, "\nmember %d is the best; its ancestors:\n%s", r.Best, standings(genes, p.Ancestry(r.Best), true))
	fmt.Fprintf(w, "\n%d members of %s, seed %d: interquartile mean of the return %s (95 %% interval over members %s to "+
		"%s) in %.1f s, %d diverged\n",
		r.Members, r.World, r.Seed, r.Final.Mean, r.Final.Low, r.Final.High, r.Wall, r.Diverged)
}

// standings returns a table of members. rounds adds a column for the round.
func standings(genes []evolve.Gene, list []evolve.Standing, rounds bool) string {
	var text strings.Builder
	head := "MEMBER\tSTEPS\tRETURN\tFITNESS"
	if rounds {
		head = "ROUND\t" + head
	}
	for _, g := range genes {
		head += "\t" + strings.ToUpper(g.Key)
	}
	table(&text, head+"\tNEXT FROM", func(row func(...any)) {
		for _, s := range list {
			var cells []any
			if rounds {
				cells = append(cells, s.Round)
			}
			cells = append(cells, s.Member, s.Steps, trial.Number(s.Return), trial.Number(s.Fitness))
			for _, v := range s.Genes {
				cells = append(cells, trial.Number(v))
			}
			from := "itself"
			if s.Parent != s.Member {
				from = fmt.Sprintf("member %d", s.Parent)
			} else if s.Diverged != "" {
				from = "diverged"
			}
			row(append(cells, from)...)
		}
	})
	return text.String()
}

// progress shows a table of the members on a terminal. Elsewhere it does nothing.
type progress struct {
	out   io.Writer
	genes []evolve.Gene
	lines int
}

func (b *progress) show(round []evolve.Standing) {
	if !isTerminal(b.out) {
		return
	}
	b.clear()
	text := standings(b.genes, round, false)
	b.lines = strings.Count(text, "\n")
	fmt.Fprint(b.out, text)
}

// clear removes the table: it moves up by its lines, and clears the rest of the screen.
func (b *progress) clear() {
	if b.lines > 0 {
		fmt.Fprintf(b.out, "\x1b[%dA\x1b[J", b.lines)
		b.lines = 0
	}
}
