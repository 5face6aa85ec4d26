package store

// The board: seasons, entries and the results of their seeds. Package board gives settings and figures their meaning.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// States of an entry, beside Queued and Done.
const (
	Training State = "training"
	Failed   State = "failed" // for its Reason; handed in again, it is queued again
)

var entryStates = []State{Queued, Training, Done, Failed}

// BoardSeason is a time in which secret seeds stay the same. Times are milliseconds since 1970, UTC.
type BoardSeason struct {
	Number int64  `db:"number"`   // from 1
	Key    []byte `db:"seed_key"` // makes its secret seeds; no visitor sees it before the season is over
	Opened int64  `db:"opened"`   // set by the store
	Closes int64  `db:"closes"`
	Over   int64  `db:"over"` // 0 until the season is over
}

// BoardEntry is a configuration that was handed in.
type BoardEntry struct {
	ID        string `db:"id"` // 32 hex digits, which the caller makes of season, track, form and settings
	Season    int64  `db:"season"`
	Track     string `db:"track"`
	Form      string `db:"form"`     // of the track
	Settings  string `db:"settings"` // KEY=VALUE with spaces between
	Nickname  string `db:"nickname"`
	Address   string `db:"address"` // as a run's; "" once it is done or failed
	Run       string `db:"run"`     // shows it; or ""
	Job       string `db:"job"`     // trains it; "" before a job is queued
	Tried     int64  `db:"tried"`   // how often it was handed in
	State     State  `db:"state"`
	Reason    string `db:"reason"`
	PublicRow string `db:"public_row"` // a JSON object; "" until all public seeds are trained
	SecretRow string `db:"secret_row"` // the same for secret seeds
	Created   int64  `db:"created"`    // set by the store
	Changed   int64  `db:"changed"`
}

// BoardResult is the result of one seed of an entry.
type BoardResult struct {
	Seed   string `db:"seed"`   // a number, or secret:3
	Result string `db:"result"` // a JSON object
	Curve  string `db:"curve"`  // a JSON object; "" once it is part of a row
}

// AddSeason adds a season. If there is a season of that number, the error is ErrConflict.
func (tx *Tx) AddSeason(s BoardSeason) error {
	s.Opened, s.Over = tx.s.now(), 0
	return tx.insert(fmt.Sprint("season ", s.Number), "board_seasons", s)
}

// Seasons lists the seasons in order.
func (tx *Tx) Seasons() ([]BoardSeason, error) {
	return list[BoardSeason](tx, "SELECT * FROM board_seasons ORDER BY number")
}

// CloseSeason sets when a season stops taking entries.
func (tx *Tx) CloseSeason(number, closes int64) error {
	return tx.change("UPDATE board_seasons SET closes = $2 WHERE number = $1", number, closes)
}

// EndSeason ends a season. If an entry of the season is not trained yet, the error is ErrConflict.
func (tx *Tx) EndSeason(number int64) error {
	rows, err := tx.exec(`UPDATE board_seasons SET over = $2 WHERE number = $1 AND NOT EXISTS
		(SELECT 1 FROM board_entries WHERE season = $1 AND state IN ('queued', 'training'))`, number, tx.s.now())
	if err == nil && rows == 0 {
		return fmt.Errorf("season %d is being trained: %w", number, ErrConflict)
	}
	return err
}

// HandIn queues an entry, or counts that it was handed in again, and returns its row. A failed entry is queued again.
// The key of the first submitter also changes the entry's nickname and run.
func (tx *Tx) HandIn(e BoardEntry, key string) (kept BoardEntry, err error) {
	if err := isID("board entry", e.ID); err != nil {
		return kept, err
	}
	if err := plain(e.Track, e.Form, e.Settings, e.Nickname, e.Address, e.Run); err != nil {
		return kept, err
	}
	if _, err := tx.Entry(e.ID); errors.Is(err, ErrNotFound) {
		if err := tx.allow(e.Settings); err != nil {
			return kept, err
		}
	}
	e.Created = tx.s.now()
	e.Changed, e.Tried, e.State, e.Reason, e.Job, e.PublicRow, e.SecretRow = e.Created, 1, Queued, "", "", "", ""
	err = tx.insert("entry "+e.ID, "board_entries", e, "key_sha256", digest(key))
	if errors.Is(err, ErrConflict) {
		err = tx.change(`UPDATE board_entries SET tried = tried + 1, changed = $2,
			nickname = CASE WHEN key_sha256 = $3 AND $4 <> '' THEN $4 ELSE nickname END,
			run = CASE WHEN key_sha256 = $3 AND $5 <> '' THEN $5 ELSE run END,
			address = CASE WHEN state = 'failed' THEN $6 ELSE address END,
			reason = CASE WHEN state = 'failed' THEN '' ELSE reason END,
			state = CASE WHEN state = 'failed' THEN 'queued' ELSE state END WHERE id = $1`,
			e.ID, tx.s.now(), digest(key), e.Nickname, e.Run, e.Address)
	}
	if err != nil {
		return kept, err
	}
	return tx.Entry(e.ID)
}

// AddBaseline adds an entry of the project's own, with the row of its public seeds if there is one.
func (tx *Tx) AddBaseline(e BoardEntry) (kept BoardEntry, err error) {
	if err := objects(cmp.Or(e.PublicRow, "{}")); err != nil {
		return kept, err
	}
	if _, err := tx.HandIn(e, NewKey()); err != nil {
		return kept, err
	}
	err = tx.change("UPDATE board_entries SET tried = 0, public_row = $2 WHERE id = $1", e.ID, e.PublicRow)
	if err != nil {
		return kept, err
	}
	return tx.Entry(e.ID)
}

// Entry returns the entry of this id, or ErrNotFound.
func (tx *Tx) Entry(id string) (BoardEntry, error) {
	return read[BoardEntry](tx, "SELECT * FROM board_entries WHERE id = $1", id)
}

// Entries lists the entries of a season on a track, oldest first.
func (tx *Tx) Entries(season int64, track, form string) ([]BoardEntry, error) {
	return list[BoardEntry](tx, `SELECT * FROM board_entries WHERE season = $1 AND track = $2 AND form = $3
		ORDER BY created, id`, season, track, form)
}

// EntriesOpen lists the entries that are not trained yet, oldest first.
func (tx *Tx) EntriesOpen() ([]BoardEntry, error) {
	return list[BoardEntry](tx, "SELECT * FROM board_entries WHERE state IN ('queued', 'training') ORDER BY created, id")
}

// EntriesWaiting counts the entries that are not trained yet: of an address, and all.
func (tx *Tx) EntriesWaiting(address string) (own, all int64, err error) {
	err = tx.one(`SELECT COUNT(*), COALESCE(SUM(CASE WHEN address = $1 THEN 1 ELSE 0 END), 0) FROM board_entries
		WHERE state IN ('queued', 'training')`, []any{address}, &all, &own)
	return own, all, err
}

// SetEntryState sets an entry's state. At the entry's end it also deletes the hash of the address.
func (tx *Tx) SetEntryState(id string, state State, reason string) error {
	if !slices.Contains(entryStates, state) {
		return fmt.Errorf("%w: an entry has no state %q", ErrInvalid, state)
	}
	if err := plain(reason); err != nil {
		return err
	}
	return tx.change(`UPDATE board_entries SET changed = $2, state = $3, reason = $4,
		address = CASE WHEN $3 IN ('done', 'failed') THEN '' ELSE address END WHERE id = $1`, id, tx.s.now(), state, reason)
}

// SetEntryJob sets the job that trains an entry.
func (tx *Tx) SetEntryJob(id, job string) error {
	return tx.change("UPDATE board_entries SET changed = $2, job = $3 WHERE id = $1", id, tx.s.now(), job)
}

// EntriesNews returns other numbers after each change of an untrained entry, or of the number of such entries.
func (tx *Tx) EntriesNews() (news [2]int64, err error) {
	err = tx.one(`SELECT COUNT(*), COALESCE(MAX(changed), 0) FROM board_entries WHERE state IN ('queued', 'training')`, nil,
		&news[0], &news[1])
	return news, err
}

// SetResult stores the result of a seed of an entry.
func (tx *Tx) SetResult(entry string, r BoardResult) error {
	if err := errors.Join(plain(r.Seed), objects(r.Result, r.Curve)); err != nil {
		return err
	}
	if err := tx.change("UPDATE board_entries SET changed = $2 WHERE id = $1", entry, tx.s.now()); err != nil {
		return err
	}
	tx.count(r.Result, r.Curve)
	_, err := tx.exec(`INSERT INTO board_results (entry, seed, result, curve) VALUES ($1, $2, $3, $4)
		ON CONFLICT (entry, seed) DO UPDATE SET result = $3, curve = $4`, entry, r.Seed, r.Result, r.Curve)
	return err
}

// Results lists the results of an entry's seeds, in no order.
func (tx *Tx) Results(entry string) ([]BoardResult, error) {
	return list[BoardResult](tx, "SELECT * FROM board_results WHERE entry = $1", entry)
}

// Trained counts the trained seeds of the untrained entries of a season on a track, by entry: public and secret.
func (tx *Tx) Trained(season int64, track, form string) (counts map[string][2]int, err error) {
	all, err := list[struct {
		Entry  string `db:"r.entry"`
		Seeds  int    `db:"COUNT(*)"`
		Secret int    `db:"COUNT(CASE WHEN r.seed LIKE 'secret:%' THEN 1 END)"`
	}](tx, `SELECT * FROM board_results r JOIN board_entries e ON e.id = r.entry
		WHERE e.season = $1 AND e.track = $2 AND e.form = $3 AND e.state IN ('queued', 'training')
		GROUP BY r.entry`, season, track, form)
	counts = map[string][2]int{}
	for _, n := range all {
		counts[n.Entry] = [2]int{n.Seeds - n.Secret, n.Secret}
	}
	return counts, err
}

// SetRow stores the row of an entry's public or secret seeds, and deletes their curves, which are part of it.
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

// CountEntries returns how many entries a season has on a track.
func (tx *Tx) CountEntries(season int64, track string) (int64, error) {
	return read[int64](tx, "SELECT COUNT(*) FROM board_entries WHERE season = $1 AND track = $2", season, track)
}
