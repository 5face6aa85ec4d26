package store

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"
)

const entryID = "00112233445566778899aabbccddeeff"

// seasoned keeps a season of this key with an entry of one public and one secret result.
func seasoned(t *testing.T, s *Store, key []byte) {
	t.Helper()
	do(t, s, func(tx *Tx) error {
		if err := tx.AddSeason(BoardSeason{Number: 1, Key: key, Closes: 2_000_000_000_000}); err != nil {
			return err
		}
		_, err := tx.HandIn(BoardEntry{ID: entryID, Season: 1, Track: "late-pole", Form: "f", Settings: "rho=2",
			Nickname: "Áda <b>", Address: "hashed"}, "first key")
		return errors.Join(err,
			tx.SetResult(entryID, BoardResult{"1301", `{"score":1}`, `{"at":[1]}`}),
			tx.SetResult(entryID, BoardResult{"secret:0", `{"score":2}`, `{"at":[2]}`}))
	})
}

func TestAConfigurationIsOneEntryHoweverOftenItIsHandedIn(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		seasoned(t, s, []byte("k"))
		again := func(key, nickname string) (e BoardEntry) {
			do(t, s, func(tx *Tx) (err error) {
				e, err = tx.HandIn(BoardEntry{ID: entryID, Season: 1, Track: "late-pole", Form: "f", Settings: "rho=2",
					Nickname: nickname, Address: "other", Run: "run"}, key)
				return err
			})
			return e
		}
		if e := again("another key", "Bo"); e.Tried != 2 || e.Nickname != "Áda <b>" || e.Address != "hashed" || e.Run != "" {
			t.Errorf("a stranger made of it %+v", e)
		}
		if e := again("first key", "Ada"); e.Tried != 3 || e.Nickname != "Ada" || e.Run != "run" {
			t.Errorf("its owner made of it %+v", e)
		}
		all := get(t, s, func(tx *Tx) ([]BoardEntry, error) { return tx.Entries(1, "late-pole", "f") })
		if len(all) != 1 || all[0].State != Queued || all[0].Created == all[0].Changed {
			t.Errorf("%+v", all)
		}
		do(t, s, func(tx *Tx) error { return tx.SetEntryState(entryID, Failed, "the disk was full") })
		if e := again("another key", ""); e.State != Queued || e.Reason != "" || e.Address != "other" {
			t.Errorf("what has failed, handed in again, is %+v", e)
		}
	})
}

func TestAnEntryGoesFromTheQueueToItsRow(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		seasoned(t, s, []byte("k"))
		waiting := func(address string) [2]int64 {
			return get(t, s, func(tx *Tx) (n [2]int64, err error) {
				n[0], n[1], err = tx.EntriesWaiting(address)
				return n, err
			})
		}
		if waiting("hashed") != [2]int64{1, 1} || waiting("other") != [2]int64{0, 1} {
			t.Errorf("%v %v", waiting("hashed"), waiting("other"))
		}
		counts := get(t, s, func(tx *Tx) (map[string][2]int, error) { return tx.Trained(1, "late-pole", "f") })
		if counts[entryID] != [2]int{1, 1} {
			t.Errorf("%v", counts)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetEntryState(entryID, Training, ""), tx.SetRow(entryID, false, `{"a":1}`))
		})
		curves := map[string]string{}
		for _, r := range get(t, s, func(tx *Tx) ([]BoardResult, error) { return tx.Results(entryID) }) {
			curves[r.Seed] = r.Curve
		}
		if !reflect.DeepEqual(curves, map[string]string{"1301": "", "secret:0": `{"at":[2]}`}) {
			t.Errorf("%v", curves)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetRow(entryID, true, `{"b":2}`), tx.SetEntryState(entryID, Done, ""))
		})
		e := get(t, s, func(tx *Tx) (BoardEntry, error) { return tx.Entry(entryID) })
		if e.PublicRow != `{"a":1}` || e.SecretRow != `{"b":2}` || e.Address != "" || waiting("") != [2]int64{0, 0} {
			t.Errorf("%+v", e)
		}
		if open := get(t, s, (*Tx).EntriesOpen); len(open) > 0 {
			t.Errorf("%+v is open", open)
		}
		for what, c := range map[string]struct {
			want error
			do   func(*Tx) error
		}{
			"a state of none":     {ErrInvalid, func(tx *Tx) error { return tx.SetEntryState(entryID, Resting, "") }},
			"no such entry":       {ErrNotFound, func(tx *Tx) error { return tx.SetEntryState("x", Done, "") }},
			"a result of nothing": {ErrNotFound, func(tx *Tx) error { return tx.SetResult("x", BoardResult{"1", "{}", "{}"}) }},
			"no JSON":             {ErrInvalid, func(tx *Tx) error { return tx.SetRow(entryID, true, "7") }},
			"an id of one's own": {ErrInvalid, func(tx *Tx) error {
				_, err := tx.HandIn(BoardEntry{ID: "x", Season: 1}, "k")
				return err
			}},
		} {
			if err := s.Do(t.Context(), c.do); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, not %v", what, err, c.want)
			}
		}
	})
}

func TestASeasonEndsOnlyWhenAllIsTrained(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		key := []byte("thirty-two bytes, or what is kept")
		seasoned(t, s, key)
		end := func(tx *Tx) error { return tx.EndSeason(1) }
		if err := s.Do(t.Context(), end); !errors.Is(err, ErrConflict) {
			t.Errorf("with an entry in the queue: %v", err)
		}
		if seasons := get(t, s, (*Tx).Seasons); len(seasons) != 1 || seasons[0].Over != 0 {
			t.Errorf("%+v", seasons)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetEntryState(entryID, Done, ""), tx.CloseSeason(1, 7))
		})
		do(t, s, end)
		if seasons := get(t, s, (*Tx).Seasons); string(seasons[0].Key) != string(key) || seasons[0].Over == 0 ||
			seasons[0].Closes != 7 {
			t.Errorf("%+v", seasons)
		}
		same := func(tx *Tx) error { return tx.AddSeason(BoardSeason{Number: 1, Key: []byte{1}}) }
		if err := s.Do(t.Context(), same); !errors.Is(err, ErrConflict) {
			t.Errorf("a season twice: %v", err)
		}
	})
}

func TestABackupHoldsTheBoard(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s := opened(t, e.make(t))
			seasoned(t, s, []byte("k"))
			path := filepath.Join(t.TempDir(), "archive")
			if _, err := s.Backup(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			for _, to := range engines {
				back := opened(t, to.make(t))
				if _, err := back.Restore(t.Context(), path); err != nil {
					t.Fatal(err)
				}
				read := func(s *Store) (all []any) {
					all = append(all, get(t, s, (*Tx).Seasons), get(t, s, (*Tx).EntriesOpen))
					return append(all, get(t, s, func(tx *Tx) ([]BoardResult, error) { return tx.Results(entryID) }))
				}
				if got, want := read(back), read(s); !reflect.DeepEqual(got, want) {
					t.Errorf("%+v came back, not %+v", got, want)
				}
			}
		})
	}
}
