package store

// Snapshots: the whole state of a run at some updates. Marked snapshots stay while there is room; of the others, thin
// keeps fewer the older they are.

import (
	"errors"
	"fmt"
)

// snapshotLimit is the most bytes of a snapshot before compression.
const snapshotLimit = 1 << 30

// Snapshot is a run's state between two updates.
type Snapshot struct {
	Update int64  `db:"at_update"`
	Step   int64  `db:"step"`
	Marked bool   `db:"marked"`
	Bytes  int64  `db:"bytes"` // compressed; set by the store
	Data   []byte // nil in lists
}

// AddSnapshot stores a snapshot, compressed, and drops the snapshots that it makes superfluous. If there is a snapshot
// of that update, it stays, and is marked if either is: a run has one state at an update. A snapshot that exceeds the
// run's bound by itself is ErrInvalid.
func (tx *Tx) AddSnapshot(id string, snap Snapshot) error {
	if len(snap.Data) > snapshotLimit {
		return fmt.Errorf("%w: a snapshot of %d bytes of run %s; at most %d are kept", ErrInvalid, len(snap.Data), id,
			snapshotLimit)
	}
	blob := packer.EncodeAll(snap.Data, nil)
	snap.Bytes = int64(len(blob))
	if snap.Bytes > tx.s.options.SnapshotBytes {
		return fmt.Errorf("%w: the snapshot of run %s at update %d takes %d bytes, and a run may keep %d", ErrInvalid,
			id, snap.Update, snap.Bytes, tx.s.options.SnapshotBytes)
	}
	if err := tx.lock(id); err != nil {
		return err
	}
	err := tx.insert("snapshot", "snapshots", snap, "run", id, "blob", blob)
	if errors.Is(err, ErrConflict) {
		if snap.Marked {
			return tx.change("UPDATE snapshots SET marked = TRUE WHERE run = $1 AND at_update = $2", id, snap.Update)
		}
		return nil
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
	return tx.drop(id, thin(all, tx.s.options.SnapshotBytes, tx.s.options.SnapshotsMarked))
}

// drop deletes snapshots of a run.
func (tx *Tx) drop(id string, which []Snapshot) error {
	for _, s := range which {
		if err := tx.change("DELETE FROM snapshots WHERE run = $1 AND at_update = $2", id, s.Update); err != nil {
			return err
		}
	}
	bytes := total(which)
	return tx.grew(id, -bytes, -bytes)
}

// Snapshots lists a run's snapshots without their data, oldest first.
func (tx *Tx) Snapshots(id string) ([]Snapshot, error) {
	return list[Snapshot](tx, "SELECT * FROM snapshots WHERE run = $1 ORDER BY at_update", id)
}

// SnapshotAt returns a run's last snapshot at or before an update. Without one the error is ErrNotFound.
func (tx *Tx) SnapshotAt(id string, update int64) (Snapshot, error) {
	s, err := read[struct {
		Snapshot
		Blob []byte `db:"blob"`
	}](tx, "SELECT * FROM snapshots WHERE run = $1 AND at_update <= $2 ORDER BY at_update DESC LIMIT 1", id, update)
	if err != nil {
		return Snapshot{}, err
	}
	if s.Data, err = unpacker.DecodeAll(s.Blob, nil); err != nil {
		return Snapshot{}, fmt.Errorf("the snapshot of run %s at update %d: %w", id, s.Update, errors.Join(ErrDamaged, err))
	}
	return s.Snapshot, nil
}
