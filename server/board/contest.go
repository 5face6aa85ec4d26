package board

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/job"
	"impalab/server/nickname"
	"impalab/server/store"
)

// ContestOptions are the options of a contest. Store, Tracks and Queue are required.
type ContestOptions struct {
	Store  *store.Store
	Tracks *Tracks
	Cores  *schedule.Cores  // shared with other runs; nil: all cores
	Queue  *job.Queue       // of the workers that train
	Memory int64            // estimated bytes of one run; 0: 256 MB
	Season time.Duration    // length of a season; 0: 90 days
	Salt   []byte           // of the hashes of addresses; nil: a random one
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger
}

func (o *ContestOptions) defaults() {
	o.Memory = cmp.Or(o.Memory, 256e6)
	o.Season = cmp.Or(o.Season, 90*24*time.Hour)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Salt == nil {
		o.Salt = []byte(store.NewKey())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Contest is the board of a server. It stores and queues each entry in one transaction. Workers of its Kinds train an
// entry on the public seeds and then on the secret seeds of its season.
type Contest struct {
	opts  ContestOptions
	ctx   context.Context
	stop  context.CancelFunc
	ended sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	version uint64        // counts changes
	drawn   map[place]*drawn
	ranks   map[place]*ranking // by track and season

	fresh   *firewall.Rate         // new rows, by the hash of an address
	draws   singleflight.Group     // of standings, by place
	drawing map[string]*sync.Mutex // by track: one draw at a time
	rows    rowCache
}

// NewContest returns the contest of a store. Close ends the contest, but neither the store nor the queue.
func NewContest(o ContestOptions) *Contest {
	o.defaults()
	c := &Contest{opts: o, changed: make(chan struct{}), drawn: map[place]*drawn{}, ranks: map[place]*ranking{},
		drawing: map[string]*sync.Mutex{}, fresh: firewall.NewRate(float64(mostADay)/(24*60*60), mostADay),
		rows: rowCache{rows: map[string]cachedRow{}}}
	for _, t := range o.Tracks.All {
		c.drawing[t.Name] = new(sync.Mutex)
	}
	c.ctx, c.stop = context.WithCancel(context.Background())
	c.ended.Go(c.readSeasons)
	c.ended.Go(c.followJobs)
	return c
}

// Close ends the contest. The queue hands on the entries in training.
func (c *Contest) Close() {
	c.stop()
	c.ended.Wait()
}

// Tracks returns the tracks of the contest.
func (c *Contest) Tracks() *Tracks { return c.opts.Tracks }

// Handed is a hand-in: settings, never a score or a model.
type Handed struct {
	Track    *Track
	Settings []hyper.Setting
	Nickname string // "": none
	Run      string // a run of these settings, for people to watch; "": none
	Address  string // its entries in the queue are limited
	Key      string // of the sender
}

// Limits of entries: each costs the host seconds to minutes of a core.
const (
	mostWaiting   = 12   // in the queue, of one address; a class shares one
	mostOfASeason = 5000 // on one track, 15 kB each
)

var ( // smaller in tests
	mostInQueue = 600 // of all addresses
	mostADay    = 150 // new rows of one address: alone it would need a month for a season's rows of one track
)

// HandIn takes an entry. A configuration is one row of a season, however often it is handed in; fresh reports whether
// this was the first time.
func (c *Contest) HandIn(ctx context.Context, h Handed) (s Standing, fresh bool, err error) {
	t := h.Track
	e, err := t.Changed(h.Settings)
	if err == nil {
		err = affordable(&e.Config, c.opts.Memory)
	}
	if err != nil {
		return s, false, errcode.Refuse(err)
	}
	name := ""
	if h.Nickname != "" {
		if name, _, err = nickname.Clean(h.Nickname); err != nil {
			return s, false, errcode.Errorf(errcode.Refused, "%w; or leave it empty", err)
		}
	}
	row := store.BoardEntry{Track: t.Name, Form: t.Form(), Settings: e.Text(), Nickname: name, Run: h.Run, Tried: 1,
		Address: store.HashAddress(h.Address, c.opts.Salt)}
	var train, shown bool // it is to be trained; others see a change, beside one more try
	err = c.opts.Store.Do(ctx, func(tx *store.Tx) (err error) {
		if row.Season, err = c.open(tx); err != nil {
			return err
		}
		if err := c.addBaselines(tx, t, row.Season); err != nil {
			return err
		}
		row.ID = entryID(row.Season, t, &e)
		before, err := tx.Entry(row.ID)
		fresh = errors.Is(err, store.ErrNotFound)
		if err != nil && !fresh {
			return err
		}
		train = fresh || before.State == store.Failed
		if train {
			if err := c.withinLimits(tx, &row, fresh); err != nil {
				return err
			}
		}
		stored, err := tx.HandIn(row, h.Key)
		shown = train || stored.Nickname != before.Nickname || stored.Run != before.Run
		if err == nil && train {
			err = c.opts.enqueue(tx, &stored)
		}
		return err
	})
	if err != nil {
		return s, false, store.Coded(err, errNoRow)
	}
	if fresh {
		c.fresh.Allow(row.Address)
	}
	c.forget(place{track: t.Name, season: row.Season, row: row.ID})
	if shown {
		c.notify()
	}
	s, err = c.Standing(ctx, t, row.ID)
	return s, fresh, err
}

// withinLimits returns an error if an address, the queue or the season has too many entries. A stranger always gets a
// place in the queue: the newest entry of the address with most gives way.
func (c *Contest) withinLimits(tx *store.Tx, e *store.BoardEntry, fresh bool) error {
	waiting, err := tx.EntriesOpen()
	if err != nil {
		return err
	}
	of := map[string]int{}
	for i := range waiting {
		of[waiting[i].Address]++
	}
	own := of[e.Address]
	season, err := tx.CountEntries(e.Season, e.Track, e.Form)
	switch {
	case err != nil:
		return err
	case own >= mostWaiting:
		return errcode.Errorf(errcode.TooFast, "%d entries from your address wait or are being trained, and that is the "+
			"limit; hand in the next when one of them is done", own)
	case fresh && !c.fresh.May(e.Address):
		return errcode.Errorf(errcode.TooFast, "%d new entries came from your address within a day, and that is the limit; "+
			"submit the next in %d minutes, or one that the board has", mostADay, 1+24*60/mostADay)
	case season >= mostOfASeason:
		return errcode.Errorf(errcode.Full, "this track has %d entries this season, and that is the limit; try again in the "+
			"next, or on another track", season)
	case len(waiting) < mostInQueue:
		return nil
	}
	delete(of, "") // the baselines
	most := 0
	for _, n := range of {
		most = max(most, n)
	}
	for _, other := range slices.Backward(waiting) { // newest first
		if of[other.Address] < most || most < own+2 {
			continue
		}
		if gave, err := c.withdraw(tx, other.Job); gave || err != nil {
			return err
		}
	}
	return errcode.Errorf(errcode.Full, "%d entries wait, and no address has more of them than yours; try again later",
		len(waiting))
}

// withdraw removes an entry from the queue if its job has not begun.
func (c *Contest) withdraw(tx *store.Tx, job string) (gave bool, err error) {
	j, err := tx.Job(job)
	if err != nil || j.State != store.JobQueued {
		return false, err
	}
	reason := fmt.Sprintf("it gave way to an entry of another address: %d waited, and your address had most; submit it "+
		"again", mostInQueue)
	return true, errors.Join(c.opts.Queue.Cancel(tx, j.ID, reason), tx.FailEntry(j.ID, reason))
}

// mostWork bounds the floating-point operations of one seed: a minute or two of a core. The baselines need a fortieth.
const mostWork = 2e13

// affordable returns an error if a seed needs too much memory or work.
func affordable(cfg *hyper.Config, memory int64) error {
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return err
	}
	if cost.Bytes > float64(memory) {
		return fmt.Errorf("each seed would take %.0f MB of memory, most of it for %s; an entry may take %.0f MB here: make "+
			"one of these smaller", cost.Bytes/1e6, cost.Largest, float64(memory)/1e6)
	}
	updates := float64(cfg.Steps) / float64(cfg.Advance())
	if all := updates * cost.Work; all > mostWork {
		return fmt.Errorf("each seed would take %.2g operations, in %.0f updates with %s; an entry may take %.2g: replay "+
			"less, or make one of these smaller", all, updates, cost.Working, float64(mostWork))
	}
	return nil
}

// entryID returns the same name for the same configuration, within a season and a form of the track.
func entryID(season int64, t *Track, e *Entry) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s\n%s", season, t.Name, t.Form(), e.Hash))
	return hex.EncodeToString(sum[:16])
}

// News returns a channel that is closed at the next change.
func (c *Contest) News() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// notify announces a change.
func (c *Contest) notify() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
	c.version++
}

// followEvery is the time between two looks for entries that were trained.
const followEvery = time.Second

// followJobs announces the work of all processes on entries, and ends seasons, until Close.
func (c *Contest) followJobs() {
	type state struct {
		entries  store.News
		progress int64 // a change for each sixteenth of a job
		due      bool  // a season that has closed may end
	}
	var last state
	c.opts.Queue.Follow(c.ctx, followEvery, func() {
		var now state
		err := c.opts.Store.View(c.ctx, func(tx *store.Tx) error {
			seasons, err := tx.Seasons()
			running, err2 := tx.JobsIn(store.JobRunning)
			entries, err3 := tx.EntriesNews()
			now = state{entries: entries, due: slices.ContainsFunc(seasons, func(s store.BoardSeason) bool {
				return s.Over == 0 && s.Closes <= c.opts.Now().UnixMilli()
			})}
			for _, j := range running {
				if j.Kind == jobKind {
					now.progress += 1 + 16*j.Progress/max(1, j.Total)
				}
			}
			return errors.Join(err, err2, err3)
		})
		if err == nil && now.due {
			var ended []int64
			if ended, err = EndSeasons(c.ctx, c.opts.Store, c.opts.Now()); ended != nil {
				c.opts.Log.Info("seasons of the board are over, and their keys are published", "seasons", ended)
				c.notify()
			}
		}
		switch {
		case err != nil && c.ctx.Err() == nil:
			c.opts.Log.Warn("the work on the board's entries could not be read", "error", err)
		case err == nil && now != last:
			last = now
			c.notify()
		}
	})
}

var errNoRow = errcode.Errorf(errcode.NotFound, "the board has no such row")
