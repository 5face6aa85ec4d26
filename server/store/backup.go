package store

// Backup writes the whole store into an archive while it is in use.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"impalab/server/atomicfile"
)

// table is one that archives hold.
type table struct {
	name  string
	order string // its key: the same store makes the same archive
	since int64  // the first schema that has it
}

// tables are all of ours, each after those that it refers to.
var tables = []table{
	{"runs", "id", 1},
	{"tape", "run, number", 1},
	{"curves", "run, series, first_step", 1},
	{"snapshots", "run, at_update", 1},
	{"links", "code", 1},
	{"sweeps", "id", 3},
	{"sweep_runs", "sweep, number", 3},
	{"rooms", "code", 5},
	{"room_members", "room, number", 5},
	{"room_answers", "room, number", 5},
	{"jobs", "id", 6}, // without job_snapshots: what was restored begins its open jobs anew
	{"board_seasons", "number", 7},
	{"board_entries", "id", 7},
	{"board_results", "entry, seed", 7},
}

// kinds are the archive's names for the types that SQLite and PostgreSQL report.
var kinds = map[string]string{
	"TEXT": "text", "BIGINT": "int", "INT8": "int", "DOUBLE PRECISION": "float", "FLOAT8": "float",
	"BOOLEAN": "bool", "BOOL": "bool", "BYTEA": "bytes",
}

// Contents are the rows of each table in an archive.
type Contents map[string]int64

// Backup writes what the store holds at one moment into an archive at path, which must not exist yet. Others may write
// on meanwhile. The file is whole or not there.
func (s *Store) Backup(ctx context.Context, path string) (Contents, error) {
	schema, err := s.newest()
	if err != nil {
		return nil, err
	}
	return s.archiveTo(ctx, path, schema)
}

func (s *Store) archiveTo(ctx context.Context, path string, schema int64) (contents Contents, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the backup %s: %w; name a new file", path, errors.Join(fs.ErrExist, err))
	}
	err = s.View(ctx, func(tx *Tx) error {
		return atomicfile.Write(path, 0o600, func(w io.Writer) (err error) {
			contents, err = tx.archive(w, schema)
			return err
		})
	})
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return nil, fmt.Errorf("the backup %s cannot be made: %w (%w)", path, ErrFull, err)
	case err != nil:
		return nil, fmt.Errorf("the backup %s cannot be made: %w", path, err)
	}
	return contents, nil
}

// archive writes all tables of a schema.
func (tx *Tx) archive(w io.Writer, schema int64) (Contents, error) {
	a, err := newArchiveWriter(w, archiveHeader{Schema: schema, Made: tx.s.now(), From: tx.s.engine.name})
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		if t.since > schema {
			continue
		}
		columns, err := tx.columns(t.name)
		if err != nil {
			return nil, err
		}
		if err := a.begin(t.name, columns); err != nil {
			return nil, err
		}
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		err = tx.each("SELECT "+names(columns)+" FROM "+t.name+" ORDER BY "+t.order, nil, func(rows *sql.Rows) error {
			if err := rows.Scan(places...); err != nil {
				return err
			}
			for i, c := range columns { // SQLite has no booleans
				if n, ok := values[i].(int64); ok && c.Kind == "bool" {
					values[i] = n != 0
				}
			}
			return a.row(values)
		})
		if err != nil {
			return nil, err
		}
	}
	return a.rows, a.close()
}

// columns asks the database for the columns of a table.
func (tx *Tx) columns(table string) (columns []archiveColumn, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, "SELECT * FROM "+table+" WHERE 1 = 0")
	if err != nil {
		return nil, said(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	for _, t := range types {
		kind, ok := kinds[t.DatabaseTypeName()]
		if !ok {
			return nil, fmt.Errorf("column %s of %s is of type %s, which archives do not know", t.Name(), table,
				t.DatabaseTypeName())
		}
		columns = append(columns, archiveColumn{t.Name(), kind})
	}
	return columns, rows.Err()
}

func names(columns []archiveColumn) string {
	var list []string
	for _, c := range columns {
		list = append(list, c.Name)
	}
	return strings.Join(list, ", ")
}
