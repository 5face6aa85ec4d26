package attack

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"impalab/web/wire"
)

var (
	viewers   = flag.Int("viewers", 0, "measure the cost of so many viewers to a run")
	seconds   = flag.Float64("seconds", 10, "length of each of the three measurements")
	set       = flag.String("set", "", "settings of the run, like speed=4000,lag=8; speed=inf for full speed")
	onAddress = flag.Int("onaddress", 190, "viewers from one address")
)

// view fills a run with viewers. It measures the run's speed alone, with them, and alone again, so other load of the
// machine shows.
type view struct {
	viewers  int
	seconds  float64
	settings []wire.Setting
}

// Viewers cost a run less than a twentieth of its speed, lose no event, and ninety-nine changes in a hundred come
// within a second.
func TestViewersCostARunLittle(t *testing.T) {
	if *viewers == 0 {
		t.Skip("-viewers says how many")
	}
	c := view{viewers: *viewers, seconds: *seconds}
	for _, pair := range strings.FieldsFunc(*set, func(r rune) bool { return r == ',' }) {
		key, value, _ := strings.Cut(pair, "=")
		c.settings = append(c.settings, wire.Setting{Key: key, Value: value})
	}
	server := &target{}
	if err := server.open(within(t)); err != nil {
		t.Fatal(err)
	}
	defer server.close()
	r, err := c.measure(within(t), server)
	if err != nil {
		t.Fatal(err)
	}
	r.print(t.Output(), &c)
	if late := quantile(r.audience.late(), 0.99); r.cost() > 0.05 || r.audience.lost.Load() > 0 ||
		r.audience.gone.Load() > 0 || late == 0 || late >= time.Second {
		t.Error("the promise is broken")
	}
}

// audience is the view of all viewers together.
type audience struct {
	measuring  atomic.Bool
	writes     atomic.Uint64 // websocket messages
	messages   atomic.Uint64
	bytes      atomic.Uint64
	events     atomic.Uint64
	lost       atomic.Uint64 // missing events
	gone       atomic.Uint64 // viewers that were dropped
	mu         sync.Mutex
	asked      map[uint64]time.Time   // the time of the request for the change that became this event
	heard      map[uint64][]time.Time // the times at which viewers received it
	unexpected error
}

// figures of one measurement.
type figures struct {
	pace          float64 // environment steps a second
	cores         float64 // of the server
	rss           float64
	confirmations []time.Duration
}

// viewed is the whole result.
type viewed struct {
	before, with, after figures
	audience            *audience
	seconds             float64 // the CPU time with viewers
	own                 float64 // cores that this program used meanwhile…
	fronts              float64 // …and front ends
}

func (c *view) measure(ctx context.Context, t *target) (*viewed, error) {
	owner, welcome, err := t.visit(ctx, attacker, &wire.Hello{Settings: c.settings})
	if err != nil {
		return nil, err
	}
	defer owner.conn.Close()
	a := &audience{asked: map[uint64]time.Time{}, heard: map[uint64][]time.Time{}}
	o := newOwner(owner, a)
	sleep(ctx, 2*time.Second) // it has reached its speed
	r := &viewed{audience: a}
	if r.before, err = o.measure(ctx, t, c.seconds); err != nil {
		return nil, err
	}
	ctxViewers, leave := context.WithCancel(ctx)
	defer leave()
	gone, err := c.fill(ctxViewers, t, a, welcome)
	if err != nil {
		return nil, err
	}
	sleep(ctx, 3*time.Second) // they have caught up
	a.measuring.Store(true)
	start, own, fronts := time.Now(), ownCPU(), t.frontsCPU()
	if r.with, err = o.measure(ctx, t, c.seconds); err != nil {
		return nil, err
	}
	a.measuring.Store(false)
	r.seconds = time.Since(start).Seconds()
	r.own, r.fronts = (ownCPU()-own).Seconds()/r.seconds, (t.frontsCPU()-fronts)/r.seconds
	leave()
	gone.Wait()
	sleep(ctx, 2*time.Second)
	r.after, err = o.measure(ctx, t, c.seconds)
	return r, errors.Join(err, a.unexpected, t.alive())
}

// fill brings the viewers in and waits until all are there.
func (c *view) fill(ctx context.Context, t *target, a *audience, w *wire.Welcome) (gone *sync.WaitGroup,
	err error) {
	gone = &sync.WaitGroup{}
	read := newReader()
	for i := range c.viewers {
		v, err := t.at(i).tap(ctx, attacker+1+i/(*onAddress), read, &wire.Hello{Run: w.Run, Key: w.Key})
		if err != nil {
			return gone, fmt.Errorf("viewer %d: %w", i, err)
		}
		context.AfterFunc(ctx, func() { v.conn.Close() })
		gone.Go(func() { a.follow(ctx, v) }) // ends with ctx
	}
	return gone, nil
}

// follow reads as one viewer.
func (a *audience) follow(ctx context.Context, v *tap) {
	var last uint64
	for {
		messages, size, err := v.next()
		now := time.Now()
		if err != nil {
			if ctx.Err() == nil {
				a.gone.Add(1)
				a.mu.Lock()
				if a.unexpected == nil { // one says enough
					a.unexpected = fmt.Errorf("a viewer was dropped: %w", err)
				}
				a.mu.Unlock()
			}
			return
		}
		measuring := a.measuring.Load()
		if measuring {
			a.writes.Add(1)
			a.messages.Add(uint64(len(messages)))
			a.bytes.Add(uint64(size))
		}
		for _, m := range messages {
			if w, ok := m.(*wire.Welcome); ok && w.Fresh {
				last = 0
			}
			e, ok := m.(wire.Event)
			if !ok {
				continue
			}
			n := *e.EventNumber()
			if last != 0 && n != last+1 {
				a.lost.Add(n - last - 1)
			}
			last = n
			if measuring {
				a.events.Add(1)
			}
			if _, ok := m.(*wire.Changed); ok && measuring {
				a.mu.Lock()
				a.heard[n] = append(a.heard[n], now)
				a.mu.Unlock()
			}
		}
	}
}

// late returns the wait of each viewer for each change since its request, in rising order.
func (a *audience) late() (all []time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for event, times := range a.heard {
		for _, at := range times {
			if asked, ok := a.asked[event]; ok {
				all = append(all, at.Sub(asked))
			}
		}
	}
	slices.Sort(all)
	return all
}

// owner changes a setting of the run again and again.
type owner struct {
	b *browser
	a *audience

	mu    sync.Mutex
	sent  map[uint32]time.Time
	steps uint64 // newest
	at    time.Time
	took  []time.Duration
	gone  error // the reason why no message comes
}

func newOwner(b *browser, a *audience) *owner {
	o := &owner{b: b, a: a, sent: map[uint32]time.Time{}}
	go func() { // ends with the connection
		for {
			m, err := b.hear(time.Minute)
			if err != nil {
				o.mu.Lock()
				o.gone = err
				o.mu.Unlock()
				return
			}
			o.take(m)
		}
	}()
	return o
}

func (o *owner) take(m wire.Message) {
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	switch m := m.(type) {
	case *wire.XRay:
		o.steps, o.at = m.Step, now
	case *wire.Changed:
		asked, ok := o.sent[m.Intent]
		if !ok {
			return
		}
		o.took = append(o.took, now.Sub(asked))
		o.a.mu.Lock()
		o.a.asked[m.Event] = asked
		o.a.mu.Unlock()
	}
}

// measure changes the setting twice a second for this time and returns the run's figures.
func (o *owner) measure(ctx context.Context, t *target, seconds float64) (f figures, err error) {
	before, err := t.usage()
	if err != nil {
		return f, err
	}
	o.mu.Lock()
	steps, at := o.steps, o.at
	o.took = nil
	o.mu.Unlock()
	for end := time.Now().Add(time.Duration(seconds * float64(time.Second))); time.Now().Before(end) && ctx.Err() == nil; {
		o.mu.Lock()
		intent, err := o.b.set("entropy", fmt.Sprint(0.005+0.0001*float64(o.b.seq%7)))
		o.sent[intent] = time.Now()
		o.mu.Unlock()
		if err != nil {
			return f, fmt.Errorf("the run's owner: %w", err)
		}
		sleep(ctx, min(time.Second/2, time.Until(end)))
	}
	sleep(ctx, 200*time.Millisecond)
	o.mu.Lock()
	f.pace = float64(o.steps-steps) / o.at.Sub(at).Seconds()
	f.confirmations = slices.Sorted(slices.Values(o.took))
	gone := o.gone
	o.mu.Unlock()
	if gone != nil {
		return f, fmt.Errorf("the run's owner hears nothing more: %w", gone)
	}
	now, err := t.usage()
	if err != nil {
		return f, err
	}
	f.cores, f.rss = now.since(before), now.rss
	return f, ctx.Err()
}

// cost is the share of the run's speed that the viewers cost.
func (r *viewed) cost() float64 { return 1 - r.with.pace/((r.before.pace+r.after.pace)/2) }

func (r *viewed) print(to io.Writer, c *view) {
	a, n := r.audience, float64(max(1, c.viewers))
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tsteps/s\tserver cores\tRSS\tconfirmation p50\tp95\t")
	for _, row := range []struct {
		name string
		f    figures
	}{{"alone", r.before}, {fmt.Sprintf("%d viewers", c.viewers), r.with}, {"alone again", r.after}} {
		fmt.Fprintf(w, "%s\t%.0f\t%.2f\t%.0f MB\t%s\t%s\t\n", row.name, row.f.pace, row.f.cores, row.f.rss/1e6,
			quantile(row.f.confirmations, 0.5), quantile(row.f.confirmations, 0.95))
	}
	w.Flush()
	late := a.late()
	fmt.Fprintf(to, "the viewers cost the run %.1f %% of its pace\n", 100*r.cost())
	fmt.Fprintf(to, "each viewer: %.1f websocket messages a second with %.1f messages in them, %.0f bytes a second on "+
		"the wire, %.0f kB of the server's memory\n",
		float64(a.writes.Load())/r.seconds/n, float64(a.messages.Load())/r.seconds/n, float64(a.bytes.Load())/r.seconds/n,
		(r.with.rss-r.before.rss)/n/1e3)
	fmt.Fprintf(to, "%d events reached viewers, %d were lost, %d viewers were dropped\n", a.events.Load(), a.lost.Load(),
		a.gone.Load())
	fmt.Fprintf(to, "a change reached viewers after p50 %s, p95 %s, p99 %s, at most %s (%d times), counted from when it "+
		"was asked for\n",
		quantile(late, 0.5), quantile(late, 0.95), quantile(late, 0.99), quantile(late, 1), len(late))
	fmt.Fprintf(to, "front ends took %.2f cores meanwhile, and this program %.2f\n", r.fronts, r.own)
}

// quantile returns the q-quantile of durations in rising order.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1].Round(100 * time.Microsecond)
}

// ownCPU returns the CPU time of this program.
func ownCPU() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
