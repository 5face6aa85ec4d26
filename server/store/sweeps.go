package store

// Sweeps: one plan and the runs that it came to. What a run came to is kept here once more, so that a sweep says what
// it found also when its runs are forgotten.

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// States of a sweep.
const (
	SweepRunning State = "running" // until all its runs are over
	SweepDone    State = "done"
	SweepStopped State = "stopped" // by hand, or for its Reason
)

var sweepStates = []State{SweepRunning, SweepDone, SweepStopped}

// Sweep is one plan.
type Sweep struct {
	ID     string // as a run's
	Owner  string // a hash, made by the caller
	Plan   string // a JSON object
	State  State
	Reason string

	Address string // as a run's

	Created, Changed int64 // set by the store
}

// SweepRun is one run of a sweep.
type SweepRun struct {
	Number  int64  // its place in the plan, from 0
	Run     string // which may be gone
	Outcome string // "" until it is over
	Reason  string
	Steps   int64
	Return  float64 // mean of the last 100 episodes; NaN before the first
	State   State   // of the run, until it is over
}

// AddSweep keeps a new sweep and the digest of its key.
func (tx *Tx) AddSweep(s Sweep, key string) error {
	if raw, err := hex.DecodeString(s.ID); err != nil || len(raw) != 16 {
		return fmt.Errorf("%w: a sweep's id is 32 hex digits, not %q", ErrInvalid, s.ID)
	}
	if err := checkSweep(s.State, s.Owner, s.Reason, s.Plan, s.Address); err != nil {
		return err
	}
	var plan map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s.Plan), &plan); err != nil || plan == nil {
		return fmt.Errorf("%w: a plan is a JSON object, not %.40q", ErrInvalid, s.Plan)
	}
	digest := sha256.Sum256([]byte(key))
	rows, err := tx.exec(`INSERT INTO sweeps (id, key_sha256, owner, plan, state, reason, created, changed, address)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) ON CONFLICT (id) DO NOTHING`,
		s.ID, digest[:], s.Owner, s.Plan, s.State, s.Reason, tx.s.now(), s.Address)
	if err == nil && rows == 0 {
		return fmt.Errorf("sweep %s: %w", s.ID, ErrConflict)
	}
	return err
}

func checkSweep(state State, texts ...string) error {
	if !slices.Contains(sweepStates, state) {
		return fmt.Errorf("%w: no sweep is in state %q", ErrInvalid, state)
	}
	for _, text := range texts {
		if err := plain(text); err != nil {
			return err
		}
	}
	return nil
}

const sweepColumns = "id, owner, plan, state, reason, created, changed, address"

func (s *Sweep) fields() []any {
	return []any{&s.ID, &s.Owner, &s.Plan, &s.State, &s.Reason, &s.Created, &s.Changed, &s.Address}
}

// Sweep is the sweep of this id, or ErrNotFound.
func (tx *Tx) Sweep(id string) (s Sweep, err error) {
	err = tx.one("SELECT "+sweepColumns+" FROM sweeps WHERE id = $1", []any{id}, s.fields()...)
	return s, err
}

// LockSweep is Sweep, of which nobody else changes anything until this transaction has ended: whoever adds to a sweep
// or counts what is over of it asks first.
func (tx *Tx) LockSweep(id string) (s Sweep, err error) {
	if err := tx.change("UPDATE sweeps SET changed = $2 WHERE id = $1", id, tx.s.now()); err != nil {
		return s, err
	}
	return tx.Sweep(id)
}

// SweepsOf is how many sweeps of an address are going on.
func (tx *Tx) SweepsOf(address string) (n int64, err error) {
	err = tx.one("SELECT COUNT(*) FROM sweeps WHERE state = $1 AND address = $2", []any{SweepRunning, address}, &n)
	return n, err
}

// SweepsIn lists the sweeps in a state, oldest first: what a server goes on with after a restart.
func (tx *Tx) SweepsIn(state State) (all []Sweep, err error) {
	query := "SELECT " + sweepColumns + " FROM sweeps WHERE state = $1 ORDER BY created, id"
	err = tx.each(query, []any{state}, func(rows *sql.Rows) error {
		var s Sweep
		err := rows.Scan(s.fields()...)
		all = append(all, s)
		return err
	})
	return all, err
}

// SetSweepState says where a sweep stands. Whom it counts for is forgotten at its end.
func (tx *Tx) SetSweepState(id string, state State, reason string) error {
	if err := checkSweep(state, reason); err != nil {
		return err
	}
	return tx.change(`UPDATE sweeps SET changed = $2, state = $3, reason = $4,
		address = CASE WHEN $3 = 'running' THEN address ELSE '' END WHERE id = $1`, id, tx.s.now(), state, reason)
}

// AddSweepRun keeps a new run of a sweep, with the sweep's key, in its place of the plan. A place that is taken is
// ErrConflict.
func (tx *Tx) AddSweepRun(sweep string, number int64, r Run) error {
	var digest []byte
	if err := tx.one("SELECT key_sha256 FROM sweeps WHERE id = $1", []any{sweep}, &digest); err != nil {
		return err
	}
	if err := tx.addRun(r, digest); err != nil {
		return err
	}
	rows, err := tx.exec(`INSERT INTO sweep_runs (sweep, number, run, outcome, reason, steps)
		VALUES ($1, $2, $3, '', '', 0)
		ON CONFLICT (sweep, number) DO NOTHING`, sweep, number, r.ID)
	if err == nil && rows == 0 {
		return fmt.Errorf("run %d of sweep %s: %w", number, sweep, ErrConflict)
	}
	return err
}

// SetSweepRun says what a place of the plan came to, whether a run was begun there or not.
func (tx *Tx) SetSweepRun(sweep string, r SweepRun) error {
	for _, text := range []string{r.Run, r.Outcome, r.Reason} {
		if err := plain(text); err != nil {
			return err
		}
	}
	if err := tx.change("UPDATE sweeps SET changed = $2 WHERE id = $1", sweep, tx.s.now()); err != nil {
		return err
	}
	_, err := tx.exec(`INSERT INTO sweep_runs (sweep, number, run, outcome, reason, steps, return_mean_100)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (sweep, number) DO UPDATE SET outcome = $4, reason = $5, steps = $6, return_mean_100 = $7`,
		sweep, r.Number, r.Run, r.Outcome, r.Reason, r.Steps, orNull(r.Return))
	return err
}

// SweepRuns are the places of a sweep's plan at which something has begun, in their order. What is not over stands as
// its run does; where that is gone, its State is empty.
func (tx *Tx) SweepRuns(sweep string) (all []SweepRun, err error) {
	query := `SELECT s.number, s.run, s.outcome, s.reason, COALESCE(r.state, ''), COALESCE(r.steps, s.steps),
		COALESCE(r.return_mean_100, s.return_mean_100)
		FROM sweep_runs s LEFT JOIN runs r ON s.outcome = '' AND r.id = s.run WHERE s.sweep = $1 ORDER BY s.number`
	err = tx.each(query, []any{sweep}, func(rows *sql.Rows) error {
		var r SweepRun
		var mean sql.NullFloat64
		err := rows.Scan(&r.Number, &r.Run, &r.Outcome, &r.Reason, &r.State, &r.Steps, &mean)
		r.Return = orNaN(mean)
		all = append(all, r)
		return err
	})
	return all, err
}

// SweepOpen is the sweep that a run is on its way for, and its place there; "" of any other run.
func (tx *Tx) SweepOpen(run string) (sweep string, number int64, err error) {
	err = tx.one("SELECT sweep, number FROM sweep_runs WHERE run = $1 AND outcome = ''", []any{run}, &sweep, &number)
	if errors.Is(err, ErrNotFound) {
		return "", 0, nil
	}
	return sweep, number, err
}

// SweepRunsOpen are the runs that are on their way for a sweep.
func (tx *Tx) SweepRunsOpen() (runs map[string]bool, err error) {
	runs = map[string]bool{}
	err = tx.each("SELECT run FROM sweep_runs WHERE outcome = ''", nil, func(rows *sql.Rows) error {
		var run string
		err := rows.Scan(&run)
		runs[run] = true
		return err
	})
	return runs, err
}

// DeleteSweep forgets a sweep with all its runs.
func (tx *Tx) DeleteSweep(id string) error {
	if _, err := tx.exec("DELETE FROM runs WHERE id IN (SELECT run FROM sweep_runs WHERE sweep = $1)", id); err != nil {
		return err
	}
	return tx.change("DELETE FROM sweeps WHERE id = $1", id)
}
