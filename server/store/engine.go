package store

// The two databases, and all in which they differ: how they are opened, how a transaction that only looks begins, and
// how a commit whose answer was lost is asked after.

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

// engine is one of the two.
type engine struct {
	name    string // sqlite or postgres
	where   string // the database, in words
	dialect goose.Dialect
	look    *sql.TxOptions // a transaction that sees one moment and changes nothing
	open    func() (write, read *sql.DB, err error)
}

func sqliteEngine(path string, patience time.Duration) engine {
	dsn := func(more ...string) string {
		q := url.Values{}
		// Waits shorter than patience: the rest of it is Do's, which says what it is waiting for.
		q.Set("_busy_timeout", fmt.Sprint(min(patience, 2*time.Second).Milliseconds()))
		q.Set("_auto_vacuum", "INCREMENTAL") // so that Retain gives room back; holds for new files only
		q.Set("_journal_mode", "WAL")        // who looks does not wait for who writes
		q.Set("_synchronous", "FULL")        // NORMAL would lose the last commits in a power cut
		q.Set("_fk", "true")
		q.Set("_pragma", "journal_size_limit(16777216)") // what a large transaction took is given back
		for i := 0; i < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		full := path
		if abs, err := filepath.Abs(path); err == nil {
			full = filepath.ToSlash(abs)
		}
		return (&url.URL{Scheme: "file", OmitHost: true, Path: full, RawQuery: q.Encode()}).String()
	}
	return engine{
		name: "sqlite", where: path, dialect: goose.DialectSQLite3, look: &sql.TxOptions{ReadOnly: true},
		open: func() (write, read *sql.DB, err error) {
			// immediate: wait for another program before reading, not between reading and writing.
			if write, err = sql.Open("sqlite", dsn("_txlock", "immediate")); err != nil {
				return nil, nil, err
			}
			write.SetMaxOpenConns(1)
			if read, err = sql.Open("sqlite", dsn("_query_only", "true")); err != nil {
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
		look:    &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead},
		open: func() (write, read *sql.DB, err error) {
			db := stdlib.OpenDB(*config)
			db.SetMaxOpenConns(16)
			db.SetMaxIdleConns(4)
			return db, db, nil
		},
	}
}

// ticket marks a transaction of PostgreSQL that is about to be committed, so that its fate can be asked after when the
// answer is lost, and makes sure that this server is still the one that writes. SQLite's commits answer in this
// process, and its lock stays.
func (s *Store) ticket(ctx context.Context, tx *sql.Tx) (token string, err error) {
	if s.engine.name != "postgres" {
		return "", nil
	}
	token = rand.Text()
	if s.session == nil { // a guest: what it writes is guarded by what it holds
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

// committed asks what became of a transaction. Writing its token a second time waits for it to end, if it has not
// noticed yet that we were gone, and then either meets the first or takes its place.
func committed(ctx context.Context, db *sql.DB, token string, now int64) (bool, error) {
	result, err := db.ExecContext(ctx,
		"INSERT INTO commits (token, created) VALUES ($1, $2) ON CONFLICT (token) DO NOTHING", token, now)
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows == 0, err
}

// ticketLife is how long tokens are kept: nobody asks after them for longer than Options.Patience.
const ticketLife = 24 * time.Hour
