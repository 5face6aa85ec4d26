package store

// How the two databases are opened.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

const sqliteFile = "impalab.db"

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

func (s *Store) openSQLite() (err error) {
	s.where = filepath.Join(s.options.Dir, sqliteFile)
	if s.options.Guest {
		if _, err := os.Stat(s.where); err != nil {
			return fmt.Errorf("the folder %s holds no database (%s): %w; name the server's data folder with --data",
				s.options.Dir, sqliteFile, errors.Unwrap(err))
		}
	} else if err := s.lockSQLite(); err != nil {
		return err
	}
	with := func(more ...string) string {
		return sqliteURL(s.where, append(more,
			// Shorter than patience: Do waits for the rest and says so.
			"_busy_timeout", fmt.Sprint(min(s.options.Patience, 2*time.Second).Milliseconds()),
		)...)
	}
	s.write, err = sql.Open("sqlite", with(
		"_auto_vacuum", "INCREMENTAL", // so that Retain gives space back; holds for new files only
		"_journal_mode", "WAL", // readers do not wait for the writer
		"_synchronous", "FULL", // NORMAL would lose the last commits in a power cut
		"_fk", "true",
		"_pragma", "journal_size_limit(16777216)", // gives the space of a large transaction back
		"_txlock", "immediate", // wait for another program before reading, not between reading and writing
	))
	if err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	// Some of the settings above write to the file: a reader must open a store whose disk is full.
	if s.read, err = sql.Open("sqlite", with("_query_only", "true")); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	return nil
}

// lockSQLite locks the data folder and makes the database's file.
func (s *Store) lockSQLite() error {
	if err := os.MkdirAll(s.options.Dir, 0o755); err != nil {
		return fmt.Errorf("the data folder cannot be made: %w; name another with --data", err)
	}
	var err error
	if s.release, err = lockFolder(s.options.Dir, s.options.Address); err != nil {
		return err
	}
	if err := removeRestoring(s.options.Dir); err != nil {
		return fmt.Errorf("the copy of a killed restore cannot be removed: %w; remove it yourself", err)
	}
	// SQLite would make the file, and then its journals, readable by all.
	file, err := os.OpenFile(s.where, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		s.file, err = file.Stat()
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("the store cannot be opened: %w", err)
	}
	return nil
}

func (s *Store) openPostgres(ctx context.Context) error {
	config, err := pgx.ParseConfig(s.options.URL) // its errors leave the password out
	if err != nil {
		return fmt.Errorf("--database-url: %w; write it as postgres://user:password@host/name", err)
	}
	s.where = fmt.Sprintf("database %s on %s", config.Database, config.Host)
	if !s.options.Guest {
		s.session = &session{config: config.Copy(), where: s.where, address: s.options.Address}
		s.session.config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // also a pooler answers this
		s.release = s.session.close
		if err := s.patiently(ctx, func() error { return s.session.again(ctx) }); err != nil {
			return err
		}
	}
	s.write = stdlib.OpenDB(*config)
	s.write.SetMaxOpenConns(16)
	s.write.SetMaxIdleConns(4)
	s.read = s.write
	return nil
}
