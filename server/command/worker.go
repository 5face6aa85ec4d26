package command

// worker trains for a server, beside it or on another machine: whoever is handed a job goes on from where the last one
// was.

import (
	"context"
	"errors"
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
	"impalab/static"
)

// jobFlags say how much of the machine graded work may take.
type jobFlags struct {
	Workers int `default:"-1" help:"Entries of the board that are trained at once in this process, and as many answers of classes beside them; 0: none, and no runs of sweeps: they wait for impalab worker. (-1: one for each core but one; of sweeps, one for each core)" placeholder:"N"`
}

const mostWorkers = 1000

func (f *jobFlags) check() error {
	if f.Workers < -1 || f.Workers > mostWorkers {
		return fmt.Errorf("--workers %d: must be a whole number from 0 to %d, or -1 for one for each core but one", f.Workers,
			mostWorkers)
	}
	return nil
}

// queue opens the queue of a store; host: as the server whose store it is.
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
	Data        string `default:"data" help:"Folder that the server keeps its runs in." placeholder:"DIR"`
	DatabaseURL string `name:"database-url" secret:"url" help:"PostgreSQL database that it keeps them in instead." placeholder:"URL"`
	LogLevel    string `default:"info" enum:"debug,info,warn,error" help:"Least important entries to log: ${enum}." placeholder:"LEVEL"`
	LogFormat   string `default:"text" enum:"text,json" help:"Form of the log: ${enum}." placeholder:"FORMAT"`
	trackFlags
	jobFlags
	arithmeticFlags
}

// Help is printed under worker --help.
func (Worker) Help() string {
	return `Trains what is handed in on a server's board and in its classes, and the runs of its sweeps: on another machine
through a PostgreSQL database, or beside it in the same data folder. When a worker dies, another takes its job over
within five seconds. SIGTERM or Ctrl-C hands back what it was at. It needs the server's own build and arithmetic, and
says so where it has others: what is ranked is of one build. The database holds the secret seeds of the board: run
workers on machines of your own.

  impalab serve --database-url postgres://lab@db/lab --workers 0
  impalab worker --database-url postgres://lab@db/lab      # on each machine that is to train`
}

// Run takes jobs until ctx ends.
func (c *Worker) Run(ctx context.Context, prog *Program) error {
	if err := c.jobFlags.check(); err != nil {
		return UsageError{err}
	}
	if c.Workers == 0 {
		return UsageError{errors.New("--workers 0: must be 1 or more")}
	}
	done, err := c.compute()
	if err != nil {
		return err
	}
	defer done()
	log := newLog(prog.Stderr, c.LogLevel, c.LogFormat)
	tracks, err := c.load(prog.Stderr)
	if err != nil {
		return err
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	build := buildName(assets)
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
	runs, err := lab.New(lab.Options{Build: build, Store: kept, Queue: jobs, Headless: true, Log: log,
		Cores: runtime.GOMAXPROCS(0), AtOnce: max(0, c.Workers), Memory: math.MaxInt64 / 2, RunMemory: math.MaxInt64 / 4})
	if err != nil {
		return err
	}
	defer runs.Close()
	cores := runs.Cores()
	kinds := board.Kinds(board.ContestOptions{Store: kept, Tracks: tracks, Queue: jobs, Cores: cores, Log: log})
	kinds = append(kinds, class.Kinds(class.Options{Store: kept, Cores: cores, Workers: c.Workers, Log: log})...)
	if err := jobs.Start(append(kinds, runs.Kinds()...)...); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(prog.Stdout, "taking jobs of", kept.Where()); err != nil {
		return err
	}
	<-ctx.Done()
	log.Info("stopping: what is being trained is handed back")
	err = jobs.Close()
	runs.Close()
	return err
}
