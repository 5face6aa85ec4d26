package schedule

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// compute is a core's time: Sleep in a bubble, where time passes when all sleep.
func compute(s *Share, d time.Duration) {
	s.Acquire()
	time.Sleep(d)
	s.Release()
}

// use is the time that a goroutine computed.
type use struct{ had time.Duration }

// busy computes pieces one after another until end, and yields between them as an update does.
func (u *use) busy(s *Share, piece time.Duration, end time.Time) {
	s.Acquire()
	for time.Now().Before(end) {
		time.Sleep(piece)
		u.had += piece
		s.Yield()
	}
	s.Release()
}

func TestOneLightRunBesideFifteenHeavyOnesOfOthersHardlyWaits(t *testing.T) {
	for _, c := range []struct {
		owners int           // of the heavy ones
		piece  time.Duration // between two Yields
	}{{1, 5 * time.Millisecond}, {1, 50 * time.Millisecond}, {1, time.Second},
		{6, 5 * time.Millisecond}, {6, 50 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			cores := NewCores(2)
			const warm = 10 * time.Second // by then each has been measured
			end := time.Now().Add(warm + 20*time.Second)
			for i := range 15 {
				s := cores.Share(fmt.Sprint(i%c.owners), 1)
				go new(use).busy(s, c.piece, end)
			}
			time.Sleep(warm)
			victim := cores.Share("light", 1)
			var waits []time.Duration
			for time.Now().Before(end) {
				asked := time.Now()
				victim.Acquire()
				waits = append(waits, time.Since(asked))
				time.Sleep(time.Millisecond) // its update
				victim.Release()
				time.Sleep(39 * time.Millisecond)
			}
			slices.Sort(waits)
			if worst := waits[len(waits)-1]; worst > 2*slice {
				t.Errorf("%d owners, pieces of %v: the light run waited %v for a core, want at most two slices of %v", c.owners,
					c.piece, worst, slice)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
		})
	}
}

// Light runs yield in time. With an extra core, Go's scheduler would let a run wait that is charged for its time.
func TestNoExtraCoreIsGrantedAmongLightRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cores := NewCores(2)
		end := time.Now().Add(5 * time.Second)
		for i := range 30 {
			s := cores.Share(fmt.Sprint(i), 1)
			go new(use).busy(s, 700*time.Microsecond, end)
		}
		lent, looked := 0, 0
		for time.Now().Before(end) {
			time.Sleep(101 * time.Microsecond)
			synctest.Wait()
			cores.mu.Lock()
			if looked++; cores.free < 0 {
				lent++
			}
			cores.mu.Unlock()
		}
		if lent > looked/1000 { // the first runs are not measured yet
			t.Errorf("at %d of %d moments more than two cores were at work", lent, looked)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}

func TestOwnersShareEvenlyHoweverManyRunsTheyHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCores(2)
		end := time.Now().Add(20 * time.Second)
		school := make([]use, 35)
		for i := range school {
			s := c.Share("school", 1)
			go school[i].busy(s, time.Duration(1+i%7)*time.Millisecond, end)
		}
		var strangers [2]use // two runs, as one cannot use two cores
		for i := range strangers {
			s := c.Share("stranger", 1)
			go strangers[i].busy(s, 3*time.Millisecond, end)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		total, least, most := time.Duration(0), time.Hour, time.Duration(0)
		for _, u := range school {
			total += u.had
			least, most = min(least, u.had), max(most, u.had)
		}
		theirs := strangers[0].had + strangers[1].had
		if share := float64(theirs) / float64(theirs+total); share < 0.45 || share > 0.55 {
			t.Errorf("the stranger had %v and the school %v: %.0f %%, want half", theirs, total, 100*share)
		}
		if most > 2*least {
			t.Errorf("of the school's runs one had %v and another %v", least, most)
		}
	})
}

// Unused time is not saved up: a run that rested for an hour has no claim to the next.
func TestRestIsNotSavedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCores(1)
		a, b := c.Share("a", 1), c.Share("b", 1)
		compute(a, time.Hour)
		compute(b, time.Millisecond)
		compute(a, time.Hour)
		end := time.Now().Add(10 * time.Second)
		var one, two use
		go one.busy(a, time.Millisecond, end)
		two.busy(b, time.Millisecond, end)
		time.Sleep(time.Second)
		synctest.Wait()
		if one.had < 4*time.Second || two.had < 4*time.Second {
			t.Errorf("of ten seconds one had %v and the other %v", one.had, two.had)
		}
	})
}

func TestOnlyLightRunsHoldExtraCores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCores(2)
		end := time.Now().Add(time.Second)
		for i := range 20 {
			s := c.Share(fmt.Sprint(i%3), 1)
			go new(use).busy(s, time.Duration(1+i)*time.Millisecond, end)
		}
		for time.Now().Before(end) {
			time.Sleep(100 * time.Microsecond)
			c.mu.Lock()
			held, holders := 0, 0
			for _, h := range c.active {
				held += h.held
				holders += min(1, h.held)
			}
			if held != c.n-c.free || held > 2*c.n || holders != len(c.holding) {
				t.Fatalf("%d cores are held by %d runs (%d in the list), %d are free of %d", held, holders, len(c.holding),
					c.free, c.n)
			}
			c.mu.Unlock()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.free != 2 || len(c.active)+len(c.holding) != 0 || c.waiting.Load() != 0 {
			t.Errorf("at rest %d cores are free", c.free)
		}
	})
}

func TestGoroutinesOfADroppedRunEndWhereTheyWouldTakeACore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCores(1)
		other, s := c.Share("a", 1), c.Share("b", 1)
		other.Acquire()
		ended := make(chan error, 3)
		for range 2 {
			go func() { ended <- Catch(func() error { s.Acquire(); s.Release(); return nil }) }()
		}
		synctest.Wait()
		s.Close()
		s.Close()
		go func() { ended <- Catch(func() error { s.Acquire(); return nil }) }()
		for range 3 {
			if err := <-ended; !errors.Is(err, ErrClosed) {
				t.Errorf("a goroutine ended with %v", err)
			}
		}
		other.Release()
		time.Sleep(time.Second)
		free := func() int { c.mu.Lock(); defer c.mu.Unlock(); return c.free }
		if free() != 1 {
			t.Errorf("%d cores are free, want 1", free())
		}
		busy := c.Share("c", 1)
		busy.Acquire()
		busy.Close()
		if err := Catch(func() error { busy.Yield(); return nil }); !errors.Is(err, ErrClosed) || free() != 1 {
			t.Errorf("after Yield: %v, %d free", err, free())
		}
	})
}

func TestAnEmptyQueueCostsNothing(t *testing.T) {
	s := NewCores(2).Share("a", 1)
	if n := testing.AllocsPerRun(100, func() { s.Acquire(); s.Yield(); s.Release() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAnOwnerOfThreeTimesTheWeightGetsThreeTimesAsMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCores(2)
		end := time.Now().Add(20 * time.Second)
		var each [2][4]use
		for i := range 4 {
			go each[0][i].busy(c.Share("watched", 3), 5*time.Millisecond, end)
			go each[1][i].busy(c.Share("swept", 1), 5*time.Millisecond, end)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		var had [2]time.Duration
		for k := range each {
			for i := range each[k] {
				had[k] += each[k][i].had
			}
		}
		if ratio := float64(had[0]) / float64(had[1]); ratio < 2.8 || ratio > 3.2 {
			t.Errorf("they got %v and %v, which is %.2f to 1", had[0], had[1], ratio)
		}
	})
}
