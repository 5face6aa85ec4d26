package command

// board lists the tracks, trains a configuration on one, and writes the board as static pages.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"impalab/server/board"
	"impalab/server/site"
	"impalab/static"
)

// trackFlags say which tracks there are.
type trackFlags struct {
	Tracks string `help:"Folder with more tracks, a .yaml file each." placeholder:"DIR"`
}

// load reads the tracks. What is wrong with one is said, and the others are there.
func (f *trackFlags) load(stderr io.Writer) (*board.Tracks, error) {
	tracks, err := board.Load(f.Tracks)
	if err != nil {
		return nil, UsageError{fmt.Errorf("--tracks %w", Named(err))}
	}
	for _, fault := range tracks.Faults {
		fmt.Fprintln(stderr, "warning:", fault)
	}
	return tracks, nil
}

// findTrack returns the track of that name.
func findTrack(tracks *board.Tracks, name string) (*board.Track, error) {
	t, err := tracks.Find(name)
	if err != nil {
		return nil, missing(err)
	}
	return t, nil
}

// Board is what can be done with tracks.
type Board struct {
	List   BoardTracks `cmd:"" name:"tracks" help:"List the tracks, or one with all that may differ on it."`
	Try    BoardTry    `cmd:"" help:"Train a configuration on a track, here and now, and print its row."`
	Export BoardExport `cmd:"" help:"Write the board as static pages."`
	Close  BoardClose  `cmd:"" help:"Close the season that is going on."`
}

// BoardTracks lists.
type BoardTracks struct {
	Name string `arg:"" optional:"" help:"Track to show in full." placeholder:"TRACK"`
	trackFlags
}

// Run lists the tracks, or shows one.
func (c *BoardTracks) Run(prog *Program) error {
	tracks, err := c.load(prog.Stderr)
	if err != nil {
		return err
	}
	if c.Name == "" {
		return table(prog.Stdout, "TRACK\tSTEPS\tMAY DIFFER\tWHAT IT IS", func(row func(...any)) {
			for _, t := range tracks.All {
				row(t.Name, t.Start.Steps, fmt.Sprint(len(t.Keys), " settings"), t.Sentence)
			}
		})
	}
	t, err := findTrack(tracks, c.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(prog.Stdout, "%s\n%s\n\n", t.Title, t.Sentence)
	start := "the preset " + t.Preset
	for _, s := range t.Fixed {
		start += " " + s.Key + "=" + s.Value
	}
	fmt.Fprintf(prog.Stdout, "Start: %s, %s steps. Score: %s. Public seeds: %s; a season has %d secret ones.\n\n", start,
		spaced(fmt.Sprint(t.Start.Steps)), board.MeanOverRun, t.PublicText, t.Secret)
	err = table(prog.Stdout, "MAY DIFFER\tSTART\tTAKES", func(row func(...any)) {
		for i := range t.Keys {
			k := &t.Keys[i]
			row(k.Row.Key, t.Start.Get(k.Row.Key), k.Allowed())
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(prog.Stdout)
	printRows(prog.Stdout, t, board.Place(tracks.Rows(t)))
	return nil
}

// BoardTry trains.
type BoardTry struct {
	Track string   `arg:"" help:"Track to train on; see board tracks." placeholder:"TRACK"`
	Set   []string `help:"Change one setting, or several with spaces between. May be repeated, the later wins." placeholder:"KEY=VALUE" sep:"none"`
	Jobs  int      `help:"Seeds trained at once (the number of cores); it changes no result." placeholder:"N"`
	JSON  bool     `help:"Print the row as one JSON object."`

	Seeds  string `help:"Train on these seeds and not on the track's public ones, like 7,11-14; at least 8." placeholder:"LIST"`
	Secret bool   `help:"Train on this server's secret seeds, as it would for the rank; the seeds are not shown."`
	Season int    `help:"Season whose secret seeds are meant; without it the newest." placeholder:"N"`
	boardFlags
	arithmeticFlags
}

// Help is printed under board try --help.
func (BoardTry) Help() string {
	return `Examples:

  impalab board try catch-in-a-hurry --set mix=0.75
  impalab board try late-pole --set "rho=2 unroll=8 lr=0.003" --json

Trains the configuration from zero on the track's public seeds and prints its row among the track's baselines. The
score is the mean over the run: the mean return of the last 100 training episodes, averaged over all updates. Rows are
ranked by the low end of the 95 % interval of the interquartile mean over seeds. A row is tied with the best one above
whose interval it reaches.`
}

// Run trains and prints the row.
func (c *BoardTry) Run(ctx context.Context, prog *Program) error {
	done, err := c.compute()
	if err != nil {
		return err
	}
	defer done()
	tracks, err := c.load(prog.Stderr)
	if err != nil {
		return err
	}
	t, err := findTrack(tracks, c.Track)
	if err != nil {
		return err
	}
	e, err := t.ParseEntry(strings.Join(c.Set, " "))
	if err != nil {
		return UsageError{fmt.Errorf("%w\nimpalab board tracks %s lists the settings that may change", err, t.Name)}
	}
	for _, key := range e.Idle {
		fmt.Fprintf(prog.Stderr, "%s has no effect beside the other settings, and is left out\n", key)
	}
	order := board.Order{Track: t, Name: "yours", Entry: e, Seeds: t.PublicSeeds()}
	if c.Seeds != "" {
		if c.Secret {
			return UsageError{errors.New("--seeds beside --secret: the season decides its secret seeds; leave one out")}
		}
		if order.Seeds, err = board.TheseSeeds(c.Seeds); err != nil {
			return UsageError{fmt.Errorf("--seeds: %w", err)}
		}
	}
	if c.Secret {
		kept, err := c.there(ctx, prog)
		if err != nil {
			return err
		}
		season, err := board.ReadSeason(ctx, kept, int64(c.Season))
		if err = errors.Join(err, kept.Close()); err != nil {
			return err
		}
		order.Seeds, c.Season = season.Seeds(t), int(season.Number)
	}
	if order.Jobs, err = atOnce(c.Jobs); err != nil {
		return err
	}
	order.Jobs = min(order.Jobs, order.Seeds.Len())
	if err := affordable(&e.Config, order.Jobs); err != nil {
		return UsageError{err}
	}
	meter := newMeter(prog.Stderr, e.Config.Steps*uint64(order.Seeds.Len()), time.Now)
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
		text, err := json.Marshal(row)
		if err != nil {
			return err
		}
		fmt.Fprintf(prog.Stdout, "%s\n", text)
		return nil
	}
	c.say(prog.Stdout, t, row, tracks.Rows(t))
	return nil
}

// say prints the row among the baselines. One that is a baseline takes its place.
func (c *BoardTry) say(out io.Writer, t *board.Track, row board.Row, baselines []board.Row) {
	rows := []board.Row{row}
	for _, b := range baselines {
		if b.Hash != row.Hash {
			rows = append(rows, b)
		}
	}
	seeds := "public seeds, so provisional"
	if c.Seeds != "" {
		seeds = "seeds of your own; the baselines' are public"
	}
	if c.Secret {
		seeds = fmt.Sprintf("secret seeds of season %d; the baselines' are public", c.Season)
	}
	fmt.Fprintf(out, "%s, %d %s:\n\n", t.Title, len(row.Seeds), seeds)
	printRows(out, t, board.Place(rows))
}

// printRows prints a ranking.
func printRows(out io.Writer, t *board.Track, rows []board.Placed) {
	if len(rows) == 0 {
		fmt.Fprintln(out, "Its baselines have not been measured.")
		return
	}
	table(out, "RANK\tWHO\tOVER THE RUN\tAT THE END\tDIVERGED\tDIFFERS FROM THE START IN", func(row func(...any)) {
		for i := range rows {
			r := &rows[i]
			differs := r.Entry.Text()
			if differs == "" {
				differs = "nothing"
			}
			row(r.Rank(), r.Name, r.Score.Words(), r.End.Words(), r.DivergedWords(), differs)
		}
	})
}

// BoardExport writes pages.
type BoardExport struct {
	Dir string `arg:"" help:"Folder to write into; files of the same names are replaced." placeholder:"DIR"`
	boardFlags
	Season int    `help:"Season whose rows are written; without it the newest." placeholder:"N"`
	LabURL string `name:"lab-url" help:"Address of a Lab that rows open in, like https://example.org/lab; none: rows say how to train them." placeholder:"URL"`
}

// Help is printed under board export --help.
func (BoardExport) Help() string {
	return `Writes a page and a .json file for each track and for each row that its page shows: the baselines as they were measured
and what was handed in on the server of that data folder. A row whose run is kept has an episode of its agent, too. Any
web server can serve the folder, and index.html opens from a disk. The server may go on meanwhile.`
}

// Run exports.
func (c *BoardExport) Run(ctx context.Context, prog *Program) error {
	if u, err := url.Parse(c.LabURL); err != nil || c.LabURL != "" && (u.Scheme != "http" && u.Scheme != "https" ||
		u.Host == "" || u.Fragment != "") {
		return UsageError{fmt.Errorf("--lab-url %q: must be a URL like https://example.org/lab", c.LabURL)}
	}
	tracks, err := c.load(prog.Stderr)
	if err != nil {
		return err
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	kept, err := c.look(ctx, prog)
	if err != nil {
		return err
	}
	if kept != nil {
		defer kept.Close()
	}
	err = site.ExportBoard(ctx, site.BoardCopy{Tracks: tracks, Kept: kept, Season: int64(c.Season), Assets: assets,
		Build: buildName(assets), Lab: c.LabURL, Write: site.Into(c.Dir), Left: func(row string, why error) {
			fmt.Fprintf(prog.Stderr, "the row of %s has no replay: %v\n", row, why)
		}})
	if err != nil {
		return fmt.Errorf("the board cannot be written: %w", err)
	}
	fmt.Fprintln(prog.Stdout, filepath.Join(c.Dir, "index.html"))
	return nil
}
