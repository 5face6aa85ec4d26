package store

// Transactions: all of a transaction happens, once, or nothing of it.

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Tx is a transaction. Its methods belong to the goroutine that called Do, and end with the transaction. After an error
// of the database the transaction is lost: the function should return the error.
type Tx struct {
	s   *Store
	ctx context.Context
	tx  *sql.Tx
}

// Do runs fn in a transaction that may write, and commits when fn returns nil. While the database is locked or away, Do
// tries again for Options.Patience, and then returns ErrUnavailable. If the disk is full, it returns ErrFull at once.
// So fn may run several times: it starts from the beginning each time and changes nothing outside but its results. It
// must not call Do.
func (s *Store) Do(ctx context.Context, fn func(*Tx) error) error {
	return s.patiently(ctx, func() error {
		token, err := s.once(ctx, s.write, nil, fn)
		if errors.Is(err, errSessionLost) {
			if err := s.session.again(ctx); err != nil {
				return err
			}
		}
		if token == "" || judge(err) != passing {
			return err
		}
		// The answer to the commit was lost. The transaction may have happened, and must not happen twice.
		done := false
		ask := func() (err error) { done, err = committed(ctx, s.write, token, s.now()); return said(err) }
		if err := s.patiently(ctx, ask); err != nil {
			return fmt.Errorf("%w; it is not known whether the last change was stored", err)
		}
		if done {
			return nil
		}
		return err
	})
}

// View is Do for reading only: fn sees one moment, and neither fn nor a writer waits for the other.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	return s.patiently(ctx, func() error {
		how := &sql.TxOptions{ReadOnly: true}
		if s.postgres() {
			how.Isolation = sql.LevelRepeatableRead
		}
		_, err := s.once(ctx, s.read, how, fn)
		return err
	})
}

// Get is View for a function that returns a value.
func Get[T any](ctx context.Context, s *Store, fn func(*Tx) (T, error)) (value T, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) { value, err = fn(tx); return err })
	return value, err
}

// once runs fn in one transaction. token is set if the commit was tried: only then can it have happened.
func (s *Store) once(ctx context.Context, db *sql.DB, how *sql.TxOptions, fn func(*Tx) error) (token string,
	err error) {
	tx, err := db.BeginTx(ctx, how)
	if err != nil {
		return "", said(err)
	}
	defer tx.Rollback() // after a commit it does nothing
	if err := fn(&Tx{s, ctx, tx}); err != nil {
		return "", err
	}
	if how == nil {
		if token, err = s.recordCommit(ctx, tx); err != nil {
			return "", err
		}
	}
	return token, said(tx.Commit())
}

// patiently calls try until it succeeds, fails for good, or patience ends.
func (s *Store) patiently(ctx context.Context, try func() error) error {
	var until time.Time
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := try()
		if ctx.Err() != nil && err != nil {
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		switch judge(err) {
		case final:
			if s.away.Swap(false) && err == nil {
				s.options.Log.Info("the database answers again", "database", s.Where())
			}
			return err
		case full:
			return fmt.Errorf("%w: %s: make room on its disk (%w)", ErrFull, s.Where(), err)
		case broken:
			err = fmt.Errorf("%w: %s: restore a backup into a new data folder (%w)", ErrDamaged, s.Where(), err)
			s.damage.CompareAndSwap(nil, &err)
			return err
		}
		if errors.Is(err, ErrUnavailable) {
			return err // an inner call has waited already
		}
		switch now := time.Now(); {
		case until.IsZero():
			until = now.Add(s.options.Patience)
		case now.After(until):
			return fmt.Errorf("%w for %v: %s (%w)", ErrUnavailable, s.options.Patience, s.Where(), err)
		case !s.away.Swap(true):
			s.options.Log.Warn("the database does not answer; trying again", "database", s.Where(), "error", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// SQL returns the transaction itself and its context, for packages with tables of their own. Pass errors of its
// statements to Said.
func (tx *Tx) SQL() (context.Context, *sql.Tx) { return tx.ctx, tx.tx }

// Said marks an error of a statement in tx.SQL as the database's: Do tries again after a deadlock or a lost connection.
func (tx *Tx) Said(err error) error { return said(err) }

// exec runs a statement and returns how many rows it changed. If the databases cannot store a text in args, the error
// is ErrInvalid.
func (tx *Tx) exec(query string, args ...any) (rows int64, err error) {
	if bad := unstorable(args); bad != "" {
		return 0, fmt.Errorf("%w: %.40q is not plain UTF-8 text", ErrInvalid, bad)
	}
	result, err := tx.tx.ExecContext(tx.ctx, query, args...)
	if err != nil {
		return 0, said(err)
	}
	return result.RowsAffected()
}

// change is exec for a statement that changes a row. If it changes none, the error is ErrNotFound.
func (tx *Tx) change(query string, args ...any) error {
	rows, err := tx.exec(query, args...)
	if err == nil && rows == 0 {
		return ErrNotFound
	}
	return err
}

// unstorable returns the first text that PostgreSQL refuses: it takes UTF-8 without NUL.
func unstorable(args []any) string {
	for _, arg := range args {
		if text, ok := arg.(string); ok && (!utf8.ValidString(text) || strings.Contains(text, "\x00")) {
			return text
		}
	}
	return ""
}

// each calls scan for every row of a query. There is none if an argument is a text that no row can hold.
func (tx *Tx) each(query string, args []any, scan func(*sql.Rows) error) error {
	if unstorable(args) != "" {
		return nil
	}
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return said(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return said(rows.Err())
}

// recordCommit adds a row to the table commits, by which committed asks later, and makes sure that this server still
// has the lock. SQLite needs neither: its commits answer in this process, and its lock stays.
func (s *Store) recordCommit(ctx context.Context, tx *sql.Tx) (token string, err error) {
	if !s.postgres() {
		return "", nil
	}
	token = rand.Text()
	query, args := "INSERT INTO commits (token, created) VALUES ($1, $2)", []any{token, s.now()}
	if s.session != nil { // the writes of a guest are guarded by the token of its job
		query = `INSERT INTO commits (token, created) SELECT $1::text, $2::bigint
			WHERE EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = $3)`
		args = append(args, s.session.pid.Load())
	}
	result, err := tx.ExecContext(ctx, query, args...)
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
