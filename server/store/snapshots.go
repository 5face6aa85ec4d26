package store

// Snapshots: the whole state of a run at some updates. Marked snapshots stay while there is room; of the others, thin
// keeps fewer the older they are. A fork's first snapshot shares its state with its parent's.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

const (
	// snapshotLimit is the most bytes of a snapshot before compression, and snapshotMost after.
	snapshotLimit = 1 << 30
	snapshotMost  = 256 << 20
	// partBytes is the most bytes of a state that one transaction writes. SQLite has one writer, and others wait for it.
	partBytes = 1 << 20
)

// Snapshot is a run's state between two updates.
type Snapshot struct {
	Update int64  `db:"at_update"`
	Step   int64  `db:"step"`
	Marked bool   `db:"marked"`
	Bytes  int64  `db:"bytes"` // of the state, compressed
	State  string `db:"state"` // names the state
	Data   []byte // the state; nil in lists
}

// SaveState stores the state of a snapshot, compressed, and sets its Bytes and State. AddSnapshot must follow: Retain
// deletes a state that no snapshot names. A state that is too large for any snapshot is ErrInvalid. ErrCrowded says
// that there is no room for it in Options.Bytes.
func (s *Store) SaveState(ctx context.Context, snap *Snapshot) error {
	blob, err := snap.pack()
	if err != nil {
		return err
	}
	if err := s.crowded(snap.Bytes); err != nil {
		return err
	}
	part := 0
	for piece := range slices.Chunk(blob, partBytes) {
		if err := s.Do(ctx, func(tx *Tx) error { return tx.addPart(snap.State, part, piece) }); err != nil {
			s.DropState(ctx, snap)
			return err
		}
		part++
	}
	return nil
}

// DropState deletes the state of a snapshot that could not be added. If that fails too, Retain deletes it later.
func (s *Store) DropState(ctx context.Context, snap *Snapshot) {
	s.Do(ctx, func(tx *Tx) error { _, err := tx.free([]string{snap.State}); return err })
}

// pack compresses a snapshot and names its state.
func (snap *Snapshot) pack() ([]byte, error) {
	if len(snap.Data) > snapshotLimit {
		return nil, fmt.Errorf("%w: a snapshot of %d bytes at update %d; at most %d are kept", ErrInvalid, len(snap.Data),
			snap.Update, snapshotLimit)
	}
	blob := packer.EncodeAll(snap.Data, nil)
	snap.Bytes, snap.State = int64(len(blob)), NewID()
	if snap.Bytes > snapshotMost {
		return nil, fmt.Errorf("%w: the snapshot at update %d takes %d bytes; at most %d are kept", ErrInvalid, snap.Update,
			snap.Bytes, snapshotMost)
	}
	return blob, nil
}

func (tx *Tx) addPart(state string, part int, blob []byte) error {
	_, err := tx.exec("INSERT INTO states (id, part, created, blob) VALUES ($1, $2, $3, $4)", state, part, tx.s.now(),
		blob)
	if err == nil {
		tx.s.grow(int64(len(blob)))
	}
	return err
}

// AddSnapshot adds a snapshot, whose state SaveState has stored, and drops the snapshots that it makes superfluous. If
// there is a snapshot of that update, it stays, and is marked if either is: a run has one state at an update.
func (tx *Tx) AddSnapshot(id string, snap Snapshot) error {
	if err := tx.lock(id); err != nil {
		return err
	}
	err := tx.insert("snapshot", "snapshots", snap, "run", id)
	if errors.Is(err, ErrConflict) {
		if snap.Marked {
			err = tx.change("UPDATE snapshots SET marked = TRUE WHERE run = $1 AND at_update = $2", id, snap.Update)
		} else {
			err = nil
		}
		if err == nil {
			_, err = tx.free([]string{snap.State})
		}
		return err
	}
	if err != nil {
		return err
	}
	if err := tx.grew(id, snap.Bytes, snap.Bytes); err != nil {
		return err
	}
	all, err := tx.Snapshots(id)
	if err != nil {
		return err
	}
	_, err = tx.drop(id, thin(all, tx.s.snapshotBytes(), tx.s.options.SnapshotsMarked))
	return err
}

// ShareSnapshot gives a fork the snapshot of its parent at an update. The fork counts the bytes of the state, which is
// stored once.
func (tx *Tx) ShareSnapshot(fork, parent string, update int64) error {
	if err := tx.lock(parent); err != nil {
		return err
	}
	snap, err := read[Snapshot](tx, "SELECT * FROM snapshots WHERE run = $1 AND at_update = $2", parent, update)
	if err != nil {
		return err
	}
	snap.Marked = false
	return tx.AddSnapshot(fork, snap)
}

// drop deletes snapshots of a run, and the states that no other snapshot names. It returns the bytes of these.
func (tx *Tx) drop(id string, which []Snapshot) (freed int64, err error) {
	var states []string
	for _, s := range which {
		if err := tx.change("DELETE FROM snapshots WHERE run = $1 AND at_update = $2", id, s.Update); err != nil {
			return 0, err
		}
		states = append(states, s.State)
	}
	if freed, err = tx.free(states); err != nil {
		return 0, err
	}
	bytes := total(which)
	return freed, tx.grew(id, -bytes, -bytes)
}

// free deletes those of the states that no snapshot names, and returns their bytes.
func (tx *Tx) free(states []string) (freed int64, err error) {
	const unnamed = " FROM states WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM snapshots WHERE state = $1)"
	for _, state := range states {
		bytes, err := read[int64](tx, "SELECT COALESCE(SUM(octet_length(blob)), 0)"+unnamed, state)
		if err == nil {
			_, err = tx.exec("DELETE"+unnamed, state)
		}
		if err != nil {
			return 0, err
		}
		freed += bytes
	}
	tx.s.grow(-freed)
	return freed, nil
}

// states names the states of some runs, by a condition on the snapshots.
func (tx *Tx) states(where string, args ...any) ([]string, error) {
	return list[string](tx, "SELECT state FROM snapshots WHERE "+where, args...)
}

// Snapshots lists a run's snapshots without their data, oldest first.
func (tx *Tx) Snapshots(id string) ([]Snapshot, error) {
	return list[Snapshot](tx, "SELECT * FROM snapshots WHERE run = $1 ORDER BY at_update", id)
}

// SnapshotAt returns a run's last snapshot at or before an update. Without one the error is ErrNotFound. A damaged one
// is ErrDamaged, with its Update.
func (tx *Tx) SnapshotAt(id string, update int64) (Snapshot, error) {
	return tx.snapshotAt(id, update, -1, func(blob []byte) ([]byte, error) { return unpacker.DecodeAll(blob, nil) })
}

// headBytes is the most bytes of SnapshotHead's data.
const headBytes = 64 << 10

// SnapshotHead is SnapshotAt with the first bytes of the data only.
func (tx *Tx) SnapshotHead(id string, update int64) (Snapshot, error) {
	return tx.snapshotAt(id, update, 1, func(blob []byte) ([]byte, error) {
		zip, err := zstd.NewReader(bytes.NewReader(blob), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer zip.Close()
		head := make([]byte, headBytes)
		n, err := io.ReadFull(zip, head)
		if n > 0 || err == io.EOF { // later parts are missing here
			err = nil
		}
		return head[:n], err
	})
}

// snapshotAt reads the first parts of the state; -1: all.
func (tx *Tx) snapshotAt(id string, update int64, parts int, unpack func([]byte) ([]byte, error)) (Snapshot, error) {
	s, err := read[Snapshot](tx, `SELECT * FROM snapshots WHERE run = $1 AND at_update <= $2
		ORDER BY at_update DESC LIMIT 1`, id, update)
	if err != nil {
		return s, err
	}
	limit := ""
	if parts >= 0 {
		limit = fmt.Sprint(" LIMIT ", parts)
	}
	blobs, err := list[[]byte](tx, "SELECT blob FROM states WHERE id = $1 ORDER BY part"+limit, s.State)
	if err != nil {
		return s, err
	}
	if s.Data, err = unpack(slices.Concat(blobs...)); err != nil {
		return s, fmt.Errorf("the snapshot of run %s at update %d: %w", id, s.Update, errors.Join(ErrDamaged, err))
	}
	return s, nil
}
