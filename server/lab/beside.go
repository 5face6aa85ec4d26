package lab

import (
	"context"
	"errors"
	"time"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/server/store"
)

// guest is work for a visitor beside the runs: it recomputes updates, or plays a snapshot. Its memory counts in the
// runs' budget, and its cores as those of the visitor's own runs.
type guest struct {
	end   context.CancelCauseFunc
	woken chan struct{}
}

var errGuestGoes = errcode.Errorf(errcode.Full, "the runs of other visitors need the memory for this; try again in a "+
	"minute")

// Guests are tenants of the budget, whose result a visitor waits for.
func (g *guest) unwatchedSince() time.Time { return time.Time{} }
func (g *guest) giveWay()                  { g.end(errGuestGoes) }
func (g *guest) drop()                     { g.end(errGuestGoes) }
func (g *guest) changed() {
	select {
	case g.woken <- struct{}{}:
	default:
	}
}

// between lets others have the core between two parts of the work, and returns why the work should end, or nil.
func between(ctx context.Context, cores *schedule.Share) error {
	if ctx.Err() == nil {
		cores.Yield()
	}
	return context.Cause(ctx)
}

// beside does work for the context's visitor once the budget has the memory for it. The work takes a core and calls
// going between its parts, which returns an error when the visitor has left or the budget needs the memory.
func (l *Lab) beside(ctx context.Context, bytes float64,
	work func(cores *schedule.Share, going func() error) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	g := &guest{end: end, woken: make(chan struct{}, 1)}
	address := store.HashAddress(places.Visitor(ctx), l.opts.Salt)
	c := &claim{tenant: g, address: address, purpose: Watch, bytes: bytes}
	l.budget.ask(c)
	defer l.budget.release(c)
	for holds, _ := l.budget.status(c); !holds; holds, _ = l.budget.status(c) {
		select {
		case <-g.woken:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	cores := l.cores.Share(address+" "+Watch.String(), purposes[Watch].weight)
	defer cores.Close()
	defer cores.Drain()
	err := work(cores, func() error { return between(ctx, cores) })
	if err != nil && errors.Is(context.Cause(ctx), errGuestGoes) {
		err = errGuestGoes
	}
	return err
}
