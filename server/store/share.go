package store

// The bound on rooms, links and the board's entries, all together. Beyond it, a new row is refused; Retain deletes
// only rooms that were not used for a day.

import (
	"context"
	"fmt"
	"time"
)

// rowBytes is the size of a row on the disk beside its texts, with its keys and indexes.
const rowBytes = 160

// others sums up the bytes of rooms, links and the board.
func (tx *Tx) others() (bytes int64, err error) {
	for _, table := range []struct{ name, texts string }{
		{"rooms", "octet_length(state)"},
		{"room_members", "octet_length(nickname) + octet_length(folded)"},
		{"room_answers", "octet_length(answer) + octet_length(verdict)"},
		{"links", "octet_length(fragment)"},
		{"board_entries", "octet_length(settings) + octet_length(public_row) + octet_length(secret_row)"},
	} {
		n, err := read[int64](tx, fmt.Sprintf("SELECT COALESCE(SUM(%d + %s), 0) FROM %s", rowBytes, table.texts, table.name))
		if err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// allow refuses a new row with these texts beyond the bound.
func (tx *Tx) allow(texts ...string) error {
	bound := tx.s.options.Others
	if bound > 0 && tx.s.others.Load() > bound {
		return fmt.Errorf("%w: rooms, links and the board's entries take the %d MB that they may have here; ask the "+
			"server's host to raise --max-data, or delete a room", ErrFull, bound/1e6)
	}
	tx.s.others.Add(rowBytes)
	tx.count(texts...)
	return nil
}

// count adds up texts that are written. Retain sums up the tables, so a transaction that failed counts for minutes
// only.
func (tx *Tx) count(texts ...string) {
	for _, text := range texts {
		tx.s.others.Add(int64(len(text)))
	}
}

// roomRest is the time after its last use for which a room is safe.
const roomRest = 24 * time.Hour

// retainRooms deletes rooms, least recently used first, while rooms, links and the board exceed their bound.
func (s *Store) retainRooms(ctx context.Context) error {
	for {
		var left int64
		if err := s.View(ctx, func(tx *Tx) (err error) { left, err = tx.others(); return err }); err != nil {
			return err
		}
		s.others.Store(left)
		if s.options.Others == 0 || left <= s.options.Others {
			return nil
		}
		var rows int64
		err := s.Do(ctx, func(tx *Tx) (err error) {
			rows, err = tx.exec(`DELETE FROM rooms WHERE code IN
				(SELECT code FROM rooms WHERE changed < $1 ORDER BY changed, code LIMIT 10)`,
				s.believed().Add(-roomRest).UnixMilli())
			return err
		})
		if err != nil || rows == 0 {
			return err
		}
	}
}
