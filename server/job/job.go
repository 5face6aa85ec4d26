// Package job does graded work and the runs of sweeps: a transaction of the store adds a job, and a worker in this
// process or in another process on the same database does it.
//
// River hands jobs out in order, retries and cancels them. The table jobs says who does a job and may write for it.
// We measured River alone, with jobs of ten seconds each: its rescuer runs every 30 s on an elected leader, and a
// leader that was killed keeps its office for 15 s. With kill -9 every 1 to 5 s no job progressed. So the heartbeat and
// the token of a worker stay in the table jobs:
//
//	state of a job  who writes it, in which transaction
//	queued          Queue.Add, with the caller's own rows; requeue, with a new row of River's
//	running         Work takes it: a new token, tries + 1
//	running         Work.Save stores a snapshot: tries = 1. The heartbeat: beats + 1, progress
//	queued          a worker hands it back (tries - 1), or is dead: the server finds its own dead process at its
//	                start, each worker finds others without a heartbeat for three seconds
//	done            Work.Finish, with the result
//	failed          Refuse, three errors, or eight dead workers without a snapshot between them; Kind.Failed
//	cancelled       Queue.Cancel, with River's row
//
// A write with an old token is store.ErrLost. So each result is stored once.
//
// A job at which five workers died without a snapshot is a suspect. It runs alone, in a worker that has lived for half
// a minute; the worker hands its other jobs back, until the suspect has a snapshot. So a server that is killed again
// and again fails no innocent job.
//
// Look at Queue.Add, Kind and Work first.
package job

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"impalab/server/store"
)

// Options of a queue. Build and Arithmetic have no default: workers of one build and one arithmetic do a job from its
// first step to its last.
type Options struct {
	Build      string       // of this program
	Arithmetic string       // of its learners
	Name       string       // of this worker, for people; "": host and process. The server has its own
	Workers    int          // jobs at once; 0: none here
	Host       bool         // for the server that holds the store: it makes the queue's tables and adopts older jobs
	Log        *slog.Logger // nil: none

	dead, settle time.Duration // shorter in tests; 0: the constants
}

const (
	dead     = 3 * time.Second  // without a heartbeat, and another worker gets the job
	beats    = 3                // in that time
	rounds   = 4                // of a watcher in that time
	suspect  = 5                // workers died at a job without a snapshot between them: it runs alone
	guilty   = 8                // the last three of them ran it alone: it fails
	settle   = 30 * time.Second // a worker that has lived for so long may run a suspect
	farewell = 8 * time.Second
)

// Kind is work of one kind.
type Kind struct {
	Name  string // small letters, digits and single dashes
	Slots int    // how many jobs of the kind a worker does at once, beside other kinds; 0: Options.Workers
	// Work does one job. It returns nil after Work.Finish, ctx's error as soon as ctx has ended, and GiveWay(job) to let
	// others go first. Refuse(err) is an error that would occur again; after any other error the job is retried.
	Work func(ctx context.Context, w *Work) error
	// Failed stores what the failure of a job for its Reason means, in the transaction that ends the job; nil: nothing.
	Failed func(tx *store.Tx, j store.Job) error
}

// Queue is safe for concurrent use.
type Queue struct {
	store *store.Store
	opts  Options
	river *river.Client[*sql.Tx]

	kinds   map[string]Kind
	began   time.Time // when Start was called
	lone    lone
	ctx     context.Context // ends with Close
	end     context.CancelCauseFunc
	watcher sync.WaitGroup
	started bool
}

// Open prepares the queue of a store. Jobs can be added; Start does them.
func Open(ctx context.Context, s *store.Store, o Options) (*Queue, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.dead, o.settle = cmp.Or(o.dead, dead), cmp.Or(o.settle, settle)
	if o.Host {
		o.Name = theServer
	}
	o.Name = cmp.Or(o.Name, ourselves())
	q := &Queue{store: s, opts: o, kinds: map[string]Kind{}, lone: lone{others: map[*Work]bool{}}}
	q.ctx, q.end = context.WithCancelCause(context.WithoutCancel(ctx))
	var err error
	if q.river, err = q.newRiver(ctx); err != nil {
		return nil, fmt.Errorf("the queue in %s cannot be opened: %w", s.Where(), err)
	}
	if o.Host {
		if err := s.Do(ctx, q.adopt); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Add queues a job of a kind, priority, submitter and cost in the caller's transaction. args becomes a JSON object,
// which is stored openly: give a secret only a name there.
func (q *Queue) Add(tx *store.Tx, j store.Job, args any) (id string, err error) {
	text, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("a job of kind %s: %w", j.Kind, err)
	}
	j.ID, j.Args, j.Cost = store.NewID(), string(text), max(1, j.Cost)
	j.Build, j.Arithmetic = q.opts.Build, q.opts.Arithmetic
	if j.Turn, err = tx.JobTurn(j.Priority, j.Submitter); err != nil {
		return "", err
	}
	if j.Ticket, err = q.insert(tx, &j); err != nil {
		return "", err
	}
	return j.ID, tx.AddJob(j)
}

// Cancel ends a job, in the caller's transaction. A running job can write nothing from then on, and stops within a
// second or so. A job that is over stays as it is.
func (q *Queue) Cancel(tx *store.Tx, id, reason string) error {
	j, err := tx.Job(id)
	if err != nil {
		return err
	}
	if err := tx.CloseJob(id, store.JobCancelled, reason); err != nil {
		return err
	}
	return q.cancel(tx, j.Ticket)
}

// fail ends a job for good, and lets its kind store what that means. The owner of the job may have been deleted: then
// there is nothing to store.
func (q *Queue) fail(tx *store.Tx, j store.Job, reason string) error {
	err := tx.CloseJob(j.ID, store.JobFailed, reason)
	if failed := q.kinds[j.Kind].Failed; failed != nil && err == nil {
		j.Reason = reason
		if err = failed(tx, j); errors.Is(err, store.ErrNotFound) {
			err = nil
		}
	}
	return err
}

// Start makes this process do jobs of these kinds, until Close. Call it at most once.
func (q *Queue) Start(kinds ...Kind) error {
	for _, k := range kinds {
		q.kinds[k.Name] = k
	}
	if q.opts.Workers == 0 || len(kinds) == 0 {
		return nil
	}
	q.began = time.Now()
	if err := q.startRiver(); err != nil {
		return fmt.Errorf("the queue in %s cannot be worked on: %w", q.store.Where(), err)
	}
	q.started = true
	q.watcher.Go(q.watch) // ends with q.ctx
	return nil
}

// Close takes no more jobs and hands the running ones back, each with a snapshot.
func (q *Queue) Close() error {
	q.end(errClosing)
	var err error
	if q.started {
		ctx, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		err = q.river.StopAndCancel(ctx)
	}
	q.watcher.Wait()
	return err
}

// Why the context of a job ends.
var (
	errClosing = errors.New("the worker is stopping")
	errAside   = errors.New("the worker runs another job alone")
)

// refusal is an error that would come again.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// Refuse returns an error that fails a job for good.
func Refuse(err error) error { return refusal{err} }

// giveWay is an error that queues a job behind the jobs of a turn.
type giveWay struct{ turn int64 }

func (giveWay) Error() string { return "others had their turn" }

// GiveWay returns an error that queues a job behind another job. Its snapshot stays.
func GiveWay(behind store.Job) error { return giveWay{behind.Turn} }
