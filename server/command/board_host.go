package command

// What the host of a board does: close a season.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	options.Guest = true
	kept, err := store.Open(ctx, options)
	if f.DatabaseURL == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return kept, err
}

// there is look for a command that needs a store.
func (f *boardFlags) there(ctx context.Context, prog *Program) (*store.Store, error) {
	kept, err := f.look(ctx, prog)
	if kept == nil && err == nil {
		err = missing(fmt.Errorf("the folder %s holds no database; name the server's data folder with --data", f.Data))
	}
	return kept, err
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
	there, err := (&boardFlags{keptFlags: c.keptFlags}).there(ctx, prog)
	if err == nil {
		err = there.Close()
	}
	if err != nil {
		return err
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
	ended, err := board.EndSeasons(ctx, kept, time.Now())
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
