package store

// The board: seasons, entries and what each of their seeds came to. What settings and figures mean is package board's
// business.

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// States of an entry, beside Queued and Done.
const (
	Training State = "training"
	Failed   State = "failed" // for its Reason; handed in again, it is queued again
)

var entryStates = []State{Queued, Training, Done, Failed}

// BoardSeason is a time for which secret seeds stay the same.
type BoardSeason struct {
	Number       int64  // from 1
	Key          []byte // makes its secret seeds; not for visitors before the season is over
	Opened       int64  // set by the store
	Closes, Over int64  // milliseconds since 1970, UTC; Over is 0 until the season is over
}

// BoardEntry is a configuration that was handed in.
type BoardEntry struct {
	ID       string // 32 hex digits, which the caller makes of season, track, form and settings
	Season   int64
	Track    string
	Form     string // of the track
	Settings string // KEY=VALUE with spaces between
	Nickname string
	Address  string // as a run's; "" once it is done or failed
	Run      string // that shows it; or ""
	Job      string // that trains it; "": none was queued yet

	Tried  int64 // how often it was handed in
	State  State
	Reason string

	PublicRow, SecretRow string // JSON objects; "" until all those seeds are trained

	Created, Changed int64 // set by the store
}

// BoardResult is what one seed of an entry came to.
type BoardResult struct {
	Seed   string // a number, or secret:3
	Result string // a JSON object
	Curve  string // a JSON object; "" once it is part of a row
}

// AddSeason keeps a new season. One of that number is ErrConflict.
func (tx *Tx) AddSeason(s BoardSeason) error {
	digest := sha256.Sum256(s.Key)
	rows, err := tx.exec(`INSERT INTO board_seasons (number, key_sha256, seed_key, opened, closes, over)
		VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT (number) DO NOTHING`, s.Number, digest[:], s.Key, tx.s.now(), s.Closes)
	if err == nil && rows == 0 {
		return fmt.Errorf("season %d: %w", s.Number, ErrConflict)
	}
	return err
}

// Seasons are all of them, the first first.
func (tx *Tx) Seasons() (all []BoardSeason, err error) {
	query := "SELECT number, seed_key, opened, closes, over FROM board_seasons ORDER BY number"
	err = tx.each(query, nil, func(rows *sql.Rows) error {
		var s BoardSeason
		err := rows.Scan(&s.Number, &s.Key, &s.Opened, &s.Closes, &s.Over)
		all = append(all, s)
		return err
	})
	return all, err
}

// CloseSeason says from when on nothing is handed in.
func (tx *Tx) CloseSeason(number, closes int64) error {
	return tx.change("UPDATE board_seasons SET closes = $2 WHERE number = $1", number, closes)
}

// EndSeason says that a season is over. ErrConflict: something of the season is still to be trained.
func (tx *Tx) EndSeason(number int64) error {
	rows, err := tx.exec(`UPDATE board_seasons SET over = $2 WHERE number = $1 AND NOT EXISTS
		(SELECT 1 FROM board_entries WHERE season = $1 AND state IN ('queued', 'training'))`, number, tx.s.now())
	if err == nil && rows == 0 {
		return fmt.Errorf("season %d is being trained: %w", number, ErrConflict)
	}
	return err
}

// HandIn keeps an entry as queued, or counts that it was handed in once more, and returns it as it is kept then. One
// that failed is queued again. Who has the key of the first gives it another nickname and run by that.
func (tx *Tx) HandIn(e BoardEntry, key string) (kept BoardEntry, err error) {
	if raw, err := hex.DecodeString(e.ID); err != nil || len(raw) != 16 {
		return kept, fmt.Errorf("%w: an entry's id is 32 hex digits, not %q", ErrInvalid, e.ID)
	}
	for _, text := range []string{e.Track, e.Form, e.Settings, e.Nickname, e.Address, e.Run} {
		if err := plain(text); err != nil {
			return kept, err
		}
	}
	if _, err := tx.Entry(e.ID); errors.Is(err, ErrNotFound) {
		if err := tx.take(e.Settings); err != nil {
			return kept, err
		}
	}
	digest := sha256.Sum256([]byte(key))
	_, err = tx.exec(`INSERT INTO board_entries (id, season, track, form, settings, nickname, key_sha256, address, run,
			job, tried, state, reason, public_row, secret_row, created, changed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 1, 'queued', '', '', '', $10, $10)
		ON CONFLICT (id) DO UPDATE SET tried = board_entries.tried + 1, changed = $10,
			nickname = CASE WHEN board_entries.key_sha256 = $7 AND $6 <> '' THEN $6 ELSE board_entries.nickname END,
			run = CASE WHEN board_entries.key_sha256 = $7 AND $9 <> '' THEN $9 ELSE board_entries.run END,
			address = CASE WHEN board_entries.state = 'failed' THEN $8 ELSE board_entries.address END,
			reason = CASE WHEN board_entries.state = 'failed' THEN '' ELSE board_entries.reason END,
			state = CASE WHEN board_entries.state = 'failed' THEN 'queued' ELSE board_entries.state END`,
		e.ID, e.Season, e.Track, e.Form, e.Settings, e.Nickname, digest[:], e.Address, e.Run, tx.s.now())
	if err != nil {
		return kept, err
	}
	return tx.Entry(e.ID)
}

// AddBaseline keeps an entry that no visitor handed in, with the row of its public seeds if there is one.
func (tx *Tx) AddBaseline(e BoardEntry) (kept BoardEntry, err error) {
	if kept, err = tx.HandIn(e, NewKey()); err != nil {
		return kept, err
	}
	if e.PublicRow != "" {
		if err := objects(e.PublicRow); err != nil {
			return kept, err
		}
	}
	err = tx.change("UPDATE board_entries SET tried = 0, public_row = $2 WHERE id = $1", e.ID, e.PublicRow)
	if err != nil {
		return kept, err
	}
	return tx.Entry(e.ID)
}

const entryColumns = `id, season, track, form, settings, nickname, address, run, job, tried, state, reason, public_row,
	secret_row, created, changed`

func (e *BoardEntry) fields() []any {
	return []any{&e.ID, &e.Season, &e.Track, &e.Form, &e.Settings, &e.Nickname, &e.Address, &e.Run, &e.Job, &e.Tried,
		&e.State,
		&e.Reason, &e.PublicRow, &e.SecretRow, &e.Created, &e.Changed}
}

// Entry is the entry of this id, or ErrNotFound.
func (tx *Tx) Entry(id string) (e BoardEntry, err error) {
	err = tx.one("SELECT "+entryColumns+" FROM board_entries WHERE id = $1", []any{id}, e.fields()...)
	return e, err
}

// Entries are those of a season on a track, the oldest first.
func (tx *Tx) Entries(season int64, track, form string) ([]BoardEntry, error) {
	return tx.entries("WHERE season = $1 AND track = $2 AND form = $3 ORDER BY created, id", season, track, form)
}

// EntriesOpen are those that are not trained yet, the oldest first.
func (tx *Tx) EntriesOpen() ([]BoardEntry, error) {
	return tx.entries("WHERE state IN ('queued', 'training') ORDER BY created, id")
}

func (tx *Tx) entries(which string, args ...any) (all []BoardEntry, err error) {
	err = tx.each("SELECT "+entryColumns+" FROM board_entries "+which, args, func(rows *sql.Rows) error {
		var e BoardEntry
		err := rows.Scan(e.fields()...)
		all = append(all, e)
		return err
	})
	return all, err
}

// EntriesWaiting counts those that are not trained yet: of an address, and all.
func (tx *Tx) EntriesWaiting(address string) (own, all int64, err error) {
	err = tx.one(`SELECT COUNT(*), COALESCE(SUM(CASE WHEN address = $1 THEN 1 ELSE 0 END), 0) FROM board_entries
		WHERE state IN ('queued', 'training')`, []any{address}, &all, &own)
	return own, all, err
}

// SetEntryState says where an entry stands. Whom it counts for is forgotten at its end.
func (tx *Tx) SetEntryState(id string, state State, reason string) error {
	if !slices.Contains(entryStates, state) {
		return fmt.Errorf("%w: no entry is in state %q", ErrInvalid, state)
	}
	if err := plain(reason); err != nil {
		return err
	}
	return tx.change(`UPDATE board_entries SET changed = $2, state = $3, reason = $4,
		address = CASE WHEN $3 IN ('done', 'failed') THEN '' ELSE address END WHERE id = $1`, id, tx.s.now(), state, reason)
}

// SetEntryJob says which job trains an entry.
func (tx *Tx) SetEntryJob(id, job string) error {
	return tx.change("UPDATE board_entries SET changed = $2, job = $3 WHERE id = $1", id, tx.s.now(), job)
}

// EntriesNews differs whenever an entry that is not trained yet has changed, or their number has.
func (tx *Tx) EntriesNews() (news [2]int64, err error) {
	err = tx.one(`SELECT COUNT(*), COALESCE(MAX(changed), 0) FROM board_entries WHERE state IN ('queued', 'training')`, nil,
		&news[0], &news[1])
	return news, err
}

// SetResult keeps what a seed of an entry came to.
func (tx *Tx) SetResult(entry string, r BoardResult) error {
	if err := errors.Join(plain(r.Seed), objects(r.Result, r.Curve)); err != nil {
		return err
	}
	if err := tx.change("UPDATE board_entries SET changed = $2 WHERE id = $1", entry, tx.s.now()); err != nil {
		return err
	}
	tx.grow(r.Result, r.Curve)
	_, err := tx.exec(`INSERT INTO board_results (entry, seed, result, curve, made) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (entry, seed) DO UPDATE SET result = $3, curve = $4, made = $5`,
		entry, r.Seed, r.Result, r.Curve, tx.s.now())
	return err
}

// Results are what the seeds of an entry came to, in no order.
func (tx *Tx) Results(entry string) (all []BoardResult, err error) {
	query := "SELECT seed, result, curve FROM board_results WHERE entry = $1"
	err = tx.each(query, []any{entry}, func(rows *sql.Rows) error {
		var r BoardResult
		err := rows.Scan(&r.Seed, &r.Result, &r.Curve)
		all = append(all, r)
		return err
	})
	return all, err
}

// Trained counts the seeds of a season's entries on a track that have come to a result: public ones and secret ones, by
// the entry's id.
func (tx *Tx) Trained(season int64, track, form string) (counts map[string][2]int, err error) {
	counts = map[string][2]int{}
	query := `SELECT r.entry, r.seed FROM board_results r JOIN board_entries e ON e.id = r.entry
		WHERE e.season = $1 AND e.track = $2 AND e.form = $3 AND e.state IN ('queued', 'training')`
	err = tx.each(query, []any{season, track, form}, func(rows *sql.Rows) error {
		var entry, seed string
		err := rows.Scan(&entry, &seed)
		n := counts[entry]
		if strings.HasPrefix(seed, "secret:") {
			n[1]++
		} else {
			n[0]++
		}
		counts[entry] = n
		return err
	})
	return counts, err
}

// SetRow keeps what an entry's public seeds, or its secret ones, say together. Their curves are part of it and kept no
// more.
func (tx *Tx) SetRow(entry string, secret bool, row string) error {
	if err := objects(row); err != nil {
		return err
	}
	column, seeds := "public_row", "NOT LIKE"
	if secret {
		column, seeds = "secret_row", "LIKE"
	}
	err := tx.change("UPDATE board_entries SET changed = $2, "+column+" = $3 WHERE id = $1", entry, tx.s.now(), row)
	if err != nil {
		return err
	}
	_, err = tx.exec("UPDATE board_results SET curve = '' WHERE entry = $1 AND seed "+seeds+" 'secret:%'", entry)
	return err
}

// CountEntries is how many a season has on a track.
func (tx *Tx) CountEntries(season int64, track string) (n int64, err error) {
	err = tx.one("SELECT COUNT(*) FROM board_entries WHERE season = $1 AND track = $2", []any{season, track}, &n)
	return n, err
}
