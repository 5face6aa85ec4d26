// Package attack tests promises that need load: too many runs, requests and viewers, and their effect on others. It
// speaks the page's own protocol (package wire) with servers that it starts on this machine.
//
//	go -C tools test ./attack -v -attack                              every promise
//	go -C tools test ./attack -v -attack -run Load/rooms              one of them
//	go -C tools test ./attack -v -run Viewers -viewers 200            the cost of viewers to a run
//	go -C tools test ./attack -v -run Viewers -fronts 2 -viewers 2000 -set speed=4000 -seconds 20
package attack

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"testing"
	"time"

	"impalab/web/wire"
)

// promise is an attack, and a test of the server meanwhile.
type promise struct {
	name   string
	text   string
	env    []string // of the server
	attack func(ctx context.Context, t *target) error
}

var promises = []promise{
	{"memory", "runs that their pages left do not accumulate: memory stays in its budget and is released",
		[]string{"GOMEMLIMIT=1500MiB"}, accumulate},
	{"neighbours", "fifteen heavy runs of one address leave a stranger's run its pace and its answers", nil, neighbours},
	{"rooms", "two hundred requests of one student at a time make no other room's teacher wait", nil, otherRooms},
	{"fill", "answers of a room fill neither the memory nor the disk", nil, fillDisk},
	{"fork", "forks of a large run leave others their changes, and keep to memory and disk", nil, wideForks},
	{"unread", "500 downloads that one address does not read keep to memory and leave others their pages", nil,
		unreadDownloads},
	{"moments", "recomputing slow updates for one address leaves another its microscope", nil, slowMoments},
	{"films", "films of a deep network for one address leave another its model", nil, manyFilms},
	{"board", "a full season's pages cost 50 ms of CPU at most, and sixty readers leave others their answers", nil,
		fullBoard},
	{"sweeps", "a stranger begins a sweep where sixteen addresses have all places", nil, allSweeps},
	{"programs", "runs and sweeps whose programs use all their steps leave a visitor their answers, and keep to memory",
		nil, hostilePrograms},
	{"rooms-memory", "a class joins and answers where two addresses have filled the memory for rooms", nil, fullRooms},
	{"actors", "forty remote actors that leave their blocks unfinished take no more than blocks of their run", nil,
		unfinishedBlocks},
	{"school", "a class joins while one of its students guesses codes", nil, school},
	{"viewers", "two hundred viewers lose no event and cost the run no pace", nil, audienceOf200},
}

// timeLimit is the longest time for one attack.
const timeLimit = 2 * time.Minute

var (
	attack = flag.Bool("attack", false, "test every promise under load, for a few minutes")
	limit  = flag.Duration("limit", 10*time.Minute, "longest time for all")
)

// within ends ctx with the limit, or with an interrupt.
func within(t *testing.T) context.Context {
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, *limit)
	t.Cleanup(func() { cancel(); stop() })
	return ctx
}

func TestPromisesHoldUnderLoad(t *testing.T) {
	if !*attack {
		t.Skip("it loads the machine for minutes; -attack runs it, as make attack does")
	}
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Log(p.text)
			if err := p.test(within(t), &target{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// test starts a server and attacks it.
func (p *promise) test(ctx context.Context, t *target) (err error) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	t.env = p.env
	if err := t.start(ctx); err != nil {
		return err
	}
	defer t.close()
	if err := p.attack(ctx, t); err != nil {
		return errors.Join(err, t.alive())
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the attack took longer than %s", timeLimit)
	}
	return t.alive()
}

// heavy is a run near the limit of one run: an update takes a second of both cores, and the run 200 MB.
var heavy = []wire.Setting{{Key: "preset", Value: "cartpole"}, {Key: "hidden", Value: "1024-1024-1024"},
	{Key: "batch", Value: "40"}, {Key: "unroll", Value: "20"}, {Key: "speed", Value: "inf"}}

// tooMuch is the memory at which the attack stops: the machine is not its target.
const tooMuch = 6e9

// accumulate starts heavy runs and leaves each after a moment.
func accumulate(ctx context.Context, t *target) error {
	const budget, overhead = 1500 << 20, 150 << 20 // GOMEMLIMIT of this server; the binary and memory outside Go's heap
	rest, err := t.usage()
	if err != nil {
		return err
	}
	peak, opened := 0.0, 0
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end) && ctx.Err() == nil; {
		b, err := t.dial(ctx, attacker+opened)
		if err == nil {
			err = b.say(&wire.Hello{Settings: heavy})
			sleep(ctx, 30*time.Millisecond)
			b.conn.NetConn().Close()
		}
		if err != nil {
			sleep(ctx, 50*time.Millisecond)
		} else {
			opened++
		}
		u, err := t.usage()
		if err != nil {
			return err
		}
		if peak = max(peak, u.rss); peak > tooMuch {
			break
		}
	}
	switch {
	case opened == 0:
		return errors.New("no run started, so this shows nothing")
	case peak > budget+overhead:
		return fmt.Errorf("%d runs that were left took %.0f MB; the budget is %d MB", opened, peak/1e6, budget/1_000_000)
	}
	for range 30 {
		sleep(ctx, time.Second)
		if u, err := t.usage(); err != nil || u.rss < rest.rss+overhead {
			return err
		}
	}
	u, err := t.usage()
	return errors.Join(err, fmt.Errorf("30 s later the server takes %.0f MB; at rest it took %.0f", u.rss/1e6,
		rest.rss/1e6))
}

// neighbours compares a stranger's run alone, beside heavy runs of one address, and alone again.
func neighbours(ctx context.Context, t *target) error {
	b, _, err := t.visit(ctx, stranger, &wire.Hello{})
	if err != nil {
		return fmt.Errorf("the server refuses a stranger: %w", err)
	}
	defer b.conn.Close()
	o := newOwner(b, &audience{asked: map[uint64]time.Time{}})
	sleep(ctx, 2*time.Second) // until the run has its speed
	alone, err := o.measure(ctx, t, 6)
	if err != nil {
		return err
	}
	ctxHeavy, leave := context.WithCancel(ctx)
	defer leave()
	open := 0
	for i := range 15 {
		seeded := append(slices.Clone(heavy), wire.Setting{Key: "seed", Value: fmt.Sprint(i + 1)})
		b, _, err := t.visit(ctx, attacker, &wire.Hello{Settings: seeded})
		if err != nil {
			continue // the server may refuse some
		}
		open++
		context.AfterFunc(ctxHeavy, func() { b.conn.Close() })
		go func() { // ends with the connection
			for err == nil {
				_, err = b.hear(time.Hour)
			}
		}()
	}
	sleep(ctx, 4*time.Second)
	beside, err := o.measure(ctx, t, 40) // two confirmations a second: four of them lie beyond the 95th percentile
	if err != nil {
		return err
	}
	leave()
	sleep(ctx, 3*time.Second)
	again, err := o.measure(ctx, t, 6) // the machine may have become busier meanwhile
	if err != nil {
		return err
	}
	if kept, p95 := beside.pace/min(alone.pace, again.pace), quantile(beside.confirmations, 0.95); kept < 0.9 ||
		p95 > otherWaits || len(beside.confirmations) == 0 {
		return fmt.Errorf("beside %d heavy runs it made %.0f %% of its %.0f steps/s, and %d confirmations had a p95 of %s",
			open, 100*kept, alone.pace, len(beside.confirmations), p95)
	}
	return nil
}

func audienceOf200(ctx context.Context, t *target) error {
	c := view{viewers: 200, seconds: 6}
	r, err := c.measure(ctx, t)
	switch {
	case err != nil:
		return err
	case r.audience.lost.Load() > 0 || r.audience.gone.Load() > 0:
		return fmt.Errorf("%d events were lost and %d viewers dropped", r.audience.lost.Load(), r.audience.gone.Load())
	case r.cost() > 0.1:
		return fmt.Errorf("the viewers cost the run %.0f %% of its %.0f steps/s", 100*r.cost(), r.before.pace)
	}
	if p95 := quantile(r.audience.late(), 0.95); p95 > 500*time.Millisecond || p95 == 0 {
		return fmt.Errorf("a change reached viewers with a p95 of %s", p95)
	}
	return nil
}

// sleep waits, or less when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
