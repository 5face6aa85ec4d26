package store

// What visitors may keep beside runs: rooms with their answers, links, and the board's entries. All of it together has
// a bound. What does not fit is refused. Only a room that was not used for a day gives way.

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// rowBytes is what a row takes on the disk beside its texts, keys and indexes included.
const rowBytes = 160

// others sums up what is kept beside runs.
func (tx *Tx) others() (bytes int64, err error) {
	for _, table := range []struct{ name, texts string }{
		{"rooms", "octet_length(state)"},
		{"room_members", "octet_length(nickname) + octet_length(folded) + octet_length(state)"},
		{"room_answers", "octet_length(answer) + octet_length(verdict)"},
		{"links", "octet_length(fragment)"},
		{"board_entries", "octet_length(settings) + octet_length(public_row) + octet_length(secret_row)"},
		{"board_results", "octet_length(result) + octet_length(curve)"},
	} {
		var n int64
		query := fmt.Sprintf("SELECT COALESCE(SUM(%d + %s), 0) FROM %s", rowBytes, table.texts, table.name)
		if err := tx.one(query, nil, &n); err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// take refuses a new row with these texts where all there is beside runs would exceed its bound.
func (tx *Tx) take(texts ...string) error {
	bound := tx.s.options.Others
	if bound > 0 && tx.s.others.Load() > bound {
		return fmt.Errorf("%w: rooms, links and the board's entries take the %d MB that they may have here; ask the "+
			"server's host to raise --max-data, or delete a room", ErrFull, bound/1e6)
	}
	tx.s.others.Add(rowBytes)
	tx.grow(texts...)
	return nil
}

// grow counts what is written. Retain counts anew, so that a transaction that failed counts for minutes only.
func (tx *Tx) grow(texts ...string) {
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	tx.s.others.Add(int64(n))
}

// restRoom is how long a room is safe from giving way to others.
const restRoom = 24 * time.Hour

// retainRooms forgets the rooms that nobody has used for longest while all there is beside runs exceeds its bound.
func (s *Store) retainRooms(ctx context.Context) (left int64, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) { left, err = tx.others(); return err })
	if err != nil {
		return 0, err
	}
	var quiet []string
	if s.options.Others > 0 && left > s.options.Others {
		err = s.View(ctx, func(tx *Tx) error {
			quiet = nil
			return tx.each("SELECT code FROM rooms WHERE changed < $1 ORDER BY changed, code",
				[]any{s.believed().Add(-restRoom).UnixMilli()}, func(rows *sql.Rows) error {
					var code string
					err := rows.Scan(&code)
					quiet = append(quiet, code)
					return err
				})
		})
	}
	for len(quiet) > 0 && err == nil && left > s.options.Others {
		few := quiet[:min(10, len(quiet))]
		quiet = quiet[len(few):]
		err = s.Do(ctx, func(tx *Tx) (err error) {
			for _, code := range few {
				if _, err := tx.exec("DELETE FROM rooms WHERE code = $1", code); err != nil {
					return err
				}
			}
			left, err = tx.others()
			return err
		})
	}
	s.others.Store(left)
	return left, err
}
