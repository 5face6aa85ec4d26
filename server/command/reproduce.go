package command

// reproduce trains the variants of a phenomenon over seeds and prints the table: the results page is made of what it
// prints, and anyone can ask for it again.

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"impalab/learner/evolve"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/board"
	"impalab/server/exercise"
	"impalab/web/lesson"
)

type Reproduce struct {
	Names  []string `arg:"" optional:"" name:"name" help:"Phenomena to reproduce, or all; without one, list them."`
	Seeds  string   `help:"Seeds to train, like 301-308 or 1,2,5. (the table's own)" placeholder:"LIST"`
	Jobs   int      `help:"Runs at once (the number of cores)." placeholder:"N"`
	JSON   bool     `help:"Print one JSON object a line, a variant each." name:"json"`
	Keep   string   `help:"Hold finished runs in this folder, and take those of this build from it." placeholder:"FOLDER"`
	Update string   `help:"Write the section into this file, and its curves into docs/plots beside it." placeholder:"FILE"`
}

// Help teaches with examples.
func (Reproduce) Help() string {
	return `Train the settings that a paper's figure compares, over several seeds, and print them side by side.

Examples:

    impalab reproduce                        # what there is
    impalab reproduce lag-cliff
    impalab reproduce long-unrolls --seeds 1-16
    impalab reproduce grid-games --keep runs --update RESULTS.md
    impalab reproduce all --json
    impalab reproduce board                  # the baselines of all tracks; or board/late-pole, of one
    impalab reproduce class                  # every known answer to the exercises of a class; or class/by-hand, to one
    impalab reproduce lessons                # every figure of the lessons; or lessons/late, of one

Figures are interquartile means over seeds with a 95 % bootstrap interval over seeds: the mean return of the last
100 episodes at the end, the same averaged over the run, and what the policy at the end is worth, greedy and drawn.
Steps until the return first reached what the world calls solved are a median over all seeds, one that never did so
counted as for ever. Where settings are turned on the way, a column has the return at a moment; a run fell whose
return was below 100 within 60 000 steps of the first turn, it is down once the mean of its last ten episodes is below
30, and it got up if its return passed 300 again within 145 000 steps of the last turn.`
}

// variantReport is one variant's line.
type variantReport struct {
	Phenomenon string                   `json:"phenomenon"`
	Variant    string                   `json:"variant"`
	Command    string                   `json:"command"`
	Summary    *trial.Summary           `json:"summary,omitempty"`
	Evaluation *trial.EvaluationSummary `json:"evaluation,omitempty"`
	Population *populationSummary       `json:"population,omitempty"`
	Turned     *trial.TurnedSummary     `json:"turned,omitempty"`
	Falls      *trial.FallsSummary      `json:"falls,omitempty"`

	of   *trial.Variant
	runs []trial.Report
}

// populationSummary is what several populations say together.
type populationSummary struct {
	Seeds   []uint64       `json:"seeds"`
	Members trial.Estimate `json:"members"` // the interquartile mean of a population's members
	Best    trial.Estimate `json:"best"`    // its fittest member
}

// Run reproduces what was named.
func (c *Reproduce) Run(ctx context.Context, prog *Program) error {
	if len(c.Names) == 0 {
		listStudies(prog.Stdout)
		return nil
	}
	var wanted []*trial.Study
	var taught []*lesson.Lesson
	var set []*exercise.Exercise
	for _, name := range c.Names {
		exercises, err := exercisesNamed(name)
		if err != nil {
			return UsageError{err}
		}
		if exercises != nil {
			set = append(set, exercises...)
			continue
		}
		lessons, err := lessonsNamed(name)
		if err != nil {
			return UsageError{err}
		}
		if lessons != nil {
			taught = append(taught, lessons...)
			continue
		}
		if name == "all" {
			wanted = append(wanted, studies()...)
			continue
		}
		if name == board.StudyName {
			for _, t := range board.Own().All {
				s := t.Study()
				wanted = append(wanted, &s)
			}
			continue
		}
		p, err := lookupStudy(name)
		if err != nil {
			return UsageError{err}
		}
		wanted = append(wanted, p)
	}
	jobs, err := atOnce(c.Jobs)
	if err != nil {
		return err
	}
	if c.Update != "" {
		if err := updatable(c.Update); err != nil {
			return UsageError{err}
		}
	}
	for _, p := range wanted {
		if err := c.reproduce(ctx, prog, p, jobs); err != nil {
			return err
		}
	}
	if set != nil {
		if err := c.class(ctx, prog, set, jobs); err != nil {
			return err
		}
	}
	if taught != nil {
		return c.lessons(ctx, prog, taught, jobs)
	}
	return nil
}

// listStudies prints what there is to reproduce: each name with what the paper says, what we test, and the verdict.
func listStudies(w io.Writer) {
	for _, s := range studies() {
		fmt.Fprintf(w, "%s, %d rows\n", s.Name, len(s.Variants))
		for _, line := range claims(s) {
			fmt.Fprintln(w, wrapped(line, "    ", 100))
		}
	}
}

func (c *Reproduce) reproduce(ctx context.Context, prog *Program, p *trial.Study, jobs int) error {
	list := c.Seeds
	if list == "" {
		list = p.SeedList()
	}
	seeds, err := seedList(list)
	if err != nil {
		return UsageError{err}
	}
	page := section{of: p, seeds: list}
	if !c.JSON {
		fmt.Fprint(prog.Stdout, page.head())
	}
	for i := range p.Variants {
		r, err := c.variant(ctx, prog, p, &p.Variants[i], seeds, jobs)
		if err != nil {
			return err
		}
		if c.JSON {
			(&reporter{out: prog.Stdout}).line(r)
		} else {
			fmt.Fprint(prog.Stdout, page.row(r))
		}
		page.rows = append(page.rows, r)
	}
	if !c.JSON {
		fmt.Fprint(prog.Stdout, page.foot())
	}
	if c.Update == "" {
		return nil
	}
	if err := page.draw(filepath.Join(filepath.Dir(c.Update), plotFolder)); err != nil {
		return err
	}
	if err := page.keepRows(filepath.Join(filepath.Dir(c.Update), board.Measured)); err != nil {
		return err
	}
	return page.update(c.Update)
}

// variant trains one line of the table.
func (c *Reproduce) variant(
	ctx context.Context, prog *Program, p *trial.Study, v *trial.Variant, seeds []uint64, jobs int,
) (*variantReport, error) {
	cfg, err := p.Config(v)
	if err != nil {
		return nil, err
	}
	r := &variantReport{Phenomenon: p.Name, Variant: v.Label, Command: commandFor(p, v), of: v}
	if p.Population != "" {
		r.Population, err = populations(ctx, p, v, cfg, seeds, jobs)
		return r, err
	}
	run := &trial.Trial{Config: cfg, Seeds: seeds, Jobs: min(jobs, len(seeds)), Falls: p.Falls}
	if err := affordable(&cfg, run.Jobs); err != nil {
		return nil, UsageError{err}
	}
	if run.Script, err = p.Script(v); err != nil {
		return nil, err
	}
	if run.Kept, err = newKeeper(c.Keep, fmt.Sprint(p.Episodes, v.Turns, v.Mend, p.Moments, p.Falls)); err != nil {
		return nil, UsageError{err}
	}
	if p.Episodes > 0 {
		run.Finish = trial.Evaluate(p.Episodes)
	}
	meter := newMeter(prog.Stderr, run.Budget(), time.Now)
	run.Hooks = meter.hooks
	began := time.Now()
	r.runs, err = run.Run(ctx, func(trial.Report) {})
	meter.clear()
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	s := trial.Summarise(cfg, r.runs, time.Since(began), nil)
	r.Summary = &s
	if p.Episodes > 0 {
		e := trial.SummariseEvaluations(r.runs)
		r.Evaluation = &e
	}
	if run.Script != nil {
		t := trial.SummariseTurned(r.runs)
		r.Turned = &t
	}
	if p.Falls {
		f := trial.SummariseFalls(r.runs)
		r.Falls = &f
	}
	return r, nil
}

// commandFor is what to type to train one variant alone.
func commandFor(p *trial.Study, v *trial.Variant) string {
	preset, changes := p.Changes(v)
	command := "impalab train"
	switch {
	case p.Population != "":
		command = "impalab evolve"
	case p.Episodes > 0:
		command = "impalab eval"
	}
	command += " --preset " + preset + " --steps " + p.Budget
	for _, s := range changes {
		command += " --set " + s.Key + "=" + s.Value
	}
	if turns, _ := hyper.ParseTurns(v.Turns); len(turns) > 0 { // the study's own test has read them
		for _, t := range turns {
			command += " --turn " + t.String()
		}
	}
	for _, gene := range strings.Fields(p.Population) {
		command += " --gene " + gene
	}
	if v.Alone {
		command += " --burn-in " + p.Budget
	}
	return command
}

// populations trains one for each seed, with evolve's own members and rounds.
func populations(
	ctx context.Context, p *trial.Study, v *trial.Variant, cfg hyper.Config, seeds []uint64, jobs int,
) (*populationSummary, error) {
	how := evolve.Plan{Members: 8, Every: 10_000, BurnIn: 20_000}
	if v.Alone {
		how.BurnIn = cfg.Steps
	}
	for _, text := range strings.Fields(p.Population) {
		g, err := parseGene(text)
		if err != nil {
			return nil, err
		}
		how.Genes = append(how.Genes, g)
	}
	var members, best []float64
	for _, seed := range seeds {
		cfg.Seed = seed
		returns, fittest, err := evolved(ctx, cfg, how, jobs)
		if err != nil {
			return nil, err
		}
		members, best = append(members, trial.InterquartileMean(returns)), append(best, fittest)
	}
	return &populationSummary{seeds, trial.NewEstimate(members), trial.NewEstimate(best)}, nil
}

// evolved is the members' returns at the end, and that of the fittest.
func evolved(
	ctx context.Context, cfg hyper.Config, how evolve.Plan, jobs int,
) (returns []float64, fittest float64, err error) {
	p, err := evolve.New(cfg, how)
	if err != nil {
		return nil, 0, err
	}
	defer p.Close()
	err = p.Run(ctx, jobs, func([]evolve.Standing) {})
	switch {
	case ctx.Err() != nil:
		return nil, 0, ErrInterrupted
	case err != nil:
		return nil, 0, err
	}
	for _, s := range p.Last() {
		if !math.IsNaN(s.Return) {
			returns = append(returns, s.Return)
		}
	}
	return returns, p.Last()[p.Best()].Return, nil
}
