package board

import (
	"errors"
	"slices"
	"testing"
	"time"

	"impalab/internal/kit"
)

func TestASeasonClosesEndsAndTellsItsSeeds(t *testing.T) {
	h := newHall(t)
	s, _ := h.handIn("rho=2", "k")
	h.trained(s.ID)
	if ended, err := EndSeasons(t.Context(), h.opts.Store, h.opts.Now()); err != nil || ended != nil {
		t.Errorf("before its date: %v %v", ended, err)
	}
	all, err := h.Standings(t.Context(), h.track, 1, 1)
	if err != nil || all.Season.Key != "" || all.Season.Seeds != nil || all.Season.Closed {
		t.Errorf("%v %+v", err, all.Season)
	}
	promised := all.Season.Digest
	h.clock.Add((91 * 24 * time.Hour).Milliseconds())
	next, fresh := h.handIn("rho=2", "k")
	if !fresh || next.Season != 2 || next.ID == s.ID {
		t.Errorf("after its date the same is %v %+v", fresh, next)
	}
	h.baselinesTrained(1)
	for until := time.Now().Add(kit.Patience); !all.Season.Over && err == nil; time.Sleep(20 * time.Millisecond) {
		if all, err = h.Standings(t.Context(), h.track, 1, 1); time.Now().After(until) {
			t.Fatal("the season does not end")
		}
	}
	key, err2 := ReadSeason(t.Context(), h.opts.Store, 1)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.Season.Seeds, key.Seeds(h.track).values) || all.Season.Digest != promised ||
		!slices.ContainsFunc(all.Rows, func(r Standing) bool {
			return r.ID == s.ID && r.Secret.Diverged != nil && len(r.Secret.Each) == h.track.Secret
		}) {
		t.Errorf("%+v", all)
	}
	h.trained(next.ID)
	if number, err := CloseSeason(t.Context(), h.opts.Store, h.opts.Now()); err != nil || number != 2 {
		t.Errorf("closed by hand: %d %v", number, err)
	}
}
