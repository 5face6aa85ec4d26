package board

// The ranking of one track and season: baselines and entries in their order.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/store"
)

// Standing is a row of the board: a baseline or an entry.
type Standing struct {
	ID       string // 32 hex digits
	Entry    Entry
	Baseline string // its name; "" for an entry
	Nickname string
	Run      string // a run with the row's parameters for its seed; "": none
	Season   int64  // 0 for a baseline that was never handed in
	Tried    int64  // hand-ins
	State    store.State
	Reason   string
	Created  time.Time

	Public, Secret *Row   // nil until all of these seeds are trained
	counts         *Row   // Public or Secret, which ranks it; nil: none yet
	Trained        [2]int // public and secret seeds so far
	Place          int    // in the queue, from 1; 0: it does not wait

	First, Last int  // of the rows that share its rank; 0: none yet
	Provisional bool // the rank of its public seeds; other rows do not count it
}

// Counts returns the row that ranks it, of secret or public seeds; nil before it is trained.
func (s *Standing) Counts() *Row { return s.counts }

// Seeds returns which seeds rank it, "public" or "secret"; "" before it is trained.
func (s *Standing) Seeds() string {
	switch s.counts {
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
	Number         int64
	Opened, Closes time.Time
	Closed, Over   bool     // it takes no entries; its key is published
	Digest         string   // SHA-256 of the key, in hex
	Key            string   // in hex; "" until it is over
	Seeds          []uint64 // of the track; nil until it is over
}

// Standings are the rows of a track in a season.
type Standings struct {
	Track   *Track
	Season  SeasonInfo // of Number 0: none has begun
	Seasons []int64
	Rows    []Standing // ranked ones in their order, then waiting, then failed ones
	Ranked  int        // rows with a rank

	Ready    int  // baselines that are trained on the season's secret seeds, or have failed
	BySecret bool // secret seeds rank the rows, because all baselines are ready; otherwise public seeds
}

// place names standings.
type place struct {
	track  string
	season int64
}

// drawn are standings and their time.
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
	made, err := ReadStandings(ctx, c.opts.Store, c.opts.Tracks, t, season, c.opts.Now())
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.drawn[at] = &drawn{time.Now(), made}
	c.mu.Unlock()
	return made, nil
}

// SeedResult is the result of one secret seed of an entry.
type SeedResult struct {
	Score  trial.Number
	Params string
}

// Results returns the results of an entry's secret seeds once its season is over.
func (c *Contest) Results(ctx context.Context, id string) ([]SeedResult, error) {
	return ReadResults(ctx, c.opts.Store, id)
}

// ReadResults is Results for a store.
func ReadResults(ctx context.Context, from *store.Store, id string) (list []SeedResult, err error) {
	err = from.View(ctx, func(tx *store.Tx) error {
		list = nil
		e, err := tx.Entry(id)
		if err != nil {
			return err
		}
		seasons, err := tx.Seasons()
		if err != nil || !slices.ContainsFunc(seasons, func(s store.BoardSeason) bool {
			return s.Number == e.Season && s.Over != 0
		}) {
			return err
		}
		all, err := tx.Results(id)
		byPlace := map[int]result{}
		for _, r := range all {
			var res result
			place, secret := strings.CutPrefix(r.Seed, "secret:")
			if i, bad := strconv.Atoi(place); secret && bad == nil && json.Unmarshal([]byte(r.Result), &res) == nil {
				byPlace[i] = res
			}
		}
		for i := 0; ; i++ {
			res, there := byPlace[i]
			if !there {
				return err
			}
			list = append(list, SeedResult{res.Score, res.Params})
		}
	})
	return list, storeError(err)
}

// Standing returns one row of a track, of any season.
func (c *Contest) Standing(ctx context.Context, t *Track, id string) (Standing, error) {
	season := int64(0)
	err := c.opts.Store.View(ctx, func(tx *store.Tx) error {
		e, err := tx.Entry(id)
		if err == nil && e.Track == t.Name {
			season = e.Season
		}
		if errors.Is(err, store.ErrNotFound) { // it may be a baseline
			err = nil
		}
		return err
	})
	if err != nil {
		return Standing{}, storeError(err)
	}
	all, err := c.Standings(ctx, t, season)
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

// Baselines returns the measured rows of a track, for a page without entries.
func (t *Tracks) Baselines(track *Track) *Standings {
	s := &Standings{Track: track}
	s.nameBaselines(t)
	s.rank()
	return s
}

// ReadStandings returns the standings of a season in a store; 0 is the newest.
func ReadStandings(ctx context.Context, from *store.Store, tracks *Tracks, t *Track, season int64,
	now time.Time) (*Standings, error) {
	var entries []store.BoardEntry
	var seasons []store.BoardSeason
	places, jobs, shown := map[string]int{}, map[string]store.Job{}, map[string]store.Run{}
	err := from.View(ctx, func(tx *store.Tx) (err error) {
		if seasons, err = tx.Seasons(); err != nil || len(seasons) == 0 {
			return err
		}
		if season == 0 {
			season = seasons[len(seasons)-1].Number
		}
		if entries, err = tx.Entries(season, t.Name, t.Form()); err != nil {
			return err
		}
		for i := range entries {
			e := &entries[i]
			if e.State == store.Queued && e.Job != "" && len(places) < mostProvisional {
				before, err := tx.JobPlace(e.Job)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				places[e.ID] = int(before) + 1
			}
			if e.State == store.Training {
				if jobs[e.ID], err = tx.Job(e.Job); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			if e.Run != "" {
				if shown[e.Run], err = tx.Run(e.Run); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, storeError(err)
	}
	s := &Standings{Track: t}
	for i := range seasons {
		s.Seasons = append(s.Seasons, seasons[i].Number)
		if seasons[i].Number == season {
			s.Season = infoOf(&seasons[i], t, now)
		}
	}
	if season != 0 && s.Season.Number == 0 {
		return nil, errcode.Errorf(errcode.NotFound, "there is no season %d", season)
	}
	for i := range entries {
		row := standingOf(t, &entries[i])
		if row.Secret != nil && !s.Season.Over {
			row.Secret.coarse()
		}
		if run := shown[row.Run]; row.Run != "" && (row.Public == nil || !row.Public.proven(&run)) {
			row.Run = ""
		}
		if row.Place = places[row.ID]; row.Public == nil {
			row.Trained[0] = int(jobs[row.ID].Progress)
		} else if row.Trained[0] = len(t.Public); row.Secret == nil {
			row.Trained[1] = int(jobs[row.ID].Progress)
		} else {
			row.Trained[1] = t.Secret
		}
		s.Rows = append(s.Rows, row)
	}
	s.nameBaselines(tracks)
	s.rank()
	return s, nil
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
	s := Standing{ID: e.ID, Nickname: e.Nickname, Run: e.Run, Season: e.Season, Tried: e.Tried, State: e.State,
		Reason: e.Reason, Created: time.UnixMilli(e.Created).UTC()}
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
		if r.counts = r.Public; s.BySecret && r.Secret != nil {
			r.counts = r.Secret
		}
		r.Provisional = r.Baseline == "" && r.counts != nil && !(s.BySecret && r.Secret != nil)
		if row := r.Counts(); row != nil && !r.Provisional && r.State != store.Failed {
			settled = append(settled, *row)
			byHash[row.Hash] = r
		}
	}
	for _, p := range Place(settled) {
		byHash[p.Hash].First, byHash[p.Hash].Last = p.First, p.Last
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
				r.First, r.Last = p.First, p.Last
			}
		}
	}
	slices.SortStableFunc(s.Rows, func(a, b Standing) int {
		if x, y := a.class(), b.class(); x != y {
			return cmp.Compare(x, y)
		}
		if a.class() == 0 {
			return better(a.counts, b.counts)
		}
		return cmp.Or(cmp.Compare(a.Place, b.Place), a.Created.Compare(b.Created))
	})
	for i := range s.Rows {
		if s.Rows[i].First > 0 {
			s.Ranked++
		}
	}
}

// class orders rows first: ranked, waiting, failed.
func (s *Standing) class() int {
	switch {
	case s.State == store.Failed:
		return 2
	case s.First > 0:
		return 0
	}
	return 1
}

// Rank returns "4", "1–3" in a tie group, with a question mark while it is provisional, or "".
func (s *Standing) Rank() string {
	if s.First == 0 {
		return ""
	}
	rank := (&Placed{First: s.First, Last: s.Last}).Rank()
	if s.Provisional {
		rank += "?"
	}
	return rank
}
