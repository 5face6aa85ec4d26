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
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"impalab/server/atomicfile"
)

// tables are the tables in backups, each after the tables that it refers to. Of jobs only the rows are in them: open
// jobs start again after a restore.
var tables = []string{"runs", "tape", "curves", "snapshots", "states", "links", "sweeps", "sweep_runs", "rooms",
	"room_members", "room_answers", "jobs", "board_seasons", "board_entries"}

// Contents are the numbers of rows of each table in a backup.
type Contents map[string]int64

// Backup writes the store as it is at one moment into a file at path, which must not exist yet. The file is whole or
// not there. Others may write to the store meanwhile.
func (s *Store) Backup(ctx context.Context, path string) (contents Contents, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the backup %s: %w; name a new file", path, errors.Join(fs.ErrExist, err))
	}
	err = inScratch(ctx, filepath.Dir(path), "impalab-*.part", func(file string, to *Store) error {
		if err := to.migrate(ctx); err != nil {
			return err
		}
		if contents, err = copyTables(ctx, s, to); err != nil {
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
		err = inScratch(ctx, s.options.Dir, restoring, func(file string, from *Store) error {
			if err := unpack(file, path); err != nil {
				return err
			}
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
			contents, err = copyTables(ctx, from, s)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be restored: %w", path, err)
	}
	return contents, nil
}

// restoring is the pattern of the folder in which Restore unpacks a backup.
const restoring = "impalab-restore-*.part"

// removeRestoring removes the folders of restores that were killed. The caller has the folder's lock, as each restore.
func removeRestoring(dir string) error {
	left, err := fs.Glob(os.DirFS(dir), restoring)
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)))
	}
	return err
}

// inScratch calls fn with a SQLite store in a temporary folder under dir, whose name has the pattern, and the name of
// its file, which is not there yet. No other process has the store, so it needs no locks, which network disks may lack,
// and no journal.
func inScratch(ctx context.Context, dir, pattern string, fn func(file string, s *Store) error) (err error) {
	dir, err = os.MkdirTemp(dir, pattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, sqliteFile)
	s := &Store{where: file}
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
		err = fmt.Errorf("%w: it is not a backup, or not a complete one: %w", ErrDamaged, err)
	}
	return errors.Join(err, to.Close())
}

// empty returns ErrConflict if there is a row in the store.
func (tx *Tx) empty() error {
	for _, t := range tables {
		rows, err := read[int64](tx, "SELECT COUNT(*) FROM "+t)
		if err != nil {
			return err
		}
		if rows > 0 {
			return fmt.Errorf("%w: %s holds %d rows of %s; restore into an empty store: name a new data folder or "+
				"database", ErrConflict, tx.s.Where(), rows, t)
		}
	}
	return nil
}

// copyTables copies all tables from a store into an empty one.
func copyTables(ctx context.Context, from, to *Store) (contents Contents, err error) {
	err = from.View(ctx, func(from *Tx) error {
		return to.Do(ctx, func(to *Tx) error {
			contents = Contents{}
			for _, t := range tables {
				if contents[t], err = copyTable(from, to, t); err != nil {
					return fmt.Errorf("table %s: %w", t, err)
				}
			}
			return nil
		})
	})
	return contents, err
}

// goTypes are the types of Go for the types that SQLite and PostgreSQL report.
var goTypes = map[string]string{
	"TEXT": "string", "BIGINT": "int64", "INT8": "int64", "DOUBLE PRECISION": "float64", "FLOAT8": "float64",
	"BOOLEAN": "bool", "BOOL": "bool", "BYTEA": "[]uint8",
}

// copyTable returns the number of rows.
func copyTable(from, to *Tx, table string) (n int64, err error) {
	types, names, marks, err := to.columns(table)
	if err != nil {
		return 0, err
	}
	if _, theirs, _, err := from.columns(table); judge(err) != final {
		return 0, err
	} else if theirs != names {
		return 0, errors.Join(fmt.Errorf("%w: its columns are not %s", ErrDamaged, names), err)
	}
	insert, err := to.tx.PrepareContext(to.ctx, "INSERT INTO "+table+" ("+names+") VALUES ("+marks+")")
	if err != nil {
		return 0, said(err)
	}
	defer insert.Close()
	values, places := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		places[i] = &values[i]
	}
	err = from.each("SELECT "+names+" FROM "+table, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for i, of := range types {
			want := goTypes[of.DatabaseTypeName()]
			if v, ok := values[i].(int64); ok && want == "bool" { // SQLite has no booleans
				values[i] = v != 0
			}
			if values[i] != nil && fmt.Sprintf("%T", values[i]) != want {
				return fmt.Errorf("%w: a %T in column %s", ErrDamaged, values[i], of.Name())
			}
		}
		n++
		_, err := insert.ExecContext(to.ctx, values...)
		return said(err)
	})
	return n, err
}

// columns returns a table's columns, their names for a query, and a mark for the value of each.
func (tx *Tx) columns(table string) (types []*sql.ColumnType, names, marks string, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, "SELECT * FROM "+table+" WHERE 1 = 0")
	if err != nil {
		return nil, "", "", said(err)
	}
	defer rows.Close()
	types, err = rows.ColumnTypes()
	for i, t := range types {
		names, marks = names+", "+t.Name(), marks+fmt.Sprintf(", $%d", i+1)
	}
	return types, strings.TrimPrefix(names, ", "), strings.TrimPrefix(marks, ", "), err
}
