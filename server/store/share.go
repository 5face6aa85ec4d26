package store

// The bound on rooms, links and the board's entries, all together. Beyond it, a new row is refused; Retain deletes
// only rooms that were not used for a day. No address may add a large part of it in a day. Links are never deleted, so
// they have a smaller bound of their own, and leave room for rooms.

import (
	"context"
	"fmt"
	"time"

	"impalab/server/errcode"
)

// part is a part of Options.Others for one kind of rows.
type part struct {
	what    string
	all     int64 // the bound is Options.Others divided by this…
	day     int64 // …and the bytes that one address may add in a day
	least   int64 // that these bytes are at least
	instead string
}

var (
	roomsAndBoard = part{"rooms, links and the board's entries", 1, 8, 0, "delete a room"}
	shortLinks    = part{"short links", 4, 1024, 64 << 10, "share the long link"}
)

// rowBytes is the size of a row on the disk beside its texts, with its keys and indexes.
const rowBytes = 160

// kept are the bytes of rooms, links and the board, and of links among them.
type kept struct{ all, links int64 }

// others sums up the bytes of rooms, links and the board, for the counters of their bounds.
func (tx *Tx) others() (now kept, err error) {
	for _, table := range []struct{ name, texts string }{
		{"rooms", "octet_length(state)"},
		{"room_members", "octet_length(nickname) + octet_length(folded)"},
		{"room_answers", "octet_length(answer) + octet_length(verdict)"},
		{"links", "octet_length(fragment)"},
		{"board_entries", "octet_length(settings) + octet_length(public_row) + octet_length(secret_row)"},
	} {
		n, err := read[int64](tx, fmt.Sprintf("SELECT COALESCE(SUM(%d + %s), 0) FROM %s", rowBytes, table.texts, table.name))
		if err != nil {
			return kept{}, err
		}
		if now.all += n; table.name == "links" {
			now.links = n
		}
	}
	tx.s.others.Store(now.all)
	tx.s.links.Store(now.links)
	return now, nil
}

// allow refuses a new row with these texts beyond the bound of its part, or beyond what its visitor may add in a day.
func (tx *Tx) allow(of *part, texts ...string) error {
	s, bytes := tx.s, int64(rowBytes)
	for _, text := range texts {
		bytes += int64(len(text))
	}
	if err := s.beyond(&roomsAndBoard, s.others.Load()); err != nil {
		return err
	}
	if of == &shortLinks {
		if err := s.beyond(of, s.links.Load()); err != nil {
			return err
		}
	}
	if err := tx.mayAddToday(of, bytes); err != nil {
		return err
	}
	if s.others.Add(bytes); of == &shortLinks {
		s.links.Add(bytes)
	}
	return nil
}

// beyond returns an error if a part takes more than its bound.
func (s *Store) beyond(of *part, taken int64) error {
	if bound := s.options.Others / of.all; bound > 0 && taken > bound {
		return fmt.Errorf("%w: %s take the %s that they may have here; ask the server's host to raise --max-data, or %s",
			ErrFull, of.what, size(bound), of.instead)
	}
	return nil
}

// today has the bytes that addresses have added since a day began.
type today struct {
	day   int64 // since Open
	added map[share]int64
}

type share struct {
	of      *part
	address string
}

// mayAddToday counts bytes that the visitor adds, or refuses them for this day.
func (tx *Tx) mayAddToday(of *part, bytes int64) error {
	s := tx.s
	most := max(of.least, s.options.Others/of.day)
	if s.options.Others == 0 || s.options.Visitor == nil {
		return nil
	}
	address := s.options.Visitor(tx.ctx)
	if address == "" { // the server's own work
		return nil
	}
	s.sharing.Lock()
	defer s.sharing.Unlock()
	if day := int64(s.options.Elapsed() / (24 * time.Hour)); s.today.added == nil || day != s.today.day {
		s.today = today{day, map[share]int64{}}
	}
	own := share{of, address}
	if s.today.added[own]+bytes > most {
		return errcode.Errorf(errcode.TooFast, "%s that came from your address today take %s, and that is the limit of a "+
			"day; %s, or try again tomorrow", of.what, size(s.today.added[own]), of.instead)
	}
	s.today.added[own] += bytes
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
		var left kept
		if err := s.View(ctx, func(tx *Tx) (err error) { left, err = tx.others(); return err }); err != nil {
			return err
		}
		if s.options.Others == 0 || left.all <= s.options.Others {
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
