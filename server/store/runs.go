package store

// Runs: settings, progress, owner and key of each.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// State is the state of a run, a sweep, a job or an entry of the board.
type State string

// States of a run.
const (
	Queued   State = "queued"   // waits for memory and cores
	Running  State = "running"  //
	Paused   State = "paused"   // by its viewer
	Resting  State = "resting"  // without a viewer; continues with the next
	Done     State = "done"     // reached its budget
	Diverged State = "diverged" // stopped for Reason
)

// Run is one run. The fields before Progress never change, except Name, Settings and Address.
type Run struct {
	ID           string `db:"id"`    // 32 hex digits, made by NewID: everybody who has it may read
	Owner        string `db:"owner"` // a hash of the key that steers it, made by the caller
	Purpose      string `db:"purpose"`
	Name         string `db:"name"`
	Settings     string `db:"settings"` // in force, a JSON object
	Seed         string `db:"seed"`     // a number
	Build        string `db:"build"`    // of the program that made it
	Arithmetic   string `db:"arithmetic"`
	Parent       string `db:"parent"`        // the run it was forked from, which may be deleted; or ""
	ParentUpdate int64  `db:"parent_update"` // the update at which it was forked
	Address      string `db:"address"`       // HashAddress of the visitor; "" once the run is over

	Progress

	// The store sets these. Times are milliseconds since 1970, UTC.
	Created       int64 `db:"created"`
	Changed       int64 `db:"changed"`
	Bytes         int64 `db:"bytes"` // of its tape, curves and snapshots
	SnapshotBytes int64 `db:"snapshot_bytes"`
}

// Progress is the part of a run that training changes.
type Progress struct {
	State         State   `db:"state"`
	Reason        string  `db:"reason"` // for people
	Steps         int64   `db:"steps"`
	Updates       int64   `db:"updates"`
	Episodes      int64   `db:"episodes"`
	ReturnMean100 float64 `db:"return_mean_100"` // NaN before the first episode ended
	ParamsSHA256  string  `db:"params_sha256"`   // hex; "" if unknown
}

// NewID makes an id: 128 random bits, in hex.
func NewID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return hex.EncodeToString(bits[:])
}

// NewKey makes a key that steers a run: 130 random bits, as text.
func NewKey() string { return rand.Text() }

// Digest returns the SHA-256 of a key or a secret.
func Digest(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// Opens reports whether a digest is of this key or secret.
func Opens(digest []byte, key string) bool {
	return subtle.ConstantTimeCompare(digest, Digest(key)) == 1
}

// HashAddress returns the hash of an address that a row holds until its run is over. Without the salt, the hash does
// not tell the address.
func HashAddress(address string, salt []byte) string {
	sum := hmac.New(sha256.New, salt)
	sum.Write([]byte(address))
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// AddRun adds a run. If there is a run of that id, the error is ErrConflict. Beyond Options.Bytes the error has the
// code Full.
func (tx *Tx) AddRun(r Run) error {
	if err := tx.mayAdd(r.Address); err != nil {
		return err
	}
	return tx.addRun(r)
}

func (tx *Tx) addRun(r Run) error {
	r.Created = tx.s.now()
	r.Changed, r.Bytes, r.SnapshotBytes = r.Created, 0, 0
	return tx.insert("run "+r.ID, "runs", r)
}

// Run returns the run of this id, or ErrNotFound.
func (tx *Tx) Run(id string) (Run, error) {
	return read[Run](tx, "SELECT * FROM runs WHERE id = $1", id)
}

// SetProgress stores a run's progress. At the end of the run it also deletes the hash of the address.
func (tx *Tx) SetProgress(id string, p Progress) error {
	return tx.change(`UPDATE runs SET changed = $2, state = $3, reason = $4, steps = $5, updates = $6, episodes = $7,
		return_mean_100 = $8, params_sha256 = $9, address = CASE WHEN $3 IN ('done', 'diverged') THEN '' ELSE address END
		WHERE id = $1`,
		id, tx.s.now(), p.State, p.Reason, p.Steps, p.Updates, p.Episodes, number(p.ReturnMean100), p.ParamsSHA256)
}

// SetSettings stores the settings that are in force.
func (tx *Tx) SetSettings(id, settings string) error {
	return tx.change("UPDATE runs SET changed = $2, settings = $3 WHERE id = $1", id, tx.s.now(), settings)
}

// DeleteRun deletes a run with its tape, curves and snapshots. Its forks stay.
func (tx *Tx) DeleteRun(id string) error {
	rows, _, err := tx.deleteRuns("id = $1", id)
	if err == nil && rows == 0 {
		return ErrNotFound
	}
	return err
}

// deleteRuns deletes the runs of a condition, and the states that no other run shares. It returns the bytes of these.
func (tx *Tx) deleteRuns(where string, args ...any) (rows, freed int64, err error) {
	states, err := tx.states("run IN (SELECT id FROM runs WHERE "+where+")", args...)
	if err != nil {
		return 0, 0, err
	}
	if rows, err = tx.exec("DELETE FROM runs WHERE "+where, args...); err != nil {
		return 0, 0, err
	}
	freed, err = tx.free(states)
	return rows, freed, err
}

// lock keeps other transactions from adding to a run until this one ends, and sets when it changed.
func (tx *Tx) lock(id string) error {
	return tx.change("UPDATE runs SET changed = $2 WHERE id = $1", id, tx.s.now())
}

// grew counts the bytes that are stored for a run. Those of snapshots are counted for the store with their states.
func (tx *Tx) grew(id string, bytes, snapshots int64) error {
	tx.s.grow(bytes - snapshots)
	return tx.change("UPDATE runs SET bytes = bytes + $2, snapshot_bytes = snapshot_bytes + $3 WHERE id = $1",
		id, bytes, snapshots)
}

// Cursor marks a place in a list: after the run that it names. The zero Cursor is the beginning.
type Cursor struct {
	Created int64
	ID      string
}

// RunsOf lists an owner's runs, newest first: at most limit of them, after a cursor. At the end, next is the zero
// Cursor.
func (tx *Tx) RunsOf(owner string, after Cursor, limit int) (runs []Run, next Cursor, err error) {
	older, args := "", []any{owner, limit + 1}
	if after != (Cursor{}) {
		older, args = " AND (created, id) < ($3, $4)", append(args, after.Created, after.ID)
	}
	runs, err = list[Run](tx, "SELECT * FROM runs WHERE owner = $1"+older+" ORDER BY created DESC, id DESC LIMIT $2",
		args...)
	if len(runs) > limit {
		runs = runs[:limit]
		next = Cursor{runs[limit-1].Created, runs[limit-1].ID}
	}
	return runs, next, err
}

// RunsOpen lists the runs that have not ended, oldest first, without the runs of sweeps. A server resumes them after a
// restart.
func (tx *Tx) RunsOpen() ([]Run, error) {
	return list[Run](tx, `SELECT * FROM runs WHERE state NOT IN ($1, $2)
		AND id NOT IN (SELECT run FROM sweep_runs WHERE outcome = '') ORDER BY created, id`, Done, Diverged)
}
