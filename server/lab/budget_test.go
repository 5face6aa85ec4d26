package lab

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// lodger is a tenant that follows its last order when obey is called.
type lodger struct {
	*claim
	left time.Time
	told string
}

func (t *lodger) unwatchedSince() time.Time { return t.left }
func (t *lodger) changed()                  {}
func (t *lodger) giveWay()                  { t.told = "give way" }
func (t *lodger) drop()                     { t.told = "drop" }

func lodge(b *budget, address string, bytes float64) *lodger {
	return lodgeFor(b, address, Watch, bytes)
}

func lodgeFor(b *budget, address string, purpose Purpose, bytes float64) *lodger {
	t := &lodger{}
	t.claim = &claim{tenant: t, address: address, purpose: purpose, bytes: bytes}
	b.ask(t.claim)
	time.Sleep(time.Millisecond) // so that one is newer than another
	return t
}

// obey has each tenant that the budget interrupted release its memory and ask again.
func obey(b *budget, all []*lodger) {
	for _, t := range all {
		told := t.told
		t.told = ""
		switch told {
		case "give way":
			b.release(t.claim)
			b.ask(t.claim)
		case "drop":
			b.release(t.claim)
		}
	}
}

func TestASchoolRunsWhileThereIsRoomAndAStrangerAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 48, memory: 1e9, turn: time.Minute}
		school := make([]*lodger, 35)
		for i := range school {
			if school[i] = lodge(b, "school", 1e6); !school[i].holds {
				t.Fatalf("browser %d of the school waits", i+1)
			}
		}
		for i := range 20 { // to the last of what one address may have, and beyond
			lodge(b, "school", 1e6)
			if stranger := lodge(b, fmt.Sprint("stranger ", i), 1e6); i < 6 && !stranger.holds {
				t.Fatalf("stranger %d waits at place %d", i+1, stranger.place)
			}
		}
	})
}

func TestTheOwnerOfMostRunsYieldsToAStranger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 8, memory: 1e9, turn: time.Minute} // one place is spare
		var all []*lodger
		for range 7 {
			all = append(all, lodge(b, "greedy", 1e6))
		}
		mine := lodge(b, "greedy", 1e6)
		if mine.holds || mine.place != 1 || mine.wait > time.Minute || mine.wait < 50*time.Second {
			t.Errorf("the eighth of one address: %+v", mine)
		}
		first := lodge(b, "first stranger", 1e6) // has the spare place
		second := lodge(b, "second stranger", 1e6)
		if !first.holds || second.holds || second.place != 1 || mine.place != 2 {
			t.Fatalf("first %+v, second %+v, mine %+v", first, second, mine)
		}
		if newest := all[6]; newest.told != "give way" {
			t.Fatalf("nobody was told to give way: %+v", newest)
		}
		obey(b, all)
		if !second.holds || all[6].holds || all[6].place == 0 {
			t.Errorf("second %+v, the newest of the greedy %+v", second, all[6])
		}
		for range 5 { // more strangers: the greedy address keeps as many places as each other address, and no fewer
			lodge(b, fmt.Sprint("stranger ", time.Now()), 1e6)
			obey(b, all)
		}
		if left := slices.IndexFunc(all, func(t *lodger) bool { return t.holds }); left != 0 {
			t.Errorf("of the greedy address number %d is the oldest left, want the oldest of all", left)
		}
	})
}

func TestUnwatchedRunsYieldFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 2, memory: 1e9, turn: time.Hour}
		watched, alone := lodge(b, "a", 1e6), lodge(b, "b", 1e6)
		alone.left = time.Now()
		next := lodge(b, "c", 1e6)
		if watched.told != "" || alone.told != "drop" || next.holds {
			t.Fatalf("%+v, %+v, %+v", watched, alone, next)
		}
		obey(b, []*lodger{watched, alone})
		if !next.holds {
			t.Error("the next was not admitted")
		}
	})
}

func TestTurnsEndWhenARunWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 3, memory: 1e9, turn: time.Minute}
		var all []*lodger
		for range 5 {
			all = append(all, lodge(b, "school", 1e6))
		}
		rounds := map[*lodger]int{}
		for range 600 { // ten minutes: three places for five are six minutes each
			time.Sleep(time.Second)
			b.tick(time.Hour)
			obey(b, all)
			for _, one := range all {
				if one.holds {
					rounds[one]++
				}
			}
		}
		for i, one := range all {
			if n := rounds[one]; n < 300 || n > 420 {
				t.Errorf("number %d ran for %d s of 600, want about 360", i, n)
			}
		}
	})
}

func TestMemoryIsHeldUntilItIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 100, memory: 1000, turn: time.Minute}
		var gone []*lodger
		for range 50 { // each leaves at once, and takes its time to be gone
			one := lodge(b, "spawner", 200)
			one.left = time.Now()
			gone = append(gone, one)
			if _, _, held := b.counts(); held > 1000*(1-spare) {
				t.Fatalf("%.0f bytes are held, more than one address may have", held)
			}
		}
		stranger := lodge(b, "stranger", 125)
		if !stranger.holds {
			t.Errorf("the stranger waits: %+v", stranger)
		}
		for range 60 {
			obey(b, gone)
			time.Sleep(time.Second)
			b.tick(2 * time.Second)
		}
		held, waiting, bytes := b.counts()
		if held > 5 || waiting != 0 || b.drainFreed() == 0 {
			t.Errorf("at the end %d claims hold %.0f bytes, and %d wait", held, bytes, waiting)
		}
	})
}

func TestAClaimGrowsOnlyWhereThereIsRoom(t *testing.T) {
	b := &budget{slots: 10, memory: 1000, turn: time.Minute}
	one, other := lodge(b, "a", 300), lodge(b, "b", 300)
	if b.resize(one.claim, 700) || !b.resize(one.claim, 500) || b.resize(other.claim, 400) || !b.resize(one.claim, 100) ||
		!b.resize(other.claim, 400) {
		t.Errorf("%+v, %+v", one.claim, other.claim)
	}
}

func TestWatchersComeBeforeBatchesOfWhichFewRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 4, cores: 1, memory: 100, turn: time.Minute}
		var batch []*lodger
		for range 5 {
			batch = append(batch, lodgeFor(b, "sweeper", Batch, 1))
		}
		if !batch[0].holds || !batch[1].holds || batch[2].holds || batch[2].place != 1 {
			t.Errorf("of five batch runs on one core these are in: %v %v %v", batch[0].holds, batch[1].holds, batch[2].holds)
		}
		var watchers []*lodger
		for i := range 4 {
			watchers = append(watchers, lodgeFor(b, fmt.Sprint(i), Watch, 1))
			obey(b, batch)
		}
		for i, w := range watchers {
			if !w.holds {
				t.Errorf("watcher %d waits for a batch", i)
			}
		}
		b.release(watchers[0].claim)
		b.release(watchers[1].claim)
		if !batch[0].holds && !batch[1].holds && !batch[2].holds {
			t.Error("no batch run goes on when there is room again")
		}
	})
}

// A stranger's first run does not wait for the runs of an address that has all the turns of its purpose.
func TestAStrangersFirstBatchRunTakesATurnOfTheLargestOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{slots: 48, cores: 2, memory: 1e9, turn: time.Minute}
		in := func(all []*lodger) (n int) {
			for _, one := range all {
				if one.holds {
					n++
				}
			}
			return n
		}
		var forty []*lodger
		for range 40 {
			forty = append(forty, lodgeFor(b, "forty runs", Batch, 1e6))
		}
		if in(forty) != 4 {
			t.Fatalf("%d of 40 go on, want 4", in(forty))
		}
		for range 10 { // alone, an address does not interrupt its own runs
			time.Sleep(time.Minute)
			b.tick(time.Hour)
		}
		obey(b, forty)
		if !forty[0].holds || !forty[3].holds {
			t.Error("the first runs gave way to runs of the same address")
		}
		all := slices.Clone(forty)
		for i := range 3 {
			stranger := lodgeFor(b, fmt.Sprint("stranger ", i), Batch, 1e6)
			all = append(all, stranger)
			if obey(b, all); !stranger.holds {
				t.Fatalf("stranger %d waits at place %d", i+1, stranger.place)
			}
			if in(forty) != 3-i {
				t.Errorf("beside %d strangers %d of the forty go on", i+1, in(forty))
			}
		}
		if !forty[0].holds {
			t.Error("the oldest run of the forty gave way")
		}
		fifth := lodgeFor(b, "stranger 4", Batch, 1e6)
		if obey(b, all); fifth.holds {
			t.Error("a fifth address took the only turn of another")
		}
		time.Sleep(time.Minute + time.Second)
		b.tick(time.Hour)
		if obey(b, all); !fifth.holds {
			t.Error("the fifth address has no turn after a minute")
		}
	})
}
