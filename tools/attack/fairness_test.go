package attack

// Attacks on the places that all visitors share: the board's standings, sweeps, the rooms' memory, a school's address.
// Each sends only requests that the server's limits allow.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner/trial"
	"impalab/server/board"
	"impalab/server/store"
)

// siege is how long a teacher's changes took, and the server's largest use of memory.
type siege struct {
	before, p95 time.Duration
	peak        most
}

// besiege measures a teacher's changes alone, and then while attack runs. The attack ends with its context.
func (t *target) besiege(ctx context.Context, long time.Duration, attack func(ctx context.Context)) (s siege,
	err error) {
	teacher := patient{caller: t.caller(stranger)}
	if teacher.room, err = teacher.caller.room(ctx); err != nil {
		return s, err
	}
	quiet, stop := context.WithTimeout(ctx, 3*time.Second)
	alone, err := teacher.waits(quiet)
	if stop(); err != nil {
		return s, err
	}
	during, stop := context.WithTimeout(ctx, long)
	defer stop()
	var gone sync.WaitGroup
	gone.Go(func() { attack(during) })
	gone.Go(func() { s.peak = t.most(during) })
	beside, err := teacher.waits(during)
	gone.Wait()
	s.before, s.p95 = quantile(alone, .95), quantile(beside, .95)
	fmt.Printf("      another visitor's change took %s at the 95th percentile, before %s; the server takes %.0f MB\n",
		s.p95, s.before, s.peak.memory/1e6)
	return s, err
}

// held returns an error if another visitor waited too long, or if the server took too much memory.
func (s *siege) held(memory float64) error {
	bound := max(250*time.Millisecond, 10*s.before) // a loaded machine is slow without an attack too
	switch {
	case s.p95 > bound:
		return fmt.Errorf("another visitor's change took %s at the 95th percentile, and %s is the bound", s.p95, bound)
	case s.peak.memory > 1.1*memory:
		return fmt.Errorf("the server takes %.0f MB, and --max-memory is %.0f MB", s.peak.memory/1e6, memory/1e6)
	}
	return nil
}

// again starts the server with flags, on the data of the one before after change has had its store.
func (t *target) again(ctx context.Context, change func(*store.Store) error, flags ...string) error {
	if change == nil {
		t.close()
		t.more = flags
		return t.start(ctx)
	}
	t.cmd.Process.Signal(os.Interrupt)
	<-t.exited
	kept, err := store.Open(ctx, store.Options{Dir: t.data})
	if err == nil {
		err = errors.Join(change(kept), kept.Close())
	}
	if err != nil {
		return err
	}
	return t.launch(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.data}, flags...)...)
}

// page asks for a page, and returns its status and size.
func (c *caller) page(ctx context.Context, path string) (status int, bytes int64, err error) {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+c.t.host+path, nil)
	if err != nil {
		return 0, 0, err
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	bytes, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, bytes, err
}

const fullSeason = 4900

// fillSeason adds trained rows to the season that a first entry opened.
func fillSeason(ctx context.Context, t *board.Track) func(*store.Store) error {
	row := func(e *board.Entry, mean float64) string {
		seeds := t.PublicSeeds()
		r := board.Row{Hash: e.Hash, Settings: e.Map(), Figures: board.Figures{Seeds: seeds.Names(), Made: "fused"}}
		r.Score = trial.Estimate{Mean: trial.Number(mean), Low: trial.Number(mean - .3), High: trial.Number(mean + .3)}
		for i := range 50 {
			r.Curve = append(r.Curve, board.CurvePoint{Step: float64(100 * i), Mean: .1234, Low: .0123, High: .2345})
		}
		for range seeds.Names() {
			r.Each, r.Params = append(r.Each, r.Score.Mean), append(r.Params, e.Hash)
		}
		return store.JSON(r)
	}
	return func(kept *store.Store) error {
		return kept.Do(ctx, func(tx *store.Tx) error {
			train := func(id, text string, mean float64) error {
				e, err := t.ParseEntry(text)
				if err != nil {
					return err
				}
				row := row(&e, mean)
				return errors.Join(tx.SetRow(id, false, row), tx.SetRow(id, true, row))
			}
			open, err := tx.EntriesOpen()
			for i := 0; i < len(open) && err == nil; i++ {
				var e store.BoardEntry
				if e, err = tx.Entry(open[i].ID); err == nil {
					err = train(e.ID, e.Settings, 0)
				}
			}
			for i := 0; i < fullSeason && err == nil; i++ {
				id, text := fmt.Sprintf("%032x", i), fmt.Sprintf("mix=0.5 lr=%.6f", .001+float64(i)*1e-6)
				_, err = tx.HandIn(store.BoardEntry{ID: id, Season: 1, Track: t.Name, Form: t.Form(), Settings: text,
					Tried: 1}, "k")
				if err == nil {
					err = train(id, text, float64(i*7919%fullSeason))
				}
			}
			return err
		})
	}
}

// fullBoard reads the pages of a full season and submits an entry again and again, from many connections.
func fullBoard(ctx context.Context, t *target) error {
	const memory = 500e6
	track := board.Own().All[0]
	path := "/board/" + track.Name
	flags := []string{"--workers", "0", "--max-memory", "500"}
	if err := t.again(ctx, nil, flags...); err != nil {
		return err
	}
	entry := map[string]any{"settings": map[string]any{"rho": 2}}
	if _, err := t.caller(attacker).call(ctx, "POST", path+"/entries", "", entry, nil); err != nil {
		return err
	}
	if err := t.again(ctx, fillSeason(ctx, track), flags...); err != nil {
		return err
	}
	defer func() { t.more = nil }()
	var read, refused, failed atomic.Int64
	s, err := t.besiege(ctx, 15*time.Second, func(during context.Context) {
		var gone sync.WaitGroup
		for i := range 60 {
			evil := t.caller(attacker + i%6)
			gone.Go(func() { // ends with during
				for n := 0; during.Err() == nil; n++ {
					status, err := 0, error(nil)
					switch (i + n) % 4 {
					case 0:
						status, _, err = evil.page(during, path)
					case 1:
						status, _, err = evil.page(during, "/api/v1"+path+"/entries")
					case 2:
						status, _, err = evil.page(during, fmt.Sprintf("%s?page=%d", path, 1+(i+n)%25))
					default:
						status, _ = evil.call(during, "POST", path+"/entries", "", entry, nil)
					}
					switch {
					case status == http.StatusOK:
						read.Add(1)
					case status == http.StatusTooManyRequests:
						refused.Add(1)
						sleep(during, 100*time.Millisecond)
					case err != nil && during.Err() == nil:
						failed.Add(1)
					}
				}
			})
		}
		gone.Wait()
	})
	if err != nil {
		return err
	}
	before, err := t.usage()
	const pages = 50
	good := t.caller(stranger + 1)
	for range pages {
		status, size, failed := good.page(ctx, path)
		if err = errors.Join(err, failed); status != http.StatusOK || size < 100_000 {
			err = errors.Join(err, fmt.Errorf("the page is answered %d, with %d bytes", status, size))
		}
		sleep(ctx, 60*time.Millisecond)
	}
	after, err2 := t.usage()
	page := (after.cores - before.cores) / pages
	fmt.Printf("      %d answers, %d refusals, %d failures; a page of %d rows costs %s of CPU\n", read.Load(),
		refused.Load(), failed.Load(), fullSeason, page)
	switch err := errors.Join(err, err2, s.held(memory)); {
	case err != nil:
		return err
	case read.Load() < 100:
		return errors.New("hardly any page was read, so this shows nothing")
	case page > 50*time.Millisecond:
		return fmt.Errorf("a page costs %s of CPU, and 50 ms is the bound", page)
	}
	return nil
}

// allSweeps begins four sweeps each of sixteen addresses, as long as a sweep may be.
func allSweeps(ctx context.Context, t *target) error {
	sweep := func(n int, steps float64) (int, error) {
		return t.caller(n).call(ctx, "POST", "/sweeps", "", map[string]any{"preset": "catch", "seeds": "1-2", "steps": steps},
			nil)
	}
	if status, err := sweep(attacker, 1e12); status != http.StatusUnprocessableEntity {
		return fmt.Errorf("a sweep of years is answered %d: %w", status, err)
	}
	begun := 0
	var strangers error
	s, err := t.besiege(ctx, 20*time.Second, func(during context.Context) {
		for i := range 64 {
			if _, err := sweep(attacker+i/4, 5e10); err == nil {
				begun++
			}
		}
		for range 3 {
			_, err := sweep(stranger+1, 1000)
			strangers = errors.Join(strangers, err)
			sleep(during, 3*time.Second)
		}
	})
	fmt.Printf("      %d sweeps were begun before the stranger's\n", begun)
	switch {
	case err != nil:
		return err
	case strangers != nil:
		return fmt.Errorf("a stranger's sweep: %w", strangers)
	case begun < 64:
		return errors.New("not all places were taken, so this shows nothing")
	}
	return s.held(1e12)
}

// fullRooms fills the memory for rooms from two addresses, and keeps a page open on each room.
func fullRooms(ctx context.Context, t *target) error {
	const rooms, answers = 12, 2300 // of 800 bytes: 22 MB of the 16 MB
	flags := []string{"--workers", "0", "--max-memory", "128"}
	if err := t.again(ctx, nil, flags...); err != nil {
		return err
	}
	defer func() { t.more = nil }()
	try := func(ctx context.Context, c *caller, room *classRoom, secret string) error {
		_, err := c.call(ctx, "POST", "/rooms/"+room.Code+"/answers", secret, map[string]any{"kind": "try",
			"task": "by-hand-with-an-end", "numbers": []float64{1.2345678901234567e-5, 1, 1, 7.77e-300}}, nil)
		return err
	}
	var full [rooms]classRoom
	for i := range full {
		evil := t.caller(attacker + i%2)
		room, err := evil.room(ctx)
		if err == nil {
			err = try(ctx, evil, &room, room.student)
		}
		if err != nil {
			return err
		}
		full[i] = room
	}
	err := t.again(ctx, func(kept *store.Store) error {
		return kept.Do(ctx, func(tx *store.Tx) error {
			for i := range full {
				all, err := tx.Answers(full[i].Code)
				for n := 1; n < answers && err == nil; n++ {
					all[0].Number = int64(n + 1)
					err = tx.AddAnswer(full[i].Code, all[0])
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, flags...)
	if err != nil {
		return err
	}
	var taken, refused atomic.Int64
	var class error
	s, err := t.besiege(ctx, 20*time.Second, func(during context.Context) {
		var gone sync.WaitGroup
		for i := range full {
			evil := t.caller(attacker + i%2)
			gone.Go(func() { evil.watch(during, &full[i]) })
			gone.Go(func() {
				for n := 0; during.Err() == nil; n++ {
					secret, err := evil.join(during, &full[i], fmt.Sprint("m", n))
					for n := 0; n < 50 && err == nil; n++ {
						if err = try(during, evil, &full[i], secret); err == nil {
							taken.Add(1)
						}
					}
					if err != nil {
						refused.Add(1)
					}
					sleep(during, 100*time.Millisecond)
				}
			})
		}
		sleep(during, 5*time.Second)
		good := t.caller(stranger + 1)
		room, err := good.room(ctx)
		for seat := 0; seat < 36 && err == nil; seat++ {
			var secret string
			if secret, err = good.join(ctx, &room, fmt.Sprint("s", seat)); err == nil {
				err = try(ctx, good, &room, secret)
			}
		}
		class = err
		gone.Wait()
	})
	fmt.Printf("      %d more answers were taken, %d requests refused\n", taken.Load(), refused.Load())
	switch {
	case err != nil:
		return err
	case class != nil:
		return fmt.Errorf("another class: %w", class)
	case refused.Load() == 0:
		return errors.New("no request was refused, so this shows nothing")
	}
	return s.held(128e6 + 64e6) // the program itself takes 64 MB
}

// watch reads a room's events until ctx ends.
func (c *caller) watch(ctx context.Context, room *classRoom) {
	for ; ctx.Err() == nil; sleep(ctx, time.Second) {
		r, err := http.NewRequestWithContext(ctx, "GET", "http://"+c.t.host+"/api/v1/rooms/"+room.Code+"/events", nil)
		if err != nil {
			return
		}
		r.Header.Set("Authorization", "Bearer "+room.Key)
		streams := http.Client{Transport: c.client.Transport}
		answer, err := streams.Do(r)
		if err != nil {
			continue
		}
		io.Copy(io.Discard, bufio.NewReader(answer.Body))
		answer.Body.Close()
	}
}

// school sends wrong codes from the address of a class while its students join.
func school(ctx context.Context, t *target) error {
	class := t.caller(attacker)
	room, err := class.room(ctx)
	if err != nil {
		return err
	}
	var guessed, slowed atomic.Int64
	joined := 0
	var why error
	s, err := t.besiege(ctx, 15*time.Second, func(during context.Context) {
		var gone sync.WaitGroup
		for range 8 {
			gone.Go(func() { // ends with during
				for during.Err() == nil {
					status, _, err := class.page(during, "/api/v1/rooms/BCDFGH")
					switch {
					case err != nil:
					case status == http.StatusTooManyRequests:
						slowed.Add(1)
						sleep(during, 20*time.Millisecond)
					default:
						guessed.Add(1)
					}
				}
			})
		}
		sleep(during, time.Second)
		for seat := range 36 {
			if _, err := class.join(during, &room, fmt.Sprint("s", seat)); err == nil {
				joined++
			} else {
				why = err
			}
			sleep(during, 100*time.Millisecond)
		}
		gone.Wait()
	})
	fmt.Printf("      %d of 36 classmates joined; %d guesses were answered and %d slowed down\n", joined, guessed.Load(),
		slowed.Load())
	switch {
	case err != nil:
		return err
	case joined < 36:
		return fmt.Errorf("%d of 36 classmates joined: %w", joined, why)
	case slowed.Load() == 0 || guessed.Load() > 60:
		return fmt.Errorf("%d guesses were answered, and %d slowed down", guessed.Load(), slowed.Load())
	}
	return s.held(1e12)
}
