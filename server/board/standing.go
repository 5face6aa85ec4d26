package board

// The ranking of one track and season: baselines and entries in their order.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"impalab/server/errcode"
	"impalab/server/store"
)

// Standing is a row of the board: a baseline or an entry. Season is 0 for a baseline that was never handed in, and Run
// is "" unless the run has the row's parameters for its seed.
type Standing struct {
	store.BoardEntry
	Entry    Entry
	Baseline string // its name; "" for an entry

	Public, Secret *Row   // nil until all of these seeds are trained
	Counts         *Row   // Public or Secret, which ranks it; nil: none yet
	Trained        [2]int // public and secret seeds so far
	Place          int    // in the queue, from 1; 0: it does not wait

	Rank        Rank // zero: none yet
	Provisional bool // the rank of its public seeds; other rows do not count it
}

// Seeds returns which seeds rank it, "public" or "secret"; "" before it is trained.
func (s *Standing) Seeds() string {
	switch s.Counts {
	case nil:
		return ""
	case s.Secret:
		return "secret"
	}
	return "public"
}

// Name returns a baseline's name, or a nickname.
func (s *Standing) Name() string { return cmp.Or(s.Baseline, s.Nickname, "unnamed") }

// SeasonInfo is the public part of a season.
type SeasonInfo struct {
	Number int64     `json:"number"`
	Opened time.Time `json:"opened"`
	Closes time.Time `json:"closes"`
	Closed bool      `json:"-"` // it takes no entries
	Over   bool      `json:"-"` // its key is published
	Digest string    `json:"key_sha256" doc:"Hash of the key that the secret seeds are derived from."`
	Key    string    `json:"key,omitempty" doc:"In hex, published when the season is over. A seed is the first 53 bits of HMAC-SHA256(key, track, 0, i)."`
	Seeds  []uint64  `json:"secret_seeds,omitempty" doc:"Of the track, published when the season is over."`
}

// Standings are the rows of a track in a season.
type Standings struct {
	Track   *Track
	Season  SeasonInfo // of Number 0: none has begun
	Seasons []int64
	Rows    []Standing // ranked ones in their order, then waiting, then failed ones

	Ready    int  // baselines that are trained on the season's secret seeds, or have failed
	BySecret bool // secret seeds rank the rows, because all baselines are ready; otherwise public seeds
}

// place is the key of stored standings: a track and a season.
type place struct {
	track  string
	season int64
}

// drawn has standings and the time at which they were read.
type drawn struct {
	at time.Time
	*Standings
}

// Standings returns the standings of a season; 0 is the newest. They may be a second old.
func (c *Contest) Standings(ctx context.Context, t *Track, season int64) (*Standings, error) {
	at := place{t.Name, season}
	c.mu.Lock()
	have := c.drawn[at]
	c.mu.Unlock()
	if have != nil && time.Since(have.at) < time.Second {
		return have.Standings, nil
	}
	made, err := ReadStandings(ctx, c.opts.Store, t, season, c.opts.Now())
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.drawn[at] = &drawn{time.Now(), made}
	c.mu.Unlock()
	return made, nil
}

// Standing returns one row of a track, of any season.
func (c *Contest) Standing(ctx context.Context, t *Track, id string) (Standing, error) {
	e, err := store.Look(ctx, c.opts.Store, func(tx *store.Tx) (store.BoardEntry, error) { return tx.Entry(id) })
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Standing{}, store.Coded(err, errNoRow)
	}
	all, err := c.Standings(ctx, t, e.Season) // of the newest season without an entry: a baseline is not handed in yet
	if err != nil {
		return Standing{}, err
	}
	for i := range all.Rows {
		if all.Rows[i].ID == id {
			return all.Rows[i], nil
		}
	}
	return Standing{}, errcode.Errorf(errcode.NotFound, "%s has no such row", t.Title)
}

// PublicRow returns the row of an entry's public seeds; nil before they are trained.
func (s *Standings) PublicRow(e *Entry) *Row {
	for i := range s.Rows {
		if s.Rows[i].Entry.Hash == e.Hash {
			return s.Rows[i].Public
		}
	}
	return nil
}

// Measured returns the measured rows of the baselines, for a page without entries.
func (t *Track) Measured() *Standings {
	s := &Standings{Track: t}
	s.nameBaselines()
	s.rank()
	return s
}

// ReadStandings returns the standings of a season in a store; 0 is the newest.
func ReadStandings(ctx context.Context, from *store.Store, t *Track, season int64, now time.Time) (*Standings, error) {
	var s *Standings
	err := from.View(ctx, func(tx *store.Tx) error {
		s = &Standings{Track: t}
		seasons, err := tx.Seasons()
		for i := range seasons {
			s.Seasons = append(s.Seasons, seasons[i].Number)
			if season == 0 || seasons[i].Number == season {
				s.Season = infoOf(&seasons[i], t, now)
			}
		}
		if err == nil && s.Season.Number != season && season != 0 {
			err = errcode.Errorf(errcode.NotFound, "there is no season %d", season)
		}
		if err != nil {
			return err
		}
		return s.readRows(tx)
	})
	if err != nil {
		return nil, store.Coded(err, errNoRow)
	}
	s.nameBaselines()
	s.rank()
	return s, nil
}

// readRows reads the entries of the season, with their jobs and the runs that they show.
func (s *Standings) readRows(tx *store.Tx) error {
	t, waiting := s.Track, 0
	entries, err := tx.Entries(s.Season.Number, t.Name, t.Form())
	for i := 0; i < len(entries) && err == nil; i++ {
		row := standingOf(t, &entries[i])
		if row.Secret != nil && !s.Season.Over {
			row.Secret.coarse()
		}
		var run store.Run
		if row.Run != "" {
			if run, err = tx.Run(row.Run); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		if row.Public == nil || !row.Public.proven(&run) {
			row.Run = ""
		}
		var job store.Job
		if row.State == store.Queued {
			if job, err = tx.Job(row.Job); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		err = nil
		switch {
		case job.State == store.JobRunning:
			row.State = store.Training
		case job.State == store.JobQueued && waiting < mostProvisional:
			waiting++
			var before int64
			before, err = tx.JobPlace(job.ID)
			row.Place = int(before) + 1
		}
		trained := int(job.Progress / int64(t.Start.Steps))
		switch {
		case row.Public == nil:
			row.Trained[0] = trained
		case row.Secret == nil:
			row.Trained = [2]int{len(t.Public), trained}
		default:
			row.Trained = [2]int{len(t.Public), t.Secret}
		}
		s.Rows = append(s.Rows, row)
	}
	return err
}

func infoOf(b *store.BoardSeason, t *Track, now time.Time) SeasonInfo {
	season := &Season{Number: b.Number, key: b.Key}
	s := SeasonInfo{Number: b.Number, Opened: time.UnixMilli(b.Opened).UTC(), Closes: time.UnixMilli(b.Closes).UTC(),
		Closed: b.Closes <= now.UnixMilli(), Over: b.Over != 0, Digest: fmt.Sprintf("%x", season.Digest())}
	if s.Over {
		s.Key, s.Seeds = fmt.Sprintf("%x", b.Key), season.Seeds(t).values
	}
	return s
}

// standingOf returns the standing of a stored entry.
func standingOf(t *Track, e *store.BoardEntry) Standing {
	s := Standing{BoardEntry: *e}
	s.SecretRow = "" // has the figures of each secret seed
	var err error
	if s.Entry, err = t.ParseEntry(e.Settings); err != nil { // the range of a key became narrower
		s.State, s.Reason = store.Failed, strings.ReplaceAll(err.Error(), "\n", "; ")
		return s
	}
	for from, to := range map[*string]**Row{&e.PublicRow: &s.Public, &e.SecretRow: &s.Secret} {
		if *from == "" {
			continue
		}
		row := new(Row)
		if err := json.Unmarshal([]byte(*from), row); err != nil {
			s.State, s.Reason = store.Failed, "its row cannot be read: "+err.Error()
			continue
		}
		row.Name, row.Entry = s.Name(), s.Entry
		*to = row
	}
	return s
}

// mostProvisional is the number of provisional rows with a rank; more wait for their own.
const mostProvisional = 100

// rank sorts the rows and gives them their ranks. A provisional row gets the rank that it would have.
func (s *Standings) rank() {
	settled := []Row{}
	byHash := map[string]*Standing{}
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Counts = r.Public; s.BySecret && r.Secret != nil {
			r.Counts = r.Secret
		}
		r.Provisional = r.Baseline == "" && r.Counts != nil && !(s.BySecret && r.Secret != nil)
		if row := r.Counts; row != nil && !r.Provisional && r.State != store.Failed {
			settled = append(settled, *row)
			byHash[row.Hash] = r
		}
	}
	for _, p := range Place(settled) {
		byHash[p.Hash].Rank = p.Rank
	}
	left := mostProvisional
	for i := range s.Rows {
		r := &s.Rows[i]
		if !r.Provisional || left == 0 || r.State == store.Failed {
			continue
		}
		left--
		for _, p := range Place(append(slices.Clip(settled), *r.Public)) {
			if p.Hash == r.Public.Hash {
				r.Rank = p.Rank
			}
		}
	}
	slices.SortStableFunc(s.Rows, func(a, b Standing) int {
		if x, y := a.class(), b.class(); x != y {
			return cmp.Compare(x, y)
		}
		if a.class() == 0 {
			return better(a.Counts, b.Counts)
		}
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Created, b.Created))
	})
}

// class orders rows first: ranked, waiting, failed.
func (s *Standing) class() int {
	switch {
	case s.State == store.Failed:
		return 2
	case s.Rank.First > 0:
		return 0
	}
	return 1
}
