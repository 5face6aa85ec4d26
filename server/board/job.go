package board

// The jobs that train entries: the public seeds of an entry are one job, its secret seeds the next.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// Public seeds come first: everybody gets a provisional row before anybody gets a rank.
const (
	publicKind, publicPriority = "board-public", 2
	secretKind, secretPriority = "board-secret", 3
)

// boardWeight is the board's share of the cores; a watched run has 8.
const boardWeight = 0.5

type jobArgs struct {
	Entry string `json:"entry"`
}

// enqueue queues the public seeds of an entry, or its secret seeds if the public ones have their row.
func (o *ContestOptions) enqueue(tx *store.Tx, e *store.BoardEntry) error {
	t, err := o.Tracks.Find(e.Track)
	if err != nil {
		return err
	}
	next, seeds := job.Order{Kind: publicKind, Priority: publicPriority}, len(t.Public)
	if e.PublicRow != "" {
		next, seeds = job.Order{Kind: secretKind, Priority: secretPriority}, t.Secret
	}
	next.Args, next.Submitter = jobArgs{e.ID}, cmp.Or(e.Address, "baselines")
	next.Cost = int64(t.Start.Steps) * int64(seeds) / 1000
	id, err := o.Queue.Add(tx, next)
	if err != nil {
		return err
	}
	return tx.SetEntryJob(e.ID, id)
}

// adopt queues the open entries without an open job: their jobs failed without a word.
func (c *Contest) adopt() error {
	return c.opts.Store.Do(c.ctx, func(tx *store.Tx) error {
		open, err := tx.EntriesOpen()
		if err != nil {
			return err
		}
		for i := range open {
			e := &open[i]
			j, err := tx.Job(e.Job)
			if err == nil && (j.State == store.JobQueued || j.State == store.JobRunning) {
				continue
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if _, _, err = c.opts.entered(e); err != nil {
				err = tx.SetEntryState(e.ID, store.Failed, err.Error())
			} else {
				err = c.opts.enqueue(tx, e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Kinds returns the jobs that train this contest's entries.
func (c *Contest) Kinds() []job.Kind { return Kinds(c.opts) }

// Kinds returns the jobs that train entries, for a worker. Store, Tracks, Queue, Cores and Log of the options count.
func Kinds(o ContestOptions) []job.Kind {
	o.defaults()
	return []job.Kind{
		{Name: publicKind, Work: func(ctx context.Context, w *job.Work) error { return o.work(ctx, w, false) }},
		{Name: secretKind, Work: func(ctx context.Context, w *job.Work) error { return o.work(ctx, w, true) }},
	}
}

// work trains the public or secret seeds of one entry and stores its row with the end of the job.
func (o *ContestOptions) work(ctx context.Context, w *job.Work, secret bool) error {
	var args jobArgs
	if err := w.Args(&args); err != nil {
		return err
	}
	var e store.BoardEntry
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) { e, err = tx.Entry(args.Entry); return err })
	if errors.Is(err, store.ErrNotFound) {
		return job.Refuse(err)
	}
	if err != nil {
		return err
	}
	if e.Job != w.ID() || secret != (e.PublicRow != "") { // another job trains it
		return w.Finish(func(*store.Tx) error { return nil })
	}
	var row Row
	var results []store.BoardResult
	err = schedule.Catch(func() (err error) { row, results, err = o.train(ctx, w, &e); return err })
	if err != nil {
		return o.fail(ctx, w, &e, err)
	}
	return w.Finish(func(tx *store.Tx) error {
		for _, r := range results {
			if err := tx.SetResult(e.ID, r); err != nil {
				return err
			}
		}
		if err := tx.SetRow(e.ID, secret, object(row)); err != nil {
			return err
		}
		if secret {
			return tx.SetEntryState(e.ID, store.Done, "")
		}
		now, err := tx.Entry(e.ID)
		return errors.Join(err, tx.SetEntryState(e.ID, store.Queued, ""), o.enqueue(tx, &now))
	})
}

// fail stores why an entry could not be trained, or lets the queue repeat the job.
func (o *ContestOptions) fail(ctx context.Context, w *job.Work, e *store.BoardEntry, cause error) error {
	if again := seedjob.Again(ctx, cause); again != nil {
		return again
	}
	o.Log.Error("an entry of the board cannot be trained", "entry", e.ID, "track", e.Track, "error", cause)
	reason := cause.Error()
	var fault *schedule.Fault
	if errors.As(cause, &fault) {
		reason = fmt.Sprintf("a fault of ours: %v; the server's log has the details", fault.Value)
	}
	err := w.Do(func(tx *store.Tx) error { return tx.SetEntryState(e.ID, store.Failed, reason) })
	return job.Refuse(errors.Join(errors.New(reason), err))
}

// result is one seed's result in the store, which does not name a secret seed.
type result struct {
	Steps      uint64       `json:"steps"`
	Score      trial.Number `json:"return_mean_run"`
	End        trial.Number `json:"return_mean_100"`
	Diverged   bool         `json:"diverged"`
	Arithmetic string       `json:"arithmetic"`
	Params     string       `json:"params_sha256"`
}

// train trains the next seeds of an entry and returns their row and results.
func (o *ContestOptions) train(ctx context.Context, w *job.Work, e *store.BoardEntry) (row Row,
	results []store.BoardResult, err error) {
	t, entry, err := o.entered(e)
	if err != nil {
		return row, nil, err
	}
	seeds := t.PublicSeeds()
	if e.PublicRow != "" {
		season, err := ReadSeason(ctx, o.Store, e.Season)
		if err != nil {
			return row, nil, err
		}
		seeds = season.Seeds(t)
	}
	if err := w.Do(func(tx *store.Tx) error { return tx.SetEntryState(e.ID, store.Training, "") }); err != nil {
		return row, nil, err
	}
	share := o.Cores.Share("the board", boardWeight)
	defer share.Close()
	reports, err := seedjob.Train(ctx, w, seedjob.Order{Config: entry.Config, Seeds: seeds.values, Called: seeds.called,
		Share:    share,
		Progress: func(steps uint64) { w.Progress(int64(steps/t.Start.Steps), int64(seeds.Len())) }})
	if err != nil {
		return row, nil, seeds.withoutSeeds(err)
	}
	for i, name := range seeds.Names() {
		r := &reports[i]
		results = append(results, store.BoardResult{Seed: name, Curve: "{}", Result: object(result{r.Steps,
			r.ReturnMeanRun, r.ReturnMean100, r.Diverged, r.Arithmetic, r.ParamsSHA256})})
	}
	return NewRow(t, "", entry, seeds, reports), results, nil
}

// entered returns an entry's configuration. It returns an error if the track has changed since the hand-in.
func (o *ContestOptions) entered(e *store.BoardEntry) (*Track, Entry, error) {
	t, err := o.Tracks.Find(e.Track)
	if err != nil {
		return nil, Entry{}, err
	}
	if t.Form() != e.Form {
		return nil, Entry{}, fmt.Errorf("%s has changed since this was handed in", t.Title)
	}
	entry, err := t.ParseEntry(e.Settings)
	if err == nil && entryID(e.Season, t, &entry) != e.ID {
		err = fmt.Errorf("%s: these settings mean something else today", t.Title)
	}
	return t, entry, err
}

// object returns the JSON of a struct of this package.
func object(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the structs hold texts and numbers; trial.Number writes null for NaN and infinities
	}
	return string(b)
}
