package board

// Baselines in a season. The first entry on a track adds the track's baselines as entries of the season. They are
// trained on its secret seeds as well, so that a ranking has one kind of seeds.

import (
	"errors"

	"impalab/server/store"
)

// addBaselines adds the missing baselines of a track to a season, and queues them. A measured row replaces the training
// on the public seeds.
func (c *Contest) addBaselines(tx *store.Tx, t *Track, season int64) error {
	for i := range t.Baselines {
		b := &t.Baselines[i]
		row := store.BoardEntry{ID: entryID(season, t, &b.Entry), Season: season, Track: t.Name, Form: t.Form(),
			Settings: b.Text()}
		if _, err := tx.Entry(row.ID); err == nil {
			continue
		} else if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if b.Row != nil {
			row.PublicRow = store.JSON(b.Row)
		}
		stored, err := tx.HandIn(row, store.NewKey())
		if err != nil {
			return err
		}
		if err := c.opts.enqueue(tx, &stored); err != nil {
			return err
		}
	}
	return nil
}
