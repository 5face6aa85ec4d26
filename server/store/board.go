package store

// The board: seasons and entries. Package board gives settings and figures their meaning.

import (
	"errors"
	"fmt"
)

// States of an entry, beside Queued and Done.
const (
	Training State = "training" // never stored: a queued entry whose job runs
	Failed   State = "failed"   // for its Reason; handed in again, it is queued again
)

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

// EndSeasons ends the seasons that have closed by now and have no untrained entry, and returns their numbers.
func (tx *Tx) EndSeasons(now int64) (ended []int64, err error) {
	ended, err = list[int64](tx, `SELECT number FROM board_seasons WHERE over = 0 AND closes <= $1 AND NOT EXISTS
		(SELECT 1 FROM board_entries WHERE season = number AND state = 'queued') ORDER BY number`, now)
	for _, number := range ended {
		err = errors.Join(err, tx.change("UPDATE board_seasons SET over = $2 WHERE number = $1", number, tx.s.now()))
	}
	return ended, err
}

// HandIn queues an entry, or counts that it was handed in again, and returns its row. A failed entry is queued again.
// The key of the first submitter also changes the entry's nickname and run. A baseline was tried 0 times. One more try
// alone does not count as a change.
func (tx *Tx) HandIn(e BoardEntry, key string) (kept BoardEntry, err error) {
	if _, err := tx.Entry(e.ID); errors.Is(err, ErrNotFound) {
		if err := tx.allow(&roomsAndBoard, e.Settings); err != nil {
			return kept, err
		}
	}
	e.Created = tx.s.now()
	e.Changed, e.State = e.Created, Queued
	err = tx.insert("entry "+e.ID, "board_entries", e, "key_sha256", Digest(key))
	if errors.Is(err, ErrConflict) {
		err = tx.change(`UPDATE board_entries SET tried = tried + 1, changed = CASE WHEN state = 'failed' OR
			key_sha256 = $3 AND ($4 <> '' AND nickname <> $4 OR $5 <> '' AND run <> $5) THEN $2 ELSE changed END,
			nickname = CASE WHEN key_sha256 = $3 AND $4 <> '' THEN $4 ELSE nickname END,
			run = CASE WHEN key_sha256 = $3 AND $5 <> '' THEN $5 ELSE run END,
			address = CASE WHEN state = 'failed' THEN $6 ELSE address END,
			reason = CASE WHEN state = 'failed' THEN '' ELSE reason END,
			state = CASE WHEN state = 'failed' THEN 'queued' ELSE state END WHERE id = $1`,
			e.ID, tx.s.now(), Digest(key), e.Nickname, e.Run, e.Address)
	}
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

// EntryIDs lists the ids of the entries of a season on a track.
func (tx *Tx) EntryIDs(season int64, track, form string) ([]string, error) {
	return list[string](tx, "SELECT id FROM board_entries WHERE season = $1 AND track = $2 AND form = $3", season, track,
		form)
}

// EntryOpen is an entry that is not trained yet.
type EntryOpen struct {
	ID      string `db:"id"`
	Season  int64  `db:"season"`
	Track   string `db:"track"`
	Form    string `db:"form"`
	Address string `db:"address"`
	Job     string `db:"job"`
	Created int64  `db:"created"`
	Changed int64  `db:"changed"`
}

// EntriesOpen lists the entries that are not trained yet, oldest first.
func (tx *Tx) EntriesOpen() ([]EntryOpen, error) {
	return list[EntryOpen](tx, "SELECT * FROM board_entries WHERE state = 'queued' ORDER BY created, id")
}

// FailEntry ends the entry of a job without its rows, and deletes the hash of its address.
func (tx *Tx) FailEntry(job, reason string) error {
	return tx.change("UPDATE board_entries SET changed = $2, state = $3, reason = $4, address = '' WHERE job = $1", job,
		tx.s.now(), Failed, reason)
}

// SetEntryJob sets the job that trains an entry.
func (tx *Tx) SetEntryJob(id, job string) error {
	return tx.change("UPDATE board_entries SET changed = $2, job = $3 WHERE id = $1", id, tx.s.now(), job)
}

// EntriesNews returns the news of the entries that are not trained yet.
func (tx *Tx) EntriesNews() (News, error) {
	return read[News](tx, "SELECT * FROM board_entries WHERE state = 'queued'")
}

// SetRow stores the row of an entry's public seeds, or of its secret seeds: the entry is then done, and the hash of its
// address is deleted.
func (tx *Tx) SetRow(entry string, secret bool, row string) error {
	set := "public_row = $3"
	if secret {
		set = "secret_row = $3, state = 'done', address = ''"
	}
	tx.count(row)
	return tx.change("UPDATE board_entries SET changed = $2, "+set+" WHERE id = $1", entry, tx.s.now(), row)
}

// CountEntries returns how many entries a season has on a form of a track.
func (tx *Tx) CountEntries(season int64, track, form string) (int64, error) {
	return read[int64](tx, "SELECT COUNT(*) FROM board_entries WHERE season = $1 AND track = $2 AND form = $3", season,
		track, form)
}
