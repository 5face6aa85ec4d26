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

	_ "modernc.org/sqlite"
)

// go test ./server/store -run Fixtures -fixtures writes testdata/schema_N.ENGINE.sql for the newest schema, once, when
// it is released. Fixtures of earlier schemas are never written again.
var fixtures = flag.Bool("fixtures", false, "write the fixtures of the newest schema")

// newest is the schema of this program.
func newest(t *testing.T) int64 {
	t.Helper()
	files, err := fs.Glob(embedded, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return int64(len(files))
}

func TestAnotherSchemaIsRefusedByBothNumbers(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			s := opened(t, o)
			next := newest(t) + 1
			do(t, s, func(tx *Tx) error {
				return tx.change("INSERT INTO "+versionTable+" (version_id, is_applied) VALUES ($1, $2)", next, true)
			})
			s.Close()
			for _, o.Guest = range []bool{false, true} {
				s, err := Open(t.Context(), o)
				if err == nil {
					s.Close()
				}
				ours, theirs := fmt.Sprint("up to ", next-1), fmt.Sprint("schema ", next)
				if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), ours) || !strings.Contains(err.Error(), theirs) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
}

func TestAGuestDoesNotMigrate(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			s := opened(t, o)
			do(t, s, func(tx *Tx) error {
				_, err := tx.exec("DELETE FROM "+versionTable+" WHERE version_id = $1", newest(t))
				return err
			})
			s.Close()
			o.Guest = true
			if s, err := Open(t.Context(), o); !errors.Is(err, ErrSchema) {
				t.Errorf("%v, %v", s, err)
			}
		})
	}
}

func TestBackupsHoldEveryTable(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	known := map[string]bool{versionTable: true, "sqlite_sequence": true, "commits": true,
		"job_snapshots": true} // of this database only
	for _, table := range tables {
		known[table] = true
	}
	do(t, s, func(tx *Tx) error {
		return tx.each("SELECT name FROM sqlite_master WHERE type = 'table'", nil, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			if !known[name] {
				t.Errorf("table %s is in no backup: add it to tables", name)
			}
			return err
		})
	})
}

func fixture(schema int64, engine string) string {
	return filepath.Join("testdata", fmt.Sprintf("schema_%d.%s.sql", schema, engine))
}

// A store of each schema opens today and says the same.
func TestEverySchemaSinceTheFirstOpens(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			fresh := opened(t, e.make(t))
			fill(t, fresh)
			want := timeless(told(t, fresh))
			for schema := int64(1); schema <= newest(t); schema++ {
				text, err := os.ReadFile(fixture(schema, e.name))
				if err != nil {
					t.Fatalf("%v; -run Fixtures -fixtures writes the files of the newest schema", err)
				}
				o := e.make(t)
				load(t, o, string(text))
				o.Now = clock()
				old := opened(t, o)
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

// timeless leaves out when things were kept, since a later program may look at the clock more often, and the names of
// states.
func timeless(told string) string {
	return regexp.MustCompile(`(Created|Changed):\d+|State:[0-9a-f]{32}( \d+)?`).ReplaceAllString(told, "")
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
		text := fmt.Sprintf("-- A store of schema %d, for TestEverySchemaSinceTheFirstOpens.\n", newest(t))
		if e.name == "sqlite" {
			text += dumpSQLite(t, s)
		} else {
			text += dumpPostgres(t, o.URL)
		}
		if err := os.WriteFile(fixture(newest(t), e.name), []byte(text), 0o644); err != nil {
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
	for _, name := range []string{versionTable, "runs", "tape", "curves", "snapshots", "states", "links"} {
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
