package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/server/errcode"
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
			stored := int64(0)
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
				if stored = n; err != nil {
					break
				}
			}
			if stored < 50 {
				t.Fatalf("%d of each were stored", stored)
			}
			for what, one := range add {
				if err := s.Do(t.Context(), func(tx *Tx) error { return one(stored+9, tx) }); !errors.Is(err, ErrFull) {
					t.Errorf("%s after the bound: %v", what, err)
				}
				if what != "a link" && what != "an entry" {
					continue // it cannot be made twice
				}
				if err := s.Do(t.Context(), func(tx *Tx) error { return one(0, tx) }); err != nil {
					t.Errorf("%s that is kept already: %v", what, err)
				}
			}
			told := kept{s.others.Load(), s.links.Load()}
			if counted := get(t, s, (*Tx).others); counted != told || counted.all > bound+10_000 {
				t.Errorf("it counts %+v, and the tables %+v", told, counted)
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

// TestNoAddressTakesTheBytesOfAllOthers: links are never deleted, and rooms only a day after their last use. So an
// address that adds as much as it can must leave room for the links and rooms of others, on this day and later.
func TestNoAddressTakesTheBytesOfAllOthers(t *testing.T) {
	type visitor struct{}
	elapsed := time.Duration(0)
	s := opened(t, Options{Dir: t.TempDir(), Others: 8_000_000, Elapsed: func() time.Duration { return elapsed },
		Visitor: func(ctx context.Context) string { address, _ := ctx.Value(visitor{}).(string); return address }})
	peopled(t, s, "BCDFGH")
	n, long := int64(100), strings.Repeat("A", 3000)
	do := func(address string, fn func(*Tx) error) error {
		n++
		return s.Do(context.WithValue(t.Context(), visitor{}, address), fn)
	}
	link := func(address string) error {
		return do(address, func(tx *Tx) error { _, err := tx.Shorten(fmt.Sprint(long, n)); return err })
	}
	answer := func(address string) error {
		return do(address, func(tx *Tx) error {
			return tx.AddAnswer("BCDFGH", Answer{Number: n, Member: 1, Kind: "try", Task: "t", Answer: long, Verdict: "{}"})
		})
	}
	until := func(add func(string) error, address string) (err error) {
		for err == nil {
			err = add(address)
		}
		return err
	}
	for what, add := range map[string]func(string) error{"short links": link, "rooms": answer} {
		if err := until(add, "a"); errcode.Of(err) != errcode.TooFast || !strings.HasPrefix(err.Error(), what) {
			t.Errorf("%s without end: %v", what, err)
		}
		if err := add("b"); err != nil {
			t.Errorf("%s of another address: %v", what, err)
		}
	}
	if counted := get(t, s, (*Tx).others); counted.all > 8_000_000/7 {
		t.Errorf("one address took %d of 8 MB", counted.all)
	}
	elapsed = 24 * time.Hour
	if err := link("a"); err != nil {
		t.Errorf("the next day: %v", err)
	}
	for i := 0; ; i++ {
		if err := until(link, fmt.Sprint(i)); errors.Is(err, ErrFull) {
			break
		}
	}
	if err := answer("b"); err != nil {
		t.Errorf("an answer beside all the links that there may be: %v", err)
	}
}
