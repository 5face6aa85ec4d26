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
//	running         Work.Keep stores a snapshot: tries = 1. The heartbeat: beats + 1, progress
//	queued          a worker hands it back (tries - 1), or is dead: the server finds its own dead process at its
//	                start, each worker finds others without a heartbeat for three seconds
//	done            Work.Finish, with the result
//	failed          Refuse, three errors, or eight dead workers without a snapshot between them
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
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

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

// Order is a job to add.
type Order struct {
	Kind      string
	Args      any    // becomes a JSON object, which is stored openly: give a secret only a name here
	Priority  int    // among its family of kinds: 1 goes first, store.JobPriorities last; 0: 2
	Submitter string // a hash: shares are fair between submitters of one priority
	Cost      int64  // in a share, in a unit that all kinds have in common; 0: 1
}

// Kind is work of one kind.
type Kind struct {
	// Name has small letters, digits and single dashes. Kinds whose names begin with the same word are a family, like
	// board-public and board-secret: they wait in one queue, so a worker takes all kinds of a family.
	Name string
	// Slots is how many jobs of its family a worker does at once, beside other families. 0: Options.Workers.
	Slots int
	// Work does one job. It returns nil after Work.Finish, ctx's error as soon as ctx has ended, GiveWay(job) to let
	// others go first, Refuse(err) if trying again would fail again, and any other error if it might not.
	Work func(ctx context.Context, w *Work) error
}

// Queue is safe for concurrent use.
type Queue struct {
	store *store.Store
	opts  Options
	river *riverQueue

	kinds   map[string]Kind
	began   time.Time // when Start was called
	lone    lone
	news    news
	ctx     context.Context // ends with Close
	end     context.CancelCauseFunc
	watcher sync.WaitGroup
	started bool
}

// Open prepares the queue of a store. Jobs can be added; Start does them.
func Open(ctx context.Context, s *store.Store, o Options) (*Queue, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.dead, o.settle = cmp.Or(o.dead, dead), cmp.Or(o.settle, settle)
	if o.Host {
		o.Name = theServer
	}
	if o.Name == "" {
		o.Name = ourselves()
	}
	if o.Build == "" || o.Arithmetic == "" {
		return nil, errors.New("a queue needs the names of the build and of the arithmetic")
	}
	q := &Queue{store: s, opts: o, kinds: map[string]Kind{}, lone: lone{others: map[*Work]chan struct{}{}},
		news: news{next: make(chan struct{})}}
	q.ctx, q.end = context.WithCancelCause(context.WithoutCancel(ctx))
	var err error
	if q.river, err = newRiver(ctx, q); err != nil {
		return nil, fmt.Errorf("the queue in %s cannot be opened: %w", s.Where(), err)
	}
	if o.Host {
		if err := s.Do(ctx, q.adopt); err != nil {
			return nil, err
		}
	}
	q.watcher.Go(q.listen) // ends with q.ctx
	return q, nil
}

// Add queues a job in the caller's transaction.
func (q *Queue) Add(tx *store.Tx, o Order) (id string, err error) {
	args, err := json.Marshal(o.Args)
	if err != nil {
		return "", fmt.Errorf("a job of kind %s: %w", o.Kind, err)
	}
	j := store.Job{ID: store.NewID(), Kind: o.Kind, Args: string(args), Priority: int64(o.Priority),
		Submitter: o.Submitter, Cost: max(1, o.Cost), Build: q.opts.Build, Arithmetic: q.opts.Arithmetic}
	if j.Priority == 0 {
		j.Priority = 2
	}
	if j.Turn, err = tx.JobTurn(j.Priority, j.Submitter); err != nil {
		return "", err
	}
	if j.Ticket, err = q.river.insert(tx, &j); err != nil {
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
	return q.river.cancel(tx, j.Ticket)
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
	if err := q.river.start(q); err != nil {
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
		err = q.river.client.StopAndCancel(ctx)
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
