package store

// Jobs: work that any worker may do, whose turn it is, and what became of it. Who is at a job, and may write for it, is
// in jobhold.go. Package job hands jobs out.

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// States of a job.
const (
	JobQueued    State = "queued"
	JobRunning   State = "running"
	JobDone      State = "done"
	JobFailed    State = "failed" // for good, for its Reason
	JobCancelled State = "cancelled"
)

var openJobs = []State{JobQueued, JobRunning}

// JobPriorities is how many priorities there are: 1 goes first.
const JobPriorities = 4

// Job is one piece of work.
type Job struct {
	ID        string // as a run's
	Kind      string
	Args      string // a JSON object
	Priority  int64  // 1 to JobPriorities
	Submitter string // a hash, made by the caller
	Cost      int64  // what it counts for in the submitter's share; at least 1
	Turn      int64  // its place among those of its priority, by JobTurn

	Build, Arithmetic string // of the workers that may do it

	State  State
	Reason string

	Ticket int64  // the queue's number for it
	Tries  int64  // how often it was taken since its last snapshot
	Worker string // who is at it, in words
	Token  string // the right to write for it; "": nobody has it
	Beats  int64  // grows while somebody is at it

	Progress, Total int64 // so much of so much is done; 0 of 0: not known

	Created, Changed int64 // set by the store
}

const jobColumns = `id, kind, args, priority, submitter, cost, turn, build, arithmetic, state, reason, ticket, tries,
	worker, token, beats, progress, total, created, changed`

// scan reads jobColumns.
func (j *Job) scan(from func(...any) error) error {
	return from(&j.ID, &j.Kind, &j.Args, &j.Priority, &j.Submitter, &j.Cost, &j.Turn, &j.Build, &j.Arithmetic, &j.State,
		&j.Reason, &j.Ticket, &j.Tries, &j.Worker, &j.Token, &j.Beats, &j.Progress, &j.Total, &j.Created, &j.Changed)
}

// AddJob keeps a new job, queued.
func (tx *Tx) AddJob(j Job) error {
	if err := errors.Join(objects(j.Args), plain(j.Kind), plain(j.Submitter), plain(j.Build)); err != nil {
		return err
	}
	if j.Priority < 1 || j.Priority > JobPriorities || j.Cost < 1 {
		return fmt.Errorf("%w: a job of priority %d and cost %d; want a priority from 1 to %d and a cost of 1 or more",
			ErrInvalid, j.Priority, j.Cost, JobPriorities)
	}
	rows, err := tx.exec(`INSERT INTO jobs (id, kind, args, priority, submitter, cost, turn, build, arithmetic, state,
		reason, ticket, tries, worker, token, beats, progress, total, created, changed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', $11, 0, '', '', 0, 0, 0, $12, $12) ON CONFLICT DO NOTHING`,
		j.ID, j.Kind, j.Args, j.Priority, j.Submitter, j.Cost, j.Turn, j.Build, j.Arithmetic, JobQueued, j.Ticket, tx.s.now())
	if err == nil && rows == 0 {
		return fmt.Errorf("job %s: %w", j.ID, ErrConflict)
	}
	return err
}

// JobTurn is the turn of a submitter's next job (start-time fair queueing: Goyal, Vin and Cheng, 1996): behind what
// they have waiting already, by what that costs, and not before what others have been given, so that nobody saves up
// turns.
func (tx *Tx) JobTurn(priority int64, submitter string) (turn int64, err error) {
	var own int64
	others := int64(0)
	for _, state := range []State{JobRunning, JobDone, JobFailed} { // each is one look into an index
		var last int64
		err = tx.one("SELECT COALESCE(MAX(turn), 0) FROM jobs WHERE state = $1 AND priority = $2",
			[]any{state, priority}, &last)
		if err != nil {
			return 0, err
		}
		others = max(others, last)
	}
	err = tx.one(`SELECT COALESCE(MAX(turn + cost), 0) FROM jobs WHERE priority = $1 AND submitter = $2
		AND state IN ($3, $4)`, []any{priority, submitter, JobQueued, JobRunning}, &own)
	return max(others, own), err
}

// JobsOf lists the jobs of a submitter that are not over, and those that have failed, in the order of their turns.
func (tx *Tx) JobsOf(submitter string) (all []Job, err error) {
	query := "SELECT " + jobColumns + ` FROM jobs WHERE submitter = $1 AND state IN ($2, $3, $4)
		ORDER BY priority, turn, ticket`
	err = tx.each(query, []any{submitter, JobQueued, JobRunning, JobFailed}, func(rows *sql.Rows) error {
		var j Job
		err := j.scan(rows.Scan)
		all = append(all, j)
		return err
	})
	return all, err
}

// Job is the job of this id, or ErrNotFound.
func (tx *Tx) Job(id string) (j Job, err error) {
	err = tx.one("SELECT "+jobColumns+" FROM jobs WHERE id = $1", []any{id}, fields(j.scan)...)
	return j, err
}

// fields turns a scan function into the places that it reads into.
func fields(scan func(func(...any) error) error) (places []any) {
	scan(func(into ...any) error { places = into; return nil })
	return places
}

// JobPlace is how many jobs wait before a queued one; of a job that does not wait, 0.
func (tx *Tx) JobPlace(id string) (before int64, err error) {
	j, err := tx.Job(id)
	if err != nil || j.State != JobQueued {
		return 0, err
	}
	err = tx.one(`SELECT COUNT(*) FROM jobs WHERE state = $1 AND (priority < $2 OR priority = $2 AND (turn < $3
		OR turn = $3 AND ticket < $4))`, []any{JobQueued, j.Priority, j.Turn, j.Ticket}, &before)
	return before, err
}

// JobsIn lists the jobs in a state, in the order of their turns.
func (tx *Tx) JobsIn(state State) (all []Job, err error) {
	query := "SELECT " + jobColumns + " FROM jobs WHERE state = $1 ORDER BY priority, turn, ticket"
	err = tx.each(query, []any{state}, func(rows *sql.Rows) error {
		var j Job
		err := j.scan(rows.Scan)
		all = append(all, j)
		return err
	})
	return all, err
}

// JobsNews differs whenever an open job has changed, or another is open.
func (tx *Tx) JobsNews() (news [3]int64, err error) {
	err = tx.one(`SELECT COUNT(*), COALESCE(SUM(beats), 0), COALESCE(MAX(changed), 0) FROM jobs WHERE state IN ($1, $2)`,
		[]any{JobQueued, JobRunning}, &news[0], &news[1], &news[2])
	return news, err
}

// CancelJob ends a job that is queued or running, and returns it as it was. One that is over stays as it is.
func (tx *Tx) CancelJob(id, reason string) (was Job, err error) {
	if was, err = tx.Job(id); err != nil || !slices.Contains(openJobs, was.State) {
		return was, err
	}
	return was, tx.closeJob(id, JobCancelled, reason)
}

// closeJob ends a job. Its snapshot goes: nobody will go on from it.
func (tx *Tx) closeJob(id string, state State, reason string) error {
	if err := plain(reason); err != nil {
		return err
	}
	err := tx.change("UPDATE jobs SET state = $2, reason = $3, worker = '', token = '', changed = $4 WHERE id = $1",
		id, state, reason, tx.s.now())
	if err != nil {
		return err
	}
	_, err = tx.exec("DELETE FROM job_snapshots WHERE job = $1", id)
	return err
}
