package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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
			return errors.Join(err, tx.AddRun(run, "key"), tx.AppendTape(run.ID, 1, `{"format":1}`, "<ρ̄ & \u2028>"),
				tx.AppendCurves(run.ID, map[string][]Point{"loss": line(uint64(i), 1500), "π": line(9, 3)}),
				tx.AddSnapshot(run.ID, Snapshot{Update: 5, Step: 50, Marked: i == 1, Data: noise(uint64(i), 500)}))
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
			if err := errors.Join(err1, err2, err3, err4, tx.CheckKey(r.ID, "key")); err != nil {
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
				path := filepath.Join(t.TempDir(), "archive")
				made, err := source.Backup(t.Context(), path)
				if err != nil || made["runs"] != 3 || made["curves"] != 9 || made["links"] != 3 {
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
		lines := int64(len(tape(t, target, id)))
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

// archived is an archive of a filled store, as JSON Lines.
func archived(t testing.TB, s *Store) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive")
	if _, err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unzip, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := unzip.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func zipped(t testing.TB, text string) []byte {
	zip, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return zip.EncodeAll([]byte(text), nil)
}

func TestABrokenArchiveIsRefusedWholeWithItsLine(t *testing.T) {
	source := opened(t, newSQLite(t))
	fill(t, source)
	text := archived(t, source)
	whole := zipped(t, text)
	turned := bytes.Clone(whole)
	turned[len(turned)-9] ^= 1
	lines := strings.SplitAfter(text, "\n")
	link := lines[slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"table":"sweeps"`) })-1]
	id, column := `{"name":"id","kind":"text"}`, `{"name":"id) --","kind":"text"}`
	swap := func(old, new string) []byte { return zipped(t, strings.Replace(text, old, new, 1)) }
	onBoth(t, func(t *testing.T, s *Store) {
		for name, try := range map[string]struct {
			file []byte
			want error
			word string
		}{
			"empty":           {nil, ErrDamaged, "line 0"},
			"no archive":      {[]byte("hello"), ErrDamaged, ""},
			"cut":             {whole[:len(whole)/2], ErrDamaged, ""},
			"a bit turned":    {turned, ErrDamaged, ""},
			"no end":          {zipped(t, strings.Join(lines[:len(lines)-2], "")), ErrDamaged, "cut short"},
			"a row missing":   {swap(link, ""), ErrDamaged, "3 rows of links"},
			"a column more":   {swap(id, column), ErrDamaged, "line 2"},
			"another kind":    {swap(id, `{"name":"id","kind":"int"}`), ErrDamaged, "line 2"},
			"another table":   {swap(`"table":"runs"`, `"table":"sqlite_master"`), ErrDamaged, "line 2"},
			"a newer format":  {swap(`"impalab_archive":1`, `"impalab_archive":2`), ErrSchema, "version 2"},
			"a newer schema":  {swap(`"schema":`, `"schema":99`), ErrSchema, "schema 99"},
			"a run missing":   {swap(lines[2], ""), nil, "line 6"}, // its tape's first
			"a row too short": {swap(lines[2], `["a"]`+"\n"), ErrDamaged, "line 3"},
		} {
			path := filepath.Join(t.TempDir(), "archive")
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

func FuzzArchive(f *testing.F) {
	s, err := Open(f.Context(), Options{Dir: f.TempDir(), Now: clock()})
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	if err := s.Do(f.Context(), func(tx *Tx) error {
		_, err := tx.Shorten("v=1")
		run := sample(NewID())
		return errors.Join(err, tx.AddRun(run, "key"), tx.AddSnapshot(run.ID, Snapshot{Data: []byte("data")}))
	}); err != nil {
		f.Fatal(err)
	}
	text := archived(f, s)
	f.Add([]byte(text), false)
	f.Add(zipped(f, text), true)
	f.Add([]byte(`{"impalab_archive":1}`+"\n"+`{"table":"a","columns":[{"name":"x","kind":"float"}]}`+"\n"+
		`["NaN"]`+"\n"+`[1e400]`), false)
	f.Fuzz(func(t *testing.T, file []byte, packed bool) {
		if !packed {
			file = zipped(t, string(file))
		}
		width, rows := 0, 0
		err := readArchive(bytes.NewReader(file), 1<<20, archiveVisitor{
			header: func(h archiveHeader) error { return nil },
			table:  func(_ string, columns []archiveColumn) error { width = len(columns); return nil },
			row: func(values []any) error {
				rows++
				if len(values) != width {
					t.Errorf("a row of %d cells, %d columns", len(values), width)
				}
				return nil
			},
		})
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrSchema) {
			t.Errorf("error %v after %d rows", err, rows)
		}
	})
}
