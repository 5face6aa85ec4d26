package store

// Snapshots: the whole state of a run at some updates, to go back to. Those that somebody marked are kept as long as
// there is room; of the others, fewer the older they are (thin.go).

import (
	"database/sql"
	"errors"
	"fmt"
)

// snapshotLimit is the most bytes of a snapshot before compression.
const snapshotLimit = 1 << 30

// Snapshot is a run's state between two updates.
type Snapshot struct {
	Update, Step int64
	Marked       bool
	Created      int64  // set by the store
	Bytes        int64  // as it is kept, compressed; set by the store
	Data         []byte // nil in lists
}

// AddSnapshot keeps a snapshot, compressed, and drops those that it makes superfluous. Where there is one of that
// update already it stays, and is marked if either is: a run comes to an update in one state only. One that exceeds the
// run's bound by itself is ErrInvalid.
func (tx *Tx) AddSnapshot(id string, snap Snapshot) error {
	if len(snap.Data) > snapshotLimit {
		return fmt.Errorf("%w: a snapshot of %d bytes of run %s; at most %d are kept", ErrInvalid, len(snap.Data), id,
			snapshotLimit)
	}
	blob := tx.s.pack.EncodeAll(snap.Data, nil)
	if int64(len(blob)) > tx.s.options.SnapshotBytes {
		return fmt.Errorf("%w: the snapshot of run %s at update %d takes %d bytes, and a run may keep %d", ErrInvalid,
			id, snap.Update, len(blob), tx.s.options.SnapshotBytes)
	}
	if err := tx.lock(id); err != nil {
		return err
	}
	rows, err := tx.exec(`INSERT INTO snapshots (run, at_update, step, marked, created, bytes, blob)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (run, at_update) DO NOTHING`,
		id, snap.Update, snap.Step, snap.Marked, tx.s.now(), len(blob), blob)
	if err != nil {
		return err
	}
	if rows == 0 {
		if snap.Marked {
			return tx.mark(id, snap.Update)
		}
		return nil
	}
	if err := tx.grew(id, int64(len(blob)), int64(len(blob))); err != nil {
		return err
	}
	return tx.thin(id)
}

// Mark keeps a snapshot from being thinned out, as long as there is room. No such snapshot is ErrNotFound.
func (tx *Tx) Mark(id string, update int64) error {
	if err := tx.lock(id); err != nil {
		return err
	}
	return tx.mark(id, update)
}

func (tx *Tx) mark(id string, update int64) error {
	return tx.change("UPDATE snapshots SET marked = TRUE WHERE run = $1 AND at_update = $2", id, update)
}

func (tx *Tx) thin(id string) error {
	all, err := tx.Snapshots(id)
	if err != nil {
		return err
	}
	return tx.drop(id, thin(all, tx.s.options.SnapshotBytes, tx.s.options.SnapshotsMarked))
}

// drop forgets snapshots.
func (tx *Tx) drop(id string, which []Snapshot) error {
	var bytes int64
	for _, s := range which {
		if err := tx.change("DELETE FROM snapshots WHERE run = $1 AND at_update = $2", id, s.Update); err != nil {
			return err
		}
		bytes += s.Bytes
	}
	return tx.grew(id, -bytes, -bytes)
}

// Snapshots lists a run's snapshots without their data, oldest first.
func (tx *Tx) Snapshots(id string) (all []Snapshot, err error) {
	query := "SELECT at_update, step, marked, created, bytes FROM snapshots WHERE run = $1 ORDER BY at_update"
	err = tx.each(query, []any{id}, func(rows *sql.Rows) error {
		var s Snapshot
		err := rows.Scan(&s.Update, &s.Step, &s.Marked, &s.Created, &s.Bytes)
		all = append(all, s)
		return err
	})
	return all, err
}

// SnapshotAt reads a run's last snapshot at or before an update. None is ErrNotFound.
func (tx *Tx) SnapshotAt(id string, update int64) (s Snapshot, err error) {
	var blob []byte
	query := `SELECT at_update, step, marked, created, bytes, blob FROM snapshots
		WHERE run = $1 AND at_update <= $2 ORDER BY at_update DESC LIMIT 1`
	err = tx.one(query, []any{id, update}, &s.Update, &s.Step, &s.Marked, &s.Created, &s.Bytes, &blob)
	if err != nil {
		return Snapshot{}, err
	}
	if s.Data, err = tx.s.unpack.DecodeAll(blob, nil); err != nil {
		return Snapshot{}, fmt.Errorf("the snapshot of run %s at update %d: %w", id, s.Update, errors.Join(ErrDamaged, err))
	}
	return s, nil
}
