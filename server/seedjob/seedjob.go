// Package seedjob trains one configuration over seeds as a job: an entry of the board, or an answer of a class. If its
// worker dies, at most two seconds of training are lost, or twenty times the duration of a snapshot. The next worker
// gets the same reports to the digit. A sweep instead has runs of the lab, which people can watch.
package seedjob

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/store"
)

// keepEvery is the time between two snapshots.
const keepEvery = 2 * time.Second

// Order is the training that a job asks for, and what becomes of it.
type Order struct {
	Config hyper.Config
	Seeds  []uint64
	Names  []string // of secret seeds: no error or log has their numbers; nil: the seeds are public
	Owner  string   // shares the cores with other owners, never a device, which may compute other bits
	Weight float64  // of the owner; a watched run has 8
	Poses  bool     // the reports' curves have poses

	// Done makes the stored result from the reports. The transaction that ends the job calls the function that it returns.
	Done func(reports []trial.Report) (func(*store.Tx) error, error)
}

// Worker does the jobs of orders.
type Worker struct {
	Store *store.Store
	Cores *schedule.Cores // shared with other runs; nil: all cores
	Log   *slog.Logger    // nil: none
}

// Kind returns a kind of job. read reads an order from the store; nil: there is nothing to do. An error beside an
// order, or store.ErrNotFound, fails the job.
func Kind[Args any](k job.Kind, by Worker, read func(tx *store.Tx, w *job.Work, args Args) (*Order, error)) job.Kind {
	by.Cores = cmp.Or(by.Cores, schedule.NewCores(runtime.GOMAXPROCS(0)))
	by.Log = cmp.Or(by.Log, slog.New(slog.DiscardHandler))
	k.Work = func(ctx context.Context, w *job.Work) error {
		var args Args
		if err := w.Args(&args); err != nil {
			return err
		}
		o, err := store.Get(ctx, by.Store, func(tx *store.Tx) (*Order, error) { return read(tx, w, args) })
		switch {
		case o != nil:
			return by.work(ctx, w, o, err)
		case errors.Is(err, store.ErrNotFound):
			return job.Refuse(err)
		case err != nil:
			return err
		}
		return w.Finish(func(*store.Tx) error { return nil })
	}
	return k
}

// work carries out an order. An error that may pass lets the queue repeat the job.
func (by *Worker) work(ctx context.Context, w *job.Work, o *Order, err error) error {
	var result func(*store.Tx) error
	if err == nil {
		err = schedule.Catch(func() error {
			reports, err := by.train(ctx, w, o)
			if err == nil {
				result, err = o.Done(reports)
			}
			return err
		})
	}
	switch {
	case err == nil:
		return w.Finish(result)
	case ctx.Err() != nil:
		return ctx.Err()
	case store.MayPass(err), errors.Is(err, store.ErrLost):
		return err
	}
	reason := o.reason(err)
	if o.Names != nil { // a panic's stack has the arguments of functions in it
		err = errors.New(reason)
	}
	by.Log.Error("a job on seeds has failed", "job", w.ID(), "error", err)
	return job.Refuse(errors.New(reason))
}

// train trains the seeds one after the other on the cores, from the job's last snapshot.
func (by *Worker) train(ctx context.Context, w *job.Work, o *Order) ([]trial.Report, error) {
	share := by.Cores.Share(o.Owner, o.Weight)
	defer share.Close()
	whole := trial.Trial{Config: o.Config, Seeds: o.Seeds, Names: o.Names, Jobs: 1, Poses: o.Poses,
		Hooks: func() learner.Hooks {
			return learner.Hooks{Between: func(*learner.Learner) error { share.Yield(); return nil }}
		}}
	share.Acquire()
	defer share.Drain()
	reports, err := whole.Resume(ctx, trial.Way{From: w.Resumed(), Every: keepEvery, Keep: w.Save,
		First:    func(c trial.Curve) { w.Show(packCurve(c)) },
		Progress: func(steps uint64) { w.Progress(int64(steps), int64(whole.Budget())) },
		Engine:   learner.Engine{Lower: graph.Lower, Cores: share}})
	if err == nil {
		err = ctx.Err()
	}
	return reports, err
}

func packCurve(c trial.Curve) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		panic(err) // numbers
	}
	return b.Bytes()
}

// ShownCurve returns the curve of the first seed of a running job; empty if there is none yet.
func ShownCurve(tx *store.Tx, job string) (c trial.Curve, err error) {
	shown, err := tx.JobShown(job)
	if err != nil || len(shown) == 0 {
		return c, err
	}
	return c, gob.NewDecoder(bytes.NewReader(shown)).Decode(&c)
}

// reason returns the sentence of an error, without its stack and the numbers of secret seeds.
func (o *Order) reason(err error) string {
	var fault *schedule.Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("a fault of ours: %v", fault.Value)
	}
	said := err.Error()
	for i, name := range o.Names {
		said = strings.ReplaceAll(said, strconv.FormatUint(o.Seeds[i], 10), name)
	}
	return said
}

// Cost returns an order's cost in the queue: thousands of steps.
func Cost(cfg *hyper.Config, seeds int) int64 { return int64(cfg.Steps) * int64(seeds) / 1000 }
