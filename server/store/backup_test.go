package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// fill keeps something of everything, and returns what must come back.
func fill(t *testing.T, s *Store) (ids []string) {
	t.Helper()
	for i := range 3 {
		run := sample(fmt.Sprintf("%032x", i+1))
		run.ReturnMean100 = []float64{math.Inf(-1), math.NaN(), 0.1}[i]
		do(t, s, func(tx *Tx) error {
			_, err := tx.Shorten(fmt.Sprint("v=1&seed=", i))
			return errors.Join(err, tx.AddRun(run), tx.AppendTape(run.ID, 1, `{"format":1}`, "<ρ̄ & \u2028>"),
				tx.AppendCurves(run.ID, map[string][]Point{"loss": line(uint64(i), 1500), "π": line(9, 3)}),
				tx.keep(run.ID, Snapshot{Update: 5, Step: 50, Marked: i == 1, Data: noise(uint64(i), 500)}))
		})
		ids = append(ids, run.ID)
	}
	return ids
}

// told is all that a store tells about what fill kept.
func told(t *testing.T, s *Store) string {
	t.Helper()
	var out strings.Builder
	do(t, s, func(tx *Tx) error {
		runs, _, err := tx.RunsOf("owner", Cursor{}, 100)
		if err != nil {
			return err
		}
		for _, r := range runs {
			curves, err1 := tx.Curves(r.ID)
			lines, err2 := tx.Tape(r.ID, 1, 100)
			snap, err3 := tx.SnapshotAt(r.ID, math.MaxInt64)
			points, err4 := tx.Curve(r.ID, "loss", 0, math.MaxInt64)
			if errors.Is(err3, ErrNotFound) { // the sweep's run has none
				err3 = nil
			}
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				return err
			}
			fmt.Fprintf(&out, "%+v\n%v\n%q\n%+v\n%v\n", r, curves, lines, snap, points)
		}
		for i := range 3 {
			code, err := tx.Shorten(fmt.Sprint("v=1&seed=", i))
			fmt.Fprintln(&out, code, err)
		}
		return nil
	})
	return out.String()
}

func TestABackupComesBackInEitherDatabase(t *testing.T) {
	t.Parallel()
	for _, from := range engines {
		for _, to := range engines {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				source := opened(t, from.make(t))
				fill(t, source)
				seasoned(t, source, []byte("k"))
				peopled(t, source, "BCDFGH")
				sweep, _ := swept(t, source)
				path := filepath.Join(t.TempDir(), "archive")
				made, err := source.Backup(t.Context(), path)
				if err != nil || made["runs"] != 4 || made["curves"] != 9 || made["links"] != 3 {
					t.Fatalf("%v, %v", made, err)
				}
				target := opened(t, to.make(t))
				restored, err := target.Restore(t.Context(), path)
				if err != nil || fmt.Sprint(restored) != fmt.Sprint(made) {
					t.Fatalf("%v, %v", restored, err)
				}
				if got, want := told(t, target), told(t, source); got != want {
					t.Errorf("got\n%.3000s…\nwant\n%.3000s…", got, want)
				}
				for what, read := range map[string]func(tx *Tx) (any, error){
					"seasons":    func(tx *Tx) (any, error) { return tx.Seasons() },
					"entries":    func(tx *Tx) (any, error) { return tx.EntriesOpen() },
					"room":       func(tx *Tx) (any, error) { return tx.Room("BCDFGH") },
					"members":    func(tx *Tx) (any, error) { return tx.Members("BCDFGH") },
					"answers":    func(tx *Tx) (any, error) { return tx.Answers("BCDFGH") },
					"sweep":      func(tx *Tx) (any, error) { return tx.Sweep(sweep) },
					"sweep runs": func(tx *Tx) (any, error) { return tx.SweepRuns(sweep) },
				} {
					if got, want := fmt.Sprint(get(t, target, read)), fmt.Sprint(get(t, source, read)); got != want || len(got) < 10 {
						t.Errorf("%s: %s came back, not %s", what, got, want)
					}
				}
			})
		}
	}
}

func TestABackupIsOfOneMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		stop, done := make(chan bool), make(chan error)
		go func() { // a line and a point in each transaction
			for i := int64(1); ; i++ {
				err := s.Do(t.Context(), func(tx *Tx) error {
					point := map[string][]Point{"a": {{i, 1}}}
					return errors.Join(tx.AppendTape(id, i, "line"), tx.AppendCurves(id, point))
				})
				select {
				case <-stop:
					done <- err
					return
				default:
				}
				if err != nil {
					<-stop
					done <- err
					return
				}
			}
		}()
		path := filepath.Join(t.TempDir(), "archive")
		for i := 0; ; i++ {
			if n := get(t, s, func(tx *Tx) (int64, error) { return tx.TapeLen(id) }); n > 20 {
				break
			}
		}
		_, err := s.Backup(t.Context(), path)
		stop <- true
		if err := errors.Join(err, <-done); err != nil {
			t.Fatal(err)
		}
		target := opened(t, newSQLite(t))
		if _, err := target.Restore(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		lines := get(t, target, func(tx *Tx) (int64, error) { return tx.TapeLen(id) })
		points := curve(t, target, id, "a")
		if lines < 20 || int64(len(points)) != lines || points[lines-1].Step != lines {
			t.Errorf("%d lines, %d points", lines, len(points))
		}
	})
}

func TestABackupOverwritesNothing(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	path := filepath.Join(t.TempDir(), "archive")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.Backup(t.Context(), path)
	if text, _ := os.ReadFile(path); err == nil || !strings.Contains(err.Error(), path) || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestOnlyAnEmptyStoreIsRestoredInto(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		fill(t, s)
		path := filepath.Join(t.TempDir(), "archive")
		if _, err := s.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		before := told(t, s)
		_, err := s.Restore(t.Context(), path)
		if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), s.Where()) {
			t.Errorf("error %v", err)
		}
		if told(t, s) != before {
			t.Error("the store has changed")
		}
	})
}

// edited returns a backup that was changed with SQL.
func edited(t testing.TB, whole, statement string) []byte {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "open")
	if err := unpack(file, whole); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", sqliteURL(file))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := pack(&packed, file); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestABrokenBackupIsRefusedWhole(t *testing.T) {
	source := opened(t, newSQLite(t))
	fill(t, source)
	path := filepath.Join(t.TempDir(), "backup")
	if _, err := source.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	turned := bytes.Clone(whole)
	turned[len(turned)/2] ^= 1
	zip, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	onBoth(t, func(t *testing.T, s *Store) {
		for name, try := range map[string]struct {
			file []byte
			want error
			word string
		}{
			"empty":        {nil, ErrDamaged, ""},
			"no backup":    {[]byte("hello"), ErrDamaged, "not a backup"},
			"no database":  {zip.EncodeAll([]byte(strings.Repeat("hello", 1000)), nil), ErrDamaged, ""},
			"cut":          {whole[:len(whole)/2], ErrDamaged, "not a complete one"},
			"a bit turned": {turned, ErrDamaged, ""},
			"no schema":    {edited(t, path, "DROP TABLE schema_version"), ErrDamaged, "schema_version"},
			"a newer schema": {edited(t, path, "UPDATE schema_version SET version_id = 99 WHERE version_id = 1"), ErrSchema,
				"schema 99"},
			"a table less":  {edited(t, path, "DROP TABLE links"), ErrDamaged, "table links"},
			"a column less": {edited(t, path, "ALTER TABLE runs RENAME COLUMN name TO title"), ErrDamaged, "table runs"},
			"another type":  {edited(t, path, "UPDATE runs SET steps = 'many'"), ErrDamaged, "column steps"},
			"a run less":    {edited(t, path, "DELETE FROM runs WHERE id LIKE '%1'"), nil, "table tape"},
			"a key twice": {edited(t, path, "ALTER TABLE links RENAME TO old; CREATE TABLE links AS SELECT * FROM old; "+
				"UPDATE links SET code = 'same'"), nil, "table links"},
		} {
			path := filepath.Join(t.TempDir(), "backup")
			if err := os.WriteFile(path, try.file, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := s.Restore(t.Context(), path)
			if err == nil || try.want != nil && !errors.Is(err, try.want) || !strings.Contains(err.Error(), try.word) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", name, err)
			}
			if err := s.View(t.Context(), func(tx *Tx) error { return tx.empty() }); err != nil {
				t.Fatalf("%s: the store holds something: %v", name, err)
			}
		}
	})
}

func FuzzBackup(f *testing.F) {
	s, err := Open(f.Context(), Options{Dir: f.TempDir(), Now: clock()})
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	path := filepath.Join(f.TempDir(), "backup")
	if _, err := s.Backup(f.Context(), path); err != nil {
		f.Fatal(err)
	}
	zipped, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	if err := unpack(path+"-open", path); err != nil {
		f.Fatal(err)
	}
	database, err := os.ReadFile(path + "-open")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(zipped, true)
	f.Add(database, false)
	f.Fuzz(func(t *testing.T, file []byte, packed bool) {
		path := filepath.Join(t.TempDir(), "backup")
		if !packed {
			zip, err := zstd.NewWriter(nil)
			if err != nil {
				t.Fatal(err)
			}
			file = zip.EncodeAll(file, nil)
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Restore(t.Context(), path); err != nil && s.View(t.Context(), (*Tx).empty) != nil {
			t.Errorf("error %v, and the store is not empty", err)
		}
	})
}

func TestARestoreThatWasKilledLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	left, others := filepath.Join(dir, "impalab-restore-123.part"), filepath.Join(dir, "impalab-456.part")
	for _, folder := range []string{left, others} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, sqliteFile), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened(t, Options{Dir: dir})
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of a killed restore: %v", err)
	}
	if _, err := os.Stat(others); err != nil { // a backup may be under way
		t.Errorf("a folder of another name: %v", err)
	}
}
