package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/command"
)

// sample is the processor time for which a row is measured, in seconds.
const sample = 0.3

// storeCosts measures the studies without a cost and writes the costs of all studies. A study that stores its runs
// costs the seconds that they took.
func storeCosts(ctx context.Context, source string) error {
	file := filepath.Join(source, "learner/trial/costs.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	old := map[string]float64{}
	if err := yaml.Unmarshal(text, &old); err != nil {
		return err
	}
	seconds := map[string]float64{}
	for _, s := range command.Studies() {
		if s.EveryRun {
			if seconds[s.Name], err = spentOn(source, s); err != nil {
				return err
			}
		} else if seconds[s.Name] = old[s.Name]; old[s.Name] == 0 {
			if seconds[s.Name], err = costOf(ctx, s); err != nil {
				return err
			}
			fmt.Printf("%s: %.3g s\n", s.Name, seconds[s.Name])
		}
	}
	var head, rows strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			head.WriteString(line)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seconds)) {
		fmt.Fprintf(&rows, "%s: %.3g\n", name, seconds[name])
	}
	return atomicfile.WriteFile(file, []byte(head.String()+rows.String()), 0o644)
}

// spentOn returns the wall-clock seconds that the stored runs of a study took, each on one core.
func spentOn(source string, s *trial.Study) (seconds float64, err error) {
	runs, err := readRuns(source, s)
	for i := range runs {
		seconds += runs[i].Report.Wall
	}
	return seconds, err
}

// costOf estimates the processor seconds of a study: each of its rows trains for a moment, and the rest of its steps
// cost as much. Evaluations are not counted.
func costOf(ctx context.Context, s *trial.Study) (seconds float64, err error) {
	seeds, err := trial.ParseSeeds(s.SeedList())
	if err != nil {
		return 0, err
	}
	runs := float64(len(seeds))
	if s.Population != "" {
		runs *= float64(cmp.Or(s.Members, trial.PopulationMembers))
	}
	for i := range s.Variants {
		cfg, err := s.Config(&s.Variants[i])
		if err != nil {
			return 0, err
		}
		if s.Population != "" {
			cfg.Sharers = 0 // the members are counted
		}
		perStep, err := costOfStep(ctx, cfg)
		if err != nil {
			return 0, err
		}
		seconds += perStep * float64(cfg.Steps) * runs
	}
	return seconds, nil
}

var errMeasured = errors.New("measured")

func costOfStep(ctx context.Context, cfg hyper.Config) (float64, error) {
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	cpu := trial.StartCPU()
	spent := math.NaN()
	_, err = l.Run(ctx, learner.Hooks{Between: func(*learner.Learner) error {
		if now := cpu(); now == nil {
			return errors.New("this system does not tell the processor time")
		} else if spent = *now; spent > sample {
			return errMeasured
		}
		return nil
	}})
	if err != nil && !errors.Is(err, errMeasured) {
		return 0, err
	}
	return spent / float64(l.Steps()), nil
}
