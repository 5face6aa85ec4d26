package store

import (
	"errors"
	"reflect"
	"testing"
)

const entryID = "00112233445566778899aabbccddeeff"

// seasoned keeps a season of this key with an entry.
func seasoned(t *testing.T, s *Store, key []byte) {
	t.Helper()
	do(t, s, func(tx *Tx) error {
		if err := tx.AddSeason(BoardSeason{Number: 1, Key: key, Closes: 2_000_000_000_000}); err != nil {
			return err
		}
		_, err := tx.HandIn(BoardEntry{ID: entryID, Season: 1, Track: "late-pole", Form: "f", Settings: "rho=2",
			Nickname: "Áda <b>", Address: "hashed", Tried: 1}, "first key")
		return err
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
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetEntryJob(entryID, "job"), tx.FailEntry("job", "the disk was full"))
		})
		if e := again("another key", ""); e.State != Queued || e.Reason != "" || e.Address != "other" {
			t.Errorf("what has failed, handed in again, is %+v", e)
		}
	})
}

func TestAnEntryGoesFromTheQueueToItsRow(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		seasoned(t, s, []byte("k"))
		if open := get(t, s, (*Tx).EntriesOpen); len(open) != 1 || open[0].Address != "hashed" {
			t.Errorf("open are %+v", open)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetRow(entryID, false, `{"a":1}`), tx.SetRow(entryID, true, `{"b":2}`))
		})
		e := get(t, s, func(tx *Tx) (BoardEntry, error) { return tx.Entry(entryID) })
		if e.PublicRow != `{"a":1}` || e.SecretRow != `{"b":2}` || e.State != Done || e.Address != "" {
			t.Errorf("%+v", e)
		}
		if open := get(t, s, (*Tx).EntriesOpen); len(open) > 0 {
			t.Errorf("%+v is open", open)
		}
		for what, c := range map[string]struct {
			want error
			do   func(*Tx) error
		}{
			"no such entry":    {ErrNotFound, func(tx *Tx) error { return tx.FailEntry("x", "") }},
			"a row of nothing": {ErrNotFound, func(tx *Tx) error { return tx.SetRow("x", true, "{}") }},
			"a nickname with \\0": {ErrInvalid, func(tx *Tx) error {
				_, err := tx.HandIn(BoardEntry{ID: "x", Season: 1, Nickname: "\x00"}, "k")
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
		end := func(now int64) (ended []int64) {
			do(t, s, func(tx *Tx) (err error) { ended, err = tx.EndSeasons(now); return err })
			return ended
		}
		if ended := end(2_000_000_000_001); ended != nil {
			t.Errorf("with an entry in the queue: %v", ended)
		}
		if seasons := get(t, s, (*Tx).Seasons); len(seasons) != 1 || seasons[0].Over != 0 {
			t.Errorf("%+v", seasons)
		}
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetRow(entryID, true, "{}"), tx.CloseSeason(1, 7))
		})
		if ended := end(6); ended != nil {
			t.Errorf("before it closes: %v", ended)
		}
		if ended := end(7); !reflect.DeepEqual(ended, []int64{1}) {
			t.Errorf("%v", ended)
		}
		if ended := end(8); ended != nil {
			t.Errorf("once more: %v", ended)
		}
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
