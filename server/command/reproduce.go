package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/board"
)

// Reproduce trains the variants of a study over seeds and prints their table.
type Reproduce struct {
	Names []string `arg:"" optional:"" name:"name" help:"Studies to reproduce, or all; without a name, list them."`
	Seeds string   `help:"Seeds to train, like 301-308 or 1,2,5. (the table's own)" placeholder:"LIST"`
	Jobs  int      `range:"1.." help:"Runs at once. (the number of cores)" placeholder:"N"`
	JSON  bool     `help:"Print one JSON object a line, for each variant." name:"json"`
	Plot  string   `help:"Draw the study's chart into this .svg or .png; without a chart of its own, the curves of its rows." placeholder:"FILE"`
	Keep  string   `help:"Store finished and interrupted runs in this folder, and continue from those in it that this build stored." placeholder:"FOLDER"`

	// Finished receives each table when all of its rows are trained, with EveryRun after each row; nil: nothing does.
	Finished func(*trial.StudyTable) error `kong:"-"`
	// Known returns the runs of a row that need not be trained; nil: there are none.
	Known func(*trial.Study, *trial.Variant, []uint64) ([]trial.Report, error) `kong:"-"`
}

func (Reproduce) Help() string {
	return `Trains the settings that a figure of a paper compares, over several seeds, and prints them side by side.

Examples:

    impalab reproduce                        # list the studies
    impalab reproduce lag-cliff
    impalab reproduce long-unrolls --seeds 1-16
    impalab reproduce grid-games --keep runs
    impalab reproduce lag-cliff --plot cliff.svg
    impalab reproduce all --json
    impalab reproduce board                  # the baselines of all tracks
    impalab reproduce board/late-pole        # the baselines of one track

Figures are interquartile means over seeds with a 95 % bootstrap interval over seeds: the mean return of the last
100 episodes at the end, the same averaged over the run, and the value of the final policy, greedy and drawn. Steps
until the return first reached the world's solved threshold are a median over all seeds. A seed that never reached it
counts as infinitely slow. If a study changes settings on the way, a column has the return at a moment. A run fell if
its return was below 100 within 60 000 steps of the first change. It is down once the mean of its last ten episodes is
below 30. It got up if its return passed 300 again within 145 000 steps of the last change.`
}

// Studies returns all studies that reproduce trains, in the order of RESULTS.md: the studies of the papers, then
// the baselines of each track.
func Studies() (all []*trial.Study) {
	for i := range trial.Studies() {
		all = append(all, &trial.Studies()[i])
	}
	return append(all, boardStudies()...)
}

func boardStudies() (all []*trial.Study) {
	for _, t := range board.Own().All {
		s := t.Study()
		all = append(all, &s)
	}
	return all
}

// studiesNamed returns the studies that a name means. Its error suggests the nearest name.
func studiesNamed(name string) ([]*trial.Study, error) {
	switch name {
	case "all":
		return Studies(), nil
	case board.StudyName:
		return boardStudies(), nil
	}
	if track, of := strings.CutPrefix(name, board.StudyName+"/"); of {
		t, err := board.Own().Find(track)
		if err != nil {
			return nil, err
		}
		s := t.Study()
		return []*trial.Study{&s}, nil
	}
	s, err := trial.LookupStudy(name)
	return []*trial.Study{s}, err
}

func (c *Reproduce) Run(ctx context.Context, prog *Program) error {
	if len(c.Names) == 0 {
		listStudies(prog.Stdout)
		return nil
	}
	var wanted []*trial.Study
	for _, name := range c.Names {
		studies, err := studiesNamed(name)
		if err != nil {
			return UsageError{err}
		}
		wanted = append(wanted, studies...)
	}
	if c.Plot != "" {
		if len(wanted) > 1 {
			return UsageError{fmt.Errorf("--plot %q: takes one study, not %d; name one", c.Plot, len(wanted))}
		}
		if err := plottable(c.Plot, 1); err != nil { // every study has a budget
			return UsageError{err}
		}
	}
	for _, s := range wanted {
		if err := c.reproduce(ctx, prog, s); err != nil {
			return err
		}
	}
	return nil
}

// listStudies prints each study's name and cost, the paper's words, our test, and the verdict.
func listStudies(w io.Writer) {
	for _, s := range Studies() {
		cost, _ := s.Cost() // a test reads every study
		fmt.Fprintf(w, "%s, %d rows, %s\n", s.Name, len(s.Variants), cost)
		for _, line := range s.Claims() {
			fmt.Fprintln(w, wrapped(line, "    ", 100))
		}
	}
}

// reproduce trains one study and prints each row when it is trained.
func (c *Reproduce) reproduce(ctx context.Context, prog *Program, s *trial.Study) error {
	t := &trial.StudyTable{Study: s, Seeds: c.Seeds}
	if c.Seeds == "" {
		t.Seeds = s.SeedList()
	}
	seeds, err := seedList(t.Seeds)
	if err != nil {
		return UsageError{err}
	}
	printed := ""
	show := func(text string) {
		if printed += text; !c.JSON {
			fmt.Fprint(prog.Stdout, text)
		}
	}
	show(t.Head())
	for i := range s.Variants {
		r, err := c.variant(ctx, prog, s, &s.Variants[i], seeds)
		if err != nil {
			return err
		}
		if c.JSON {
			printJSON(prog.Stdout, r)
		}
		show(t.Line(r))
		t.Rows = append(t.Rows, r)
		if c.Finished != nil && (s.EveryRun || i == len(s.Variants)-1) {
			if err := c.Finished(t); err != nil {
				return err
			}
		}
	}
	show(t.Ending(printed))
	if c.Plot != "" {
		return DrawStudy(c.Plot, t)
	}
	return nil
}

// variant trains one row of the table.
func (c *Reproduce) variant(ctx context.Context, prog *Program, s *trial.Study, v *trial.Variant,
	seeds []uint64) (*trial.StudyRow, error) {
	cfg, err := s.Config(v)
	if err != nil {
		return nil, err
	}
	r := &trial.StudyRow{Phenomenon: s.Name, Label: v.Label, Command: commandFor(s, v), Variant: v}
	beside := fmt.Sprint(s.Episodes, v.Turns, v.Mend, s.Moments, s.Falls, s.Population, s.Members, s.Grid, v.Alone,
		s.Quantities)
	if s.Thin { // runs that older builds stored keep their names
		beside += " thin"
	}
	kept, err := newKeeper(c.Keep, s.Name+", "+v.Label, beside, prog.Stderr)
	if err != nil {
		return nil, UsageError{err}
	}
	if s.Population != "" {
		r.Population, err = populations(ctx, kept, s, v, cfg, seeds, atOnce(c.Jobs))
		return r, err
	}
	run := &trial.Trial{Config: cfg, Seeds: seeds, Jobs: min(atOnce(c.Jobs), len(seeds)), Falls: s.Falls, Thin: s.Thin,
		Quantities: s.Quantities}
	if err := affordable(&cfg, run.Jobs); err != nil {
		return nil, UsageError{err}
	}
	if run.Script, err = s.Script(v); err != nil {
		return nil, err
	}
	if s.Episodes > 0 {
		run.Finish = trial.Evaluate(s.Episodes)
	}
	began := time.Now()
	if c.Known != nil {
		if r.Runs, err = c.Known(s, v, seeds); err != nil {
			return nil, err
		}
	}
	if r.Runs == nil {
		if r.Runs, err = kept.train(ctx, prog, run); err != nil {
			return nil, err
		}
	}
	summary := trial.Summarise(cfg, r.Runs, time.Since(began), nil)
	r.Summary = &summary
	if s.Episodes > 0 {
		e := trial.SummariseEvaluations(r.Runs)
		r.Evaluation = &e
	}
	if run.Script != nil {
		t := trial.SummariseTurned(r.Runs)
		r.Turned = &t
	}
	if s.Quantities != nil {
		r.Spreads = trial.SummariseSpreads(r.Runs)
	}
	if s.Falls {
		f := trial.SummariseFalls(r.Runs)
		r.Falls = &f
	}
	return r, nil
}

// commandFor returns the command line that trains one variant alone.
func commandFor(s *trial.Study, v *trial.Variant) string {
	preset, changes := s.Changes(v)
	command := "impalab train"
	switch {
	case s.Population != "":
		command = "impalab evolve"
	case s.Episodes > 0:
		command = "impalab eval"
	}
	command += " --preset " + preset + " --steps " + s.Budget
	for _, change := range changes {
		command += " --set " + change.Key + "=" + change.Value
	}
	turns, _ := hyper.ParsePlan(v.Turns) // a test parses the turns of every study
	for _, t := range turns {
		command += " --turn " + t.String()
	}
	for _, gene := range strings.Fields(s.Population) {
		command += " --gene " + gene
	}
	if v.Alone {
		command += " --burn-in " + s.Budget
	}
	if s.Members > 0 {
		command += fmt.Sprint(" --members ", s.Members)
	}
	if s.Grid {
		command += " --grid"
	}
	return command
}
