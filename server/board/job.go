package board

// The jobs that train entries: the public seeds of an entry are one job, its secret seeds the next. Public seeds go
// first: everybody gets a provisional row before anybody gets a rank.

import (
	"cmp"
	"fmt"

	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

const (
	jobKind        = "board"
	publicPriority = 2
	secretPriority = 3
	boardWeight    = 0.5 // of the board's share of the cores; a watched run has 8
)

type jobArgs struct {
	Entry string `json:"entry"`
}

// enqueue queues the public seeds of an entry, or its secret seeds if the public ones have their row.
func (o *ContestOptions) enqueue(tx *store.Tx, e *store.BoardEntry) error {
	t, err := o.Tracks.Find(e.Track)
	if err != nil {
		return err
	}
	j := store.Job{Kind: jobKind, Priority: publicPriority, Submitter: cmp.Or(e.Address, "baselines"),
		Cost: seedjob.Cost(&t.Start, len(t.Public))}
	if e.PublicRow != "" {
		j.Priority, j.Cost = secretPriority, seedjob.Cost(&t.Start, t.Secret)
	}
	id, err := o.Queue.Add(tx, j, jobArgs{e.ID})
	if err != nil {
		return err
	}
	return tx.SetEntryJob(e.ID, id)
}

// Kinds returns the jobs that train this contest's entries.
func (c *Contest) Kinds() []job.Kind { return Kinds(c.opts) }

// Kinds returns the jobs that train entries, for a worker. Store, Tracks, Queue, Cores and Log of the options count.
func Kinds(o ContestOptions) []job.Kind {
	failed := func(tx *store.Tx, j store.Job) error { return tx.FailEntry(j.ID, j.Reason) }
	return []job.Kind{seedjob.Kind(job.Kind{Name: jobKind, Failed: failed},
		seedjob.Worker{Store: o.Store, Cores: o.Cores, Log: o.Log}, o.order)}
}

// order returns the training of an entry's public seeds, or of its secret seeds if the public ones have their row.
func (o *ContestOptions) order(tx *store.Tx, w *job.Work, args jobArgs) (*seedjob.Order, error) {
	e, err := tx.Entry(args.Entry)
	if err != nil || e.Job != w.ID() { // another job trains it
		return nil, err
	}
	order := &seedjob.Order{Owner: "the board", Weight: boardWeight}
	t, entry, err := o.entered(&e)
	if err != nil {
		return order, err
	}
	seeds := t.PublicSeeds()
	if e.PublicRow != "" {
		season, err := seasonIn(tx, e.Season)
		if err != nil {
			return order, err
		}
		seeds = season.Seeds(t)
	}
	order.Config, order.Seeds, order.Names = entry.Config, seeds.values, seeds.secret
	order.Done = func(reports []trial.Report) (func(*store.Tx) error, error) {
		row := store.JSON(NewRow(t, "", entry, seeds, reports))
		return func(tx *store.Tx) error {
			err := tx.SetRow(e.ID, seeds.secret != nil, row)
			if err != nil || seeds.secret != nil {
				return err
			}
			next := e
			next.PublicRow = row
			return o.enqueue(tx, &next)
		}, nil
	}
	return order, nil
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
