package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// noise is what zstd cannot make smaller.
func noise(seed uint64, n int) []byte {
	blob, r := make([]byte, n), rand.New(rand.NewPCG(seed, 1))
	for i := range blob {
		blob[i] = byte(r.Uint32())
	}
	return blob
}

// keep stores a snapshot with its state in one transaction.
func (tx *Tx) keep(id string, snap Snapshot) error {
	blob, err := snap.pack()
	if err != nil {
		return err
	}
	part := 0
	for piece := range slices.Chunk(blob, partBytes) {
		if err := tx.addPart(snap.State, part, piece); err != nil {
			return err
		}
		part++
	}
	return tx.AddSnapshot(id, snap)
}

func snapshots(t *testing.T, s *Store, id string) []Snapshot {
	t.Helper()
	return get(t, s, func(tx *Tx) ([]Snapshot, error) { return tx.Snapshots(id) })
}

func TestASnapshotComesBackFromItsUpdateOn(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		want := map[int64][]byte{10: noise(1, 5000), 20: nil, 30: bytes.Repeat([]byte("a"), 1<<20)}
		do(t, s, func(tx *Tx) (err error) {
			for _, update := range []int64{10, 20, 30} {
				snap := Snapshot{Update: update, Step: 2 * update, Data: want[update]}
				err = errors.Join(err, tx.keep(id, snap))
			}
			return err
		})
		for at, update := range map[int64]int64{10: 10, 19: 10, 20: 20, 29: 20, 1000: 30} {
			got := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotAt(id, at) })
			if got.Update != update || got.Step != 2*update || !bytes.Equal(got.Data, want[update]) {
				t.Errorf("at %d: update %d, step %d, %d bytes", at, got.Update, got.Step, len(got.Data))
			}
		}
		err := s.View(t.Context(), func(tx *Tx) error { _, err := tx.SnapshotAt(id, 9); return err })
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("before the first: %v", err)
		}
		if all := snapshots(t, s, id); len(all) != 3 || all[2].Bytes > 1000 || all[0].Bytes < 5000 {
			t.Errorf("kept %+v", all)
		}
	})
}

func TestASnapshotTakenAgainStaysTheFirstAndMayBeMarked(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		add := func(marked bool, data string) {
			t.Helper()
			snap := Snapshot{Update: 1, Marked: marked, Data: []byte(data)}
			do(t, s, func(tx *Tx) error { return tx.keep(id, snap) })
		}
		for i, marked := range []bool{false, true, false} {
			add(marked, "first"[i:])
			got := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotAt(id, 1) })
			if string(got.Data) != "first" || got.Marked != (i > 0) {
				t.Errorf("after %d: %q, marked %v", i, got.Data, got.Marked)
			}
		}
		do(t, s, func(tx *Tx) error { return tx.keep(id, Snapshot{Update: 2}) })
		do(t, s, func(tx *Tx) error { return tx.keep(id, Snapshot{Update: 2, Marked: true}) })
		if all := snapshots(t, s, id); len(all) != 2 || !all[1].Marked {
			t.Errorf("kept %+v", all)
		}
	})
}

func TestARunKeepsNoMoreSnapshotsThanItMay(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			o.SnapshotBytes = 50_000
			s := opened(t, o)
			id := added(t, s)
			for i := range 30 {
				snap := Snapshot{Update: int64(i) * 100, Marked: i%3 == 0, Data: noise(uint64(i), 4000)}
				do(t, s, func(tx *Tx) error { return tx.keep(id, snap) })
			}
			all := snapshots(t, s, id)
			run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) })
			sum := total(all)
			if sum > o.SnapshotBytes || sum < o.SnapshotBytes/2 || run.SnapshotBytes != sum || run.Bytes != sum {
				t.Errorf("%d bytes are kept, the run says %d", sum, run.SnapshotBytes)
			}
			do(t, s, func(tx *Tx) error { return tx.keep(id, Snapshot{Update: 9999, Data: noise(1, 60_000)}) })
			if left := snapshots(t, s, id); len(left) != 1 || left[0].Update != 9999 {
				t.Errorf("beside a snapshot that is larger than the bound: %v", left)
			}
		})
	}
}

func TestADamagedSnapshotIsNamed(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		do(t, s, func(tx *Tx) error {
			err := tx.keep(id, Snapshot{Update: 7, Data: noise(1, 5000)})
			return errors.Join(err, tx.change("UPDATE states SET blob = $1", []byte("cut")))
		})
		for what, at := range map[string]func(*Tx, string, int64) (Snapshot, error){
			"the whole": (*Tx).SnapshotAt, "its head": (*Tx).SnapshotHead,
		} {
			var found Snapshot
			err := s.View(t.Context(), func(tx *Tx) (err error) { found, err = at(tx, id, 8); return err })
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "update 7") || found.Update != 7 {
				t.Errorf("%s: %+v, %v", what, found, err)
			}
		}
	})
}

func TestALinkIsTheSameEachTimeAndComesBackWhole(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		codes := map[string]string{}
		do(t, s, func(tx *Tx) error {
			for _, fragment := range []string{"v=1&p=catch&rho=∞", "v=1&p=catch", "", "v=1&p=catch"} {
				code, err := tx.Shorten(fragment)
				if err != nil {
					return err
				}
				if old, ok := codes[code]; ok && old != fragment || len(code) != codeLength {
					t.Errorf("code %s for %q and %q", code, fragment, old)
				}
				codes[code] = fragment
			}
			return nil
		})
		for code, fragment := range codes {
			if got := get(t, s, func(tx *Tx) (string, error) { return tx.Expand(code) }); got != fragment {
				t.Errorf("%s stands for %q, want %q", code, got, fragment)
			}
		}
		if len(codes) != 3 {
			t.Errorf("%d codes for 3 fragments", len(codes))
		}
		long := strings.Repeat("a", fragmentLimit+1)
		err := s.Do(t.Context(), func(tx *Tx) error { _, err := tx.Shorten(long); return err })
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("a fragment without end: %v", err)
		}
	})
}

func TestFragmentsThatMeetGetLongerCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		var first, second string
		do(t, s, func(tx *Tx) (err error) {
			if first, err = tx.Shorten("b"); err == nil { // as if another fragment had the same code
				err = tx.change("UPDATE links SET fragment = 'a' WHERE code = $1", first)
			}
			if err == nil {
				second, err = tx.Shorten("b")
			}
			return err
		})
		if len(first) != codeLength || len(second) != codeLength+1 || !strings.HasPrefix(second, first) {
			t.Errorf("codes %s and %s", first, second)
		}
	})
}
