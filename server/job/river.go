package job

// What River does for us. Its row for a job is one attempt of ours: where a job is handed out anew, the old row is
// cancelled and a new one written, so that nothing a lost worker's River still writes can touch the next attempt.
//
// River sorts by priority and then by the time for which a job is scheduled. That time is ours to choose: a job's turn,
// in milliseconds since 1970, long past. Both drivers are of database/sql, so that a transaction of the store's is one
// of River's too.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"impalab/server/store"
)

// ticket is what River knows of a job.
type ticket struct {
	Job string `json:"job"`
}

// Kind implements river.JobArgs.
func (ticket) Kind() string { return "impalab" }

type riverQueue struct{ client *river.Client[*sql.Tx] }

const (
	poll    = 300 * time.Millisecond // between two looks for a job
	horizon = 30 * 24 * time.Hour    // longer than any job: River would hand it out a second time
	retries = 3                      // of a job that fails
	kept    = time.Hour              // River's rows of attempts that are over
)

// queueName is the queue of one build, arithmetic and family of kinds: River hands out nothing of it to workers that
// have others. A family is in one queue, because River sorts within a queue.
func queueName(build, arithmetic, kind string) string {
	sum := sha256.Sum256([]byte(build + "\n" + arithmetic))
	family, _, _ := strings.Cut(kind, "-")
	return family + "-" + hex.EncodeToString(sum[:8])
}

// newRiver makes River's client for a store, which only adds, and as host its tables.
func newRiver(ctx context.Context, q *Queue) (*riverQueue, error) {
	driver := q.driver()
	tables, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet(q.opts.Log)})
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
	client, err := river.NewClient(driver, q.config())
	return &riverQueue{client}, err
}

// driver is River's for the store.
func (q *Queue) driver() riverdriver.Driver[*sql.Tx] {
	kind, db := q.store.SQL()
	if kind == "postgres" {
		return riverdatabasesql.New(db)
	}
	return riversqlite.New(db)
}

// config is for a client that only adds.
func (q *Queue) config() *river.Config {
	return &river.Config{
		ID:     q.opts.Name + " " + store.NewID()[:8],
		Logger: quiet(q.opts.Log),

		JobTimeout: -1, RescueStuckJobsAfter: horizon, MaxAttempts: retries, RetryPolicy: soon{},
		CompletedJobRetentionPeriod: kept, CancelledJobRetentionPeriod: kept, DiscardedJobRetentionPeriod: kept,
		FetchCooldown: 10 * time.Millisecond, FetchPollInterval: poll, PollOnly: true,

		Middleware: []rivertype.Middleware{river.JobInsertMiddlewareFunc(atOnce)},
	}
}

// start has River hand out jobs of these kinds.
func (r *riverQueue) start(q *Queue) (err error) {
	config := q.config()
	config.Queues = map[string]river.QueueConfig{}
	for name, k := range q.kinds {
		config.Queues[queueName(q.opts.Build, q.opts.Arithmetic, name)] = river.QueueConfig{
			MaxWorkers: cmp.Or(k.Slots, q.opts.Workers)}
	}
	config.Workers = river.NewWorkers()
	work := func(ctx context.Context, j *river.Job[ticket]) error { return q.work(ctx, j.Args.Job, j.JobRow) }
	river.AddWorker(config.Workers, river.WorkFunc(work))
	if r.client, err = river.NewClient(q.driver(), config); err != nil {
		return err
	}
	return r.client.Start(context.WithoutCancel(q.ctx))
}

// atOnce has jobs scheduled for the past wait in line at once, where River would look at them every five seconds.
func atOnce(ctx context.Context, jobs []*rivertype.JobInsertParams,
	insert func(context.Context) ([]*rivertype.JobInsertResult, error)) ([]*rivertype.JobInsertResult, error) {
	for _, j := range jobs {
		j.State = rivertype.JobStateAvailable
	}
	return insert(ctx)
}

// soon tries again after 1, 4 and 9 seconds.
type soon struct{}

func (soon) NextRetry(j *rivertype.JobRow) time.Time {
	return time.Now().Add(time.Duration(j.Attempt*j.Attempt) * time.Second)
}

// insert writes River's row for a job, and returns its number.
func (r *riverQueue) insert(tx *store.Tx, j *store.Job) (int64, error) {
	ctx, sqlTx := tx.SQL()
	row, err := r.client.InsertTx(ctx, sqlTx, ticket{j.ID}, &river.InsertOpts{
		Queue: queueName(j.Build, j.Arithmetic, j.Kind), Priority: int(j.Priority), ScheduledAt: time.UnixMilli(j.Turn),
	})
	if err != nil {
		return 0, tx.Said(err)
	}
	return row.Job.ID, nil
}

// cancel has River hand out a row no more. One that is gone is as good.
func (r *riverQueue) cancel(tx *store.Tx, number int64) error {
	ctx, sqlTx := tx.SQL()
	_, err := r.client.JobCancelTx(ctx, sqlTx, number)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return tx.Said(err)
}

// mostAsked bounds how many rows River lists at once.
const mostAsked = 10_000

// waits finds which of these rows River will hand out, and for which job.
func (r *riverQueue) waits(tx *store.Tx, tickets []int64) (jobs map[int64]string, err error) {
	ctx, sqlTx := tx.SQL()
	found, err := r.client.JobListTx(ctx, sqlTx, river.NewJobListParams().IDs(tickets...).First(mostAsked).
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

// done tells River that a row is over, in the transaction in which the job is. ctx is the one that River called with.
func (r *riverQueue) done(ctx context.Context, tx *store.Tx, row *rivertype.JobRow) error {
	_, sqlTx := tx.SQL()
	_, err := river.JobCompleteTx[riverdriver.Driver[*sql.Tx]](ctx, sqlTx, &river.Job[ticket]{JobRow: row})
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return tx.Said(err)
}

// theServer is the server's name as a worker: its next process finds by it what this process was at.
const theServer = "the server"

// ourselves names another worker.
func ourselves() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return fmt.Sprintf("%.60s, process %d", host, os.Getpid())
}
