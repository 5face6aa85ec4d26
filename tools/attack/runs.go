package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"impalab/web/wire"
)

// heavy is a run near the limits of one run: a second of both cores for one update, and 200 MB.
var heavy = []wire.Setting{{Key: "preset", Value: "cartpole"}, {Key: "hidden", Value: "1024-1024-1024"},
	{Key: "batch", Value: "40"},
	{Key: "unroll", Value: "20"}, {Key: "speed", Value: "inf"}}

// watchCommand measures one ordinary run, ten seconds at a time.
type watchCommand struct {
	Seconds float64  `default:"30" help:"How long." placeholder:"S"`
	Set     []string `sep:"none" help:"A setting of the run, repeatable." placeholder:"KEY=VALUE"`
}

func (c *watchCommand) Run(ctx context.Context, t *target) error {
	list, err := settings(c.Set)
	if err != nil {
		return err
	}
	v, err := t.victim(ctx, list)
	if err != nil {
		return err
	}
	defer v.close()
	for end := time.Now().Add(time.Duration(c.Seconds * float64(time.Second))); time.Now().Before(end) &&
		ctx.Err() == nil; {
		f, err := v.measure(ctx, t, min(10, time.Until(end).Seconds()))
		if err != nil {
			return err
		}
		fmt.Printf("%.0f steps/s, confirmation p50 %s p95 %s, server %.2f cores, %.0f MB\n", f.pace,
			quantile(f.confirmations, 0.5), quantile(f.confirmations, 0.95), f.cores, f.rss/1e6)
	}
	return nil
}

// victim is a visitor with an ordinary run who should notice nothing of an attack.
type victim struct{ *owner }

func (t *target) victim(ctx context.Context, list []wire.Setting) (*victim, error) {
	b, _, err := t.visit(ctx, stranger, &wire.Hello{Settings: list})
	if err != nil {
		return nil, fmt.Errorf("a stranger is not let in: %w", err)
	}
	v := &victim{newOwner(b, &audience{asked: map[uint64]time.Time{}})}
	sleep(ctx, 2*time.Second) // its run has reached its speed
	return v, nil
}

func (v *victim) close() { v.b.conn.Close() }

// openCommand starts runs and keeps them.
type openCommand struct {
	Runs    int      `default:"20" help:"How many." placeholder:"N"`
	From    int      `default:"1" help:"From so many addresses." placeholder:"N"`
	Seconds float64  `default:"15" help:"How long." placeholder:"S"`
	Heavy   bool     `help:"Each as heavy as a run may be."`
	Set     []string `sep:"none" help:"A setting of the runs, repeatable." placeholder:"KEY=VALUE"`
}

func (c *openCommand) Run(ctx context.Context, t *target) error {
	list, err := settings(c.Set)
	if err != nil {
		return err
	}
	if c.Heavy {
		list = append(slices.Clone(heavy), list...)
	}
	held := t.hold(ctx, c.Runs, c.From, list)
	defer held.close()
	fmt.Printf("%d of %d runs are open\n", len(held.browsers), c.Runs)
	for _, err := range held.refusals {
		fmt.Println("refused:", err)
	}
	sleep(ctx, time.Duration(c.Seconds*float64(time.Second)))
	if u, err := t.usage(); err == nil {
		fmt.Printf("the server takes %.0f MB and has %d files open\n", u.rss/1e6, u.files)
	}
	return t.alive()
}

// held are runs that the attacker keeps.
type held struct {
	browsers []*browser
	refusals []error
}

// hold opens n runs from several addresses and keeps them, each with its own seed. It reads and drops the server's
// messages.
func (t *target) hold(ctx context.Context, n, addresses int, list []wire.Setting) (h held) {
	for i := range n {
		seeded := append(slices.Clone(list), wire.Setting{Key: "seed", Value: fmt.Sprint(i + 1)})
		b, _, err := t.visit(ctx, attacker+i%addresses, &wire.Hello{Settings: seeded})
		if err != nil {
			h.refusals = append(h.refusals, err)
			continue
		}
		h.browsers = append(h.browsers, b)
		go func() { // ends with the connection
			for {
				if _, err := b.hear(time.Hour); err != nil {
					return
				}
			}
		}()
	}
	return h
}

func (h *held) close() {
	for _, b := range h.browsers {
		b.conn.Close()
	}
}

// spawnCommand starts runs and leaves them: do the left runs pile up?
type spawnCommand struct {
	Seconds float64       `default:"20" help:"How long." placeholder:"S"`
	Stay    time.Duration `default:"30ms" help:"How long each stays." placeholder:"D"`
	Light   bool          `help:"Ordinary runs instead of heavy ones."`
}

func (c *spawnCommand) Run(ctx context.Context, t *target) error {
	list := heavy
	if c.Light {
		list = nil
	}
	peak, opened, err := t.spawn(ctx, time.Duration(c.Seconds*float64(time.Second)), c.Stay, list)
	fmt.Printf("%d runs were begun; the server took at most %.0f MB\n", opened, peak/1e6)
	for range 6 {
		sleep(ctx, 5*time.Second)
		if u, err := t.usage(); err == nil {
			fmt.Printf("now %.0f MB\n", u.rss/1e6)
		}
	}
	return errors.Join(err, t.alive())
}

// tooMuch is the limit at which an attack on memory stops, because it attacks the server and not the machine.
const tooMuch = 6e9

// spawn starts runs and leaves each after a moment.
func (t *target) spawn(ctx context.Context, length, stay time.Duration, list []wire.Setting) (peak float64, opened int,
	err error) {
	for end := time.Now().Add(length); time.Now().Before(end) && ctx.Err() == nil; {
		b, err := t.dial(ctx, attacker+opened)
		if err == nil {
			err = b.say(&wire.Hello{Settings: list})
			sleep(ctx, stay)
			b.conn.NetConn().Close() // without a word
		}
		if err != nil {
			sleep(ctx, 50*time.Millisecond)
		} else {
			opened++
		}
		u, err := t.usage()
		if err != nil {
			return peak, opened, err
		}
		if peak = max(peak, u.rss); u.rss > tooMuch {
			return peak, opened, fmt.Errorf("stopped: the server takes %.1f GB", u.rss/1e9)
		}
	}
	return peak, opened, nil
}

// resumeCommand returns to a run.
type resumeCommand struct {
	Run_  string `arg:"" name:"run" help:"The run's name."`
	Key   string `arg:"" help:"Its key."`
	After uint64 `help:"The last event that was heard." placeholder:"N"`
}

func (c *resumeCommand) Run(ctx context.Context, t *target) error {
	b, w, err := t.visit(ctx, attacker, &wire.Hello{Run: c.Run_, Key: c.Key, After: c.After})
	if err != nil {
		return err
	}
	defer b.conn.Close()
	fmt.Printf("run %s, the same: %v, everything from the start: %v, newest event %d\n", w.Run, w.Run == c.Run_, w.Fresh,
		w.Event)
	for {
		m, err := b.hear(patience)
		if err != nil {
			return err
		}
		if x, ok := m.(*wire.XRay); ok {
			fmt.Printf("it is at step %d\n", x.Step)
			return nil
		}
	}
}
