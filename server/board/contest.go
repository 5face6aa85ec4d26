package board

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/nickname"
	"impalab/server/store"
)

// ContestOptions of a contest. The zero value of all but Store and Tracks is good.
type ContestOptions struct {
	Store  *store.Store
	Tracks *Tracks
	Cores  *schedule.Cores  // shared with other runs; nil: as many as there are
	Queue  *job.Queue       // of those who train; nil: what is handed in waits until a server has one
	Memory int64            // bytes that one run may take, by estimate; 0: 256 MB
	Season time.Duration    // how long a season takes; 0: 90 days
	Salt   []byte           // addresses are hashed with it; nil: one of this contest's own
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger
}

func (o *ContestOptions) defaults() {
	if o.Cores == nil {
		o.Cores = schedule.NewCores(runtime.GOMAXPROCS(0))
	}
	if o.Memory == 0 {
		o.Memory = 256e6
	}
	if o.Season == 0 {
		o.Season = 90 * 24 * time.Hour
	}
	if o.Salt == nil {
		o.Salt = []byte(store.NewKey())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Contest is the board of a server: what is handed in is kept in the store and queued in the same transaction. Whoever
// takes jobs of its Kinds trains it, first on the public seeds and then on the secret ones of its season.
type Contest struct {
	opts  ContestOptions
	ctx   context.Context
	stop  context.CancelFunc
	ended sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{}    // closed, and another made, whenever there is something new
	drawn   map[place]*drawn // standings as they were last made
}

// NewContest queues what an earlier process left without a job. Close ends it; neither the store nor the queue is
// closed.
func NewContest(o ContestOptions) (*Contest, error) {
	o.defaults()
	c := &Contest{opts: o, changed: make(chan struct{}), drawn: map[place]*drawn{}}
	c.ctx, c.stop = context.WithCancel(context.Background())
	if err := c.adopt(); err != nil {
		c.stop()
		return nil, fmt.Errorf("the board: %w", err)
	}
	c.ended.Go(c.tend) // both end with Close
	c.ended.Go(c.listen)
	return c, nil
}

// Close ends the contest. What is being trained is the queue's to hand back.
func (c *Contest) Close() {
	c.stop()
	c.ended.Wait()
}

// Tracks are those that entries are handed in on.
func (c *Contest) Tracks() *Tracks { return c.opts.Tracks }

// Handed is what is handed in: settings, never a score, a model or code.
type Handed struct {
	Track    string
	Settings []hyper.Setting
	Nickname string // "": none
	Run      string // id of a run of these settings that people may look at; "": none
	Address  string // whom it counts for while it waits
	Key      string // of whoever hands it in
}

// What may wait, and what a season takes: an entry is seconds to minutes of a core that others pay.
const (
	mostWaiting   = 12   // of one address; a class shares one
	mostInQueue   = 600  // of all
	mostOfASeason = 5000 // on one track, 15 kB each
)

// HandIn takes an entry. A configuration is one row of a season, however often and by whomever it is handed in; fresh
// says whether this was the first time.
func (c *Contest) HandIn(ctx context.Context, h Handed) (s Standing, fresh bool, err error) {
	t, e, err := c.read(h.Track, h.Settings)
	if err != nil {
		return s, false, err
	}
	name, err := cleanNickname(h.Nickname)
	if err != nil {
		return s, false, err
	}
	row := store.BoardEntry{Track: t.Name, Form: t.Form(), Settings: e.Text(), Nickname: name, Run: h.Run,
		Address: store.HashAddress(h.Address, c.opts.Salt)}
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
		wanted := fresh || before.State == store.Failed // that it is trained
		if wanted {
			if err := room(tx, &row); err != nil {
				return err
			}
		}
		kept, err := tx.HandIn(row, h.Key)
		if err == nil && wanted {
			err = c.opts.enqueue(tx, &kept)
		}
		return err
	})
	if err != nil {
		return s, false, kept(err)
	}
	c.tell()
	s, err = c.Standing(ctx, t, row.ID)
	return s, fresh, err
}

// read is the track and the entry that are meant, unless it cannot be trained here.
func (c *Contest) read(track string, settings []hyper.Setting) (*Track, Entry, error) {
	t, err := c.opts.Tracks.Find(track)
	if err != nil {
		return nil, Entry{}, &errcode.Error{Code: errcode.NotFound, Err: err}
	}
	e, err := t.Changed(settings)
	if err == nil {
		err = affordable(&e.Config, c.opts.Memory)
	}
	if err != nil {
		return nil, Entry{}, refused(err)
	}
	return t, e, nil
}

// room refuses an entry that there is no room for. It is counted here, before anything is queued.
func room(tx *store.Tx, e *store.BoardEntry) error {
	own, all, err := tx.EntriesWaiting(e.Address)
	if err != nil {
		return err
	}
	kept, err := tx.CountEntries(e.Season, e.Track)
	switch {
	case err != nil:
		return err
	case own >= mostWaiting:
		return errcode.Errorf(errcode.TooFast, "%d entries from your address wait or are being trained, and that is the "+
			"limit; "+
			"hand in the next when one of them is done", own)

	case all >= mostInQueue:
		return errcode.Errorf(errcode.Full, "%d entries wait, and that is the limit; try again later", all)
	case kept >= mostOfASeason:
		return errcode.Errorf(errcode.Full, "this track has %d entries this season, and that is the limit; try again in the "+
			"next, or on another track", kept)

	}
	return nil
}

// mostWork is what one seed may ask for, in floating-point operations: a minute or two of a core. The baselines ask for
// a fortieth of it and less.
const mostWork = 2e13

// affordable refuses what would take too much of this machine.
func affordable(cfg *hyper.Config, memory int64) error {
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return err
	}
	if cost.Bytes > float64(memory) {
		return fmt.Errorf("each seed would take %.0f MB of memory, most of it for %s; an entry may take %.0f MB here: make "+
			"one of these smaller", cost.Bytes/1e6, cost.Largest, float64(memory)/1e6)
	}
	updates := float64(cfg.Steps) / float64(cfg.Fresh()*cfg.UnrollLen)
	if all := updates * cost.Work; all > mostWork {
		return fmt.Errorf("each seed would take %.2g operations, in %.0f updates with %s; an entry may take %.2g: replay "+
			"less, or make one of these smaller", all, updates, cost.Working, float64(mostWork))
	}
	return nil
}

// entryID names an entry: the same configuration has the same name, within a season and a form of the track.
func entryID(season int64, t *Track, e *Entry) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s\n%s", season, t.Name, t.Form(), e.Hash))
	return hex.EncodeToString(sum[:16])
}

// cleanNickname is a nickname as it is kept, or none. It is text: nobody owns one.
func cleanNickname(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	clean, _, err := nickname.Clean(name)
	if err != nil {
		return "", refused(fmt.Errorf("%w; or leave it empty", err))
	}
	return clean, nil
}

// News is closed when there is something new.
func (c *Contest) News() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// tell says that there is something new.
func (c *Contest) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
	clear(c.drawn)
}

// listenEvery is how often the board looks for what others have trained.
const listenEvery = time.Second

// listen tells of what workers have done, in this process or another.
func (c *Contest) listen() {
	if c.opts.Queue == nil {
		return
	}
	var last [2]int64
	c.opts.Queue.Follow(c.ctx, listenEvery, func() {
		var now [2]int64
		err := c.opts.Store.View(c.ctx, func(tx *store.Tx) (err error) { now, err = tx.EntriesNews(); return err })
		if err == nil && now != last {
			last = now
			c.tell()
		}
	})
}
