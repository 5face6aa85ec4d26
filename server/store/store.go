// Package store keeps everything that outlives the process: runs with their tapes, curves and snapshots, sweeps, rooms,
// jobs, the board and short links. One set of queries serves SQLite, a file in the data folder, and PostgreSQL.
//
// Start with Store.Do: all reading and writing happens in a transaction, as methods of Tx. When Do returns nil, the
// change survives kill -9 and a power cut.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"impalab/server/errcode"
)

// Errors that callers distinguish with errors.Is. The sentence around each names the thing and the next step.
var (
	ErrNotFound    = errors.New("not found")
	ErrConflict    = errors.New("another value is already stored there")
	ErrInvalid     = errors.New("cannot be kept")
	ErrDamaged     = errors.New("damaged")
	ErrFull        = errors.New("no room left for the store")
	ErrUnavailable = errors.New("the database does not answer")
	ErrHeld        = errors.New("another server uses it")
	ErrSchema      = errors.New("the schema is of another version")
)

// MayPass reports whether to try again later: the disk is full, or the database is away.
func MayPass(err error) bool { return errors.Is(err, ErrFull) || errors.Is(err, ErrUnavailable) }

// Coded returns the error of a change as callers get it: missing for ErrNotFound, a code for an error that may pass.
func Coded(err, missing error) error {
	switch {
	case MayPass(err):
		return errcode.Errorf(errcode.Full, "it could not be stored, so nothing has changed: %w", err)
	case errors.Is(err, ErrNotFound):
		return missing
	}
	return err
}

// Options say where a store is. Only Dir has no default.
type Options struct {
	Dir      string           // data folder: impalab.db, unless URL is set
	URL      string           // a PostgreSQL database, as postgres://user:password@host/name
	Address  string           // of this server: a second server that wants the same store reads it
	Guest    bool             // for workers and backups beside the server that holds the store: no lock, no migration
	Patience time.Duration    // how long to wait for a locked or lost database; 0: 30 s
	Log      *slog.Logger     // nil: none
	Now      func() time.Time // nil: time.Now

	// Elapsed returns the time since Open, by a clock that cannot be set. nil: the system's own.
	Elapsed func() time.Duration

	// Visitor returns the address that a change counts for; "": the server's own. nil: all changes are.
	Visitor func(context.Context) string

	Others          int64 // most bytes of rooms, links and the board together; 0: no bound
	Bytes           int64 // most bytes of everything, see quota.go; 0: no bound
	SnapshotBytes   int64 // most bytes of a run's snapshots; 0: 256 MiB
	SnapshotsMarked int   // most marked snapshots of a run; 0: 64
}

func (o *Options) defaults() {
	o.Patience = cmp.Or(o.Patience, 30*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.SnapshotBytes = cmp.Or(o.SnapshotBytes, 256<<20)
	o.SnapshotsMarked = cmp.Or(o.SnapshotsMarked, 64)
	if o.Now == nil {
		o.Now = time.Now
	}
	if began := time.Now(); o.Elapsed == nil {
		o.Elapsed = func() time.Duration { return time.Since(began) }
	}
}

// Store is an open store. It is safe for concurrent use.
type Store struct {
	options Options
	where   string       // the database, for people
	write   *sql.DB      // of SQLite: one connection, because SQLite has one writer
	read    *sql.DB      // of PostgreSQL: the same as write
	release func() error // gives up the lock; nil for a guest
	session *session     // holds the lock on PostgreSQL; else nil
	away    atomic.Bool  // the database does not answer, and this was logged
	opened  time.Time    // by Options.Now
	others  atomic.Int64 // bytes of rooms, links and the board, by estimate
	links   atomic.Int64 // bytes of links, among them
	sharing sync.Mutex   // guards today
	today   today
	bytes   atomic.Int64          // of runs, by estimate
	calls   chan struct{}         // see Fills
	file    os.FileInfo           // of SQLite's database; nil: PostgreSQL, or a guest
	damage  atomic.Pointer[error] // the first damage that a transaction met; nil: none
}

// Open opens the store and brings its schema up to date. If another server holds the folder or the database, the error
// is ErrHeld; if its schema is newer than this program, ErrSchema.
func Open(ctx context.Context, o Options) (_ *Store, err error) {
	o.defaults()
	s := &Store{options: o, opened: o.Now(), calls: make(chan struct{}, 1)}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.postgres() {
		err = s.openPostgres(ctx)
	} else {
		err = s.openSQLite()
	}
	if err == nil {
		err = s.migrate(ctx)
	}
	if err == nil && o.Others+o.Bytes > 0 {
		err = s.View(ctx, func(tx *Tx) error { _, err := tx.sum(); return err })
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) postgres() bool { return s.options.URL != "" }

// Close does not wait: open transactions fail. The folder may be opened again afterwards.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.release != nil {
		errs = append(errs, s.release())
	}
	return errors.Join(errs...)
}

// Answers returns nil if the database answers within ctx, no transaction has met damage in it, and no other server has
// taken its lock.
func (s *Store) Answers(ctx context.Context) error {
	if met := s.damage.Load(); met != nil {
		return *met
	}
	if s.session != nil {
		if err := s.session.again(ctx); err != nil {
			return err
		}
	}
	if s.file != nil {
		path := filepath.Join(s.options.Dir, sqliteFile)
		if now, err := os.Stat(path); err != nil || !os.SameFile(now, s.file) {
			return fmt.Errorf("%w: %s was deleted or replaced; stop the server and restore a backup", ErrUnavailable, path)
		}
	}
	return s.View(ctx, func(tx *Tx) error { _, err := read[int](tx, "SELECT 1"); return err })
}

// SQL reports whether the store is in PostgreSQL, and returns the database, for packages with tables of their own in
// it. SQLite's has one connection, so a transaction that begins here and a transaction of Do wait for each other.
func (s *Store) SQL() (postgres bool, db *sql.DB) { return s.postgres(), s.write }

// Where names the database for people and logs, without its password.
func (s *Store) Where() string { return s.where }

// now returns the time as rows hold it: milliseconds since 1970, UTC.
func (s *Store) now() int64 { return s.options.Now().UnixMilli() }

// clockAhead is how far the clock may be ahead of the time that has passed since Open.
const clockAhead = 24 * time.Hour

// believed returns the time by which Retain deletes. If the clock jumps ahead while the server runs, by years perhaps,
// Retain does not delete everything.
func (s *Store) believed() time.Time {
	now := s.options.Now()
	if latest := s.opened.Add(s.options.Elapsed() + clockAhead); now.After(latest) {
		return latest
	}
	return now
}
