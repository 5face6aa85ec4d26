package job

// River's part. A row of River's is one attempt of a job: to queue a job again, requeue cancels the old row and adds a
// new one, so that the River of a lost worker cannot touch the next attempt.
//
// River sorts by priority, then by the time for which a job is scheduled. We set that time to a job's turn, in
// milliseconds since 1970, long past. Both drivers are for database/sql, so River writes in the store's transactions.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"impalab/server/store"
)

// ticket is the argument of River's row.
type ticket struct {
	Job string `json:"job"`
}

// Kind implements river.JobArgs.
func (ticket) Kind() string { return "impalab" }

const (
	poll    = 300 * time.Millisecond // between two looks for a job
	horizon = 30 * 24 * time.Hour    // longer than any job: then River would hand it out a second time
	retries = 3                      // of a job that fails
	kept    = time.Hour              // for River's rows of finished attempts
)

// silent discards River's log: under load or while the database is away River reports errors several times a second.
// The store says once that the database is away, Work.end that a job failed, and watch that River cannot be asked.
var silent = slog.New(slog.DiscardHandler)

// queueName names the queue of one build, arithmetic and kind: only workers that have all three read it.
func queueName(build, arithmetic, kind string) string {
	sum := sha256.Sum256([]byte(build + "\n" + arithmetic))
	return kind + "-" + hex.EncodeToString(sum[:8])
}

// newRiver makes a client of River's that only adds jobs, and for the host also River's tables.
func (q *Queue) newRiver(ctx context.Context) (*river.Client[*sql.Tx], error) {
	tables, err := rivermigrate.New(q.driver(), &rivermigrate.Config{Logger: silent})
	if err != nil {
		return nil, err
	}
	if q.opts.Host {
		if _, err := tables.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return nil, err
		}
	} else if found, err := tables.Validate(ctx, nil); err != nil {
		return nil, err
	} else if !found.OK {
		return nil, fmt.Errorf("no server of this version has opened it yet (%v); start the server first", found.Messages)
	}
	return river.NewClient(q.driver(), q.config())
}

// driver returns River's driver for the store.
func (q *Queue) driver() riverdriver.Driver[*sql.Tx] {
	postgres, db := q.store.SQL()
	if postgres {
		return riverdatabasesql.New(db)
	}
	return riversqlite.New(db)
}

// config returns the configuration of a client that only adds jobs.
func (q *Queue) config() *river.Config {
	return &river.Config{
		ID:     q.opts.Name + " " + store.NewID()[:8],
		Logger: silent,

		JobTimeout: -1, RescueStuckJobsAfter: horizon, MaxAttempts: retries,
		CompletedJobRetentionPeriod: kept, CancelledJobRetentionPeriod: kept, DiscardedJobRetentionPeriod: kept,
		FetchCooldown: 10 * time.Millisecond, FetchPollInterval: poll, PollOnly: true,

		Middleware: []rivertype.Middleware{river.JobInsertMiddlewareFunc(atOnce)},
	}
}

// startRiver makes River hand out jobs of the queue's kinds to this process.
func (q *Queue) startRiver() (err error) {
	config := q.config()
	config.Queues = map[string]river.QueueConfig{}
	for name, k := range q.kinds {
		config.Queues[queueName(q.opts.Build, q.opts.Arithmetic, name)] = river.QueueConfig{
			MaxWorkers: cmp.Or(k.Slots, q.opts.Workers)}
	}
	config.Workers = river.NewWorkers()
	work := func(ctx context.Context, j *river.Job[ticket]) error { return q.work(ctx, j.Args.Job, j.JobRow) }
	river.AddWorker(config.Workers, river.WorkFunc(work))
	if q.river, err = river.NewClient(q.driver(), config); err != nil {
		return err
	}
	return q.river.Start(context.WithoutCancel(q.ctx))
}

// atOnce makes jobs available that are scheduled for the past; River would do so within five seconds.
func atOnce(ctx context.Context, jobs []*rivertype.JobInsertParams,
	insert func(context.Context) ([]*rivertype.JobInsertResult, error)) ([]*rivertype.JobInsertResult, error) {
	for _, j := range jobs {
		j.State = rivertype.JobStateAvailable
	}
	return insert(ctx)
}

// insert adds River's row for a job and returns its number.
func (q *Queue) insert(tx *store.Tx, j *store.Job) (int64, error) {
	ctx, sqlTx := tx.SQL()
	row, err := q.river.InsertTx(ctx, sqlTx, ticket{j.ID}, &river.InsertOpts{
		Queue: queueName(j.Build, j.Arithmetic, j.Kind), Priority: int(j.Priority), ScheduledAt: time.UnixMilli(j.Turn),
	})
	if err != nil {
		return 0, tx.Said(err)
	}
	return row.Job.ID, nil
}

// cancel cancels a row of River's, if it is there.
func (q *Queue) cancel(tx *store.Tx, number int64) error {
	ctx, sqlTx := tx.SQL()
	_, err := q.river.JobCancelTx(ctx, sqlTx, number)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return tx.Said(err)
}

// mostAsked bounds how many rows River lists at once.
const mostAsked = 10_000

// waits returns the jobs of those rows that River will hand out.
func (q *Queue) waits(tx *store.Tx, tickets []int64) (jobs map[int64]string, err error) {
	ctx, sqlTx := tx.SQL()
	found, err := q.river.JobListTx(ctx, sqlTx, river.NewJobListParams().IDs(tickets...).First(mostAsked).
		States(rivertype.JobStateAvailable, rivertype.JobStateRetryable, rivertype.JobStateScheduled))
	if err != nil {
		return nil, tx.Said(err)
	}
	jobs = map[int64]string{}
	for _, row := range found.Jobs {
		var of ticket
		if err := json.Unmarshal(row.EncodedArgs, &of); err != nil {
			return nil, err
		}
		jobs[row.ID] = of.Job
	}
	return jobs, nil
}

// theServer is the server's name as a worker: after a restart the server finds its own jobs by it.
const theServer = "the server"

// ourselves returns the name of another worker.
func ourselves() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return fmt.Sprintf("%.60s, process %d", host, os.Getpid())
}
