package store

// The schema's versions: migrations/NNNNN_name.sql, applied in order by goose, each in a transaction of its own. A
// migration that was published never changes; testdata/schema_N.*.sql holds what each version left behind.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

const versionTable = "schema_version"

// provider has the migrations of this store's engine. Nobody else migrates meanwhile: the store is held.
func (s *Store) provider() (*goose.Provider, error) {
	return goose.NewProvider(s.engine.dialect, s.write, s.migrations, goose.WithTableName(versionTable),
		goose.WithSlog(s.options.Log), goose.WithDisableGlobalRegistry(true))
}

// newest is the schema that this program writes.
func (s *Store) newest() (int64, error) {
	p, err := s.provider()
	if err != nil {
		return 0, err
	}
	sources := p.ListSources()
	return sources[len(sources)-1].Version, nil
}

// migrate brings the schema to this program's version.
func (s *Store) migrate(ctx context.Context) error {
	newest, err := s.newest()
	if err != nil {
		return err
	}
	var has int64
	if err := s.patiently(ctx, func() (err error) { has, err = s.schema(ctx); return said(err) }); err != nil {
		return fmt.Errorf("the store in %s cannot be opened: %w", s.Where(), err)
	}
	switch {
	case has > newest:
		return fmt.Errorf("%w: %s has schema %d, and this program knows schemas up to %d; start a newer impalab, "+
			"or another data folder", ErrSchema, s.Where(), has, newest)
	case has == newest:
		return nil
	case s.options.guest():
		return fmt.Errorf("%w: %s has schema %d, and this program reads schema %d; start the server once, so that it "+
			"migrates", ErrSchema, s.Where(), has, newest)
	case has > 0:
		if err := s.backupBefore(ctx, has); err != nil {
			return fmt.Errorf("the backup before migrating %s failed, so nothing was migrated: %w", s.Where(), err)
		}
	}
	p, err := s.provider()
	if err != nil {
		return err
	}
	if err := s.patiently(ctx, func() error { _, err := p.Up(ctx); return said(err) }); err != nil {
		return fmt.Errorf("migrating %s from schema %d to %d failed: %w", s.Where(), has, newest, err)
	}
	return nil
}

// schema is the version in the database, 0 when it is empty.
func (s *Store) schema(ctx context.Context) (version int64, err error) {
	query := "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = $1"
	if s.engine.name == "postgres" {
		query = "SELECT count(*) FROM pg_class WHERE oid = to_regclass($1::text)"
	}
	var tables int
	if err := s.read.QueryRowContext(ctx, query, versionTable).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	err = s.read.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM "+versionTable).Scan(&version)
	return version, err
}

// backupBefore copies the database before a migration: of SQLite, a file that an older impalab opens as it is; of
// PostgreSQL, an archive.
func (s *Store) backupBefore(ctx context.Context, version int64) error {
	name := fmt.Sprintf("impalab-schema-%d-%s", version, s.options.Now().UTC().Format("20060102T150405.000Z"))
	path := filepath.Join(s.options.Dir, name)
	if s.engine.name == "sqlite" {
		path += ".db"
		if _, err := s.write.ExecContext(ctx, "VACUUM INTO '"+strings.ReplaceAll(path, "'", "''")+"'"); err != nil {
			return err
		}
	} else {
		path += ".archive"
		if _, err := s.archiveTo(ctx, path, version); err != nil {
			return err
		}
	}
	s.options.Log.Info("backed up before migrating", "database", s.Where(), "backup", path, "schema", version,
		"took", time.Since(s.options.Now()))
	return nil
}
