package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"impalab/server/atomicfile"
	"impalab/server/store"
)

// dataFlags name the data of a server.
type dataFlags struct {
	Data        string `default:"data" help:"Folder in which the server stores its runs." placeholder:"DIR"`
	DatabaseURL string `name:"database-url" secret:"url" help:"PostgreSQL database for the runs; none: SQLite in the folder." placeholder:"URL"`
}

// options returns the options of a command that works beside the server.
func (f *dataFlags) options(prog *Program) store.Options {
	return store.Options{Dir: f.Data, URL: f.DatabaseURL, Log: prog.warnings()}
}

// withStore opens the store for reading, beside a server, calls do, and closes the store. It returns a notFound if the
// folder has no database.
func (f *dataFlags) withStore(ctx context.Context, prog *Program, do func(*store.Store) error) error {
	options := f.options(prog)
	options.Guest = true
	kept, err := store.Open(ctx, options)
	if f.DatabaseURL == "" && errors.Is(err, fs.ErrNotExist) {
		return missing(fmt.Errorf("the folder %s holds no database; name the server's data folder with --data", f.Data))
	}
	if err != nil {
		return err
	}
	return errors.Join(do(kept), kept.Close())
}

// checked remembers the result of a check for a few seconds: anyone may ask whether the server is ready, as often as
// they like. It logs each change.
type checked struct {
	check      func() error
	lost, back string // logged when the check fails, and when it succeeds again
	log        *slog.Logger
	now        func() time.Time

	mu  sync.Mutex
	at  time.Time
	err error
}

// recheck is how long a result is valid.
const recheck = 5 * time.Second

// result returns the error of the newest check.
func (c *checked) result() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() && c.now().Sub(c.at) < recheck {
		return c.err
	}
	before := c.err
	c.err, c.at = c.check(), c.now()
	if c.err != nil && before == nil {
		c.log.Error(c.lost, "error", c.err)
	} else if c.err == nil && before != nil {
		c.log.Info(c.back)
	}
	return c.err
}

// openData makes the data folder. It returns a check that the folder is writable, which it has done once.
func openData(path string, log *slog.Logger, now func() time.Time) (*checked, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("--data %q: the folder cannot be made: %v; name another with --data", path, cause(err))
	}
	c := &checked{check: func() error { return atomicfile.Check(path) }, log: log, now: now,
		lost: "the data folder cannot be written; make room, or start again with another --data",
		back: "the data folder can be written again"}
	if err := c.result(); err != nil {
		return nil, fmt.Errorf("the data folder cannot be written: %v; make room, or name another with --data", cause(err))
	}
	return c, nil
}

// answers returns a check that the database answers, and that no other server has taken it.
func answers(kept *store.Store, log *slog.Logger) *checked {
	return &checked{log: log, now: time.Now, lost: "the database cannot be used: no run starts, and no change is stored",
		back: "the database can be used again", check: func() error {
			ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
			defer cancel()
			return kept.Answers(ctx)
		}}
}

// storable returns why the server cannot store anything now, in words that any visitor may read. The log has the
// cause.
func storable(folder, database *checked) error {
	switch {
	case folder.result() != nil:
		return errors.New("the data folder cannot be written; the server's log has the details")
	case database.result() != nil:
		return errors.New("the database does not answer; the server's log has the details")
	}
	return nil
}

// answerWithin is shorter than the time for which programs wait for an answer about readiness.
const answerWithin = 2 * time.Second

const minSecret = 16

// readSalt returns the bytes with which the server hashes addresses before it stores them. It makes them if there are
// none. Their file is beside the database, and in no backup.
func readSalt(folder string) ([]byte, error) {
	path := filepath.Join(folder, "salt")
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		secret = []byte(store.NewKey())
		err = atomicfile.WriteFile(path, secret, 0o600)
	}
	if err == nil && len(secret) < minSecret {
		err = fmt.Errorf("%s has %d bytes, and needs %d: delete it, and the server makes a new one", path, len(secret),
			minSecret)
	}
	return secret, err
}

// Backup writes all data of a server into one file, which both databases read.
type Backup struct {
	dataFlags
	File string `arg:"" help:"File to write; it must not exist yet."`
}

func (Backup) Help() string {
	return `Writes all runs with their tapes, curves and snapshots, sweeps, rooms, short links and entries of the board into one
file, as they are at one moment. The server can run meanwhile. impalab restore reads the file into SQLite or PostgreSQL.

The file holds the keys of the board's seasons, which decide the secret seeds: keep it private.

  impalab backup monday.impalab-backup
  impalab backup --data /srv/lab monday.impalab-backup`
}

func (b *Backup) Run(ctx context.Context, prog *Program) error {
	return b.withStore(ctx, prog, func(kept *store.Store) error {
		contents, err := kept.Backup(ctx, b.File)
		if err != nil {
			return err
		}
		return printContents(prog.Stdout, contents, "written to "+b.File)
	})
}

// Restore reads a backup.
type Restore struct {
	dataFlags
	File string `arg:"" help:"File that impalab backup wrote." placeholder:"FILE"`
}

func (Restore) Help() string {
	return `Reads a backup into a data folder, or a database, that is still empty. No server may use it meanwhile.

  impalab restore monday.impalab-backup --data new-folder
  impalab restore monday.impalab-backup --database-url postgres://lab@localhost/lab    # to move to PostgreSQL`
}

func (r *Restore) Run(ctx context.Context, prog *Program) error {
	if _, err := os.Stat(r.File); err != nil { // before store.Open makes an empty database
		return fmt.Errorf("%w; impalab backup FILE writes a backup", Named(err))
	}
	kept, err := store.Open(ctx, r.options(prog))
	if err != nil {
		return err
	}
	contents, err := kept.Restore(ctx, r.File)
	if err = errors.Join(err, kept.Close()); err != nil {
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
