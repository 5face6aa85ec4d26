package command

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime"

	"impalab/learner/kernel"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/server/sweep"
)

// jobFlags limit the jobs that one process trains at once.
type jobFlags struct {
	Workers int `default:"-1" range:"-1..1000" help:"Entries of the board that this process trains at once, and as many answers of classes; 0: none, and no runs of sweeps: they wait for impalab worker. (-1: one for each core but one; of sweeps, one for each core)" placeholder:"N"`
}

// queue opens the queue of a store. host says that this process is the server, and no worker.
func (f *jobFlags) queue(ctx context.Context, kept *store.Store, host bool, log *slog.Logger) (*job.Queue, error) {
	build, err := programName()
	if err != nil {
		return nil, err
	}
	workers := f.Workers
	if workers < 0 {
		workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	return job.Open(ctx, kept, job.Options{Build: build, Arithmetic: kernel.Arithmetic(), Workers: workers, Host: host,
		Log: log})
}

// Worker trains for a server.
type Worker struct {
	dataFlags
	trackFlags
	logFlags
	jobFlags
	arithmeticFlags
}

func (Worker) Help() string {
	return `Trains the entries of a server's board, the answers of its classes and the runs of its sweeps: on another machine
through a PostgreSQL database, or beside the server in the same data folder. When a worker dies, another continues its
job within five seconds. SIGTERM or Ctrl-C returns its jobs. A worker must have the server's build and arithmetic,
because ranked results come from one build; otherwise it says so. The database holds the secret seeds of the board: run
workers only on your own machines.

  impalab serve --database-url postgres://lab@db/lab --workers 0
  impalab worker --database-url postgres://lab@db/lab      # on each machine that trains`
}

func (c *Worker) Run(ctx context.Context, prog *Program) error {
	if c.Workers == 0 {
		return usagef("--workers 0: must be 1 or more")
	}
	done, err := c.compute()
	if err != nil {
		return err
	}
	defer done()
	log := c.logger(prog)
	tracks, err := c.tracks(log)
	if err != nil {
		return err
	}
	kept, err := store.Open(ctx, store.Options{Dir: c.Data, URL: c.DatabaseURL, Guest: true, Log: log})
	if err != nil {
		return err
	}
	defer kept.Close()
	jobs, err := c.queue(ctx, kept, false, log)
	if err != nil {
		return err
	}
	defer jobs.Close()
	runs, err := lab.New(lab.Options{Build: buildName(), Store: kept, Headless: true, Log: log,
		Elsewhere: sweep.Elsewhere, Cores: runtime.GOMAXPROCS(0), Memory: math.MaxInt64 / 2, RunMemory: math.MaxInt64 / 4})
	if err != nil {
		return err
	}
	defer runs.Close()
	sweeps, err := sweep.New(sweep.Options{Lab: runs, Store: kept, Queue: jobs, Headless: true, AtOnce: max(0, c.Workers),
		Log: log})
	if err != nil {
		return err
	}
	defer sweeps.Close()
	cores := runs.Cores()
	kinds := board.Kinds(board.ContestOptions{Store: kept, Tracks: tracks, Queue: jobs, Cores: cores, Log: log})
	kinds = append(kinds, class.Kinds(class.Options{Store: kept, Cores: cores, Workers: c.Workers, Log: log})...)
	if err := jobs.Start(append(kinds, sweeps.Kinds()...)...); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(prog.Stdout, "taking jobs of", kept.Where()); err != nil {
		return err
	}
	<-ctx.Done()
	log.Info("stopping: unfinished jobs return to the queue")
	return jobs.Close()
}
