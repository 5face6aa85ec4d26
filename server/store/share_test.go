package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// weighed is a store that may keep so much beside runs.
func weighed(t *testing.T, o Options, others int64) *Store {
	o.Others = others
	return opened(t, o)
}

// Rooms, answers, links and entries are refused beyond their common bound, and the disk agrees.
func TestStoredDataBesideRunsHasABound(t *testing.T) {
	t.Parallel()
	const bound = 2_000_000
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := weighed(t, e.make(t), bound)
			long := fmt.Sprintf(`{"text": "%s"}`, strings.Repeat("A", 3000))
			add := map[string]func(n int64, tx *Tx) error{
				"a room": func(n int64, tx *Tx) error {
					return tx.AddRoom(Room{Code: fmt.Sprint("R", n), Secret: []byte("x"), State: "{}"}, "key")
				},
				"an answer": func(n int64, tx *Tx) error {
					return tx.AddAnswer("BCDFGH", Answer{Number: 100 + n, Member: 1, Kind: "try", Task: "t", Answer: long,
						Verdict: "{}"})
				},
				"a member": func(n int64, tx *Tx) error {
					name := fmt.Sprint("m", n)
					return tx.AddMember("BCDFGH", Member{Number: 100 + n, Nickname: name, Folded: name}, "x")
				},
				"a link": func(n int64, tx *Tx) error {
					_, err := tx.Shorten(fmt.Sprint("v=2&seed=", n, strings.Repeat("&x=1", 100)))
					return err
				},
				"an entry": func(n int64, tx *Tx) error {
					_, err := tx.HandIn(BoardEntry{ID: fmt.Sprintf("%032x", n), Season: 1, Settings: long}, "key")
					return err
				},
			}
			var empty int64
			if e.name == "sqlite" {
				empty = fileSize(t, s)
			}
			peopled(t, s, "BCDFGH")
			do(t, s, func(tx *Tx) error { return tx.AddSeason(BoardSeason{Number: 1, Key: []byte("x")}) })
			kept := int64(0)
			for n := int64(0); ; n++ {
				var err error
				for what, one := range add {
					if err = s.Do(t.Context(), func(tx *Tx) error { return one(n, tx) }); err != nil {
						if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "raise --max-data") {
							t.Fatalf("%s: %v", what, err)
						}
						break
					}
				}
				if kept = n; err != nil {
					break
				}
			}
			if kept < 50 {
				t.Fatalf("%d of each were kept", kept)
			}
			for what, one := range add {
				if err := s.Do(t.Context(), func(tx *Tx) error { return one(kept+9, tx) }); !errors.Is(err, ErrFull) {
					t.Errorf("%s after the bound: %v", what, err)
				}
				if what != "a link" && what != "an entry" {
					continue // it cannot be made twice
				}
				if err := s.Do(t.Context(), func(tx *Tx) error { return one(0, tx) }); err != nil {
					t.Errorf("%s that is kept already: %v", what, err)
				}
			}
			if counted := get(t, s, (*Tx).others); counted != s.others.Load() || counted > bound+10_000 {
				t.Errorf("it counts %d bytes, and the tables %d", s.others.Load(), counted)
			}
			if e.name == "sqlite" {
				if grown := fileSize(t, s) - empty; grown > bound*5/4 { // the database fills no page to its end
					t.Errorf("the file has grown by %d bytes", grown)
				}
			}
		})
	}
}

// fileSize is what SQLite's file takes on the disk.
func fileSize(t *testing.T, s *Store) int64 {
	t.Helper()
	if _, err := s.write.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.options.Dir, sqliteFile))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestTheLeastRecentlyUsedRoomsAreDeletedFirst(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := weighed(t, e.make(t), 100_000)
			now := s.options.Now()
			fill := func(code string) error {
				peopled(t, s, code)
				for n := int64(10); n < 40; n++ {
					err := s.Do(t.Context(), func(tx *Tx) error {
						return tx.AddAnswer(code, Answer{Number: n, Member: 1, Kind: "try", Task: "t", Verdict: "{}",
							Answer: fmt.Sprintf(`{"text": "%s"}`, strings.Repeat("A", 2000))})
					})
					if err != nil {
						return err
					}
				}
				return nil
			}
			first, second := fill("BCDFGH"), fill("JKMNPQ")
			if first != nil || !errors.Is(second, ErrFull) {
				t.Fatalf("the first room %v, the second %v", first, second)
			}
			there := func() (codes []string) {
				for _, code := range []string{"BCDFGH", "JKMNPQ"} {
					if get(t, s, func(tx *Tx) (bool, error) { _, err := tx.Room(code); return err == nil, nil }) {
						codes = append(codes, code)
					}
				}
				return codes
			}
			if left, _, err := s.Retain(t.Context(), Retention{}); err != nil || len(there()) != 2 || left.Others < 100_000 {
				t.Errorf("rooms of today gave way: %v, %v", there(), err)
			}
			s.options.Now = func() time.Time { return now.Add(30 * time.Hour) }
			s.opened = now.Add(30 * time.Hour)
			do(t, s, func(tx *Tx) error { return tx.SetRoom("JKMNPQ", `{"step": 1}`, false) })
			left, _, err := s.Retain(t.Context(), Retention{})
			if err != nil || fmt.Sprint(there()) != "[JKMNPQ]" || left.Others > 100_000 || left.Others != s.others.Load() {
				t.Errorf("left are %v, %+v, %v", there(), left, err)
			}
		})
	}
}

// Runs get the bytes that rooms, links and the board leave.
func TestRunsYieldTheirDiskToRoomsAndLinks(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		a, b := runIn(t, s, Done), runIn(t, s, Done)
		do(t, s, func(tx *Tx) error { _, err := tx.Shorten(strings.Repeat("x=1&", 500)); return err })
		left, forgotten, err := s.Retain(t.Context(), Retention{Bytes: 5500})
		if err != nil || forgotten != 1 || there(t, s, a) || !there(t, s, b) || left.Bytes+left.Others > 5500 {
			t.Errorf("%d forgotten, left %+v, %v", forgotten, left, err)
		}
	})
}
