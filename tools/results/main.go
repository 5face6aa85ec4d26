// Results makes the figures of RESULTS.md, of the lessons and of the exercises again.
//
//	go -C tools run ./results lag-cliff                  train a study, and replace its section in RESULTS.md
//	go -C tools run ./results grid-games --keep ../runs  ... so that it can be interrupted
//	go -C tools run ./results board/NAME                 ... and store the baselines of a track of the board
//	go -C tools run ./results lessons/late               compare every figure of a lesson with a new measurement
//	go -C tools run ./results class/by-hand              judge the known answers to an exercise again
//
// Without a slash, lessons, class and board mean all of them. Exit code 1 says that a figure differs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/server/command"
)

type cli struct {
	command.Reproduce
	Source string `default:".." help:"Top folder of impalab's source." type:"existingdir"`
}

// errDiffers says that a measurement differs from a stored figure. The lines that differ were printed.
var errDiffers = errors.New("some figures differ from the measurement; see DIFFERS above")

// Run divides the names between the studies, the lessons and the exercises.
func (c *cli) Run(ctx context.Context, prog *command.Program) error {
	var studies []string
	for _, name := range c.Names {
		kind, one, _ := strings.Cut(name, "/")
		var err error
		switch kind {
		case "lessons":
			err = compareLessons(ctx, prog.Stdout, one, c.Jobs)
		case "class":
			err = judgeKnownAnswers(ctx, prog.Stdout, one, c.Jobs)
		default:
			studies = append(studies, name)
		}
		if err != nil {
			return err
		}
	}
	if len(studies) == 0 && len(c.Names) > 0 {
		return nil
	}
	c.Names = studies
	c.Finished = func(t *command.StudyTable) error { return store(t, c.Source) }
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
