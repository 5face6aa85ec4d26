package main

// reproduce trains the variants of a phenomenon over seeds and prints the table: the figures of the results page come
// from here, and anyone can ask for them again.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"impalab/learner/hyper"
)

type reproduceCommand struct {
	Names []string `arg:"" optional:"" name:"name" help:"Phenomena to reproduce, or all; without one, list them."`
	Seeds string   `help:"Seeds to train, like 301-308 or 1,2,5." default:"301-308" placeholder:"LIST"`
	Jobs  int      `help:"Runs at once (the number of cores)." placeholder:"N"`
	JSON  bool     `help:"Print one JSON object a line, a variant each." name:"json"`
}

// Help teaches with examples.
func (reproduceCommand) Help() string {
	return `Train the settings that a paper's figure compares, over several seeds, and print them side by side.

Examples:

    impalab reproduce                        what there is
    impalab reproduce lag-cliff
    impalab reproduce long-unrolls --seeds 1-16
    impalab reproduce all --json

Figures are interquartile means over seeds with a 95 % bootstrap interval over seeds: the mean return of the last
100 episodes at the end, the same averaged over the run, and the environment steps until it reached what the world
calls solved, over the seeds that got there.`
}

// variantReport is one variant's line.
type variantReport struct {
	Phenomenon string  `json:"phenomenon"`
	Variant    string  `json:"variant"`
	Command    string  `json:"command"`
	Summary    summary `json:"summary"`
}

// Run reproduces what was named.
func (c *reproduceCommand) Run(ctx context.Context, m *Main) error {
	if len(c.Names) == 0 {
		return table(m.Stdout, "PHENOMENON\tRUNS\tWHAT THE PAPER SAYS\tPAPER", func(row func(...any)) {
			for i := range hyper.Phenomena {
				p := &hyper.Phenomena[i]
				row(p.Name, len(p.Variants), p.Claim, p.Paper)
			}
		})
	}
	seeds, err := parseSeeds(c.Seeds)
	if err != nil {
		return usageError{err}
	}
	var wanted []*hyper.Phenomenon
	for _, name := range c.Names {
		if name == "all" {
			for i := range hyper.Phenomena {
				wanted = append(wanted, &hyper.Phenomena[i])
			}
			continue
		}
		p, err := hyper.LookupPhenomenon(name)
		if err != nil {
			return usageError{err}
		}
		wanted = append(wanted, p)
	}
	jobs, err := atOnce(c.Jobs)
	if err != nil {
		return err
	}
	for _, p := range wanted {
		if err := c.reproduce(ctx, m, p, seeds, min(jobs, len(seeds))); err != nil {
			return err
		}
	}
	return nil
}

func (c *reproduceCommand) reproduce(ctx context.Context, m *Main, p *hyper.Phenomenon, seeds []uint64, jobs int) error {
	if !c.JSON {
		fmt.Fprintf(m.Stdout, "## %s\n\n%s (%s.) `impalab reproduce %s --seeds %s`, %s steps each.\n\n", p.Title, p.Claim, p.Paper, p.Name, c.Seeds, p.Budget)
		fmt.Fprintf(m.Stdout, "| | return at the end | over the run | solved | steps to solved | value bias | settings |\n|---|---|---|---|---|---|---|\n")
	}
	for i := range p.Variants {
		v := &p.Variants[i]
		cfg, err := p.Config(v)
		if err != nil {
			return err
		}
		if err := affordable(&cfg, jobs); err != nil {
			return usageError{err}
		}
		meter := newMeter(m.Stderr, cfg.Steps*uint64(len(seeds)), time.Now)
		began := time.Now()
		results, err := (&plan{cfg: cfg, seeds: seeds, jobs: jobs}).train(ctx, meter, func(runReport) {})
		meter.clear()
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			return err
		}
		r := variantReport{p.Name, v.Label, p.Command(v), summarise(cfg, results, time.Since(began), nil)}
		if err := c.line(m.Stdout, &r, v, len(seeds)); err != nil {
			return err
		}
	}
	if !c.JSON {
		fmt.Fprintln(m.Stdout)
	}
	return nil
}

func (c *reproduceCommand) line(out io.Writer, r *variantReport, v *hyper.Variant, seeds int) error {
	if c.JSON {
		return json.NewEncoder(out).Encode(r)
	}
	s := &r.Summary
	settings := v.Settings
	if settings == "" {
		settings = "the preset"
	}
	_, err := fmt.Fprintf(out, "| %s | %s | %s | %d of %d | %s | %s | %s |\n",
		v.Label, s.Final.words(), s.MeanRun.words(), s.Solved, seeds, s.ToSolved.words(), s.Bias.words(), "`"+strings.TrimSpace(settings)+"`")
	return err
}

// words is "mean [low, high]", or a dash.
func (e estimate) words() string {
	if math.IsNaN(float64(e.Mean)) {
		return "–"
	}
	return fmt.Sprintf("%s [%s, %s]", short(e.Mean), short(e.Low), short(e.High))
}

// short is three figures, thousands as k.
func short(n number) string {
	v := float64(n)
	if math.Abs(v) >= 10_000 {
		return fmt.Sprintf("%.1fk", v/1000)
	}
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
