package schedule

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestAPanicOnAHelperComesBackToTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails when a helper outlives it
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
		p := NewPool()
		defer p.Close()
		for bad := range 16 {
			err := Catch(func() error {
				p.Each(16, func(i int) {
					if i == bad {
						panic(fmt.Sprint("item ", i))
					}
				})
				return nil
			})
			var fault *Fault
			if !errors.As(err, &fault) || fault.Value != fmt.Sprint("item ", bad) {
				t.Fatalf("item %d: %v", bad, err)
			}
			if !strings.Contains(err.Error(), "pool_test.go") {
				t.Errorf("the stack is not that of the panic: %s", err)
			}
		}
		var done atomic.Int64
		p.Each(100, func(int) { done.Add(1) })
		if done.Load() != 100 {
			t.Errorf("after the panics, %d of 100 items are done", done.Load())
		}
	})
}

func TestAFaultThrownAgainKeepsItsStack(t *testing.T) {
	first := Catch(func() error { panic("the first") })
	again := Catch(func() error { panic(first) })
	if again != first {
		t.Errorf("%v became %v", first, again)
	}
	if plain := errors.New("plain"); Catch(func() error { return plain }) != plain {
		t.Error("an error that is no panic was changed")
	}
}

func TestAHelperThatDoesNotComeIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if Each waits for the missing helpers
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
		p := NewPool()
		p.helpers = 2 // busy elsewhere
		for range 300 {
			done := 0
			p.Each(2, func(int) { done++ })
			if done != 2 {
				t.Fatalf("%d of 2 items are done", done)
			}
		}
	})
}

func TestEveryItemOfManyJobsIsDoneOnceBeforeEachReturns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p := NewPool()
	defer p.Close()
	for job := range 3000 {
		done := make([]int, 1+job%9) // without a lock: the race detector sees an item that is done twice, or late
		p.Each(len(done), func(i int) {
			if i%3 == job%3 {
				runtime.Gosched()
			}
			done[i]++
		})
		for i, n := range done {
			if n != 1 {
				t.Fatalf("job %d: item %d of %d is done %d times", job, i, len(done), n)
			}
		}
	}
}

func TestGuestsDoPartsOfAJobWhereNoHelperComes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p := NewPool()
	p.helpers = 4 // busy elsewhere
	over := make(chan bool)
	var guests sync.WaitGroup
	for range 3 {
		guests.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					p.Help()
				}
			}
		})
	}
	var helped atomic.Int64
	for job := 0; helped.Load() < 100; job++ {
		done := make([]int, 2+job%9) // without a lock, as above
		caller := goroutine()
		p.Each(len(done), func(i int) {
			if done[i]++; goroutine() != caller {
				helped.Add(1)
			}
			runtime.Gosched()
		})
		for i, n := range done {
			if n != 1 {
				t.Fatalf("job %d: item %d of %d is done %d times", job, i, len(done), n)
			}
		}
	}
	var there atomic.Int64
	for there.Load() == 0 { // until a guest panics
		caller := goroutine()
		err := Catch(func() error {
			p.Each(9, func(int) {
				if goroutine() != caller {
					there.Add(1)
					panic("a guest")
				}
				runtime.Gosched()
			})
			return nil
		})
		var fault *Fault
		if there.Load() > 0 && (!errors.As(err, &fault) || fault.Value != "a guest") {
			t.Errorf("the panic came back as %v", err)
		}
	}
	close(over)
	guests.Wait()
}

// goroutine returns a name of the calling goroutine.
func goroutine() string {
	var b [32]byte
	return strings.Fields(string(b[:runtime.Stack(b[:], false)]))[1]
}
