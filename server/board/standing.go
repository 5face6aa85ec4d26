package board

// What the board shows: baselines and entries of one track and season in their order.

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

// Standing is a row of the board: a baseline, or an entry however far it has come.
type Standing struct {
	ID       string // 32 hex digits
	Entry    Entry
	Baseline string // its name; "": it is none
	Nickname string
	Run      string // id of a run that came to the row's parameters for its seed; ""
	Season   int64  // 0 of a baseline that nobody handed in
	Tried    int64  // how often it was handed in
	State    store.State
	Reason   string
	Created  time.Time

	Public, Secret *Row   // nil until all of those seeds are trained
	counts         *Row   // one of these, which ranks it; nil: the row has no rank
	Trained        [2]int // public and secret seeds so far
	Place          int    // in the queue, from 1; 0: it does not wait

	First, Last int  // of those who share its rank; 0: it has none yet
	Provisional bool // the rank is what its public seeds would give; others do not count it
}

// Counts is the row that ranks it, of its secret or of its public seeds; nil: it is not trained yet.
func (s *Standing) Counts() *Row { return s.counts }

// Seeds says which seeds rank it, public or secret; "": it is not trained yet.
func (s *Standing) Seeds() string {
	switch s.counts {
	case nil:
		return ""
	case s.Secret:
		return "secret"
	}
	return "public"
}

// Name is what a row is called: a baseline's name, or a nickname.
func (s *Standing) Name() string { return cmp.Or(s.Baseline, s.Nickname, "unnamed") }

// SeasonInfo is what everybody may know of a season.
type SeasonInfo struct {
	Number         int64
	Opened, Closes time.Time
	Closed, Over   bool     // nothing is handed in any more; its key is told
	Digest         string   // SHA-256 of the key, in hex
	Key            string   // in hex; "" until it is over
	Seeds          []uint64 // of the track; nil until it is over
}

// Standings are the rows of a track in a season.
type Standings struct {
	Track   *Track
	Season  SeasonInfo // of Number 0: none has begun
	Seasons []int64
	Rows    []Standing // ranked ones in their order, then those that wait, then those that failed
	Ranked  int        // how many have a rank

	Ready    int  // how many of the track's baselines are trained on the season's secret seeds, or have failed
	BySecret bool // secret seeds rank the rows; else public ones do: there is no season, or a baseline is not ready
}

// place is what standings are of.
type place struct {
	track  string
	season int64
}

// drawn are standings, and when they were made.
type drawn struct {
	at time.Time
	*Standings
}

// Standings are those of a season; 0: of the newest. They may be a second old.
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

// SeedResult is what one secret seed of an entry came to.
type SeedResult struct {
	Score  trial.Number
	Params string
}

// Results are what the secret seeds of an entry came to, in their order, once its season is over.
func (c *Contest) Results(ctx context.Context, id string) ([]SeedResult, error) {
	return ReadResults(ctx, c.opts.Store, id)
}

// ReadResults are those that a store has.
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
	return list, kept(err)
}

// Standing is one row of a track, of whichever season.
func (c *Contest) Standing(ctx context.Context, t *Track, id string) (Standing, error) {
	season := int64(0)
	err := c.opts.Store.View(ctx, func(tx *store.Tx) error {
		e, err := tx.Entry(id)
		if err == nil && e.Track == t.Name {
			season = e.Season
		}
		if errors.Is(err, store.ErrNotFound) { // a baseline's, perhaps
			err = nil
		}
		return err
	})
	if err != nil {
		return Standing{}, kept(err)
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

// PublicRow is what the public seeds of an entry came to; nil: they are not trained.
func (s *Standings) PublicRow(e *Entry) *Row {
	for i := range s.Rows {
		if s.Rows[i].Entry.Hash == e.Hash {
			return s.Rows[i].Public
		}
	}
	return nil
}

// Baselines are the measured rows of a track, where nobody hands anything in.
func (t *Tracks) Baselines(track *Track) *Standings {
	s := &Standings{Track: track}
	s.nameBaselines(t)
	s.rank()
	return s
}

// ReadStandings are those of a season that a store has; 0: of the newest.
func ReadStandings(ctx context.Context, from *store.Store, tracks *Tracks, t *Track, season int64,
	now time.Time) (*Standings, error) {
	var entries []store.BoardEntry
	places := map[string]int{}
	var seasons []store.BoardSeason
	var trained map[string][2]int
	shown := map[string]store.Run{}
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
			if e := &entries[i]; e.State == store.Queued && e.Job != "" && len(places) < mostProvisional {
				before, err := tx.JobPlace(e.Job)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				places[e.ID] = int(before) + 1
			}
			if id := entries[i].Run; id != "" {
				run, err := tx.Run(id)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				shown[id] = run
			}
		}
		trained, err = tx.Trained(season, t.Name, t.Form())
		return err
	})
	if err != nil {
		return nil, kept(err)
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
		one := standingOf(t, &entries[i])
		if one.Secret != nil && !s.Season.Over {
			one.Secret.coarse()
		}
		if run := shown[one.Run]; one.Run != "" && (one.Public == nil || !one.Public.proven(&run)) {
			one.Run = ""
		}
		one.Trained, one.Place = trained[one.ID], places[one.ID]
		s.Rows = append(s.Rows, one)
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

// standingOf reads what the store has of an entry.
func standingOf(t *Track, e *store.BoardEntry) Standing {
	s := Standing{ID: e.ID, Nickname: e.Nickname, Run: e.Run, Season: e.Season, Tried: e.Tried, State: e.State,
		Reason: e.Reason, Created: time.UnixMilli(e.Created).UTC()}
	var err error
	if s.Entry, err = t.ParseEntry(e.Settings); err != nil { // the range of a key has become narrower
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

// mostProvisional is how many provisional rows are given the rank that they would have; more wait for their own.
const mostProvisional = 100

// rank gives all rows their places: those with a rank of their own by Place, provisional ones where they would stand.
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
			x, y := a.Counts(), b.Counts()
			return cmp.Or(cmp.Compare(y.Score.Low, x.Score.Low), cmp.Compare(y.Score.Mean, x.Score.Mean),
				cmp.Compare(x.Hash, y.Hash))
		}
		return cmp.Or(cmp.Compare(a.Place, b.Place), a.Created.Compare(b.Created))
	})
	for i := range s.Rows {
		if s.Rows[i].First > 0 {
			s.Ranked++
		}
	}
}

// class is where a row stands before anything else counts: ranked, waiting, failed.
func (s *Standing) class() int {
	switch {
	case s.State == store.Failed:
		return 2
	case s.First > 0:
		return 0
	}
	return 1
}

// Rank is "4", "1–3" in a tie group, with a question mark while it is provisional; "" of none.
func (s *Standing) Rank() string {
	if s.First == 0 {
		return ""
	}
	p := Placed{First: s.First, Last: s.Last}
	if s.Provisional {
		return p.Rank() + "?"
	}
	return p.Rank()
}
