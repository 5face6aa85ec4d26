package board

// When seasons begin, close and end. A season begins with the first entry after the last has closed. From its closing
// time on nothing is handed in; once all that was handed in is trained, it is over and the board publishes its key.

import (
	"context"
	"errors"
	"time"

	"impalab/server/store"
)

// open is the number of the season that takes entries now; another one begins where there is none. It belongs in a
// transaction that adds an entry, so that no season is empty.
func (c *Contest) open(tx *store.Tx) (int64, error) {
	seasons, err := tx.Seasons()
	if err != nil {
		return 0, err
	}
	now, number := c.opts.Now(), int64(1)
	if n := len(seasons); n > 0 {
		if seasons[n-1].Closes > now.UnixMilli() {
			return seasons[n-1].Number, nil
		}
		number = seasons[n-1].Number + 1
	}
	return number, tx.AddSeason(store.BoardSeason{Number: number, Key: newKey(),
		Closes: now.Add(c.opts.Season).UnixMilli()})
}

// ReadSeason is a season that a store has; 0: the newest.
func ReadSeason(ctx context.Context, s *store.Store, number int64) (*Season, error) {
	var seasons []store.BoardSeason
	err := s.View(ctx, func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err })
	if err != nil {
		return nil, err
	}
	if n := len(seasons); number == 0 && n > 0 {
		number = seasons[n-1].Number
	}
	return seasonOf(seasons, number)
}

// EndSeasons ends the seasons that have closed and of which all is trained, and returns their numbers. From then on the
// board publishes their keys.
func EndSeasons(ctx context.Context, s *store.Store, now time.Time) (ended []int64, err error) {
	var seasons []store.BoardSeason
	if err := s.View(ctx, func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err }); err != nil {
		return nil, err
	}
	var errs []error
	for i := range seasons {
		if seasons[i].Over != 0 || seasons[i].Closes > now.UnixMilli() {
			continue
		}
		err := s.Do(ctx, func(tx *store.Tx) error { return tx.EndSeason(seasons[i].Number) })
		switch {
		case err == nil:
			ended = append(ended, seasons[i].Number)
		case !errors.Is(err, store.ErrConflict): // else some of it is being trained
			errs = append(errs, err)
		}
	}
	return ended, errors.Join(errs...)
}

// CloseSeason closes the season that is going on, if there is one, and says which. What was handed in is trained yet.
func CloseSeason(ctx context.Context, s *store.Store, now time.Time) (number int64, err error) {
	err = s.Do(ctx, func(tx *store.Tx) error {
		seasons, err := tx.Seasons()
		if n := len(seasons); err == nil && n > 0 && seasons[n-1].Closes > now.UnixMilli() {
			number = seasons[n-1].Number
			return tx.CloseSeason(number, now.UnixMilli())
		}
		return err
	})
	return number, err
}

// tendEvery is how soon after its closing time a season ends, at the latest.
const tendEvery = 20 * time.Second

// tend ends seasons in their time.
func (c *Contest) tend() {
	tick := time.NewTicker(tendEvery)
	defer tick.Stop()
	said := ""
	for {
		ended, err := EndSeasons(c.ctx, c.opts.Store, c.opts.Now())
		for _, number := range ended {
			c.opts.Log.Info("a season of the board is over, and its key is told", "season", number)
			c.tell()
		}
		if err != nil && c.ctx.Err() == nil && err.Error() != said {
			said = err.Error()
			c.opts.Log.Warn("a season of the board cannot end", "error", err)
		}
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			return
		}
	}
}
