package board

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/server/store"
)

func TestASeasonClosesEndsAndTellsItsSeeds(t *testing.T) {
	h := newHall(t)
	s, _ := h.handIn("rho=2", "k")
	h.trained(s.ID)
	if ended, err := EndSeasons(t.Context(), h.opts.Store, h.dir, h.opts.Now()); err != nil || ended != nil {
		t.Errorf("before its date: %v %v", ended, err)
	}
	all, err := h.Standings(t.Context(), h.track, 1)
	if err != nil || all.Season.Key != "" || all.Season.Seeds != nil || all.Season.Closed {
		t.Errorf("%v %+v", err, all.Season)
	}
	promised := all.Season.Digest
	h.clock.Add((91 * 24 * time.Hour).Milliseconds())
	next, fresh := h.handIn("rho=2", "k")
	if !fresh || next.Season != 2 || next.ID == s.ID {
		t.Errorf("after its date the same is %v %+v", fresh, next)
	}
	if ended, err := EndSeasons(t.Context(), h.opts.Store, h.dir, h.opts.Now()); err != nil ||
		!slices.Equal(ended, []int64{1}) {
		t.Errorf("%v %v", ended, err)
	}
	h.tell()
	all, err = h.Standings(t.Context(), h.track, 1)
	key, err2 := OpenSeason(h.dir, 1)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.Season.Seeds, key.Seeds(h.track).values) || all.Season.Digest != promised ||
		len(all.Rows) != 1 || all.Rows[0].ID != s.ID {
		t.Errorf("%+v", all)
	}
	h.trained(next.ID)
	if number, err := CloseSeason(t.Context(), h.opts.Store, h.opts.Now()); err != nil || number != 2 {
		t.Errorf("closed by hand: %d %v", number, err)
	}
}

func TestASeasonBeginsWhenItsKeyCanBeKept(t *testing.T) {
	h := newHall(t)
	folder := h.dir
	h.dir = filepath.Join(folder, "gone")
	h.idle()
	_, _, err := h.HandIn(t.Context(), h.handed("rho=2", "a key", "here"))
	if CodeOf(err) != Full || !strings.Contains(err.Error(), "nothing has changed") {
		t.Errorf("without its data folder: %v", err)
	}
	h.dir = folder
	h.begin()
	if s, fresh := h.handIn("rho=2", "a key"); !fresh || s.Season != 1 {
		t.Errorf("with its data folder: %+v", s)
	}
}

func TestASeasonWithoutItsKeyWaitsForItAndTakesNoOther(t *testing.T) {
	h := newHall(t)
	s, _ := h.handIn("rho=2", "k")
	h.trained(s.ID)
	h.idle()
	seasons := []store.BoardSeason{}
	err := h.opts.Store.View(t.Context(), func(tx *store.Tx) (err error) { seasons, err = tx.Seasons(); return err })
	if err := errors.Join(err, os.Rename(KeyFile(h.dir, 1), KeyFile(h.dir, 7))); err != nil {
		t.Fatal(err)
	}
	if _, err := keyOf(h.dir, seasons, 1); err == nil || !strings.Contains(err.Error(), "bring it back") {
		t.Errorf("without the key: %v", err)
	}
	if _, err := os.Stat(KeyFile(h.dir, 1)); err == nil {
		t.Error("another key was made")
	}
	if _, err := OpenSeason(h.dir, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := keyOf(h.dir, seasons, 1); err == nil || !strings.Contains(err.Error(), "is not the key") {
		t.Errorf("with another key: %v", err)
	}
	h.Contest.Close()
	h.begin()
	late, _ := h.handIn("rho=3", "k")
	for until := time.Now().Add(time.Minute); late.State != store.Failed && time.Now().Before(until); {
		time.Sleep(100 * time.Millisecond)
		if late, err = h.Standing(t.Context(), h.track, late.ID); err != nil {
			t.Fatal(err)
		}
	}
	if late.Public == nil || !strings.Contains(late.Reason, "does not have the key") ||
		strings.Contains(late.Reason, h.dir) {
		t.Errorf("an entry of a season without its key is %+v", late)
	}
	if _, err := Kinds(t.Context(), h.options(h.queue)); err == nil || !strings.Contains(err.Error(), "is not the key") {
		t.Errorf("a worker with another key: %v", err)
	}
}
