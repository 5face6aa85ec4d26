package store

// The two databases and their differences: how they are opened, how a read-only transaction begins, and how the store
// finds out whether a commit happened if its answer was lost.

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite"
)

const sqliteFile = "impalab.db"

// engine is one of the two databases.
type engine struct {
	name    string // sqlite or postgres
	where   string // the database, for people
	dialect goose.Dialect
	view    *sql.TxOptions // of a transaction that sees one moment and changes nothing
	open    func() (write, read *sql.DB, err error)
}

// sqliteURL names a file of SQLite with options: pairs of a name and a value.
func sqliteURL(path string, options ...string) string {
	q := url.Values{}
	for i := 0; i < len(options); i += 2 {
		q.Add(options[i], options[i+1])
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = filepath.ToSlash(abs)
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String()
}

func sqliteEngine(path string, patience time.Duration) engine {
	with := func(more ...string) string {
		return sqliteURL(path, append(more,
			// Shorter than patience: Do waits for the rest and says so.
			"_busy_timeout", fmt.Sprint(min(patience, 2*time.Second).Milliseconds()),
			"_auto_vacuum", "INCREMENTAL", // so that Retain gives space back; holds for new files only
			"_journal_mode", "WAL", // readers do not wait for the writer
			"_synchronous", "FULL", // NORMAL would lose the last commits in a power cut
			"_fk", "true",
			"_pragma", "journal_size_limit(16777216)", // gives the space of a large transaction back
		)...)
	}
	return engine{
		name: "sqlite", where: path, dialect: goose.DialectSQLite3, view: &sql.TxOptions{ReadOnly: true},
		open: func() (write, read *sql.DB, err error) {
			// immediate: wait for another program before reading, not between reading and writing.
			if write, err = sql.Open("sqlite", with("_txlock", "immediate")); err != nil {
				return nil, nil, err
			}
			write.SetMaxOpenConns(1)
			if read, err = sql.Open("sqlite", with("_query_only", "true")); err != nil {
				write.Close()
				return nil, nil, err
			}
			read.SetMaxOpenConns(4)
			return write, read, nil
		},
	}
}

func postgresEngine(config *pgx.ConnConfig) engine {
	return engine{
		name: "postgres", where: fmt.Sprintf("database %s on %s", config.Database, config.Host),
		dialect: goose.DialectPostgres,
		view:    &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
		open: func() (write, read *sql.DB, err error) {
			db := stdlib.OpenDB(*config)
			db.SetMaxOpenConns(16)
			db.SetMaxIdleConns(4)
			return db, db, nil
		},
	}
}

// recordCommit adds a row to the table commits, by which committed asks later, and makes sure that this server still
// has the lock. SQLite needs neither: its commits answer in this process, and its lock stays.
func (s *Store) recordCommit(ctx context.Context, tx *sql.Tx) (token string, err error) {
	if s.engine.name != "postgres" {
		return "", nil
	}
	token = rand.Text()
	if s.session == nil { // a guest: the token of its job guards its writes
		_, err := tx.ExecContext(ctx, "INSERT INTO commits (token, created) VALUES ($1, $2)", token, s.now())
		return token, said(err)
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO commits (token, created)
		SELECT $1::text, $2::bigint WHERE EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = $3)`,
		token, s.now(), s.session.pid.Load())
	if err != nil {
		return "", said(err)
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return "", said(errSessionLost)
	}
	return token, nil
}

// committed reports whether the transaction of a token happened. It inserts the token again: this waits for the
// transaction to end, if PostgreSQL has not noticed yet that our connection is gone, and then meets its row or not.
func committed(ctx context.Context, db *sql.DB, token string, now int64) (bool, error) {
	result, err := db.ExecContext(ctx,
		"INSERT INTO commits (token, created) VALUES ($1, $2) ON CONFLICT (token) DO NOTHING", token, now)
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows == 0, err
}

// commitLife is how long rows of commits stay: the store asks for them during Options.Patience only.
const commitLife = 24 * time.Hour
