// Package store keeps what must outlive the process: runs, their tapes, curves and snapshots, and short links. One set
// of queries serves SQLite, a file in the data folder, and PostgreSQL.
//
// Start with Store.Do: all reading and writing happens in a transaction, as methods of Tx. What Do has returned nil for
// survives kill -9 and a power cut.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
)

// What callers tell apart, with errors.Is. The sentence around it names the thing and the next step.
var (
	ErrNotFound    = errors.New("not found")
	ErrConflict    = errors.New("something else is kept there already")
	ErrInvalid     = errors.New("cannot be kept")
	ErrDamaged     = errors.New("damaged")
	ErrFull        = errors.New("no room left for the store")
	ErrUnavailable = errors.New("the database does not answer")
	ErrHeld        = errors.New("another server is at work there")
	ErrSchema      = errors.New("the schema is of another version")
)

// MayPass says whether to try again later: the disk is full, or the database is away.
func MayPass(err error) bool { return errors.Is(err, ErrFull) || errors.Is(err, ErrUnavailable) }

// Options say where a store is. The zero value of all but Dir is good.
type Options struct {
	Dir      string           // data folder: impalab.db, unless URL is set; backups made before migrating
	URL      string           // a PostgreSQL database, as postgres://user:password@host/name
	Address  string           // where this server listens: told to a second server that wants the same store
	ReadOnly bool             // look only: no lock, no migration; for a backup beside a running server
	Guest    bool             // write beside the server whose store it is: no lock, no migration; for a worker
	Patience time.Duration    // how long to wait for a locked or lost database; 0: 30 s
	Log      *slog.Logger     // nil: silent
	Now      func() time.Time // nil: time.Now

	// Elapsed is the time since Open, by a clock that nobody can set. nil: the system's own.
	Elapsed func() time.Duration

	Others          int64 // most bytes of all there is beside runs: rooms, links, the board; 0: no bound
	SnapshotBytes   int64 // most bytes of snapshots a run; 0: 256 MiB
	SnapshotsMarked int   // most marked snapshots a run; 0: 64
}

// Store is an open store. It is safe for concurrent use.
type Store struct {
	options Options
	engine  engine
	write   *sql.DB  // of SQLite: one connection, because there is one writer
	read    *sql.DB  // the same as write where the engine lets writers run side by side
	hold    hold     // nil where the store is only looked at
	session *session // the same, of PostgreSQL; else nil
	pack    *zstd.Encoder
	unpack  *zstd.Decoder // of snapshots
	chunk   *zstd.Decoder // of curves
	away    atomic.Bool   // the database does not answer, and this was logged
	opened  time.Time     // by Options.Now
	others  atomic.Int64  // bytes of what is kept beside runs, by estimate

	migrations fs.FS
	file       os.FileInfo // of the SQLite database that this server opened; nil: PostgreSQL, or another server's store
}

//go:embed migrations/*.sql
var embedded embed.FS

// Open opens the store and brings its schema up to date, with a backup before that. A folder or a database that another
// server holds is ErrHeld, a schema newer than this program ErrSchema.
func Open(ctx context.Context, o Options) (*Store, error) {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return nil, err
	}
	return open(ctx, o, migrations)
}

func open(ctx context.Context, o Options, migrations fs.FS) (_ *Store, err error) {
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if began := time.Now(); o.Elapsed == nil {
		o.Elapsed = func() time.Duration { return time.Since(began) }
	}
	if o.SnapshotBytes == 0 {
		o.SnapshotBytes = 256 << 20
	}
	if o.SnapshotsMarked == 0 {
		o.SnapshotsMarked = 64
	}
	s := &Store{options: o, migrations: migrations, opened: o.Now()}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	// One goroutine a call: learners want the other cores.
	if s.pack, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
		return nil, err
	}
	s.unpack, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(snapshotLimit), zstd.WithDecoderConcurrency(0))
	if err != nil {
		return nil, err
	}
	if s.chunk, err = chunkDecoder(); err != nil {
		return nil, err
	}
	if o.URL != "" {
		err = s.openPostgres(ctx)
	} else {
		err = s.openSQLite()
	}
	if err != nil {
		return nil, err
	}
	if err = s.migrate(ctx); err != nil {
		return nil, err
	}
	if o.Others > 0 {
		err = s.View(ctx, func(tx *Tx) error { n, err := tx.others(); s.others.Store(n); return err })
	}
	return s, err
}

func (s *Store) openSQLite() (err error) {
	path := filepath.Join(s.options.Dir, sqliteFile)
	if s.options.guest() {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("the folder %s holds no database (%s): %w; name the server's data folder with --data",
				s.options.Dir, sqliteFile, errors.Unwrap(err))
		}
	} else {
		if err := os.MkdirAll(s.options.Dir, 0o755); err != nil {
			return fmt.Errorf("the data folder cannot be made: %w; name another with --data", err)
		}
		held, err := holdFolder(s.options.Dir, s.options.Address)
		if err != nil {
			return err
		}
		s.hold = held
		// SQLite would make it readable by all, and its journals take after it.
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("the store cannot be opened: %w", err)
		}
		s.file, err = file.Stat()
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("the store cannot be opened: %w", err)
		}
	}
	s.engine = sqliteEngine(path, s.options.Patience)
	s.write, s.read, err = s.engine.open()
	return err
}

func (s *Store) openPostgres(ctx context.Context) (err error) {
	config, err := pgx.ParseConfig(s.options.URL) // its errors leave the password out
	if err != nil {
		return fmt.Errorf("--database-url: %w; write it as postgres://user:password@host/name", err)
	}
	s.engine = postgresEngine(config)
	if !s.options.guest() {
		s.session = newSession(config, s.Where(), s.options.Address)
		s.hold = s.session
		if err := s.takeSession(ctx); err != nil {
			return err
		}
	}
	s.write, s.read, err = s.engine.open()
	return err
}

// Close waits for nothing: transactions that are still open fail. The folder may be opened again afterwards.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.hold != nil {
		errs = append(errs, s.hold.release())
	}
	for _, d := range []*zstd.Decoder{s.unpack, s.chunk} {
		if d != nil {
			d.Close()
		}
	}
	return errors.Join(errs...)
}

// Answers returns nil if the database answers within ctx and no other server has taken its lock.
func (s *Store) Answers(ctx context.Context) error {
	if s.session != nil {
		if err := s.session.again(ctx); err != nil {
			return err
		}
	}
	if s.file != nil {
		path := filepath.Join(s.options.Dir, sqliteFile)
		if now, err := os.Stat(path); err != nil || !os.SameFile(now, s.file) {
			return fmt.Errorf("%w: somebody deleted or replaced %s; stop the server and restore a backup", ErrUnavailable, path)
		}
	}
	return s.View(ctx, func(tx *Tx) error { var one int; return tx.one("SELECT 1", nil, &one) })
}

// guest says that the store is another's.
func (o *Options) guest() bool { return o.ReadOnly || o.Guest }

// SQL is the database itself and its kind, sqlite or postgres, for what keeps tables of its own there. Of SQLite it is
// the one connection that writes: a transaction of Do's and one begun here wait for each other.
func (s *Store) SQL() (kind string, db *sql.DB) { return s.engine.name, s.write }

// Where says which database this is, in words that may be logged: no password.
func (s *Store) Where() string { return s.engine.where }

// now is the time as the store keeps it: milliseconds since 1970, UTC.
func (s *Store) now() int64 { return s.options.Now().UnixMilli() }

// clockAhead is how far the clock may come to lie before the time that has passed, and still be believed.
const clockAhead = 24 * time.Hour

// believed is the time by which things are forgotten. A clock that jumps ahead while the server runs, by years perhaps,
// must not have everything forgotten.
func (s *Store) believed() time.Time {
	now := s.options.Now()
	if latest := s.opened.Add(s.options.Elapsed() + clockAhead); now.After(latest) {
		return latest
	}
	return now
}
