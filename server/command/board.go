package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"impalab/learner/trial"
	"impalab/server/board"
	"impalab/server/site"
	"impalab/server/store"
)

// trackFlags name tracks besides those in the program.
type trackFlags struct {
	Tracks string `help:"Folder with more tracks, a .yaml file each." placeholder:"DIR"`
}

// tracks reads the tracks. It logs mistakes in a track's file, and leaves that track out.
func (f *trackFlags) tracks(log *slog.Logger) (*board.Tracks, error) {
	tracks, err := board.Load(f.Tracks)
	if err != nil {
		return nil, usagef("--tracks %w; name a folder of .yaml files", Named(err))
	}
	for _, fault := range tracks.Faults {
		log.Warn("a file of the board has a mistake and is left out", "error", fault)
	}
	return tracks, nil
}

// find reads the tracks and returns the named one.
func (f *trackFlags) find(prog *Program, name string) (*board.Track, error) {
	tracks, err := f.tracks(prog.warnings())
	if err != nil {
		return nil, err
	}
	t, err := tracks.Find(name)
	if err != nil {
		return nil, missing(err)
	}
	return t, nil
}

// Board has the commands for tracks.
type Board struct {
	List   BoardTracks `cmd:"" name:"tracks" help:"List the tracks, or show one with all settings that may differ."`
	Try    BoardTry    `cmd:"" help:"Train a configuration on a track, on this machine, and print its row."`
	Export BoardExport `cmd:"" help:"Write the board as static pages."`
	Close  BoardClose  `cmd:"" help:"Close the current season."`
}

// BoardTracks lists the tracks.
type BoardTracks struct {
	Name string `arg:"" optional:"" help:"Track to show in full." placeholder:"TRACK"`
	dataFlags
	trackFlags
}

func (c *BoardTracks) Run(prog *Program) error {
	if c.Name == "" {
		tracks, err := c.tracks(prog.warnings())
		if err != nil {
			return err
		}
		return table(prog.Stdout, "TRACK\tSTEPS\tMAY DIFFER\tDESCRIPTION", func(row func(...any)) {
			for _, t := range tracks.All {
				row(t.Name, t.Start.Steps, fmt.Sprint(len(t.Keys), " settings"), t.Sentence)
			}
		})
	}
	t, err := c.find(prog, c.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(prog.Stdout, "%s\n%s\n\n", t.Title, t.Sentence)
	start := "the preset " + t.Preset
	for _, s := range t.Fixed {
		start += " " + s.Key + "=" + s.Value
	}
	fmt.Fprintf(prog.Stdout, "Start: %s, %s steps. Score: %s. Public seeds: %s; a season has %d secret ones.\n\n", start,
		trial.Spaced(fmt.Sprint(t.Start.Steps)), board.MeanOverRun, t.Seeds.Public, t.Secret)
	err = table(prog.Stdout, "MAY DIFFER\tSTART\tALLOWED", func(row func(...any)) {
		for i := range t.Keys {
			k := &t.Keys[i]
			row(k.Row.Key, t.Start.Get(k.Row.Key), k.Allowed())
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(prog.Stdout)
	return printRows(prog.Stdout, board.RankRows(t.Rows()))
}

// BoardTry trains a configuration.
type BoardTry struct {
	Track string `arg:"" help:"Track to train on; see board tracks." placeholder:"TRACK"`
	setFlag
	Jobs int  `range:"1.." help:"Seeds trained at once (the number of cores); it changes no result." placeholder:"N"`
	JSON bool `help:"Print the row as one JSON object."`

	Seeds  string `help:"Train on these seeds instead of the track's public ones, like 7,11-14; at least 8." placeholder:"LIST"`
	Secret bool   `help:"Train on this server's secret seeds, as the server does for the rank; the seeds are not shown."`
	Season int    `help:"Season of the secret seeds; without it the newest." placeholder:"N"`
	dataFlags
	trackFlags
	arithmeticFlags
}

func (BoardTry) Help() string {
	return `Examples:

  impalab board try catch-in-a-hurry --set mix=0.75
  impalab board try late-pole --set "rho=2 unroll=8 lr=0.003" --json

Trains the configuration from zero on the track's public seeds and prints its row among the track's baselines. The
score is the mean over the run: the mean return of the last 100 training episodes, averaged over all updates. Rows are
ranked by the low end of the 95 % interval of the interquartile mean over seeds. A row is tied with the best row above
it whose interval overlaps its own.`
}

// Run trains and prints the row.
func (c *BoardTry) Run(ctx context.Context, prog *Program) error {
	done, err := c.compute()
	if err != nil {
		return err
	}
	defer done()
	t, err := c.find(prog, c.Track)
	if err != nil {
		return err
	}
	settings, err := c.pairs()
	if err != nil {
		return UsageError{err}
	}
	e, err := t.Entry(settings)
	if err != nil {
		return usagef("%w\nimpalab board tracks %s lists the settings that may change", err, t.Name)
	}
	for _, key := range e.Idle {
		fmt.Fprintf(prog.Stderr, "%s has no effect with the other settings, and is left out\n", key)
	}
	order := board.Order{Track: t, Name: "yours", Entry: e, Seeds: t.PublicSeeds()}
	seeds := "public seeds, so provisional"
	switch {
	case c.Seeds != "" && c.Secret:
		return usagef("--seeds and --secret are both given: leave one out, because the season decides its secret seeds")
	case c.Seeds != "":
		if order.Seeds, err = board.TheseSeeds(c.Seeds); err != nil {
			return usagef("--seeds: %w", err)
		}
		seeds = "seeds of your own; the baselines' are public"
	case c.Secret:
		err := c.withStore(ctx, prog, func(kept *store.Store) error {
			season, err := board.ReadSeason(ctx, kept, int64(c.Season))
			if err != nil {
				return err
			}
			order.Seeds = season.Seeds(t)
			seeds = fmt.Sprintf("secret seeds of season %d; the baselines' are public", season.Number)
			return nil
		})
		if err != nil {
			return err
		}
	}
	order.Jobs = min(atOnce(c.Jobs), order.Seeds.Len())
	if err := affordable(&e.Config, order.Jobs); err != nil {
		return UsageError{err}
	}
	meter := newMeter(prog.Stderr, e.Config.Steps*uint64(order.Seeds.Len()))
	order.Hooks = meter.hooks
	row, err := board.Train(ctx, order)
	meter.clear()
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if err != nil {
		return err
	}
	if c.JSON {
		printJSON(prog.Stdout, row)
		return nil
	}
	rows := []board.Row{row}
	for _, b := range t.Rows() {
		if b.Hash != row.Hash { // the row replaces the baseline with the same configuration
			rows = append(rows, b)
		}
	}
	fmt.Fprintf(prog.Stdout, "%s, %d %s:\n\n", t.Title, len(row.Seeds), seeds)
	return printRows(prog.Stdout, board.RankRows(rows))
}

// printRows prints a ranking.
func printRows(out io.Writer, rows []board.Ranked) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "Its baselines have not been measured.")
		return err
	}
	return table(out, "RANK\tNAME\tOVER THE RUN\tAT THE END\tDIVERGED\tDIFFERS FROM THE START IN", func(row func(...any)) {
		for i := range rows {
			r := &rows[i]
			differs := r.Entry.Text()
			if differs == "" {
				differs = "nothing"
			}
			row(r.Rank, r.Name, r.Score.Words(), r.End.Words(), r.DivergedWords(), differs)
		}
	})
}

// BoardExport writes pages.
type BoardExport struct {
	Dir string `arg:"" help:"Folder to write into; files of the same names are replaced." placeholder:"DIR"`
	dataFlags
	trackFlags
	Season int    `help:"Season whose rows are written; without it the newest." placeholder:"N"`
	LabURL string `name:"lab-url" help:"Address of a Lab that opens rows, like https://example.org/lab; none: rows say how to train them." placeholder:"URL"`
}

func (BoardExport) Help() string {
	return `Writes a page and a .json file for each track and for each row on its page: the measured baselines, and the entries
on the server with this data folder. If the run of a row is stored, the row has an episode of its agent. Any web server
can serve the folder, and index.html opens from a disk. A server may use the data folder meanwhile.`
}

func (c *BoardExport) Run(ctx context.Context, prog *Program) error {
	if c.LabURL != "" {
		if _, err := pageURL("--lab-url", c.LabURL, "https://example.org/lab"); err != nil {
			return UsageError{err}
		}
	}
	tracks, err := c.tracks(prog.warnings())
	if err != nil {
		return err
	}
	export := func(kept *store.Store) error {
		return site.ExportBoard(ctx, site.BoardCopy{Tracks: tracks, Kept: kept, Season: int64(c.Season),
			Build: buildName(), Lab: c.LabURL, Write: site.Into(c.Dir), Left: func(row string, why error) {
				fmt.Fprintf(prog.Stderr, "the row of %s has no replay: %v\n", row, why)
			}})
	}
	if err = c.withStore(ctx, prog, export); errors.As(err, new(notFound)) {
		err = export(nil)
	}
	if err != nil {
		return fmt.Errorf("the board cannot be written: %w", err)
	}
	fmt.Fprintln(prog.Stdout, filepath.Join(c.Dir, "index.html"))
	return nil
}

// BoardClose closes a season.
type BoardClose struct{ dataFlags }

func (BoardClose) Help() string {
	return `Closes the current season before its date: it accepts no more entries. When the server has trained all of them, the
board publishes the season's key and seeds. The next season begins with the next entry. Stop the server first.`
}

func (c *BoardClose) Run(ctx context.Context, prog *Program) (err error) {
	// Opening for writing would make a folder with a wrong name.
	if err := c.withStore(ctx, prog, func(*store.Store) error { return nil }); err != nil {
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
		return errors.New("there is no open season: the next begins with the first entry")
	}
	ended, err := board.EndSeasons(ctx, kept, time.Now())
	if err != nil {
		return fmt.Errorf("season %d is closed, but cannot end: %w", number, err)
	}
	state := "closed; the board publishes its seeds when the server has trained all entries"
	if len(ended) > 0 {
		state = "over: the board publishes its key and its seeds"
	}
	_, err = fmt.Fprintf(prog.Stdout, "season %d is %s\n", number, state)
	return err
}
