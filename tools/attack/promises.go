package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"impalab/web/wire"
)

// promises is what SECURITY.md promises, by the names it gives them.
var promises = []promise{
	{"panic", "no run ends the process, and no other run notices", nil, notFinite},
	{"address", "thirty-five pages of one address all run, and a stranger's run starts within a second", nil, oneAddress},
	{"memory", "runs that were left do not pile up: memory stays in its budget and comes back",
		[]string{"GOMEMLIMIT=1500MiB"}, pileUp},
	{"body", "a request without its body is cut, and strangers are served meanwhile", nil, cut("body", 600)},
	{"download", "an unread answer is cut", nil, cut("download", 300)},
	{"header", "a header that is too long is cut at once", nil, longHeader},
	{"slow", "a header that drips is cut", nil, cut("slow", 300)},
	{"stream", "an event stream without a Hello is cut", nil, cut("stream", 150)},
	{"host", "a page under another name does not reach the server: DNS rebinding", nil, rebinding},
	{"origin", "a page of another site does not reach it either", nil, otherSites},
	{"neighbours", "fifteen heavy runs of one address leave a stranger's run its pace and its answers", nil, neighbours},
	{"left", "a run that was left takes no core", nil, leftBehind},
	{"exit", "a result that cannot be written ends in exit code 1", nil, fullDisk},
	{"frames", "what breaks the protocol ends its own session, with a sentence", nil, brokenRules},
	{"deaf", "viewers who read nothing cost little memory and no pace", nil, deaf},
	{"churn", "two thousand pages that come and go leave nothing behind", nil, churn},
	{"rooms", "two hundred requests of one student at a time make no other room's teacher wait", nil, otherRooms},
	{"fill", "answers of a room fill neither the memory nor the disk", nil, fillDisk},
	{"viewers", "two hundred viewers lose no event and cost the run no pace", nil, audienceOf200},
}

// diverging becomes not finite within a few updates, in the network's outputs before its parameters.
var diverging = []string{"world=pendulum:extra=500", "policy=gaussian", "activation=relu", "hidden=1000-1000-1000-900",
	"lr=10", "clip=inf",
	"policy-cost=1e-9", "value-cost=0", "entropy=10", "opt-eps=1e-30", "batch=2", "unroll=1", "head-scale=1",
	"opt-decay=0.99999",
	"momentum=0.999", "replay-size=1", "actors=1"}

func notFinite(ctx context.Context, t *target) error {
	v, err := t.victim(ctx, nil)
	if err != nil {
		return err
	}
	defer v.close()
	for _, mode := range []string{"mode=live,speed=inf", "mode=reference,speed=200"} {
		list, err := settings(append(append([]string{}, diverging...), strings.Split(mode, ",")...))
		if err != nil {
			return err
		}
		h := t.hold(ctx, 6, 6, list)
		sleep(ctx, 12*time.Second)
		h.close()
		if err := t.alive(); err != nil {
			return fmt.Errorf("with %s: %w", mode, err)
		}
		if len(h.browsers) == 0 {
			return fmt.Errorf("the settings are refused, so this shows nothing: %w", errors.Join(h.refusals...))
		}
	}
	return v.lives(ctx, t)
}

// lives reports whether the victim's run continues and answers.
func (v *victim) lives(ctx context.Context, t *target) error {
	f, err := v.measure(ctx, t, 3)
	switch {
	case err != nil:
		return err
	case len(f.confirmations) == 0:
		return errors.New("the other run answers no more")
	case f.pace <= 0:
		return errors.New("the other run stands still")
	}
	return nil
}

func oneAddress(ctx context.Context, t *target) error {
	h := t.hold(ctx, 35, 1, nil)
	defer h.close()
	if len(h.refusals) > 0 {
		return fmt.Errorf("%d of 35 pages were refused: %w", len(h.refusals), h.refusals[0])
	}
	start := time.Now()
	b, _, err := t.visit(ctx, stranger, &wire.Hello{})
	if err != nil {
		return fmt.Errorf("a stranger was refused: %w", err)
	}
	defer b.conn.Close()
	for {
		m, err := b.hear(time.Until(start.Add(5 * time.Second)))
		if err != nil {
			return fmt.Errorf("a stranger's run did not start within five seconds: %w", err)
		}
		if x, ok := m.(*wire.XRay); ok && x.Update > 0 {
			if waited := time.Since(start); waited > time.Second {
				return fmt.Errorf("a stranger's run started after %s", waited)
			}
			return nil
		}
	}
}

func pileUp(ctx context.Context, t *target) error {
	const budget, room = 1500 << 20, 150 << 20 // GOMEMLIMIT of this server; what lies outside Go's heap, and the binary
	rest, err := t.usage()
	if err != nil {
		return err
	}
	peak, opened, err := t.spawn(ctx, 15*time.Second, 30*time.Millisecond, heavy)
	switch {
	case err != nil:
		return err
	case opened == 0:
		return errors.New("no run was begun, so this shows nothing")
	case peak > budget+room:
		return fmt.Errorf("%d runs that were left took %.0f MB; the budget is %d MB", opened, peak/1e6, budget/1_000_000)
	}
	for range 30 {
		sleep(ctx, time.Second)
		if u, err := t.usage(); err != nil || u.rss < rest.rss+room {
			return err
		}
	}
	u, err := t.usage()
	return errors.Join(err, fmt.Errorf("30 s later the server takes %.0f MB; at rest it took %.0f", u.rss/1e6,
		rest.rss/1e6))
}

// cut is an attack with unfinished requests: all must be gone within half a minute, while the server answers a
// stranger.
func cut(kind string, count int) func(context.Context, *target) error {
	return func(ctx context.Context, t *target) error {
		l, err := t.loris(ctx, kind, count)
		if err != nil {
			return err
		}
		defer l.close()
		left := 0
		for range 30 {
			if err := t.served(ctx); err != nil {
				return err
			}
			if left = l.open(t); left <= count/50 {
				return nil
			}
			sleep(ctx, time.Second)
		}
		return fmt.Errorf("%d of %d are still open after 30 s", left, count)
	}
}

// served reports whether the server answers a stranger within a second.
func (t *target) served(ctx context.Context) error {
	start := time.Now()
	if err := t.get(ctx, "/healthz"); err != nil {
		return err
	}
	if waited := time.Since(start); waited > time.Second {
		return fmt.Errorf("a stranger waited %s", waited)
	}
	return nil
}

func longHeader(ctx context.Context, t *target) error {
	before, err := t.usage()
	if err != nil {
		return err
	}
	if err := cut("header", 200)(ctx, t); err != nil {
		return err
	}
	after, err := t.usage()
	if grown := after.rss - before.rss; grown > 100e6 {
		err = errors.Join(err, fmt.Errorf("200 headers of 1 MB took %.0f MB", grown/1e6))
	}
	return err
}

// ask sends a request with other headers and returns its status.
func ask(ctx context.Context, address, path string, headers map[string]string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+address+path, nil)
	if err != nil {
		return 0, err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		r.Host = host
	}
	// An empty map keeps the client from HTTP/2.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	return answer.StatusCode, nil
}

// upgrade is a browser's request for a websocket.
func upgrade(more ...string) map[string]string {
	h := map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
	for i := 0; i < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

func rebinding(ctx context.Context, t *target) error {
	_, port, _ := strings.Cut(t.Host, ":")
	var errs []error
	for _, name := range []string{"evil.example", "127.0.0.1.evil.example", "localhost.evil.example"} {
		name += ":" + port
		for path, headers := range map[string]map[string]string{
			"/": {"Host": name}, "/api/stream": {"Host": name}, "/ws": upgrade("Host", name, "Origin", "http://"+name),
		} {
			if status, err := ask(ctx, t.Host, path, headers); err != nil || status < 400 {
				errs = append(errs, fmt.Errorf("as %s, %s answers %d %v", name, path, status, err))
			}
		}
		if status, err := ask(ctx, t.metrics, "/metrics", map[string]string{"Host": name}); err != nil || status < 400 {
			errs = append(errs, fmt.Errorf("as %s, the metrics answer %d %v", name, status, err))
		}
	}
	for _, name := range []string{"localhost:" + port, "127.0.0.1:" + port} {
		if status, err := ask(ctx, t.Host, "/lab", map[string]string{"Host": name}); err != nil || status != http.StatusOK {
			errs = append(errs, fmt.Errorf("as %s the page answers %d %v", name, status, err))
		}
	}
	return errors.Join(errs...)
}

func otherSites(ctx context.Context, t *target) error {
	var errs []error
	for _, headers := range []map[string]string{
		upgrade("Origin", "http://evil.example"), upgrade("Origin", "null"),
		upgrade("Origin", "http://"+t.Host+".evil.example"),
	} {
		if status, err := ask(ctx, t.Host, "/ws", headers); err != nil || status != http.StatusForbidden {
			errs = append(errs, fmt.Errorf("a websocket from %s is answered %d %v", headers["Origin"], status, err))
		}
	}
	if status, err := ask(ctx, t.Host, "/api/stream", map[string]string{"Sec-Fetch-Site": "cross-site"}); err != nil ||
		status != http.StatusForbidden {
		errs = append(errs, fmt.Errorf("a stream from another site is answered %d %v", status, err))
	}
	return errors.Join(errs...)
}

func neighbours(ctx context.Context, t *target) error {
	v, err := t.victim(ctx, nil)
	if err != nil {
		return err
	}
	defer v.close()
	alone, err := v.measure(ctx, t, 6)
	if err != nil {
		return err
	}
	h := t.hold(ctx, 15, 1, heavy)
	defer h.close()
	sleep(ctx, 4*time.Second)
	beside, err := v.measure(ctx, t, 10)
	if err != nil {
		return err
	}
	h.close()
	sleep(ctx, 3*time.Second)
	again, err := v.measure(ctx, t, 6) // the machine may have become busier meanwhile
	if err != nil {
		return err
	}
	// On an idle machine it is 95 % and 50 ms; this also holds beside other tests.
	if kept, p95 := beside.pace/min(alone.pace, again.pace), quantile(beside.confirmations, 0.95); kept < 0.9 ||
		p95 > 200*time.Millisecond || len(beside.confirmations) == 0 {
		return fmt.Errorf("beside %d heavy runs it kept %.0f %% of its %.0f steps/s, and %d confirmations had a p95 of %s",
			len(h.browsers), 100*kept, alone.pace, len(beside.confirmations), p95)
	}
	return nil
}

func leftBehind(ctx context.Context, t *target) error {
	list, err := settings([]string{"preset=cartpole", "speed=inf"})
	if err != nil {
		return err
	}
	h := t.hold(ctx, 3, 1, list)
	sleep(ctx, 3*time.Second)
	busy, err := t.usage()
	if err != nil {
		return err
	}
	sleep(ctx, 2*time.Second)
	atWork, err := t.usage()
	h.close()
	if err != nil || len(h.browsers) == 0 || atWork.since(busy) < 0.1 {
		return fmt.Errorf("%d runs took %.2f cores, so this shows nothing: %w", len(h.browsers), atWork.since(busy),
			errors.Join(append(h.refusals, err)...))
	}
	sleep(ctx, 3*time.Second)
	before, err := t.usage()
	if err != nil {
		return err
	}
	sleep(ctx, 3*time.Second)
	after, err := t.usage()
	if cores := after.since(before); cores > 0.1 {
		err = errors.Join(err, fmt.Errorf("three seconds after their pages left, three runs take %.2f cores", cores))
	}
	return err
}

func fullDisk(ctx context.Context, t *target) error {
	var errs []error
	for _, args := range []string{"train --world catch --steps 2000 --json", "train --world catch --steps 2000",
		"train --world catch --steps 2000 --seeds 1-2",
		"bench --world catch --seconds 0.2", "version", "worlds", "settings", "config"} {
		disk, err := full()
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, t.Server, strings.Fields(args)...)
		cmd.Stdout, cmd.Stderr = disk, io.Discard
		cmd.Run()
		disk.Close()
		if code := cmd.ProcessState.ExitCode(); code != 1 {
			errs = append(errs, fmt.Errorf("impalab %s > /dev/full ends in exit code %d", args, code))
		}
	}
	return errors.Join(errs...)
}

func brokenRules(ctx context.Context, t *target) error {
	v, err := t.victim(ctx, nil)
	if err != nil {
		return err
	}
	defer v.close()
	before, err := t.usage()
	if err != nil {
		return err
	}
	var errs []error
	for _, o := range oddities() {
		answer, err := t.oddity(ctx, o)
		if err != nil || !strings.HasPrefix(answer, o.want) {
			errs = append(errs, fmt.Errorf("%s is answered %q %v, not %q", o.name, answer, err, o.want))
		}
	}
	if after, err := t.usage(); err != nil || after.rss-before.rss > 150e6 {
		errs = append(errs, fmt.Errorf("memory went from %.0f to %.0f MB %v", before.rss/1e6, after.rss/1e6, err))
	}
	return errors.Join(append(errs, v.lives(ctx, t))...)
}

func deaf(ctx context.Context, t *target) error {
	b, w, err := t.visit(ctx, stranger, &wire.Hello{})
	if err != nil {
		return err
	}
	defer b.conn.Close()
	o := newOwner(b, &audience{asked: map[uint64]time.Time{}})
	sleep(ctx, 2*time.Second)
	alone, err := o.measure(ctx, t, 4)
	if err != nil {
		return err
	}
	read := newReader()
	var viewers []*tap
	for i := range 300 {
		v, err := t.tap(ctx, attacker+1+i/150, read, &wire.Hello{Run: w.Run, Key: w.Key})
		if err != nil {
			return fmt.Errorf("viewer %d: %w", i, err)
		}
		defer v.conn.Close()
		viewers = append(viewers, v)
		wants, err := wire.Append(nil, &wire.Want{Frames: true, Weights: true})
		if err != nil {
			return err
		}
		if _, err := v.conn.Write(masked(opBinary, wants)); err != nil {
			return err
		}
	}
	sleep(ctx, 5*time.Second)
	with, err := o.measure(ctx, t, 8)
	if err != nil {
		return err
	}
	for _, v := range viewers {
		v.conn.Close()
	}
	sleep(ctx, 2*time.Second)
	again, err := o.measure(ctx, t, 4) // the machine may have become busier meanwhile
	if err == nil && (with.rss-alone.rss > 200e6 || with.pace < 0.9*min(alone.pace, again.pace)) {
		err = fmt.Errorf("300 viewers who read nothing: memory from %.0f to %.0f MB, pace from %.0f to %.0f steps/s, "+
			"server from %.2f to %.2f cores",
			alone.rss/1e6, with.rss/1e6, alone.pace, with.pace, alone.cores, with.cores)
	}
	return err
}

func churn(ctx context.Context, t *target) error {
	b, w, err := t.visit(ctx, stranger, &wire.Hello{})
	if err != nil {
		return err
	}
	defer b.conn.Close()
	sleep(ctx, time.Second)
	before, err := t.usage()
	if err != nil {
		return err
	}
	for i := range 2000 {
		c, err := t.dial(ctx, attacker+i%20)
		if err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
		switch i % 4 {
		case 0: // says nothing
		case 1:
			err = c.say(&wire.Hello{Run: w.Run, Key: w.Key})
			if err == nil {
				_, err = c.hear(patience)
			}
		case 2:
			err = c.say(&wire.Hello{Run: w.Run, Key: w.Key})
		case 3:
			err = c.say(&wire.Want{}) // out of order
		}
		if err != nil {
			return fmt.Errorf("page %d: %w", i, err)
		}
		c.conn.NetConn().Close()
	}
	for range 15 {
		sleep(ctx, time.Second)
		if u, err := t.usage(); err != nil || u.files <= before.files+5 && u.rss < before.rss+50e6 {
			return err
		}
	}
	u, err := t.usage()
	return errors.Join(err, fmt.Errorf("15 s later %d files are open instead of %d, and memory is %.0f instead of %.0f MB",
		u.files, before.files, u.rss/1e6, before.rss/1e6))
}

func audienceOf200(ctx context.Context, t *target) error {
	c := viewCommand{Viewers: 200, Seconds: 6, PerHost: 190}
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
