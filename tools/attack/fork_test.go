package attack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// patient is a teacher who changes a room again and again.
type patient struct {
	*caller
	room classRoom
}

// waits returns how long each change took, sorted, until ctx ends.
func (p *patient) waits(ctx context.Context) (all []time.Duration, err error) {
	for ctx.Err() == nil && err == nil {
		began := time.Now()
		_, err = p.call(context.WithoutCancel(ctx), "PATCH", "/rooms/"+p.room.Code, p.room.Key,
			map[string]string{"title": fmt.Sprint("change ", len(all))}, nil)
		all = append(all, time.Since(began))
		sleep(ctx, 50*time.Millisecond)
	}
	slices.Sort(all)
	return all, err
}

// folder returns the bytes of the server's data folder.
func (t *target) folder() (bytes float64) {
	filepath.WalkDir(t.data, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil { // SQLite may have deleted it
				bytes += float64(info.Size())
			}
		}
		return nil
	})
	return bytes
}

// most is the largest use of memory and disk until its end.
type most struct{ memory, disk float64 }

func (t *target) most(ctx context.Context) (m most) {
	for ; ctx.Err() == nil; sleep(ctx, 200*time.Millisecond) {
		if u, err := t.usage(); err == nil {
			m.memory = max(m.memory, u.rss)
		}
		m.disk = max(m.disk, t.folder())
	}
	return m
}

// wideForks forks a run with a large network, twelve at a time, against a teacher of a room.
func wideForks(ctx context.Context, t *target) error {
	const memory, disk, own = 1000e6, 500e6, 24e6 // an empty folder, and SQLite's log, which it cuts at 16 MB
	t.close()
	t.more = []string{"--max-memory", "1000", "--max-data", "500"}
	defer func() { t.more = nil }()
	if err := t.start(ctx); err != nil {
		return err
	}
	evil, good := t.caller(attacker), t.caller(stranger)
	const key = "ffffffffffffffffffffffffffffffff"
	var run struct {
		ID      string
		Updates uint64
	}
	wide := map[string]any{"hidden": "1000-1000", "batch": 2, "unroll": 5}
	_, err := evil.call(ctx, "POST", "/runs", key, map[string]any{"preset": "catch", "steps": 20000,
		"settings": wide}, &run)
	for err == nil && run.Updates < 20 && ctx.Err() == nil {
		sleep(ctx, 200*time.Millisecond)
		_, err = evil.call(ctx, "GET", "/runs/"+run.ID, key, nil, &run)
	}
	if err != nil {
		return err
	}
	teacher := patient{caller: good}
	if teacher.room, err = good.room(ctx); err != nil {
		return err
	}
	quiet, stop := context.WithTimeout(ctx, 4*time.Second)
	alone, err := teacher.waits(quiet)
	if stop(); err != nil {
		return err
	}
	during, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	var gone sync.WaitGroup
	var forks, refused atomic.Int64
	for range 12 {
		gone.Go(func() { // ends with during
			for during.Err() == nil {
				_, err := evil.call(during, "POST", "/runs/"+run.ID+"/fork", key,
					map[string]any{"update": run.Updates, "settings": map[string]string{}}, nil)
				if err == nil {
					forks.Add(1)
				} else {
					refused.Add(1)
					sleep(during, 200*time.Millisecond)
				}
			}
		})
	}
	var peak most
	gone.Go(func() { peak = t.most(during) })
	beside, err := teacher.waits(during)
	gone.Wait()
	if err != nil {
		return err
	}
	before, p95 := quantile(alone, .95), quantile(beside, .95)
	fmt.Printf("      %d forks, %d refusals; another visitor's change took %s at the 95th percentile, before %s; "+
		"the server takes %.0f MB and its folder %.0f MB\n", forks.Load(), refused.Load(), p95, before, peak.memory/1e6,
		peak.disk/1e6)
	bound := max(250*time.Millisecond, 10*before) // a loaded machine is slow without an attack too
	switch {
	case forks.Load() == 0:
		return errors.New("no fork was taken, so this shows nothing")
	case p95 > bound:
		return fmt.Errorf("another visitor's change took %s at the 95th percentile, and %s is the bound", p95, bound)
	case peak.disk > 1.2*disk+own:
		return fmt.Errorf("the folder has %.0f MB, and --max-data is %.0f MB", peak.disk/1e6, disk/1e6)
	case peak.memory > 1.1*memory:
		return fmt.Errorf("the server takes %.0f MB, and --max-memory is %.0f MB", peak.memory/1e6, memory/1e6)
	}
	return nil
}
