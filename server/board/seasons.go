package board

// When seasons begin, close and end. A season begins with the first entry after the last has closed. From its closing
// time on nothing is handed in; once all that was handed in is trained, its key is told, and it is over.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	key, err := OpenSeason(c.opts.Data, int(number))
	if err != nil {
		return 0, err
	}
	return number, tx.AddSeason(store.BoardSeason{Number: number, KeySHA256: key.Digest(),
		Closes: now.Add(c.opts.Season).UnixMilli()})
}

// key is that of a season. A key that is not the one which was promised is refused: its seeds would be others.
func (o *ContestOptions) key(ctx context.Context, number int64) (*Season, error) {
	var seasons []store.BoardSeason
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err })
	if err != nil {
		return nil, err
	}
	return keyOf(o.Data, seasons, number)
}

func keyOf(data string, seasons []store.BoardSeason, number int64) (*Season, error) {
	for i := range seasons {
		if seasons[i].Number != number {
			continue
		}
		if seasons[i].Key != nil {
			return Over(int(number), seasons[i].Key)
		}
		s, err := readSeason(data, int(number))
		if err != nil {
			return nil, fmt.Errorf("the key of season %d: %w; bring it back from where you keep a copy", number, err)
		}
		if !bytes.Equal(s.Digest(), seasons[i].KeySHA256) {
			return nil, fmt.Errorf("%s is not the key with which season %d began; bring that one back",
				KeyFile(data, int(number)), number)
		}
		return s, nil
	}
	return nil, fmt.Errorf("there is no season %d", number)
}

// EndSeasons tells the keys of the seasons that have closed and of which all is trained, and says which those are.
func EndSeasons(ctx context.Context, s *store.Store, data string, now time.Time) (ended []int64, err error) {
	var seasons []store.BoardSeason
	if err := s.View(ctx, func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err }); err != nil {
		return nil, err
	}
	var errs []error
	for i := range seasons {
		if seasons[i].Over != 0 || seasons[i].Closes > now.UnixMilli() {
			continue
		}
		key, err := keyOf(data, seasons, seasons[i].Number)
		if err == nil {
			err = s.Do(ctx, func(tx *store.Tx) error { return tx.EndSeason(seasons[i].Number, key.key[:]) })
		}
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
		ended, err := EndSeasons(c.ctx, c.opts.Store, c.opts.Data, c.opts.Now())
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
