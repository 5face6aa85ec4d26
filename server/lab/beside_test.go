package lab

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/errcode"
	"impalab/server/places"
)

// ran returns a run that is over, with a snapshot, and its updates.
func ran(t *testing.T, l *Lab) (id string, updates uint64) {
	t.Helper()
	r, _ := start(t, l, "p=catch steps=4000 speed=inf lag=4")
	updates = ended(t, l, r.ID).Updates
	kit.Until(t, "a snapshot is kept", func() bool {
		_, kept, err := l.FirstSnapshot(t.Context(), r.ID)
		return kept && err == nil
	})
	return r.ID, updates
}

// occupy takes every place that an address may have, until its function is called.
func occupy(t *testing.T, at *places.Places, address string) (leave func()) {
	t.Helper()
	ctx, leave := context.WithCancel(places.By(t.Context(), address))
	for range at.Each {
		begun := make(chan struct{})
		go at.Do(ctx, time.Millisecond, func(ctx context.Context) error { // ends with leave
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		})
		<-begun
	}
	return leave
}

func TestRecomputingForOneAddressMakesNoOtherWait(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	id, last := ran(t, l)
	defer occupy(t, l.recomputing.slow, "a")()
	defer occupy(t, l.recomputing.quick, "a")()
	if _, err := l.Moments(places.By(t.Context(), "b"), id, last-2, last, false); err != nil {
		t.Errorf("quick work of another address: %v", err)
	}
	if _, err := l.Unroll(places.By(t.Context(), "b"), id, 0, last-1); err != nil {
		t.Errorf("an unroll of another address: %v", err)
	}
	pace := l.recomputing.pace.Load() * 1000
	l.recomputing.pace.Store(pace)
	_, err := l.Moments(places.By(t.Context(), "b"), id, last-2, last, false)
	for errcode.Of(err) == errcode.Full { // this machine is too slow for so much work
		pace /= 2
		l.recomputing.pace.Store(pace)
		_, err = l.Moments(places.By(t.Context(), "b"), id, last-2, last, false)
	}
	if err != nil {
		t.Errorf("slow work of another address: %v", err)
	}
	l.recomputing.pace.Store(pace)
	ctx, leave := context.WithTimeout(places.By(t.Context(), "a"), 100*time.Millisecond)
	defer leave()
	if _, err := l.Moments(ctx, id, last-2, last, false); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second request of the first address: %v, want that it waits", err)
	}
}

func TestUpdatesThatCannotBeRecomputedInTimeAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	id, last := ran(t, l)
	l.recomputing.pace.Store(int64(time.Hour))
	_, err := l.Moments(t.Context(), id, last-2, last, false)
	if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "would take") ||
		!strings.Contains(err.Error(), "ask for fewer updates") {
		t.Errorf("it is answered %v", err)
	}
}

// guests returns the claims of guests that hold memory.
func guests(l *Lab) (all []*claim) {
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	for _, c := range l.budget.held {
		if _, is := c.tenant.(*guest); is {
			all = append(all, c)
		}
	}
	return all
}

func TestAGuestHoldsMemoryOfTheBudgetAndGivesWay(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	id, _ := ran(t, l)
	err := l.WithPolicy(places.By(t.Context(), "a"), id, 1<<40, 1e6, func(p *Policy) error {
		held := guests(l)
		if len(held) != 1 || held[0].bytes < 2e6 {
			t.Errorf("%d guests hold memory", len(held))
		}
		if err := p.Going(); err != nil {
			t.Errorf("at first: %v", err)
		}
		l.budget.mu.Lock()
		l.budget.oust(held[0])
		l.budget.mu.Unlock()
		return p.Going()
	})
	if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "need the memory") {
		t.Errorf("a guest that gave way is answered %v", err)
	}
	if held := guests(l); len(held) > 0 {
		t.Errorf("afterwards %d guests hold memory", len(held))
	}
}

func TestAGuestWhoseVisitorLeavesEnds(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	id, _ := ran(t, l)
	ctx, leave := context.WithCancel(t.Context())
	err := l.WithPolicy(ctx, id, 1<<40, 0, func(p *Policy) error {
		leave()
		return p.Going()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it is answered %v", err)
	}
	huge := l.budget.memory * 2
	ctx, leave = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer leave()
	err = l.WithPolicy(ctx, id, 1<<40, huge, func(*Policy) error { t.Error("it has begun"); return nil })
	if _, waiting, _ := l.budget.counts(); !errors.Is(err, context.DeadlineExceeded) || waiting > 0 {
		t.Errorf("a guest without memory is answered %v, and %d wait", err, waiting)
	}
}
