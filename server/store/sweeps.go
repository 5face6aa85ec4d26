package store

// Sweeps: one plan and its runs. The result of each run is copied here, so that it outlives the run.

import "fmt"

// States of a sweep.
const (
	SweepRunning State = "running" // until all its runs are over
	SweepDone    State = "done"
	SweepStopped State = "stopped" // by hand, or for its Reason
)

// Sweep is one plan.
type Sweep struct {
	ID      string `db:"id"`      // as a run's
	Owner   string `db:"owner"`   // as a run's
	Address string `db:"address"` // as a run's
	Plan    string `db:"plan"`    // a JSON object
	State   State  `db:"state"`
	Reason  string `db:"reason"`
	Created int64  `db:"created"` // set by the store
	Changed int64  `db:"changed"`
}

// SweepRun is one run of a sweep. Until it is over, SweepRuns takes State, Steps and Return from the row of the run.
type SweepRun struct {
	Number  int64   `db:"s.number"`              // in the plan, from 0
	Run     string  `db:"s.run"`                 // may be deleted
	Outcome string  `db:"s.outcome"`             // "" until it is over
	Reason  string  `db:"s.reason"`              //
	State   State   `db:"COALESCE(r.state, '')"` // "" once it is over, or if the run is deleted
	Steps   int64   `db:"COALESCE(r.steps, s.steps)"`
	Return  float64 `db:"COALESCE(r.return_mean_100, s.return_mean_100)"` // over 100 episodes; NaN before the first
}

// AddSweep adds a sweep. If there is a sweep of that id, the error is ErrConflict. Beyond Options.Bytes the error has
// the code Full.
func (tx *Tx) AddSweep(s Sweep) error {
	if err := tx.mayAdd(s.Address); err != nil {
		return err
	}
	s.Created = tx.s.now()
	s.Changed = s.Created
	return tx.insert("sweep "+s.ID, "sweeps", s)
}

// Sweep returns the sweep of this id, or ErrNotFound.
func (tx *Tx) Sweep(id string) (Sweep, error) {
	return read[Sweep](tx, "SELECT * FROM sweeps WHERE id = $1", id)
}

// LockSweep returns a sweep and keeps other transactions from changing it until this one ends. Call it before you add
// to a sweep or count its finished runs.
func (tx *Tx) LockSweep(id string) (s Sweep, err error) {
	if err := tx.change("UPDATE sweeps SET changed = $2 WHERE id = $1", id, tx.s.now()); err != nil {
		return s, err
	}
	return tx.Sweep(id)
}

// SweepsOf returns how many sweeps of an address are running.
func (tx *Tx) SweepsOf(address string) (int64, error) {
	return read[int64](tx, "SELECT COUNT(*) FROM sweeps WHERE state = $1 AND address = $2", SweepRunning, address)
}

// SweepsOpen lists the running sweeps, oldest first. A server resumes them after a restart.
func (tx *Tx) SweepsOpen() ([]Sweep, error) {
	return list[Sweep](tx, "SELECT * FROM sweeps WHERE state = $1 ORDER BY created, id", SweepRunning)
}

// SetSweepState sets a sweep's state. At the sweep's end it also deletes the hash of the address.
func (tx *Tx) SetSweepState(id string, state State, reason string) error {
	return tx.change(`UPDATE sweeps SET changed = $2, state = $3, reason = $4,
		address = CASE WHEN $3 = 'running' THEN address ELSE '' END WHERE id = $1`, id, tx.s.now(), state, reason)
}

// AddSweepRun adds a run under its number in the plan, also beyond Options.Bytes: the sweep was let in. If the number
// is taken, the error is ErrConflict.
func (tx *Tx) AddSweepRun(sweep string, number int64, r Run) error {
	if _, err := tx.Sweep(sweep); err != nil {
		return err
	}
	if err := tx.addRun(r); err != nil {
		return err
	}
	return tx.insert(fmt.Sprintf("run %d of sweep %s", number, sweep), "sweep_runs", struct{}{}, "sweep", sweep,
		"number", number, "run", r.ID, "outcome", "", "reason", "", "steps", 0)
}

// SetSweepRun stores the outcome of a run of the plan, also if the run never began.
func (tx *Tx) SetSweepRun(sweep string, r SweepRun) error {
	if err := tx.change("UPDATE sweeps SET changed = $2 WHERE id = $1", sweep, tx.s.now()); err != nil {
		return err
	}
	_, err := tx.exec(`INSERT INTO sweep_runs (sweep, number, run, outcome, reason, steps, return_mean_100)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (sweep, number) DO UPDATE SET outcome = $4, reason = $5, steps = $6, return_mean_100 = $7`,
		sweep, r.Number, r.Run, r.Outcome, r.Reason, r.Steps, number(r.Return))
	return err
}

// SweepRuns lists the runs of a sweep that have begun, in the order of the plan.
func (tx *Tx) SweepRuns(sweep string) ([]SweepRun, error) {
	return list[SweepRun](tx, `SELECT * FROM sweep_runs s LEFT JOIN runs r ON s.outcome = '' AND r.id = s.run
		WHERE s.sweep = $1 ORDER BY s.number`, sweep)
}

// SweepOpen returns the sweep of an unfinished run, and the run's number in it; "" if the run is of no sweep.
func (tx *Tx) SweepOpen(run string) (sweep string, number int64, err error) {
	open, err := list[struct {
		Sweep  string `db:"sweep"`
		Number int64  `db:"number"`
	}](tx, "SELECT * FROM sweep_runs WHERE run = $1 AND outcome = ''", run)
	if len(open) > 0 {
		return open[0].Sweep, open[0].Number, err
	}
	return "", 0, err
}

// DeleteSweep deletes a sweep with all its runs.
func (tx *Tx) DeleteSweep(id string) error {
	if _, _, err := tx.deleteRuns("id IN (SELECT run FROM sweep_runs WHERE sweep = $1)", id); err != nil {
		return err
	}
	return tx.change("DELETE FROM sweeps WHERE id = $1", id)
}
