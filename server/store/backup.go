package store

// A backup is a SQLite store in one file, compressed with zstd, whichever database it was made of.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"impalab/server/atomicfile"
)

// tables are the tables in backups with their keys, each after the tables that it refers to. Of jobs only the rows are
// in them: open jobs start again after a restore.
var tables = []struct{ name, key string }{
	{"runs", "id"}, {"tape", "run, number"}, {"curves", "run, series, first_step"}, {"snapshots", "run, at_update"},
	{"links", "code"}, {"sweeps", "id"}, {"sweep_runs", "sweep, number"}, {"rooms", "code"},
	{"room_members", "room, number"}, {"room_answers", "room, number"}, {"jobs", "id"}, {"board_seasons", "number"},
	{"board_entries", "id"}, {"board_results", "entry, seed"},
}

// Contents are the numbers of rows of each table in a backup.
type Contents map[string]int64

// Backup writes the store as it is at one moment into a file at path, which must not exist yet. The file is whole or
// not there. Others may write to the store meanwhile.
func (s *Store) Backup(ctx context.Context, path string) (contents Contents, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the backup %s: %w; name a new file", path, errors.Join(fs.ErrExist, err))
	}
	err = inScratch(ctx, filepath.Dir(path), nil, func(file string, to *Store) error {
		if err := to.migrate(ctx); err != nil {
			return err
		}
		err := s.View(ctx, func(from *Tx) error {
			return to.Do(ctx, func(to *Tx) (err error) { contents, err = copyTables(from, to); return err })
		})
		if err != nil {
			return err
		}
		return atomicfile.Write(path, 0o600, func(w io.Writer) error { return pack(w, file) })
	})
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return nil, fmt.Errorf("the backup %s cannot be made: %w (%w)", path, ErrFull, err)
	case err != nil:
		return nil, fmt.Errorf("the backup %s cannot be made: %w", path, err)
	}
	return contents, nil
}

// Restore fills an empty store from the backup at path, all of it or nothing. A store that holds a row is ErrConflict,
// a backup of a newer program ErrSchema, a broken one ErrDamaged.
func (s *Store) Restore(ctx context.Context, path string) (contents Contents, err error) {
	err = s.View(ctx, func(tx *Tx) error { return tx.empty() })
	if err == nil {
		err = os.MkdirAll(s.options.Dir, 0o755)
	}
	if err == nil {
		unpack := func(file string) error { return unpack(file, path) }
		err = inScratch(ctx, s.options.Dir, unpack, func(_ string, from *Store) error {
			err := from.View(ctx, func(tx *Tx) error {
				_, err := read[int64](tx, "SELECT MAX(version_id) FROM "+versionTable)
				return err
			})
			if err != nil {
				return errors.Join(ErrDamaged, err)
			}
			if err := from.migrate(ctx); err != nil {
				return err
			}
			return s.Do(ctx, func(to *Tx) error {
				return from.View(ctx, func(from *Tx) (err error) { contents, err = copyTables(from, to); return err })
			})
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be restored: %w", path, err)
	}
	return contents, nil
}

// inScratch calls fn with a SQLite store in a temporary folder under dir, after fill has made its file. No other
// process has the store, so it needs no locks, which network disks may lack, and no journal.
func inScratch(ctx context.Context, dir string, fill func(file string) error,
	fn func(file string, s *Store) error) (err error) {
	dir, err = os.MkdirTemp(dir, "impalab-*.part")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, sqliteFile)
	if fill != nil {
		if err := fill(file); err != nil {
			return err
		}
	}
	s := &Store{engine: sqliteEngine(file, 0)}
	s.options.defaults()
	s.write, err = sql.Open("sqlite", sqliteURL(file, "nolock", "1", "_pragma", "journal_mode(off)", "_pragma",
		"synchronous(off)", "_pragma", "trusted_schema(off)"))
	if err != nil {
		return err
	}
	defer s.write.Close()
	s.write.SetMaxOpenConns(1)
	s.read = s.write
	return fn(file, s)
}

// pack compresses a file, with a checksum.
func pack(to io.Writer, file string) error {
	zip, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(zip, from)
	return errors.Join(err, zip.Close())
}

// unpack reads what pack wrote into a new file.
func unpack(file, path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	zip, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer zip.Close()
	to, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = to.ReadFrom(zip)
	if write := (*fs.PathError)(nil); err != nil && !errors.As(err, &write) {
		err = fmt.Errorf("%w: it is no backup, or not all of it: %w", ErrDamaged, err)
	}
	return errors.Join(err, to.Close())
}

// empty returns ErrConflict if there is a row in the store.
func (tx *Tx) empty() error {
	for _, t := range tables {
		rows, err := read[int64](tx, "SELECT COUNT(*) FROM "+t.name)
		if err != nil {
			return err
		}
		if rows > 0 {
			return fmt.Errorf("%w: %s holds %d rows of %s; restore into an empty store: name a new data folder or "+
				"database", ErrConflict, tx.s.Where(), rows, t.name)
		}
	}
	return nil
}

// copyTables copies all tables from a store into an empty one.
func copyTables(from, to *Tx) (contents Contents, err error) {
	contents = Contents{}
	for _, t := range tables {
		if contents[t.name], err = copyTable(from, to, t.name, t.key); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return contents, nil
}

// goTypes are the types of Go for the types that SQLite and PostgreSQL report.
var goTypes = map[string]string{
	"TEXT": "string", "BIGINT": "int64", "INT8": "int64", "DOUBLE PRECISION": "float64", "FLOAT8": "float64",
	"BOOLEAN": "bool", "BOOL": "bool", "BYTEA": "[]uint8",
}

func copyTable(from, to *Tx, table, key string) (n int64, err error) {
	names, types, err := to.describe(table)
	if err != nil {
		return 0, err
	}
	theirNames, theirTypes, err := from.describe(table)
	switch {
	case err != nil && judge(err) != final:
		return 0, err
	case err != nil || !slices.Equal(names, theirNames) || !slices.Equal(types, theirTypes):
		return 0, errors.Join(fmt.Errorf("%w: its columns are not %s", ErrDamaged, strings.Join(names, ", ")), err)
	}
	marks, places, values := make([]string, len(names)), make([]any, len(names)), make([]any, len(names))
	for i := range names {
		marks[i], places[i] = fmt.Sprintf("$%d", i+1), &values[i]
	}
	columns := strings.Join(names, ", ")
	insert, err := to.tx.PrepareContext(to.ctx,
		"INSERT INTO "+table+" ("+columns+") VALUES ("+strings.Join(marks, ", ")+")")
	if err != nil {
		return 0, said(err)
	}
	defer insert.Close()
	err = from.each("SELECT "+columns+" FROM "+table+" ORDER BY "+key, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for i, name := range names {
			if v, ok := values[i].(int64); ok && types[i] == "bool" { // SQLite has no booleans
				values[i] = v != 0
			}
			if values[i] != nil && fmt.Sprintf("%T", values[i]) != types[i] {
				return fmt.Errorf("%w: a %T in column %s", ErrDamaged, values[i], name)
			}
		}
		n++
		_, err := insert.ExecContext(to.ctx, values...)
		return said(err)
	})
	return n, err
}

// describe returns the names and types of a table's columns.
func (tx *Tx) describe(table string) (names, types []string, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, "SELECT * FROM "+table+" WHERE 1 = 0")
	if err != nil {
		return nil, nil, said(err)
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		known, ok := goTypes[c.DatabaseTypeName()]
		if !ok {
			return nil, nil, fmt.Errorf("column %s is of type %s, which backups cannot hold", c.Name(), c.DatabaseTypeName())
		}
		names, types = append(names, c.Name()), append(types, known)
	}
	return names, types, rows.Err()
}
