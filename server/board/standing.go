package board

// The ranking of one track and season: baselines and entries in their order.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
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

// PageRows is the number of rows on one page of standings.
const PageRows = 200

// Standings are rows of a track in a season.
type Standings struct {
	Track   *Track
	Season  SeasonInfo // of Number 0: none has begun
	Seasons []int64
	Rows    []Standing // ranked ones in their order, then waiting, then failed ones
	From    int        // number of rows before these
	Of      int        // number of all rows

	Start    *float64 // low end of the track's start; nil: none yet
	Begun    bool     // an entry was handed in
	Ready    int      // baselines that are trained on the season's secret seeds, or have failed
	BySecret bool     // secret seeds rank the rows, because all baselines are ready; otherwise public seeds

	drawings [2]drawing
}

// drawing is what a reader makes of standings.
type drawing struct {
	once sync.Once
	made any
}

// Draw returns drawing number which of the standings, 0 or 1. The first call makes it for all readers.
func (s *Standings) Draw(which int, draw func() any) any {
	d := &s.drawings[which]
	d.once.Do(func() { d.made = draw() })
	return d.made
}

// Page returns the number of the page, from 1.
func (s *Standings) Page() int { return 1 + s.From/PageRows }

// Pages returns the number of pages of all rows.
func (s *Standings) Pages() int { return max(1, (s.Of+PageRows-1)/PageRows) }

// Measured returns the measured rows of the baselines, for a page without entries.
func (t *Track) Measured() *Standings {
	r := newRanking(t, 0, false)
	r.settle()
	s := &Standings{Track: t}
	for _, l := range r.order {
		row, _ := r.full(nil, nil, l) // it reads no store: no row was handed in
		s.Rows = append(s.Rows, row)
	}
	r.describe(s)
	return s
}

// ReadStandings returns the standings of a season in a store, with all rows; season 0 is the newest.
func ReadStandings(ctx context.Context, from *store.Store, t *Track, season int64, now time.Time) (s *Standings,
	err error) {
	err = from.View(ctx, func(tx *store.Tx) error {
		if s, err = seasonOf(tx, t, season, now); err != nil {
			return err
		}
		r := newRanking(t, s.Season.Number, s.Season.Over)
		if err := r.follow(tx); err != nil {
			return err
		}
		r.describe(s)
		return s.read(tx, r, nil, r.order)
	})
	if err != nil {
		return nil, store.Coded(err, errNoRow)
	}
	return s, nil
}

// seasonOf returns the standings of a season without their rows.
func seasonOf(tx *store.Tx, t *Track, season int64, now time.Time) (*Standings, error) {
	s := &Standings{Track: t}
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
	return s, err
}

// read adds rows of a ranking, with the runs that they show.
func (s *Standings) read(tx *store.Tx, r *ranking, cache *rowCache, lines []*line) error {
	for _, l := range lines {
		row, err := r.full(tx, cache, l)
		if err != nil {
			return err
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
		s.Rows = append(s.Rows, row)
	}
	return nil
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
