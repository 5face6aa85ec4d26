package board

// Standings for visitors: drawn once for all that ask at a time, and again when rows have changed.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"impalab/server/errcode"
	"impalab/server/store"
)

// place names standings: a page of a track's rows in a season, or one row.
type place struct {
	track  string
	season int64  // 0: the newest
	page   int    // from 1; 0: no page
	row    string // id; "": none
}

// drawn has standings, the change that they show, and the time at which they were read.
type drawn struct {
	version uint64
	at      time.Time
	*Standings
}

const (
	mostDrawn = 64          // standings in memory
	mostRanks = 16          // rankings in memory, of 2 MB at most
	drawnFor  = time.Second // runs that rows show, and the number of tries, may be as old
)

// Standings returns a page of the standings of a season, from page 1; season 0 is the newest. A page after the last has
// no rows. It may be a second old.
func (c *Contest) Standings(ctx context.Context, t *Track, season int64, page int) (*Standings, error) {
	page = max(1, min(page, mostOfASeason)) // so that a visitor cannot name arbitrarily many
	return c.draw(ctx, t, place{track: t.Name, season: season, page: page})
}

// Row returns the standings with one row of a track, of any season.
func (c *Contest) Row(ctx context.Context, t *Track, id string) (*Standings, error) {
	e, err := store.Get(ctx, c.opts.Store, func(tx *store.Tx) (store.BoardEntry, error) { return tx.Entry(id) })
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, store.Coded(err, errNoRow)
	}
	s, err := c.draw(ctx, t, place{track: t.Name, season: e.Season, row: id}) // 0: a baseline, not handed in yet
	if err == nil && len(s.Rows) == 0 {
		err = errcode.Errorf(errcode.NotFound, "%s has no such row", t.Title)
	}
	return s, err
}

// Standing returns one row of a track, of any season.
func (c *Contest) Standing(ctx context.Context, t *Track, id string) (Standing, error) {
	s, err := c.Row(ctx, t, id)
	if err != nil {
		return Standing{}, err
	}
	return s.Rows[0], nil
}

// Own returns the rows of a track's newest season among ids, in the order of ids and at most most of them.
func (c *Contest) Own(t *Track, ids []string, most int) (*Standings, error) {
	return c.read(t, place{}, func(_ *Standings, r *ranking) (lines []*line) {
		for _, id := range ids {
			if l := r.lines[id]; l != nil && len(lines) < most && !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
		return lines
	})
}

// PublicRow returns the row of the public seeds of an entry in the newest season; nil before they are trained.
func (c *Contest) PublicRow(ctx context.Context, t *Track, e *Entry) (*Row, error) {
	s, err := c.Standings(ctx, t, 0, 1)
	if err != nil {
		return nil, err
	}
	row, err := c.Standing(ctx, t, entryID(s.Season.Number, t, e))
	if errcode.Of(err) == errcode.NotFound {
		row, err = c.Standing(ctx, t, entryID(0, t, e))
	}
	if errcode.Of(err) == errcode.NotFound {
		return nil, nil
	}
	return row.Public, err
}

// draw returns standings of the cache, or draws them once for all callers. ctx ends the wait of its caller only.
func (c *Contest) draw(ctx context.Context, t *Track, at place) (*Standings, error) {
	c.mu.Lock()
	have, version := c.drawn[at], c.version
	c.mu.Unlock()
	if have != nil && have.version == version && time.Since(have.at) < drawnFor {
		return have.Standings, nil
	}
	select {
	case got := <-c.draws.DoChan(fmt.Sprint(at, version), func() (any, error) { return c.drawNow(t, at, version) }):
		if got.Err != nil {
			return nil, store.Coded(got.Err, errNoRow)
		}
		return got.Val.(*Standings), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// drawNow reads standings that show all changes up to a version.
func (c *Contest) drawNow(t *Track, at place, version uint64) (s *Standings, err error) {
	now := time.Now()
	s, err = c.read(t, at, func(s *Standings, r *ranking) (lines []*line) {
		if l := r.lines[at.row]; l != nil {
			lines = append(lines, l)
		}
		if at.page > 0 {
			s.From = min(len(r.order), (at.page-1)*PageRows)
			lines = r.order[s.From:min(len(r.order), s.From+PageRows)]
		}
		return lines
	})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.drawn { // of any
		if len(c.drawn) < mostDrawn {
			break
		}
		delete(c.drawn, other)
	}
	c.drawn[at] = &drawn{version, now, s}
	return s, nil
}

// read reads the rows of standings that pick names, and the row of a place again. drawing has one caller at a time.
func (c *Contest) read(t *Track, at place, pick func(*Standings, *ranking) []*line) (s *Standings, err error) {
	lock := c.drawing[t.Name] // before a connection of the store is taken, of which there are few
	lock.Lock()
	defer lock.Unlock()
	err = c.opts.Store.View(c.ctx, func(tx *store.Tx) error {
		if s, err = seasonOf(tx, t, at.season, c.opts.Now()); err != nil {
			return err
		}
		r := c.ranking(t, s.Season)
		if at.row != "" {
			r.again(at.row)
		}
		if err := r.follow(tx); err != nil {
			return err
		}
		r.describe(s)
		return s.read(tx, r, &c.rows, pick(s, r))
	})
	return s, err
}

// ranking returns the ranking of a season, which follow brings up to date.
func (c *Contest) ranking(t *Track, season SeasonInfo) *ranking {
	at := place{track: t.Name, season: season.Number}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.ranks[at]
	if r == nil || r.over != season.Over {
		r = newRanking(t, season.Number, season.Over)
		delete(c.ranks, at)
		for other := range c.ranks { // of any
			if len(c.ranks) < mostRanks {
				break
			}
			delete(c.ranks, other)
		}
		c.ranks[at] = r
	}
	return r
}

// forget drops standings, so that they are drawn again.
func (c *Contest) forget(at place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.drawn, at)
	c.rows.forget(at.row)
}

// readSeasons reads the newest season of each track, so that its first visitor does not wait.
func (c *Contest) readSeasons() {
	for _, t := range c.opts.Tracks.All {
		if _, err := c.Standings(c.ctx, t, 0, 1); err != nil && c.ctx.Err() == nil {
			c.opts.Log.Warn("the standings of a track could not be read", "track", t.Name, "error", err)
		}
	}
}
