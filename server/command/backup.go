package command

// backup and restore: everything that a server keeps, as one file, which either database reads.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"impalab/server/store"
)

// keptFlags say where a server keeps its runs.
type keptFlags struct {
	Data        string `default:"data" help:"Folder that the server keeps its runs in." placeholder:"DIR"`
	DatabaseURL string `name:"database-url" help:"PostgreSQL database that it keeps them in instead." placeholder:"URL"`
}

func (f *keptFlags) options(prog *Program) store.Options {
	return store.Options{Dir: f.Data, URL: f.DatabaseURL, Log: newLog(prog.Stderr, "warn", "text")}
}

type Backup struct {
	keptFlags
	File string `arg:"" help:"File to write; it must not exist yet."`
}

// Help is printed under backup --help.
func (Backup) Help() string {
	return `Writes all runs with their tapes, curves and snapshots, sweeps, rooms, short links and entries of the board into one
file, as they are at one moment. The server may go on meanwhile. impalab restore reads it, into SQLite or PostgreSQL.

It holds the keys of the board's seasons, which make the secret seeds: keep it from others.

  impalab backup monday.impalab-backup
  impalab backup --data /srv/lab monday.impalab-backup`
}

// Run writes the file.
func (b *Backup) Run(ctx context.Context, prog *Program) (err error) {
	options := b.options(prog)
	options.Guest = true
	kept, err := store.Open(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	contents, err := kept.Backup(ctx, b.File)
	if err != nil {
		return err
	}
	return say(prog.Stdout, contents, "written to "+b.File)
}

type Restore struct {
	keptFlags
	File string `arg:"" help:"File that impalab backup wrote." placeholder:"FILE"`
}

// Help is printed under restore --help.
func (Restore) Help() string {
	return `Reads a backup into a data folder, or a database, that holds nothing yet. No server may use it meanwhile.

  impalab restore monday.impalab-backup --data new-folder
  impalab restore monday.impalab-backup --database-url postgres://lab@localhost/lab    # to move to PostgreSQL`
}

// Run reads the file.
func (r *Restore) Run(ctx context.Context, prog *Program) (err error) {
	if _, err := os.Stat(r.File); err != nil { // before an empty database is made for it
		return fmt.Errorf("%w; impalab backup FILE writes a backup", Named(err))
	}
	kept, err := store.Open(ctx, r.options(prog))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	contents, err := kept.Restore(ctx, r.File)
	if err != nil {
		return err
	}
	return say(prog.Stdout, contents, "restored to "+kept.Where())
}

// say prints how many rows there were of each kind.
func say(to io.Writer, contents store.Contents, where string) error {
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(contents)) {
		parts = append(parts, fmt.Sprintf("%s %d", table, contents[table]))
	}
	_, err := fmt.Fprintf(to, "%s: %s\n", where, strings.Join(parts, ", "))
	return err
}
