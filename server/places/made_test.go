package places

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"impalab/server/errcode"
)

func TestEqualRequestsShareOneResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, times := NewMade(10), 0
		work := func(context.Context) ([]byte, error) { times++; time.Sleep(time.Second); return []byte("film"), nil }
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if blob, err := m.Get(t.Context(), "a", work); string(blob) != "film" || err != nil {
					t.Errorf("it is %q, %v", blob, err)
				}
			})
		}
		all.Wait()
		m.Get(t.Context(), "a", work)
		if times != 1 {
			t.Errorf("it was made %d times for 6 requests", times)
		}
	})
}

func TestTheOldestResultsGiveWay(t *testing.T) {
	m, made := NewMade(10), ""
	get := func(key string, bytes int) {
		m.Get(t.Context(), key, func(context.Context) ([]byte, error) { made += key; return make([]byte, bytes), nil })
	}
	get("a", 4)
	get("b", 4)
	get("a", 4) // used last
	get("c", 4)
	get("a", 4)
	get("b", 4)
	get("d", 11) // never kept
	get("d", 11)
	if made != "abcbdd" || m.bytes > 10 {
		t.Errorf("made %s, keeps %d bytes", made, m.bytes)
	}
}

func TestARequestDoesNotFailWithTheOneThatMakesItsResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, why := range []error{context.Canceled, errcode.Errorf(errcode.Full, "your turn is late")} {
			m := NewMade(10)
			first := make(chan error, 1)
			ctx, leave := context.WithCancel(t.Context())
			go func() {
				_, err := m.Get(ctx, "a", func(context.Context) ([]byte, error) { time.Sleep(time.Second); return nil, why })
				first <- err
			}()
			synctest.Wait()
			blob, err := m.Get(t.Context(), "a", func(context.Context) ([]byte, error) { return []byte("own"), nil })
			if string(blob) != "own" || err != nil {
				t.Errorf("beside a request that ended with %v: %q, %v", why, blob, err)
			}
			if err := <-first; !errors.Is(err, why) {
				t.Errorf("the first is answered %v, want %v", err, why)
			}
			leave()
		}
	})
}

// An address whose own requests wait for a place must not make others wait with it, who find a free one.
func TestARequestOfAnotherAddressDoesNotWaitForWorkThatHasNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, at, times := NewMade(10), New(Limits{What: "it", Total: 2, Each: 1, Within: time.Minute}), 0
		get := func(address string) ([]byte, error) {
			return m.Get(By(t.Context(), address), "film", func(ctx context.Context) (made []byte, err error) {
				err = at.Do(ctx, time.Second, func(context.Context) error {
					times++
					time.Sleep(time.Second)
					made = []byte("film")
					return nil
				})
				return made, err
			})
		}
		go at.Do(By(t.Context(), "eve"), time.Second, func(context.Context) error {
			time.Sleep(20 * time.Second)
			return nil
		})
		synctest.Wait()
		var eve sync.WaitGroup
		for range 3 {
			eve.Go(func() {
				if blob, err := get("eve"); string(blob) != "film" || err != nil {
					t.Errorf("the address whose request waited has %q, %v", blob, err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		if blob, err := get("ada"); string(blob) != "film" || err != nil || time.Since(began) != time.Second {
			t.Errorf("another address has %q, %v, after %v", blob, err, time.Since(began))
		}
		eve.Wait()
		if times != 1 {
			t.Errorf("it was made %d times", times)
		}
	})
}
