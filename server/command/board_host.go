package command

// What a board's host does: audit what was trained, and close a season.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"time"

	"impalab/server/board"
	"impalab/server/store"
)

// boardFlags say where a server's board is.
type boardFlags struct {
	keptFlags
	trackFlags
}

// look opens the store for looking only, beside a server or without one; nil: there is none yet.
func (f *boardFlags) look(ctx context.Context, prog *Program) (*store.Store, error) {
	options := f.options(prog)
	options.ReadOnly = true
	kept, err := store.Open(ctx, options)
	if f.DatabaseURL == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return kept, err
}

// BoardAudit trains again.
type BoardAudit struct {
	boardFlags
	Track string `arg:"" optional:"" help:"Track whose entries are audited; without it all." placeholder:"TRACK"`
	Times int    `default:"1" help:"How many seeds are trained again." placeholder:"N"`
	arithmeticFlags
}

// Help is printed under board audit --help.
func (BoardAudit) Help() string {
	return `Picks an entry and one of its seeds by chance, trains it from zero and compares the parameters with those that were
kept. Secret seeds take part where the data folder has their season's key; they are not shown. Another result is an
alarm: somebody has changed the store, or this program or the machine computes something else. It exits with 3 then.

  impalab board audit --data /srv/lab --times 5      # from cron, beside the running server`
}

// Run audits.
func (c *BoardAudit) Run(ctx context.Context, prog *Program) error {
	if c.Times < 1 || c.Times > 10_000 {
		return UsageError{fmt.Errorf("--times %d: want a whole number from 1 to 10000", c.Times)}
	}
	done, err := c.compute()
	if err != nil {
		return err
	}
	defer done()
	tracks, err := c.load(prog.Stderr)
	if err != nil {
		return err
	}
	if c.Track != "" {
		if _, err := tracks.Find(c.Track); err != nil {
			return UsageError{err}
		}
	}
	kept, err := c.look(ctx, prog)
	if err != nil {
		return err
	}
	if kept == nil {
		return fmt.Errorf("there is no store in %s: name the server's data folder with --data", c.Data)
	}
	defer kept.Close()
	chance := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) // nobody may know what is audited next
	differ := 0
	for range c.Times {
		a, err := board.AuditOne(ctx, kept, tracks, c.Data, c.Track, chance)
		if ctx.Err() != nil {
			return ErrInterrupted
		}
		if err != nil {
			return err
		}
		what := strings.TrimSpace(fmt.Sprintf("%s %s, seed %s %s", a.Track, a.Entry, a.Seed, a.Settings))
		if a.Same() {
			fmt.Fprintf(prog.Stdout, "the same bytes: %s\n", what)
			continue
		}
		differ++
		fmt.Fprintf(prog.Stdout, "ALARM: %s\n  kept %s\n  now  %s\n", what, a.Kept, a.Now)
	}
	if differ > 0 {
		return fmt.Errorf("%d of %d audits: %w", differ, c.Times, errDiffers)
	}
	return nil
}

// BoardClose closes.
type BoardClose struct{ keptFlags }

// Help is printed under board close --help.
func (BoardClose) Help() string {
	return `Closes the season that is going on before its date: nothing is handed in to it any more. When all of it is trained,
which the server does, its key and its seeds are told on the board, for ever. The next season begins with the next
entry. The server must be stopped meanwhile.`
}

// Run closes the season.
func (c *BoardClose) Run(ctx context.Context, prog *Program) (err error) {
	// Opened for writing, a folder that is named wrongly would be made.
	there, err := (&boardFlags{keptFlags: c.keptFlags}).look(ctx, prog)
	switch {
	case there != nil:
		there.Close()
	case err == nil:
		return fmt.Errorf("there is no store in %s: name the server's data folder with --data", c.Data)
	}
	kept, err := store.Open(ctx, c.options(prog))
	if errors.Is(err, store.ErrHeld) {
		return fmt.Errorf("%w; stop that server, close the season, and start it again", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	number, err := board.CloseSeason(ctx, kept, time.Now())
	if err != nil {
		return err
	}
	if number == 0 {
		return errors.New("no season is going on: the next begins with the first entry")
	}
	ended, err := board.EndSeasons(ctx, kept, c.Data, time.Now())
	if err != nil {
		return fmt.Errorf("season %d is closed, and cannot end: %w", number, err)
	}
	if len(ended) > 0 {
		fmt.Fprintf(prog.Stdout, "season %d is over: its key and its seeds are told on the board\n", number)
		return nil
	}
	fmt.Fprintf(prog.Stdout, "season %d is closed; its seeds are told when the server has trained all of it\n", number)
	return nil
}
