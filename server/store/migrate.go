package store

// The schema's versions: migrations/NNNNN_name.sql, applied in order by goose, each in a transaction of its own. A
// released migration never changes; testdata/schema_N.*.sql holds a store of each version.

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

const versionTable = "schema_version"

//go:embed migrations/*.sql
var embedded embed.FS

// migrate brings the schema to this program's version. A guest only compares.
func (s *Store) migrate(ctx context.Context) error {
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	dialect := goose.DialectSQLite3
	if s.postgres() {
		dialect = goose.DialectPostgres
	}
	p, err := goose.NewProvider(dialect, s.write, migrations, goose.WithTableName(versionTable),
		goose.WithSlog(s.options.Log), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	var has int64
	if err := s.patiently(ctx, func() (err error) { has, err = p.GetDBVersion(ctx); return said(err) }); err != nil {
		return fmt.Errorf("the store in %s cannot be opened: %w", s.Where(), err)
	}
	switch {
	case has > newest:
		return fmt.Errorf("%w: %s has schema %d, and this program knows schemas up to %d; start a newer impalab, "+
			"or another data folder", ErrSchema, s.Where(), has, newest)
	case has == newest:
		return nil
	case s.options.Guest:
		return fmt.Errorf("%w: %s has schema %d, and this program reads schema %d; start the server once, so that it "+
			"migrates", ErrSchema, s.Where(), has, newest)
	}
	if err := s.patiently(ctx, func() error { _, err := p.Up(ctx); return said(err) }); err != nil {
		return fmt.Errorf("migrating %s from schema %d to %d failed: %w", s.Where(), has, newest, err)
	}
	return nil
}
