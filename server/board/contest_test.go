package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/store"
)

func TestAConfigurationSubmittedTwiceIsOneRowWithTheResultOfAnyMachine(t *testing.T) {
	h := newHall(t)
	first, fresh := h.handIn("rho=2", "the first key")
	if !fresh || first.Tried != 1 || first.State == store.Done {
		t.Errorf("%v %+v", fresh, first)
	}
	same, fresh := h.handIn("rho=2.0", "another key")
	if fresh || same.ID != first.ID || same.Tried != 2 {
		t.Errorf("the same again is %v %+v", fresh, same)
	}
	done := h.trained(first.ID)
	again, err := Train(t.Context(), Order{Track: h.track, Entry: first.Entry, Seeds: h.track.PublicSeeds(), Jobs: 3})
	if err != nil {
		t.Fatal(err)
	}
	again.Name = "Ada"
	if a, b := text(t, done.Public), text(t, again); a != b {
		t.Errorf("the row is\n%s\nand elsewhere it comes to\n%s", a, b)
	}
	season, err := ReadSeason(t.Context(), h.kept, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err = Train(t.Context(), Order{Track: h.track, Entry: first.Entry, Seeds: season.Seeds(h.track), Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	again.Name = "Ada"
	exact := text(t, again)
	again.coarse()
	if a, b := text(t, done.Secret), text(t, again); a != b || b == exact {
		t.Errorf("the secret row is\n%s\nand elsewhere it comes to\n%s", a, b)
	}
	all, err := h.Standings(t.Context(), h.track, 0, 1)
	if err != nil || len(all.Rows) != 1+len(h.track.Baselines) || all.Season.Number != 1 {
		t.Errorf("%v %+v", err, all)
	}
}

// Public seeds rank all rows until every baseline of a season is trained on its secret seeds; then secret seeds do.
func TestOneRankingHoldsOneKindOfSeeds(t *testing.T) {
	h := newHall(t)
	h.idle()
	h.handIn("rho=2", "k")
	all, err := h.Standings(t.Context(), h.track, 0, 1)
	if err != nil || all.BySecret || all.Ready != 0 || len(all.Rows) != 1+len(h.track.Baselines) {
		t.Errorf("at once: %v, %+v", err, all)
	}
	h.end()
	h.begin()
	for until := time.Now().Add(kit.Patience); !all.BySecret; time.Sleep(20 * time.Millisecond) {
		h.notify()
		if all, err = h.Standings(t.Context(), h.track, 0, 1); err != nil || time.Now().After(until) {
			t.Fatalf("%v, %d baselines are ready", err, all.Ready)
		}
		for i := range all.Rows {
			if r := &all.Rows[i]; r.Seeds() == "secret" && !all.BySecret {
				t.Fatalf("%s is ranked by secret seeds, and %d baselines are ready", r.Name(), all.Ready)
			}
		}
	}
	for i := range all.Rows {
		if r := &all.Rows[i]; r.Baseline != "" && (r.Seeds() != "secret" || r.Tried != 0 || r.Provisional ||
			r.Rank == Rank{}) {
			t.Errorf("the baseline %s: %s seeds, tried %d times, rank %q", r.Baseline, r.Seeds(), r.Tried, r.Rank)
		}
	}
	if all.Ready != len(h.track.Baselines) {
		t.Errorf("%d baselines are ready", all.Ready)
	}
}

func TestWhatCannotBeRankedIsRefusedBeforeItIsQueued(t *testing.T) {
	h := newHall(t)
	for text, want := range map[string]string{
		"lag=7":         "lag is fixed at 1 on Small",
		"rho=2 lr=1000": `lr="1000": must be a number from 0 to 10`,
		"roh=2":         "did you mean rho?",
		"":              "change at least one setting: this is the start of Small",
	} {
		_, _, err := h.HandIn(t.Context(), h.handed(text, "k", "here"))
		if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, nickname := range []string{"\u202eada", "a\x00", strings.Repeat("x", 25), "   "} {
		with := h.handed("rho=2", "k", "here")
		with.Nickname = nickname
		if _, _, err := h.HandIn(t.Context(), with); errcode.Of(err) != errcode.Refused {
			t.Errorf("%q: %v", nickname, err)
		}
	}
	all, err := h.Standings(t.Context(), h.track, 0, 1)
	if err != nil || all.Season.Number != 0 || len(all.Rows) > 0 {
		t.Errorf("%v %+v", err, all)
	}
	heavy := h.track.Start
	heavy.Steps, heavy.UnrollLen, heavy.BatchSize, heavy.Hidden = 1e9, 4, 64, "512-512"
	if err := affordable(&heavy, 256e6); err == nil || !strings.Contains(err.Error(), "operations") {
		t.Errorf("a year of a core: %v", err)
	}
	for _, track := range Own().All {
		for _, b := range track.Baselines {
			if err := affordable(&b.Config, 256e6); err != nil {
				t.Errorf("%s, %s: %v", track.Name, b.Name, err)
			}
		}
	}
}

func TestOneAddressMayHaveSoManyEntriesWaiting(t *testing.T) {
	h := newHall(t)
	h.idle()
	for i := range mostWaiting {
		h.handIn(fmt.Sprintf("rho=%d", i+2), "k")
	}
	_, _, err := h.HandIn(t.Context(), h.handed("rho=99", "k", "here"))
	if errcode.Of(err) != errcode.TooFast || !strings.Contains(err.Error(), "12 entries from your address") {
		t.Errorf("%v", err)
	}
	if s, fresh := h.handIn("rho=2", "k"); fresh || s.Tried != 2 {
		t.Errorf("what waits already, handed in again: %v %+v", fresh, s)
	}
	if _, _, err := h.HandIn(t.Context(), h.handed("rho=99", "k", "elsewhere")); err != nil {
		t.Errorf("a stranger: %v", err)
	}
}

// A season has a limited number of rows on a track, and a row is never deleted. So one address makes so many in a day.
func TestOneAddressMakesSoManyRowsInADay(t *testing.T) {
	defer func(before int) { mostADay = before }(mostADay)
	mostADay = 3
	h := newHall(t)
	h.idle()
	for i := range mostADay {
		h.handIn(fmt.Sprintf("rho=%d", i+2), "k")
	}
	_, _, err := h.HandIn(t.Context(), h.handed("rho=99", "k", "here"))
	if errcode.Of(err) != errcode.TooFast || !strings.Contains(err.Error(), "3 new entries") {
		t.Errorf("a row too many: %v", err)
	}
	if _, fresh := h.handIn("rho=2", "k"); fresh {
		t.Error("a row that the board has is fresh")
	}
	if _, _, err := h.HandIn(t.Context(), h.handed("rho=99", "k", "elsewhere")); err != nil {
		t.Errorf("a stranger: %v", err)
	}
}

// A few addresses fill the queue, and a stranger hands in.
func TestTheNewestEntryOfTheLargestAddressGivesWayToAStranger(t *testing.T) {
	h := newHall(t)
	h.idle()
	defer func(before int) { mostInQueue = before }(mostInQueue)
	mostInQueue = 3*mostWaiting + len(h.track.Baselines)
	n := 0
	handIn := func(address string) (Standing, error) {
		n++
		s, _, err := h.HandIn(t.Context(), h.handed(fmt.Sprintf("rho=%d", n+1), "k", address))
		return s, err
	}
	var all []Standing
	for i := range 3 * mostWaiting {
		s, err := handIn(fmt.Sprint("many ", i/mostWaiting))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if _, err := handIn("stranger"); err != nil {
		t.Fatal("a stranger: ", err)
	}
	gone := 0
	for _, s := range all {
		is, err := h.Standing(t.Context(), h.track, s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if is.State == store.Failed {
			if gone++; !strings.Contains(is.Reason, "your address had most; submit it again") {
				t.Errorf("%q", is.Reason)
			}
			if s, fresh, err := h.HandIn(t.Context(), h.handed(is.Entry.Text(), "k", "stranger")); err != nil || fresh ||
				s.State != store.Queued {
				t.Errorf("submitted again: %v, %s", err, s.State)
			}
		}
	}
	if gone != 1 {
		t.Errorf("%d entries gave way to one", gone)
	}
	for err := error(nil); err == nil && n < 100; {
		if _, err = handIn("stranger"); err != nil {
			wants := "no address has more of them than yours"
			if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), wants) {
				t.Errorf("%v", err)
			}
		}
	}
	waiting, err := store.Get(t.Context(), h.kept, (*store.Tx).EntriesOpen)
	of := map[string]int{}
	for _, e := range waiting {
		of[e.Address]++
	}
	if delete(of, ""); err != nil || len(waiting) != mostInQueue || len(of) != 4 {
		t.Errorf("%v, %d wait: %v", err, len(waiting), of)
	}
	for _, n := range of {
		if n < mostWaiting*3/4-1 {
			t.Errorf("the addresses have %v", of)
		}
	}
}

// stopInSecretSeed stops the worker while it trains a secret seed of an entry, and reports whether the entry's state
// was stored. It reports false when the entry was trained before the worker stopped.
func (h *hall) stopInSecretSeed(id string) bool {
	h.t.Helper()
	wait := time.Millisecond // it doubles, so that a worker comes to a state before it stops again
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); time.Sleep(wait) {
		var e store.BoardEntry
		var snapshot []byte
		read := func(tx *store.Tx) (err error) { e, err = tx.Entry(id); return err }
		if err := h.kept.View(h.t.Context(), read); err != nil {
			h.t.Fatal(err)
		}
		if e.PublicRow == "" {
			continue
		}
		if e.State == store.Done {
			return false
		}
		h.end()
		read = func(tx *store.Tx) (err error) { snapshot, err = tx.JobSnapshot(e.Job); return err }
		if err := h.kept.View(h.t.Context(), read); err != nil {
			h.t.Fatal(err)
		}
		if snapshot != nil {
			return true
		}
		h.begin()
		wait *= 2
	}
	h.t.Fatal("no state was kept")
	return false
}

// TestASeedContinuesWhereItsWorkerStopped stops a worker in the middle of a secret seed. An entry that was trained
// before the worker stopped is followed by another.
func TestASeedContinuesWhereItsWorkerStopped(t *testing.T) {
	h := newHall(t)
	h.track.Start.Steps = 6_000
	var s Standing
	for rho, stopped := 2, false; !stopped; rho++ {
		s, _ = h.handIn(fmt.Sprint("rho=", rho), "k")
		stopped = h.stopInSecretSeed(s.ID)
	}
	key, err := ReadSeason(t.Context(), h.kept, 1)
	if err != nil {
		t.Fatal(err)
	}
	h.begin()
	done := h.trained(s.ID)
	again, err := Train(t.Context(), Order{Track: h.track, Entry: s.Entry, Seeds: key.Seeds(h.track), Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	again.Name = "Ada"
	again.coarse()
	if a, b := text(t, done.Secret), text(t, again); a != b {
		t.Errorf("the row is\n%s\nand in one go it comes to\n%s", a, b)
	}
}

func TestAProvisionalRowHasTheRankItWouldHaveAndOthersDoNotCountIt(t *testing.T) {
	row := func(name string, low, mean, high float64, secret bool) *line {
		l := &line{id: name, hash: name, season: 1, state: store.Done, public: &score{low, mean, high}}
		if secret {
			l.secret = l.public
		}
		return l
	}
	rows := []*line{row("two", 1, 2, 3, true), row("three", 8, 8.5, 9, false),
		{id: "four", season: 1, state: store.Queued, place: 1}, row("five", 5, 6, 7, true)}
	rows[3].baseline = new(Baseline)
	rank(rows, true)
	got := []string{}
	for _, l := range rows {
		got = append(got, fmt.Sprint(l.id, " ", l.rank, " ", l.provisional))
	}
	if want := []string{"three 1 true", "five 1 false", "two 2 false", "four  false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestARunThatFitsNoTrackIsToldTheSettingsThatDifferAndNoList(t *testing.T) {
	cfg := kit.Config(t, "lag-cliff", "")
	_, err := Own().Fits(&cfg, false)
	var misfit *Misfit
	if !errors.As(err, &misfit) || !slices.Contains(misfit.Open, "rho") {
		t.Fatalf("%v", err)
	}
	const want = "Late pole is the nearest track, and does not take this: lag is fixed at 16 on Late pole"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

func TestARunIsTakenByTheTracksThatItFitsOrIsToldWhyNot(t *testing.T) {
	own := Own()
	late, _ := own.Find("late-pole")
	cfg := late.Start
	cfg.Seed, cfg.Steps, cfg.RhoBar = 77, 0, 2
	fits, err := own.Fits(&cfg, false)
	if err != nil || len(fits) != 1 || fits[0].Track != late || fits[0].Entry.Text() != "rho=2" {
		t.Errorf("%v %+v", err, fits)
	}
	for what, c := range map[string]struct {
		change  func(*hyper.Config)
		steered bool
		want    string
	}{
		"another lag": {func(c *hyper.Config) { c.Lag = 3 }, false, "lag is fixed at 16 on Late pole"},
		"live":        {func(c *hyper.Config) { c.Mode = hyper.Live }, false, "mode is fixed at reference"},
		"the start": {func(c *hyper.Config) { c.RhoBar = late.Start.RhoBar }, false,
			"this is the start of Late pole: change one setting, then hand it in"},
		"steered": {func(*hyper.Config) {}, true, "changed during the run"},
		"a world of none": {func(c *hyper.Config) { c.World = "breakout" }, false,
			"no track of the board is played in the world breakout"},
	} {
		other := cfg
		c.change(&other)
		if _, err := own.Fits(&other, c.steered); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
