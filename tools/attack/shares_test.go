package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// What visitors share beside runs: answers under way, and the places for recomputed updates and for files of runs.

// otherWaits is the longest 95th percentile of another visitor's waits on a quiet machine.
const otherWaits = 250 * time.Millisecond

// get asks for a path of the site, and returns its status.
func (c *caller) get(ctx context.Context, path string) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+c.t.host+path, nil)
	if err != nil {
		return 0, err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

// run begins a run and returns its id and key once it has made so many updates.
func (c *caller) run(ctx context.Context, updates uint64, body any) (id, key string, err error) {
	const own = "ssssssssssssssssssssssssssssssss"
	var begun struct{ ID string }
	if _, err := c.call(ctx, "POST", "/runs", own, body, &begun); err != nil {
		return "", "", err
	}
	for ctx.Err() == nil {
		var now struct{ Updates uint64 }
		if _, err := c.call(ctx, "GET", "/runs/"+begun.ID, own, nil, &now); err != nil || now.Updates >= updates {
			return begun.ID, own, err
		}
		sleep(ctx, 200*time.Millisecond)
	}
	return "", "", ctx.Err()
}

// another measures how long a visitor waits for a path while an attack goes on, and the server's memory.
func (t *target) another(ctx context.Context, good *caller, path string, most float64,
	attack func(context.Context)) error {
	during, stop := context.WithCancel(ctx)
	var under sync.WaitGroup
	under.Go(func() { attack(during) }) // ends with during
	sleep(ctx, time.Second)
	var waits []time.Duration
	var err error
	peak := 0.
	until := time.Now().Add(15 * time.Second)
	for ; err == nil && time.Now().Before(until); sleep(ctx, time.Second/2) { // below the rates
		began, status := time.Now(), 0
		if status, err = good.get(ctx, path); err == nil && status != http.StatusOK {
			err = fmt.Errorf("another visitor's %s is answered %d", path, status)
		}
		waits = append(waits, time.Since(began))
		if u, failed := t.usage(); failed == nil {
			peak = max(peak, u.rss)
		}
	}
	stop()
	under.Wait()
	if err != nil {
		return err
	}
	slices.Sort(waits)
	p95 := quantile(waits, .95)
	fmt.Printf("      another visitor waited %s, and %s at the 95th percentile of %d; the server took %.0f MB\n",
		quantile(waits, .5), p95, len(waits), peak/1e6)
	if p95 > otherWaits || peak > 1.1*most {
		return fmt.Errorf("another visitor waited %s at the 95th percentile; the server took %.0f of %.0f MB", p95, peak/1e6,
			most/1e6)
	}
	return nil
}

// unreadDownloads is one address that asks for the record of a run with a long tape 500 times and reads nothing.
func unreadDownloads(ctx context.Context, t *target) error {
	const memory = 300e6
	t.close()
	t.more = []string{"--max-memory", "300"}
	defer func() { t.more = nil }()
	if err := t.start(ctx); err != nil {
		return err
	}
	evil, good := t.caller(attacker), t.caller(stranger)
	id, key, err := evil.run(ctx, 1, map[string]any{"preset": "catch", "steps": 1e9, "speed": 100})
	if err != nil {
		return err
	}
	taken := 0
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); {
		for value := range 2 { // as fast as the server takes them
			settings := map[string]any{}
			for _, k := range []string{"rho", "c", "alpha", "gamma", "lambda", "entropy", "value-cost", "clip"} {
				settings[k] = .5 + float64(value)/1234567
			}
			if _, err := evil.call(ctx, "PATCH", "/runs/"+id, key, map[string]any{"settings": settings}, nil); err == nil {
				taken++
			}
		}
	}
	if taken < 50 {
		return errors.New("hardly any change was taken, so this shows nothing")
	}
	return t.another(ctx, good, "/board", memory, func(ctx context.Context) {
		for i := range 500 {
			c, err := from(attacker)(ctx, "tcp", t.host)
			if err != nil {
				continue
			}
			defer c.Close()
			c.(*net.TCPConn).SetReadBuffer(4096)
			path := []string{"/api/v1/runs/" + id + "/tape", "/r/" + id + "/frozen.html", "/r/" + id}[i%3]
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, t.host)
			sleep(ctx, 5*time.Millisecond)
		}
		<-ctx.Done()
	})
}

// loop asks for a path over so many connections until ctx ends.
func (c *caller) loop(ctx context.Context, connections int, path string) {
	var all sync.WaitGroup
	for range connections {
		all.Go(func() { // ends with ctx
			for ctx.Err() == nil {
				c.get(ctx, path)
			}
		})
	}
	all.Wait()
}

// slowUpdates is a run whose updates take long, and slowAgent a run whose agent takes long to act.
var (
	slowUpdates = map[string]any{"preset": "rooms-watermaze", "steps": 2e6, "settings": map[string]any{"batch": 32}}
	slowAgent   = map[string]any{"preset": "rooms-watermaze", "steps": 2e6,
		"settings": map[string]any{"torso": "deep", "batch": 2, "unroll": 10, "lstm": 256}}
	small = map[string]any{"preset": "catch", "steps": 20000}
)

// slowMoments is one address that asks for updates far behind a snapshot; another looks at an update of its own run.
func slowMoments(ctx context.Context, t *target) error {
	evil, good := t.caller(attacker), t.caller(stranger)
	theirs, _, err := evil.run(ctx, 8, slowUpdates)
	if err != nil {
		return err
	}
	ours, _, err := good.run(ctx, 60, small)
	if err != nil {
		return err
	}
	return t.another(ctx, good, "/api/v1/runs/"+ours+"/unroll?update=40", 4e9, func(ctx context.Context) {
		evil.loop(ctx, 6, "/api/v1/runs/"+theirs+"/moments?from=7&to=8")
	})
}

// manyFilms is one address that asks for films of a deep network; another asks for the model of its own run.
func manyFilms(ctx context.Context, t *target) error {
	evil, good := t.caller(attacker), t.caller(stranger)
	theirs, key, err := evil.run(ctx, 3, slowAgent)
	if err != nil {
		return err
	}
	evil.call(ctx, "POST", "/runs/"+theirs+"/stop", key, nil, nil)
	ours, _, err := good.run(ctx, 10, small)
	if err != nil {
		return err
	}
	for status := 0; status != http.StatusOK && ctx.Err() == nil; sleep(ctx, 200*time.Millisecond) {
		if status, err = good.get(ctx, "/r/"+ours+"/policy.onnx"); err != nil { // until it has a snapshot
			return err
		}
	}
	return t.another(ctx, good, "/r/"+ours+"/policy.onnx", 4e9, func(ctx context.Context) {
		evil.loop(ctx, 55, "/r/"+theirs+"/episode.gif?update=100000")
	})
}
