package store

// Jobs: work for any worker, their order and their outcome. Package job hands jobs out. The worker that takes a job
// gets a token. HeartbeatJob and SaveJob take the token and return ErrLost if the job has another: a worker that
// was taken for dead and lives cannot write.

import (
	"errors"
	"fmt"
)

// States of a job.
const (
	JobQueued    State = "queued"
	JobRunning   State = "running"
	JobDone      State = "done"
	JobFailed    State = "failed" // for good, for its Reason
	JobCancelled State = "cancelled"
)

// JobPriorities is the number of priorities: 1 goes first.
const JobPriorities = 4

// ErrLost says that a job has another worker now, or is over.
var ErrLost = errors.New("another worker has the job, or it is over")

// Job is one piece of work.
type Job struct {
	ID         string `db:"id"` // as a run's
	Kind       string `db:"kind"`
	Args       string `db:"args"`       // a JSON object
	Priority   int64  `db:"priority"`   // 1 to JobPriorities
	Submitter  string `db:"submitter"`  // a hash, made by the caller; "" once it is over. Submitters have equal shares
	Cost       int64  `db:"cost"`       // in the submitter's share, in a unit that all kinds have in common; at least 1
	Turn       int64  `db:"turn"`       // orders the jobs of a priority, see JobTurn
	Build      string `db:"build"`      // of the workers that may do it
	Arithmetic string `db:"arithmetic"` // of these workers
	State      State  `db:"state"`
	Reason     string `db:"reason"`
	Ticket     int64  `db:"ticket"`   // the queue's number for it
	Tries      int64  `db:"tries"`    // how often a worker took it since its last snapshot
	Worker     string `db:"worker"`   // its worker's name
	Token      string `db:"token"`    // the right to write for it; "" without a worker
	Beats      int64  `db:"beats"`    // grows while a worker does it
	Progress   int64  `db:"progress"` // of Total; 0 of 0 if unknown
	Total      int64  `db:"total"`
	Changed    int64  `db:"changed"` // milliseconds since 1970, UTC; set by the store
}

// AddJob queues a new job.
func (tx *Tx) AddJob(j Job) error {
	j.State, j.Changed = JobQueued, tx.s.now()
	return tx.insert("job "+j.ID, "jobs", j)
}

// JobTurn returns the turn of a submitter's next job (start-time fair queueing: Goyal, Vin and Cheng, 1996): behind the
// submitter's open jobs by their cost, and not before the last turn that began, so that no submitter saves up turns.
func (tx *Tx) JobTurn(priority int64, submitter string) (turn int64, err error) {
	return read[int64](tx, `SELECT COALESCE(MAX(turn), 0) FROM ( -- each is one look into an index
		SELECT MAX(turn) AS turn FROM jobs WHERE state = 'running' AND priority = $1 UNION ALL
		SELECT MAX(turn) FROM jobs WHERE state = 'done' AND priority = $1 UNION ALL
		SELECT MAX(turn) FROM jobs WHERE state = 'failed' AND priority = $1 UNION ALL
		SELECT MAX(turn + cost) FROM jobs WHERE priority = $1 AND submitter = $2 AND state IN ('queued', 'running')) AS last`,
		priority, submitter)
}

// Job returns the job of this id, or ErrNotFound.
func (tx *Tx) Job(id string) (Job, error) {
	return read[Job](tx, "SELECT * FROM jobs WHERE id = $1", id)
}

// JobsOf lists the open jobs of a submitter, in the order of their turns.
func (tx *Tx) JobsOf(submitter string) ([]Job, error) {
	return list[Job](tx, `SELECT * FROM jobs WHERE submitter = $1 AND state IN ($2, $3)
		ORDER BY priority, turn, ticket`, submitter, JobQueued, JobRunning)
}

// JobsIn lists the jobs in a state, in the order of their turns.
func (tx *Tx) JobsIn(state State) ([]Job, error) {
	return list[Job](tx, "SELECT * FROM jobs WHERE state = $1 ORDER BY priority, turn, ticket", state)
}

// JobsOpen lists the running jobs, and the queued ones in the order of their turns.
func (tx *Tx) JobsOpen() (running, queued []Job, err error) {
	if running, err = tx.JobsIn(JobRunning); err == nil {
		queued, err = tx.JobsIn(JobQueued)
	}
	return running, queued, err
}

// JobAhead is an open job in the order of the turns.
type JobAhead struct {
	ID       string `db:"id"`
	State    State  `db:"state"`
	Progress int64  `db:"progress"`
}

// JobsAhead lists the open jobs in the order of their turns.
func (tx *Tx) JobsAhead() ([]JobAhead, error) {
	return list[JobAhead](tx, "SELECT * FROM jobs WHERE state IN ($1, $2) ORDER BY priority, turn, ticket", JobQueued,
		JobRunning)
}

// JobPlace returns how many jobs are queued before a queued one; 0 for a job that is not queued.
func (tx *Tx) JobPlace(id string) (before int64, err error) {
	j, err := tx.Job(id)
	if err != nil || j.State != JobQueued {
		return 0, err
	}
	return read[int64](tx, `SELECT COUNT(*) FROM jobs WHERE state = $1 AND (priority < $2 OR priority = $2 AND (turn < $3
		OR turn = $3 AND ticket < $4))`, JobQueued, j.Priority, j.Turn, j.Ticket)
}

// News differs after a change of one of several rows, or of their number.
type News struct {
	Rows    int64 `db:"COUNT(*)"`
	Changed int64 `db:"COALESCE(MAX(changed), 0)"`
}

// JobsNews returns the news of the open jobs.
func (tx *Tx) JobsNews() (News, error) {
	return read[News](tx, "SELECT * FROM jobs WHERE state IN ($1, $2)", JobQueued, JobRunning)
}

// ClaimJob gives a queued job to a worker and returns it. If the job is not queued under this ticket, the error is
// ErrLost.
func (tx *Tx) ClaimJob(id string, ticket int64, worker, token string) (j Job, err error) {
	err = tx.execOwned(`UPDATE jobs SET state = $4, worker = $5, token = $6, tries = tries + 1, beats = beats + 1, changed = $7
		WHERE id = $1 AND ticket = $2 AND state = $3`, id, ticket, JobQueued, JobRunning, worker, token, tx.s.now())
	if err != nil {
		return j, err
	}
	return tx.Job(id)
}

// execOwned runs a statement on a job. If it changes no row, the error is ErrLost.
func (tx *Tx) execOwned(query string, args ...any) error {
	rows, err := tx.exec(query, args...)
	if err == nil && rows == 0 {
		return fmt.Errorf("job %v: %w", args[0], ErrLost)
	}
	return err
}

// HeartbeatJob counts a heartbeat of a job's worker and stores the progress.
func (tx *Tx) HeartbeatJob(id, token string, progress, total int64) error {
	return tx.execOwned(`UPDATE jobs SET beats = beats + 1, progress = $4, total = $5, changed = $6
		WHERE id = $1 AND token = $2 AND state = $3`, id, token, JobRunning, progress, total, tx.s.now())
}

// SaveJob stores the snapshot from which the next worker would resume, in place of the one before. nil: the caller
// stores it elsewhere, in the same transaction.
func (tx *Tx) SaveJob(id, token string, snapshot []byte) error {
	if len(snapshot) > snapshotLimit {
		return fmt.Errorf("%w: a snapshot of %d bytes of job %s; at most %d are kept", ErrInvalid, len(snapshot), id,
			snapshotLimit)
	}
	err := tx.execOwned(`UPDATE jobs SET beats = beats + 1, tries = 1, changed = $4
		WHERE id = $1 AND token = $2 AND state = $3`, id, token, JobRunning, tx.s.now())
	if err != nil || snapshot == nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO job_snapshots (job, blob) VALUES ($1, $2)
		ON CONFLICT (job) DO UPDATE SET blob = excluded.blob`, id, snapshot)
	return err
}

// ShowJob stores what pages show of a job that has a snapshot.
func (tx *Tx) ShowJob(id string, shown []byte) error {
	return tx.change("UPDATE job_snapshots SET shown = $2 WHERE job = $1", id, shown)
}

// JobShown returns what pages show of a job; nil: nothing yet.
func (tx *Tx) JobShown(id string) ([]byte, error) {
	shown, err := read[[]byte](tx, "SELECT shown FROM job_snapshots WHERE job = $1", id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return shown, err
}

// JobSnapshot returns the last snapshot of a job; nil: the job starts from its beginning.
func (tx *Tx) JobSnapshot(id string) (blob []byte, err error) {
	blob, err = read[[]byte](tx, "SELECT blob FROM job_snapshots WHERE job = $1", id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return blob, err
}

// DropJobSnapshot deletes the snapshot of a job.
func (tx *Tx) DropJobSnapshot(id string) error {
	_, err := tx.exec("DELETE FROM job_snapshots WHERE job = $1", id)
	return err
}

// StillJob returns ErrLost if a job has changed since it was read, by a heartbeat too. Until the transaction ends,
// no other changes it.
func (tx *Tx) StillJob(was Job) error {
	return tx.execOwned(`UPDATE jobs SET changed = $6
		WHERE id = $1 AND state = $2 AND token = $3 AND beats = $4 AND ticket = $5`, was.ID, was.State, was.Token,
		was.Beats, was.Ticket, tx.s.now())
}

// QueueJob queues an open job with the reason, ticket, turn, tries, build, arithmetic and progress that j says. The
// caller knows that its worker is dead or has given it back: see StillJob and HeartbeatJob.
func (tx *Tx) QueueJob(j Job) error {
	return tx.change(`UPDATE jobs SET state = $2, reason = $3, worker = '', token = '', changed = $4, ticket = $5, turn = $6,
		tries = $7, build = $8, arithmetic = $9, progress = $10 WHERE id = $1`, j.ID, JobQueued, j.Reason, tx.s.now(),
		j.Ticket, j.Turn, j.Tries, j.Build, j.Arithmetic, j.Progress)
}

// CloseJob ends an open job, and deletes its snapshot and its submitter. A job that is over stays as it is.
func (tx *Tx) CloseJob(id string, state State, reason string) error {
	rows, err := tx.exec(`UPDATE jobs SET state = $2, reason = $3, worker = '', token = '', submitter = '', changed = $4
		WHERE id = $1 AND state IN ($5, $6)`, id, state, reason, tx.s.now(), JobQueued, JobRunning)
	if err != nil || rows == 0 {
		return err
	}
	return tx.DropJobSnapshot(id)
}
