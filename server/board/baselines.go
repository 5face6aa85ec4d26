package board

// Baselines in a season. The first entry on a track adds the track's baselines as entries of the season: they are
// trained on its secret seeds too, so that one ranking holds one kind of seeds.

import (
	"encoding/json"
	"errors"
	"fmt"

	"impalab/server/store"
)

// addBaselines adds the baselines of a track to a season that does not have them, and queues them. The measured rows
// stand for their public seeds; baselines without one are trained on these as well.
func (c *Contest) addBaselines(tx *store.Tx, t *Track, season int64) error {
	for i := range t.Baselines {
		b := &t.Baselines[i]
		row := store.BoardEntry{ID: entryID(season, t, &b.Entry), Season: season, Track: t.Name, Form: t.Form(),
			Settings: b.Text()}
		if _, err := tx.Entry(row.ID); err == nil || !errors.Is(err, store.ErrNotFound) {
			if err != nil {
				return err
			}
			continue
		}
		if measured := c.opts.Tracks.measured(t, b.Hash); measured != nil {
			text, err := json.Marshal(measured)
			if err != nil {
				return err
			}
			row.PublicRow = string(text)
		}
		kept, err := tx.AddBaseline(row)
		if err != nil {
			return err
		}
		if err := c.opts.enqueue(tx, &kept); err != nil {
			return err
		}
	}
	return nil
}

// measured is the measured row of this hash; nil: there is none.
func (t *Tracks) measured(track *Track, hash string) *Row {
	rows := t.Rows(track)
	for i := range rows {
		if rows[i].Hash == hash {
			return &rows[i]
		}
	}
	return nil
}

// nameBaselines names the rows that are baselines, gives them their measured rows, and adds those that the season does
// not have.
func (s *Standings) nameBaselines(tracks *Tracks) {
	byHash := map[string]int{}
	for i := range s.Rows {
		byHash[s.Rows[i].Entry.Hash] = i
	}
	for i := range s.Track.Baselines {
		b := &s.Track.Baselines[i]
		measured := tracks.measured(s.Track, b.Hash)
		at, there := byHash[b.Hash]
		switch {
		case !there && measured == nil:
			continue
		case !there:
			at = len(s.Rows)
			s.Rows = append(s.Rows, Standing{ID: entryID(0, s.Track, &b.Entry), Entry: b.Entry, State: store.Done})
		case s.Rows[at].State == store.Done, s.Rows[at].State == store.Failed:
			s.Ready++
		}
		if s.Rows[at].Baseline = b.Name; measured != nil {
			s.Rows[at].Public = measured
		}
	}
	s.BySecret = s.Season.Number > 0 && s.Ready == len(s.Track.Baselines)
}

// Waiting says in words what the ranking waits for until it rests on secret seeds; "": nothing, or no season.
func (s *Standings) Waiting() string {
	all := len(s.Track.Baselines)
	begun := false
	for i := range s.Rows {
		begun = begun || s.Rows[i].Season > 0
	}
	switch {
	case s.Season.Number == 0 || s.BySecret:
		return ""
	case !begun:
		return fmt.Sprintf("Nothing has been submitted on this track this season. Its baselines are trained on the "+
			"season's secret seeds when something is; until then their %d public seeds rank them.", len(s.Track.Public))
	}
	return fmt.Sprintf("The baselines are being trained on this season's secret seeds: %d of %d are ready. Until then "+
		"the %d public seeds rank all rows.", s.Ready, all, len(s.Track.Public))
}
