// Package job does graded work and the runs of sweeps: a transaction of the store adds a job, and a worker in this
// process or in another process on the same database does it.
//
// River hands jobs out in order, retries and cancels them. The table jobs says who does a job and may write for it.
// We measured River alone, with jobs of ten seconds each: its rescuer runs every 30 s on an elected leader, and a
// leader that was killed keeps its office for 15 s. With kill -9 every 1 to 5 s no job progressed. So the heartbeat and
// the token of a worker stay in the table jobs:
//
//	state of a job  who writes it, in which transaction
//	queued          Queue.Add, with whatever else the caller writes; requeue, with a new row of River's
//	running         Work takes it: a new token, tries + 1
//	running         Work.Keep stores a state: tries = 1. The heartbeat: beats + 1, progress
//	queued          a worker hands it back (tries - 1), or is dead: the server finds its own dead process at its
//	                start, each worker finds others whose heart stood still for three seconds
//	done            Work.Finish, with the result and with River's row
//	failed          Refuse, three errors, or eight dead workers without a state between them
//	cancelled       Queue.Cancel, with River's row
//
// A write with an old token is store.ErrLost. So each result is stored once.
//
// A job at which five workers died without a state is a suspect. It runs alone, in a worker that has lived for half a
// minute; the worker hands its other jobs back, until the suspect has a state. So a server that is killed again and
// again fails no innocent job.
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

// Options say what a queue is for. Build and Arithmetic must be given: a job is done by workers of one build and one
// arithmetic from its first step to its last.
type Options struct {
	Build      string       // which program this is
	Arithmetic string       // whose bits its learners make
	Name       string       // of this worker, for people; "": host and process. The server has its own
	Workers    int          // jobs that are done at once; 0: none here
	Host       bool         // the server that the store belongs to: it creates the queue's tables and adopts older jobs
	Log        *slog.Logger // nil: silent

	dead, settle time.Duration // tests are in a hurry; 0: the constants
}

const (
	dead     = 3 * time.Second  // without a heartbeat, and the job is handed to another
	beats    = 3                // in that time
	looks    = 4                // of a watcher in that time
	suspect  = 5                // workers died at a job without a state between them: it runs alone
	guilty   = 8                // the last three of them ran it alone: it fails
	settle   = 30 * time.Second // a worker that has lived for so long may run a suspect
	farewell = 8 * time.Second
)

// Order is a job to be done.
type Order struct {
	Kind      string
	Args      any    // becomes a JSON object. It is kept in plain sight: a secret has only a name here
	Priority  int    // among its family of kinds: 1 goes first, store.JobPriorities last; 0: 2
	Submitter string // a hash: shares are fair between submitters of one priority
	Cost      int64  // what it counts for in a share, in any unit all kinds have in common; 0: 1
}

// Kind is work of one kind.
type Kind struct {
	// Name is small letters, digits and single dashes. Kinds whose names begin with the same word are a family, like
	// board-public and board-secret: they stand in one line, and whoever takes one takes all of them.
	Name string
	// Slots is how many jobs of its family a worker does at once, beside those of other families. 0: Options.Workers.
	Slots int
	// Work does one job. It returns nil after Work.Finish, ctx's error as soon as ctx has ended, GiveWay(job) to let
	// others go on first, Refuse(err) where trying again would fail again, and any other error where it might not.
	Work func(ctx context.Context, w *Work) error
}

// Queue is where jobs wait. It is safe for concurrent use.
type Queue struct {
	store *store.Store
	opts  Options
	river *riverQueue

	kinds   map[string]Kind
	began   time.Time // Start was called
	lone    lone
	news    news
	ctx     context.Context // ends with Close
	end     context.CancelCauseFunc
	watcher sync.WaitGroup
	started bool
}

// Open prepares the queue of a store: it can be added to, and nothing is done before Start.
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
		if err := q.adopt(ctx); err != nil {
			return nil, err
		}
	}
	q.watcher.Go(q.follow) // ends with q.ctx
	return q, nil
}

// Add queues a job in a transaction of the caller's: it is there when the transaction has happened, and only then.
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

// Cancel ends a job, in a transaction of the caller's. One that is running stops within a second or so, and can write
// nothing any more; one that is over stays as it is.
func (q *Queue) Cancel(tx *store.Tx, id, reason string) error {
	was, err := tx.CancelJob(id, reason)
	if err != nil {
		return err
	}
	return q.river.cancel(tx, was.Ticket)
}

// Start has this process take jobs of these kinds, until Close; others are left to other workers. It is called once,
// before there is anything else to do with the queue.
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

// Close takes no more jobs and hands back those that are being done, each with a snapshot of where it stands.
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

// refusal is an error that trying again would not mend.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// Refuse says that a job has failed for good.
func Refuse(err error) error { return refusal{err} }

// giveWay is an error that hands a job back, to be gone on with behind those of a turn.
type giveWay struct{ turn int64 }

func (giveWay) Error() string { return "others had their turn" }

// GiveWay hands a job back that has had its time, behind one that waits. What it goes on from is kept.
func GiveWay(behind store.Job) error { return giveWay{behind.Turn} }
