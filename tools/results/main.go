// Results makes the figures of RESULTS.md again.
//
//	go -C tools run ./results lag-cliff                  train a study, and replace its section in RESULTS.md
//	go -C tools run ./results grid-games --keep ../runs  ... so that it can be interrupted
//	go -C tools run ./results board/NAME                 ... and store the baselines of a track of the board
//	go -C tools run ./results costs                      measure the cost of studies that have none
//	go -C tools run ./results words                      write the words of all studies into RESULTS.md, and keep figures
//	go -C tools run ./results papers                     write docs/papers.md from learner/trial/papers.yaml
//	go -C tools run ./results corrections                write the figures of /corrections and of lessons' maps
//	go -C tools run ./results games                      write docs/minatar.md from the runs in docs/runs
//	go -C tools run ./results learned FILE               keep the agent of a snapshot for runs with init=learned
//	go -C tools run ./results strip FILE PICTURE         draw eight poses of the body of a snapshot's agent
//
// With board alone, it trains the baselines of all tracks.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/command"
)

type cli struct {
	command.Reproduce
	Source string `default:".." help:"Top folder of impalab's source." type:"existingdir"`
}

// Run trains the studies, and stores the table of each.
func (c *cli) Run(ctx context.Context, prog *command.Program) error {
	if slices.Equal(c.Names, []string{"papers"}) {
		return atomicfile.WriteFile(filepath.Join(c.Source, "docs/papers.md"), []byte(trial.PapersMarkdown()), 0o644)
	}
	if slices.Equal(c.Names, []string{"words"}) {
		return storeWords(c.Source)
	}
	if slices.Equal(c.Names, []string{"corrections"}) {
		return storeCorrections(c.Source)
	}
	if slices.Equal(c.Names, []string{"games"}) {
		return storeGames(c.Source)
	}
	if len(c.Names) == 2 && c.Names[0] == "learned" {
		return saveLearned(prog.Stdout, c.Names[1], c.Source)
	}
	if len(c.Names) == 3 && c.Names[0] == "strip" {
		return saveStrip(c.Names[1], c.Names[2])
	}
	if slices.Equal(c.Names, []string{"costs"}) {
		return storeCosts(ctx, c.Source)
	}
	c.Finished = func(t *trial.StudyTable) error { return store(t, c.Source) }
	c.Known = func(s *trial.Study, v *trial.Variant, seeds []uint64) ([]trial.Report, error) {
		return knownRuns(c.Source, s, v, seeds)
	}
	return c.Reproduce.Run(ctx, prog)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c cli
	parsed := kong.Parse(&c, kong.Name("results"), kong.BindTo(ctx, (*context.Context)(nil)))
	if err := parsed.Run(&command.Program{Stdout: os.Stdout, Stderr: os.Stderr}); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		stop()
		os.Exit(1)
	}
}
