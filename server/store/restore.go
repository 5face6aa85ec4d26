package store

// Restore reads an archive into an empty store, of the database that it was made of or of the other.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Restore fills an empty store from the archive at path, all of it or nothing, and migrates what an older program
// wrote. A store that holds anything is ErrConflict, an archive of a newer program ErrSchema, a broken one ErrDamaged,
// with the line.
func (s *Store) Restore(ctx context.Context, path string) (contents Contents, err error) {
	defer func() {
		if err != nil {
			contents, err = nil, fmt.Errorf("%s cannot be restored: %w", path, err)
		}
	}()
	schema, err := archiveSchema(path)
	if err != nil {
		return nil, err
	}
	newest, err := s.newest()
	if err != nil {
		return nil, err
	}
	if schema > newest {
		return nil, fmt.Errorf("%w: it has schema %d, and this program knows schemas up to %d; restore it with a "+
			"newer impalab", ErrSchema, schema, newest)
	}
	if err := s.View(ctx, func(tx *Tx) error { return tx.empty() }); err != nil {
		return nil, err
	}
	if schema < newest { // fill the tables as they were, then migrate them
		p, err := s.provider()
		if err != nil {
			return nil, err
		}
		if _, err := p.DownTo(ctx, schema); err != nil {
			return nil, err
		}
		defer func() {
			if _, up := p.Up(ctx); up != nil {
				err = errors.Join(err, up)
			}
		}()
	}
	err = s.Do(ctx, func(tx *Tx) (err error) {
		contents, err = tx.restore(path)
		return err
	})
	return contents, err
}

// archiveSchema reads the first line only.
func archiveSchema(path string) (schema int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	enough := errors.New("enough")
	err = readArchive(file, lineLimit, archiveVisitor{header: func(h archiveHeader) error {
		schema = h.Schema
		return enough
	}})
	if errors.Is(err, enough) {
		err = nil
	}
	return schema, err
}

// empty says ErrConflict when there is anything in the store.
func (tx *Tx) empty() error {
	for _, t := range tables {
		var rows int64
		if err := tx.one("SELECT COUNT(*) FROM "+t.name, nil, &rows); err != nil {
			return err
		}
		if rows > 0 {
			return fmt.Errorf("%w: %s holds %d rows of %s; restore into an empty store: name a new data folder or "+
				"database", ErrConflict, tx.s.Where(), rows, t.name)
		}
	}
	return nil
}

func (tx *Tx) restore(path string) (contents Contents, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var name string
	var insert *sql.Stmt
	defer func() {
		if insert != nil {
			insert.Close()
		}
	}()
	contents = Contents{}
	err = readArchive(file, lineLimit, archiveVisitor{
		header: func(archiveHeader) error { return nil },
		table: func(table string, columns []archiveColumn) (err error) {
			if insert != nil {
				insert.Close()
			}
			name = table
			contents[name] = 0
			insert, err = tx.inserter(table, columns)
			return err
		},
		row: func(values []any) error {
			contents[name]++
			_, err := insert.ExecContext(tx.ctx, values...)
			return said(err)
		},
	})
	return contents, err
}

// inserter prepares the statement that fills a table. What the archive calls tables and columns must be ours.
func (tx *Tx) inserter(name string, columns []archiveColumn) (*sql.Stmt, error) {
	if !slices.ContainsFunc(tables, func(t table) bool { return t.name == name }) {
		return nil, fmt.Errorf("%w: there is no table %.60q", ErrDamaged, name)
	}
	ours, err := tx.columns(name)
	if err != nil {
		return nil, err
	}
	var places []string
	for i, c := range columns {
		if !slices.Contains(ours, c) {
			return nil, fmt.Errorf("%w: table %s has no column %.60q of kind %.20q", ErrDamaged, name, c.Name, c.Kind)
		}
		places = append(places, fmt.Sprintf("$%d", i+1))
	}
	insert := "INSERT INTO " + name + " (" + names(columns) + ") VALUES (" + strings.Join(places, ", ") + ")"
	stmt, err := tx.tx.PrepareContext(tx.ctx, insert)
	return stmt, said(err)
}
