package command

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

// Backup writes all data of a server into one file, which both databases read.
type Backup struct {
	dataFlags
	File string `arg:"" help:"File to write; it must not exist yet."`
}

// Help is printed under backup --help.
func (Backup) Help() string {
	return `Writes all runs with their tapes, curves and snapshots, sweeps, rooms, short links and entries of the board into one
file, as they are at one moment. The server can run meanwhile. impalab restore reads the file into SQLite or PostgreSQL.

The file holds the keys of the board's seasons, which decide the secret seeds: keep it private.

  impalab backup monday.impalab-backup
  impalab backup --data /srv/lab monday.impalab-backup`
}

// Run writes the file.
func (b *Backup) Run(ctx context.Context, prog *Program) (err error) {
	kept, err := b.mustLook(ctx, prog)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	contents, err := kept.Backup(ctx, b.File)
	if err != nil {
		return err
	}
	return printContents(prog.Stdout, contents, "written to "+b.File)
}

// Restore reads a backup.
type Restore struct {
	dataFlags
	File string `arg:"" help:"File that impalab backup wrote." placeholder:"FILE"`
}

// Help is printed under restore --help.
func (Restore) Help() string {
	return `Reads a backup into a data folder, or a database, that is still empty. No server may use it meanwhile.

  impalab restore monday.impalab-backup --data new-folder
  impalab restore monday.impalab-backup --database-url postgres://lab@localhost/lab    # to move to PostgreSQL`
}

// Run reads the file.
func (r *Restore) Run(ctx context.Context, prog *Program) (err error) {
	if _, err := os.Stat(r.File); err != nil { // before store.Open makes an empty database
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
	return printContents(prog.Stdout, contents, "restored to "+kept.Where())
}

// printContents prints the number of rows of each kind.
func printContents(to io.Writer, contents store.Contents, where string) error {
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(contents)) {
		parts = append(parts, fmt.Sprintf("%s %d", table, contents[table]))
	}
	_, err := fmt.Fprintf(to, "%s: %s\n", where, strings.Join(parts, ", "))
	return err
}
