package store

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	_ "modernc.org/sqlite"
)

// go test ./server/store -run Fixtures -fixtures writes testdata/schema_N.ENGINE.sql for the newest schema, once, when
// it is published. Fixtures of earlier schemas are never written again.
var fixtures = flag.Bool("fixtures", false, "write the fixtures of the newest schema")

func embeddedMigrations(t *testing.T) fs.FS {
	t.Helper()
	migrations, err := fs.Sub(embedded, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	return migrations
}

// future is our migrations and one more, as a later impalab would have it.
func future(t *testing.T) (fs.FS, int64) {
	t.Helper()
	all := fstest.MapFS{}
	files, err := fs.Glob(embeddedMigrations(t), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(embeddedMigrations(t), name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	next := int64(len(files) + 1)
	all[fmt.Sprintf("%05d_mood.sql", next)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" +
		"ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n" +
		"-- +goose Down\nALTER TABLE runs DROP COLUMN mood;\n")}
	return all, next
}

func openedInFuture(t *testing.T, o Options) *Store {
	t.Helper()
	later, _ := future(t)
	s, err := open(t.Context(), o, later)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mood(t *testing.T, s *Store) (mood string) {
	t.Helper()
	do(t, s, func(tx *Tx) error { return tx.one("SELECT DISTINCT mood FROM runs", nil, &mood) })
	return mood
}

func TestANewerSchemaIsRefusedByBothNumbers(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			later := openedInFuture(t, o)
			_, next := future(t)
			later.Close()
			for _, o.ReadOnly = range []bool{false, true} {
				s, err := Open(t.Context(), o)
				if err == nil {
					s.Close()
				}
				ours, theirs := fmt.Sprint("up to ", next-1), fmt.Sprint("schema ", next)
				if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), ours) ||
					!strings.Contains(err.Error(), theirs) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
}

func TestLookingDoesNotMigrate(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	opened(t, o).Close()
	o.ReadOnly = true
	later, _ := future(t)
	if s, err := open(t.Context(), o, later); !errors.Is(err, ErrSchema) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestMigratingKeepsEverythingAndABackup(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			s := opened(t, o)
			fill(t, s)
			want := told(t, s)
			s.Close()
			later := openedInFuture(t, o)
			if told(t, later) != want || mood(t, later) != "calm" {
				t.Error("something has changed")
			}
			backups, err := filepath.Glob(filepath.Join(o.Dir, "impalab-schema-*"))
			if err != nil || len(backups) != 1 {
				t.Fatalf("backups %v, %v", backups, err)
			}
			var back *Store
			if e.name == "sqlite" { // a file that takes the place of the other
				dir := t.TempDir()
				if err := os.Rename(backups[0], filepath.Join(dir, sqliteFile)); err != nil {
					t.Fatal(err)
				}
				back = opened(t, Options{Dir: dir, Now: clock()})
			} else {
				back = opened(t, e.make(t))
				if _, err := back.Restore(t.Context(), backups[0]); err != nil {
					t.Fatal(err)
				}
			}
			if told(t, back) != want {
				t.Error("the backup holds something else")
			}
			later.Close()
			openedInFuture(t, o)
			if again, _ := filepath.Glob(filepath.Join(o.Dir, "impalab-schema-*")); len(again) > 1 {
				t.Errorf("a backup although nothing was migrated: %v", again)
			}
		})
	}
}

func TestAnArchiveOfAnEarlierSchemaIsRestored(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := opened(t, e.make(t))
			fill(t, s)
			path := filepath.Join(t.TempDir(), "archive")
			if _, err := s.Backup(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			later := openedInFuture(t, e.make(t))
			if _, err := later.Restore(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			if told(t, later) != told(t, s) || mood(t, later) != "calm" {
				t.Error("something has changed")
			}
			path += "2"
			if _, err := later.Backup(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			_, next := future(t)
			if _, err := opened(t, e.make(t)).Restore(t.Context(), path); !errors.Is(err, ErrSchema) ||
				!strings.Contains(err.Error(), fmt.Sprint("schema ", next)) {
				t.Errorf("an archive of a later one: %v", err)
			}
		})
	}
}

func TestArchivesHoldEveryTable(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	known := map[string]bool{versionTable: true, "sqlite_sequence": true, "commits": true,
		"job_snapshots": true} // of this database only
	for _, table := range tables {
		known[table.name] = true
	}
	do(t, s, func(tx *Tx) error {
		return tx.each("SELECT name FROM sqlite_master WHERE type = 'table'", nil, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			if !known[name] {
				t.Errorf("table %s is in no archive: add it to tables", name)
			}
			return err
		})
	})
}

func fixture(schema int64, engine string) string {
	return filepath.Join("testdata", fmt.Sprintf("schema_%d.%s.sql", schema, engine))
}

// What each schema left behind opens today and says the same.
func TestEverySchemaSinceTheFirstOpens(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			fresh := opened(t, e.make(t))
			fill(t, fresh)
			want := timeless(told(t, fresh))
			newest, err := fresh.newest()
			if err != nil {
				t.Fatal(err)
			}
			for schema := int64(1); schema <= newest; schema++ {
				text, err := os.ReadFile(fixture(schema, e.name))
				if err != nil {
					t.Fatal(err)
				}
				o := e.make(t)
				load(t, o, string(text))
				o.Now = clock()
				old := opened(t, o)
				if has, err := old.schema(t.Context()); has != newest || err != nil {
					t.Errorf("schema %d came to %d, %v", schema, has, err)
				}
				if got := timeless(told(t, old)); got != want {
					t.Errorf("schema %d tells\n%.3000s…\nwant\n%.3000s…", schema, got, want)
				}
				if e.name == "sqlite" && shape(t, old) != shape(t, fresh) {
					t.Errorf("schema %d came to\n%s\nwhere a new store has\n%s", schema, shape(t, old), shape(t, fresh))
				}
			}
		})
	}
}

// timeless leaves out when things were kept: a later program may look at the clock more often.
func timeless(told string) string {
	return regexp.MustCompile(`(Created|Changed):\d+`).ReplaceAllString(told, "")
}

// load runs a fixture on an empty database.
func load(t *testing.T, o Options, text string) {
	t.Helper()
	driver, dsn := "pgx", o.URL
	if dsn == "" {
		driver, dsn = "sqlite", filepath.Join(o.Dir, sqliteFile)
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// shape is the schema of a SQLite store, without spaces.
func shape(t *testing.T, s *Store) string {
	t.Helper()
	var all strings.Builder
	query := "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name <> $1 ORDER BY name"
	do(t, s, func(tx *Tx) error {
		return tx.each(query, []any{versionTable}, func(rows *sql.Rows) error {
			var text string
			err := rows.Scan(&text)
			all.WriteString(strings.Join(strings.Fields(text), " ") + "\n")
			return err
		})
	})
	return all.String()
}

func TestFixturesAreWritten(t *testing.T) {
	if !*fixtures {
		t.Skip("writes only with -fixtures")
	}
	for _, e := range engines {
		o := e.make(t)
		s := opened(t, o)
		fill(t, s)
		newest, err := s.newest()
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("-- What schema %d left behind, for TestEverySchemaSinceTheFirstOpens.\n", newest)
		if e.name == "sqlite" {
			text += dumpSQLite(t, s)
		} else {
			text += dumpPostgres(t, o.URL)
		}
		if err := os.WriteFile(fixture(newest, e.name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func dumpSQLite(t *testing.T, s *Store) string {
	var out strings.Builder
	do(t, s, func(tx *Tx) error {
		query := `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`
		return tx.each(query, nil, func(rows *sql.Rows) error {
			var text string
			err := rows.Scan(&text)
			fmt.Fprintf(&out, "%s;\n", text)

			return err
		})
	})
	for _, name := range []string{versionTable, "runs", "tape", "curves", "snapshots", "links", "commits", "sweeps",
		"sweep_runs"} {
		var cells []string
		do(t, s, func(tx *Tx) error {
			return tx.each("SELECT name FROM pragma_table_info('"+name+"')", nil, func(rows *sql.Rows) error {
				var column string
				err := rows.Scan(&column)
				cells = append(cells, "quote("+column+")")
				return err
			})
		})
		do(t, s, func(tx *Tx) error {
			return tx.each("SELECT "+strings.Join(cells, "||', '||")+" FROM "+name, nil, func(rows *sql.Rows) error {
				var values string
				err := rows.Scan(&values)
				fmt.Fprintf(&out, "INSERT INTO %s VALUES (%s);\n", name, values)
				return err
			})
		})
	}
	return out.String()
}

func dumpPostgres(t *testing.T, url string) string {
	base, schema, _ := strings.Cut(url, "&search_path=")
	dump := exec.CommandContext(t.Context(), "pg_dump", "--inserts", "--no-owner", "-n", schema, base)
	var complaint bytes.Buffer
	dump.Stderr = &complaint
	text, err := dump.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v\n%s", err, complaint.Bytes())
	}
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(text), schema+".", "")) {
		switch {
		case line == "\n", strings.HasPrefix(line, "\\"), strings.HasPrefix(line, "--"),
			strings.HasPrefix(line, "SET "), strings.HasPrefix(line, "CREATE SCHEMA"), strings.Contains(line, "'search_path'"):
		default:
			out.WriteString(line)
		}
	}
	return out.String()
}
