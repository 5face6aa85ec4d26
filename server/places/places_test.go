package places

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"impalab/server/errcode"
)

// office counts the work that it has seen, in order.
type office struct {
	*Places
	t     *testing.T
	mu    sync.Mutex
	begun []string
	all   sync.WaitGroup
}

func open(t *testing.T, limits Limits) *office {
	limits.What = "drawing"
	return &office{Places: New(limits), t: t}
}

// ask asks for work of a second as an address, and returns when the request waits or has its answer.
func (o *office) ask(ctx context.Context, address string) <-chan error {
	answer := make(chan error, 1)
	o.all.Go(func() {
		answer <- o.Do(By(ctx, address), time.Second, func(ctx context.Context) error {
			o.mu.Lock()
			o.begun = append(o.begun, Visitor(ctx))
			o.mu.Unlock()
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	synctest.Wait()
	return answer
}

func (o *office) want(order string) {
	o.t.Helper()
	o.all.Wait()
	if got := strings.Join(o.begun, ""); got != order {
		o.t.Errorf("places were taken in the order %s, want %s", got, order)
	}
}

func TestAddressesHavePlacesInRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t, Limits{Total: 1, Each: 1, Within: time.Minute})
		for _, address := range []string{"a", "a", "a", "a", "b", "b", "c"} {
			o.ask(t.Context(), address)
		}
		o.want("abcabaa")
	})
}

func TestAStrangerNeedsNoTurnWhilePlacesAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t, Limits{Total: 3, Each: 1, Within: time.Minute})
		for _, address := range []string{"a", "a", "a", "a", "b"} {
			o.ask(t.Context(), address)
		}
		if got := o.begun; !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("at once began %v, want one of each address", got)
		}
		o.want("abaaa")
	})
}

func TestWorkThatCannotEndInTimeIsRefusedBeforeItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t, Limits{Total: 1, Each: 1, Within: 3500 * time.Millisecond})
		o.ask(t.Context(), "a")
		o.ask(t.Context(), "a")
		third := o.ask(t.Context(), "a")
		began := time.Now()
		err := <-o.ask(t.Context(), "a")
		if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "would begin in 3 s") {
			t.Errorf("a fourth second within 3.5 is answered %v", err)
		}
		err = o.Do(t.Context(), 4*time.Second, func(context.Context) error { t.Error("it began"); return nil })
		if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "would take 4 s") {
			t.Errorf("four seconds within 3.5 are answered %v", err)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("the refusals took %s", waited)
		}
		if err := <-o.ask(t.Context(), "b"); err != nil {
			t.Errorf("a stranger has the next place, and is answered %v", err)
		}
		if err := <-third; errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "other requests come first") {
			t.Errorf("a request that a stranger came before is answered %v", err)
		}
		o.want("aba")
	})
}

func TestAnAskerThatLeavesGivesUpItsPlaceAndItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t, Limits{Total: 1, Each: 1, Within: time.Minute})
		ctx, leave := context.WithCancel(t.Context())
		works, waits := o.ask(ctx, "a"), o.ask(ctx, "b")
		stays := o.ask(t.Context(), "c")
		began := time.Now()
		leave()
		for _, left := range []<-chan error{works, waits} {
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("an asker that left is answered %v", err)
			}
		}
		if err := <-stays; err != nil || time.Since(began) != time.Second {
			t.Errorf("the next had its place after %s: %v", time.Since(began)-time.Second, err)
		}
		o.want("ac")
		if len(o.held)+len(o.ring)+len(o.waits) > 0 {
			t.Errorf("after all have left, %d hold places, and %v wait", len(o.held), o.waits)
		}
	})
}

func TestWorkIsEndedAtItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := open(t, Limits{Total: 1, Each: 1, Within: 5 * time.Second, Instead: "ask for less"})
		began := time.Now()
		err := o.Do(t.Context(), time.Second, func(ctx context.Context) error {
			if err := o.Fits(ctx, 4*time.Second); err != nil {
				t.Errorf("4 of 5 s: %v", err)
			}
			if err := o.Fits(ctx, 6*time.Second); errcode.Of(err) != errcode.Full {
				t.Errorf("6 of 5 s: %v", err)
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "ask for less") ||
			time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		if o.usual != 5*time.Second {
			t.Errorf("such work is now expected to take %s", o.usual)
		}
		err = o.Do(t.Context(), 0, func(context.Context) error { return nil })
		if err != nil {
			t.Errorf("work of a cost that nobody knows is refused: %v", err)
		}
	})
}
