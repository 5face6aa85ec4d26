package store

// Who is at a job. Whoever takes it gets a token, and writes for it only while the token is the job's: every method
// here that is given a token asks in its own transaction. A worker that was given up for dead, and is not, can spoil
// nothing.

import (
	"errors"
	"fmt"
)

// ErrLost says that a job is somebody else's by now, or over.
var ErrLost = errors.New("the job is not ours any more")

// TakeJob makes worker the one who is at a queued job, if the queue's number for it is still ticket, and returns the
// job. Else it is ErrLost.
func (tx *Tx) TakeJob(id string, ticket int64, worker, token string) (j Job, err error) {
	if err := plain(worker); err != nil || token == "" {
		return j, errors.Join(err, ErrInvalid)
	}
	err = tx.held(`UPDATE jobs SET state = $4, worker = $5, token = $6, tries = tries + 1, beats = beats + 1, changed = $7
		WHERE id = $1 AND ticket = $2 AND state = $3`, id, ticket, JobQueued, JobRunning, worker, token, tx.s.now())
	if err != nil {
		return j, err
	}
	return tx.Job(id)
}

// HoldJob says that whoever has the token is at the job still, and how far it is.
func (tx *Tx) HoldJob(id, token string, progress, total int64) error {
	return tx.held(`UPDATE jobs SET beats = beats + 1, progress = $4, total = $5, changed = $6
		WHERE id = $1 AND token = $2 AND state = $3`, id, token, JobRunning, progress, total, tx.s.now())
}

// held runs a statement that changes a job only while it is held, or says ErrLost.
func (tx *Tx) held(query string, args ...any) error {
	rows, err := tx.exec(query, args...)
	if err == nil && rows == 0 {
		return fmt.Errorf("job %v: %w", args[0], ErrLost)
	}
	return err
}

// KeepJob keeps what the next worker goes on from, in place of what was kept before.
func (tx *Tx) KeepJob(id, token string, snapshot []byte) error {
	if len(snapshot) > snapshotLimit {
		return fmt.Errorf("%w: a snapshot of %d bytes of job %s; at most %d are kept", ErrInvalid, len(snapshot), id,
			snapshotLimit)
	}
	if err := tx.KeptJob(id, token); err != nil {
		return err
	}
	_, err := tx.exec(`INSERT INTO job_snapshots (job, created, blob) VALUES ($1, $2, $3)
		ON CONFLICT (job) DO UPDATE SET created = excluded.created, blob = excluded.blob`, id, tx.s.now(), snapshot)
	return err
}

// KeptJob says that there is something new to go on from: here, or where the job itself keeps it.
func (tx *Tx) KeptJob(id, token string) error {
	return tx.held(`UPDATE jobs SET beats = beats + 1, tries = 1, changed = $4
		WHERE id = $1 AND token = $2 AND state = $3`, id, token, JobRunning, tx.s.now())
}

// JobSnapshot is what a job goes on from; nil: from its beginning.
func (tx *Tx) JobSnapshot(id string) (blob []byte, err error) {
	err = tx.one("SELECT blob FROM job_snapshots WHERE job = $1", []any{id}, &blob)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return blob, err
}

// EndJob says what became of a job whose token the caller has.
func (tx *Tx) EndJob(id, token string, state State, reason string) error {
	if err := tx.held("UPDATE jobs SET changed = $4 WHERE id = $1 AND token = $2 AND state = $3", id, token, JobRunning,
		tx.s.now()); err != nil {
		return err
	}
	return tx.closeJob(id, state, reason)
}

// LeaveJob returns a job to the queue, which will hand it out once more under the same number. Its worker lives, so
// this try does not count.
func (tx *Tx) LeaveJob(id, token, reason string) error {
	return tx.held(`UPDATE jobs SET state = $4, reason = $5, worker = '', token = '', tries = tries - 1, changed = $6
		WHERE id = $1 AND token = $2 AND state = $3`, id, token, JobRunning, JobQueued, reason, tx.s.now())
}

// RequeueJob gives an open job a new number in the queue, with the turn and the tries of was, unless something has
// happened to the job since it was read as was: its worker has lost it.
func (tx *Tx) RequeueJob(was Job, ticket int64, reason string) error {
	return tx.held(`UPDATE jobs SET state = $6, reason = $8, ticket = $7, turn = $10, tries = $11, worker = '', token = '',
		changed = $9 WHERE id = $1 AND state = $2 AND token = $3 AND beats = $4 AND ticket = $5`,
		was.ID, was.State, was.Token, was.Beats, was.Ticket, JobQueued, ticket, reason, tx.s.now(), was.Turn,
		was.Tries)
}

// FailJob ends an open job as RequeueJob would give it another number.
func (tx *Tx) FailJob(was Job, reason string) error {
	err := tx.held(`UPDATE jobs SET changed = $6
		WHERE id = $1 AND state = $2 AND token = $3 AND beats = $4 AND ticket = $5`,
		was.ID, was.State, was.Token, was.Beats, was.Ticket, tx.s.now())
	if err != nil {
		return err
	}
	return tx.closeJob(was.ID, JobFailed, reason)
}

// AdoptJob makes an open job one of this build and arithmetic. What another build has of it is dropped: a reference run
// is of one build from its first step to its last.
func (tx *Tx) AdoptJob(id, build, arithmetic string) error {
	if err := plain(build); err != nil {
		return err
	}
	err := tx.change("UPDATE jobs SET build = $2, arithmetic = $3, progress = 0, tries = 0, changed = $4 WHERE id = $1",
		id, build, arithmetic, tx.s.now())
	if err != nil {
		return err
	}
	_, err = tx.exec("DELETE FROM job_snapshots WHERE job = $1", id)
	return err
}
