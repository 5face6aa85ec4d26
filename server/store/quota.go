package store

// The bound on all stored bytes, Options.Bytes. It is held at three places, in sixteenths of it: Retain is called at 14
// and deletes down to 13; an address with runs of its own may begin no more at 15, any address at 16. Snapshots are not
// stored beyond 16: their runs are recomputed from earlier ones.

import (
	"errors"
	"fmt"

	"impalab/server/errcode"
)

const (
	quotaLow   = 13
	quotaCall  = 14
	quotaOwner = 15
	quotaAll   = 16
	// addressPart is the part of Options.Bytes that the runs of one address may take before they end.
	addressPart = 4
)

// ErrCrowded refuses a snapshot beyond Options.Bytes.
var ErrCrowded = errors.New("there is no room for a snapshot in the bytes that the store may have")

// grow counts bytes of runs that are written or, below 0, deleted. Retain sums up the tables, so a transaction that
// failed counts for minutes only.
func (s *Store) grow(bytes int64) {
	s.bytes.Add(bytes)
	if s.options.Bytes > 0 && s.usedBytes() > s.sixteenths(quotaCall) {
		select {
		case s.calls <- struct{}{}:
		default:
		}
	}
}

// usedBytes returns the bytes that are stored, by estimate.
func (s *Store) usedBytes() int64 { return s.bytes.Load() + s.others.Load() }

func (s *Store) sixteenths(n int64) int64 { return s.options.Bytes / quotaAll * n }

// Fills receives when so much is stored that Retain should be called.
func (s *Store) Fills() <-chan struct{} { return s.calls }

// Low is the bound in bytes to which Retain should delete; 0: none.
func (s *Store) Low() int64 { return s.sixteenths(quotaLow) }

// crowded refuses more bytes of a snapshot beyond the bound.
func (s *Store) crowded(more int64) error {
	if s.options.Bytes > 0 && s.usedBytes()+more > s.options.Bytes {
		return ErrCrowded
	}
	return nil
}

// snapshotBytes is the most bytes of one run's snapshots, of which the newest always stays.
func (s *Store) snapshotBytes() int64 {
	if s.options.Bytes == 0 {
		return s.options.SnapshotBytes
	}
	return min(s.options.SnapshotBytes, s.options.Bytes/quotaAll)
}

// mayAdd refuses a new run of an address beyond the bound. A run that has not ended stays, whatever else is deleted. So
// it counts with all its snapshots, and one address has a share of the bound for such runs.
func (tx *Tx) mayAdd(address string) error {
	most := tx.s.options.Bytes
	if most == 0 {
		return nil
	}
	open := func(query string, args ...any) (int64, error) {
		return read[int64](tx, "SELECT COALESCE(SUM(bytes), 0) FROM runs WHERE state IN ($1, $2, $3)"+query,
			append([]any{Queued, Running, Paused}, args...)...)
	}
	all, err := open("")
	if err != nil {
		return err
	}
	own, err := open(" AND address = $4", address)
	if err != nil {
		return err
	}
	if address != "" && own > most/addressPart {
		return errcode.Errorf(errcode.Full, "your runs that have not ended take %s of the %s that one address may store "+
			"here; stop or delete one, or wait until one ends", size(own), size(most/addressPart))
	}
	bound := most
	if own > 0 {
		bound = tx.s.sixteenths(quotaOwner)
	}
	if taken := max(all, tx.s.usedBytes()); taken > bound {
		return errcode.Errorf(errcode.Full, "stored data take %s of the %s that this server may store; try again in a "+
			"minute, delete a run of yours, or ask the server's host to raise --max-data", size(taken), size(most))
	}
	return nil
}

// size returns bytes for people.
func size(bytes int64) string {
	switch n := float64(bytes); {
	case n < 1e6:
		return fmt.Sprintf("%.3g kB", n/1e3)
	case n < 1e8:
		return fmt.Sprintf("%.3g MB", n/1e6)
	default:
		return fmt.Sprintf("%.0f MB", n/1e6)
	}
}
