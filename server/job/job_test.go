package job

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/store"
)

func TestAJobIsThereWhenItsTransactionHasHappenedAndOnlyThen(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		sorry := errors.New("sorry")
		err := s.Do(t.Context(), func(tx *store.Tx) error {
			_, err := q.Add(tx, store.Job{Kind: "chain", Priority: 2}, map[string]int{"Rounds": 1})
			return errors.Join(sorry, err)
		})
		if !errors.Is(err, sorry) {
			t.Fatal(err)
		}
		id := add(t, s, q, "chain", map[string]int{"Rounds": 100})
		queue(t, s, Options{Workers: 2}, chain("one", func(uint64) {}))
		j := awaits(t, s, id, "it is done", in(store.JobDone))
		if got := results(t, s, id); len(got) != 1 || got[0] != "one "+chained(100) || j.Progress != 100 || j.Total != 100 {
			t.Errorf("%v, %+v", got, j)
		}
		_, db := s.SQL()
		var all, rows int
		err = db.QueryRow("SELECT (SELECT COUNT(*) FROM jobs), (SELECT COUNT(*) FROM river_job)").Scan(&all, &rows)
		if err != nil || all != 1 || rows != 1 {
			t.Errorf("%d jobs and %d rows of River's (%v), where one was added", all, rows, err)
		}
	})
}

// TestAJobOfADeadWorkerContinuesElsewhereFromItsSnapshot kills a worker's process while it is at a job.
func TestAJobOfADeadWorkerContinuesElsewhereFromItsSnapshot(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		id := add(t, s, q, "chain", map[string]int{"Rounds": 1000})
		first, said := p.launch(t, "first")
		kept := ""
		for line := range said {
			if kept = line; line == "150" {
				first.Process.Kill()
			}
		}
		var from uint64
		second := chain("second", func(uint64) {})
		watched := Kind{Name: "chain", Work: func(ctx context.Context, w *Work) error {
			from = uint64(len(w.Resumed()))
			return second.Work(ctx, w)
		}}
		began := time.Now()
		queue(t, s, Options{Workers: 1, Name: "second"}, watched)
		awaits(t, s, id, "another goes on", func(j store.Job) bool { return j.Worker == "second" })
		t.Logf("it went on after %v", time.Since(began))
		j := awaits(t, s, id, "it is done", in(store.JobDone))
		if got := results(t, s, id); len(got) != 1 || got[0] != "second "+chained(1000) || from == 0 {
			t.Errorf("killed after %s rounds: %v, %+v", kept, got, j)
		}
	})
}

// TestAWorkerThatWasGivenUpForDeadWritesNothing: its process paused for too long.
func TestAWorkerThatWasGivenUpForDeadWritesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		begun, lost, end := make(chan string, 1), make(chan bool), make(chan []error, 1)
		stuck := Kind{Name: "chain", Work: func(ctx context.Context, w *Work) error {
			if err := w.Save([]byte("0123456789012345678901234567890123456789")); err != nil {
				return err
			}
			begun <- w.ID()
			<-lost
			end <- []error{w.Save([]byte("late")), w.Do(func(*store.Tx) error { return nil }), record(w, "first", "late")}
			<-ctx.Done()
			return context.Cause(ctx)
		}}
		q := queue(t, s, Options{Host: true, Workers: 1, Name: "first"}, stuck)
		id := add(t, s, q, "chain", map[string]int{"Rounds": 1})
		<-begun
		do(t, s, func(tx *store.Tx) error { // as a watcher does whose clock says so
			j, err := tx.Job(id)
			return errors.Join(err, q.recoverJob(tx, j))
		})
		done := make(chan bool)
		queue(t, s, Options{Workers: 1, Name: "second"}, Kind{Name: "chain", Work: func(ctx context.Context, w *Work) error {
			close(lost)
			for _, err := range <-end {
				if !errors.Is(err, store.ErrLost) {
					t.Errorf("the first could write: %v", err)
				}
			}
			defer close(done)
			return record(w, "second", string(w.Resumed()[:4]))
		}})
		<-done
		awaits(t, s, id, "it is done", in(store.JobDone))
		if got := results(t, s, id); len(got) != 1 || got[0] != "second 0123" {
			t.Error(got)
		}
	})
}

func TestAJobThatFailsIsTriedAgainAndOneThatIsRefusedIsNot(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		calls := map[string]int{}
		var mu sync.Mutex
		q := queue(t, s, Options{Host: true, Workers: 3},
			Kind{Name: "twice", Work: func(ctx context.Context, w *Work) error {
				mu.Lock()
				defer mu.Unlock()
				if calls["twice"]++; calls["twice"] == 1 {
					panic("once")
				}
				return record(w, "", "second time")
			}},
			Kind{Name: "never", Work: func(ctx context.Context, w *Work) error {
				mu.Lock()
				defer mu.Unlock()
				calls["never"]++
				return Refuse(errors.New("that cannot be"))
			}, Failed: func(tx *store.Tx, j store.Job) error {
				ctx, sqlTx := tx.SQL()
				_, err := sqlTx.ExecContext(ctx, "INSERT INTO results VALUES ($1, $2, $3)", j.ID, "failed:", j.Reason)
				return err
			}},
			Kind{Name: "silent", Work: func(ctx context.Context, w *Work) error { return nil }})
		var twice, never, silent, unknown string
		for kind, id := range map[string]*string{"twice": &twice, "never": &never, "silent": &silent, "unknown": &unknown} {
			*id = add(t, s, q, kind, struct{}{})
		}
		for id, reason := range map[string]string{never: "that cannot be", silent: "without a result"} {
			if j := awaits(t, s, id, "it fails", in(store.JobFailed)); !strings.Contains(j.Reason, reason) {
				t.Errorf("it failed for %q, without %q", j.Reason, reason)
			}
		}
		if got := results(t, s, never); len(got) != 1 || got[0] != "failed: that cannot be" {
			t.Errorf("its failure means %q", got)
		}
		awaits(t, s, twice, "it is done", in(store.JobDone))
		if got := results(t, s, twice); len(got) != 1 || calls["twice"] != 2 || calls["never"] != 1 {
			t.Errorf("%v, %v", got, calls)
		}
		awaits(t, s, unknown, "it waits for a worker that knows its kind", in(store.JobQueued))
	})
}

// TestAStartedServerRequeuesTheJobsOfItsDeadProcess at once: it need not wait for a heart to stand still.
func TestAStartedServerRequeuesTheJobsOfItsDeadProcess(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		own := add(t, s, q, "chain", struct{}{})
		other := add(t, s, q, "chain", struct{}{})
		do(t, s, func(tx *store.Tx) error {
			for id, worker := range map[string]string{own: theServer, other: "another worker"} {
				j, err := tx.Job(id)
				if err == nil {
					_, err = tx.ClaimJob(id, j.Ticket, worker, "token")
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		queue(t, s, Options{Host: true})
		for id, state := range map[string]store.State{own: store.JobQueued, other: store.JobRunning} {
			do(t, s, func(tx *store.Tx) error {
				j, err := tx.Job(id)
				if j.State != state {
					t.Errorf("it is %s; want %s", j.State, state)
				}
				return err
			})
		}
	})
}

func TestAWorkerThatStopsHandsItsJobToTheNextAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		id := add(t, s, q, "chain", map[string]int{"Rounds": 300})
		first := queue(t, s, Options{Workers: 1, Name: "first"}, chain("first", func(uint64) {}))
		awaits(t, s, id, "it is on its way", func(j store.Job) bool { return j.Progress > 0 })
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		var j store.Job
		var from []byte
		do(t, s, func(tx *store.Tx) (err error) {
			if j, err = tx.Job(id); err == nil {
				from, err = tx.JobSnapshot(id)
			}
			return err
		})
		if j.State != store.JobQueued || j.Worker != "" || from == nil {
			t.Errorf("%+v, with a snapshot of %d bytes", j, len(from))
		}
		queue(t, s, Options{Workers: 1, Name: "second"}, chain("second", func(uint64) {}))
		awaits(t, s, id, "it is done", in(store.JobDone))
		if got := results(t, s, id); len(got) != 1 || got[0] != "second "+chained(300) {
			t.Error(got)
		}
	})
}

func TestAJobCanBeCancelledWhileItWaitsAndWhileItRuns(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true, Workers: 1}, chain("one", func(uint64) {}))
		runs := add(t, s, q, "chain", map[string]int{"Rounds": 1e9})
		awaits(t, s, runs, "it runs", in(store.JobRunning))
		waits := add(t, s, q, "chain", map[string]int{"Rounds": 1})
		third := add(t, s, q, "chain", map[string]int{"Rounds": 1})
		do(t, s, func(tx *store.Tx) error {
			if place, err := tx.JobPlace(third); err != nil || place != 1 {
				t.Errorf("%d wait before the third (%v)", place, err)
			}
			return errors.Join(q.Cancel(tx, waits, "by hand"), q.Cancel(tx, runs, "by hand"))
		})
		awaits(t, s, third, "it is done", in(store.JobDone)) // the worker is free again
		for _, id := range []string{runs, waits} {
			if j := awaits(t, s, id, "it stays", in(store.JobCancelled)); j.Reason != "by hand" || len(results(t, s, id)) > 0 {
				t.Errorf("%+v", j)
			}
		}
		do(t, s, func(tx *store.Tx) error { return q.Cancel(tx, third, "too late") })
		awaits(t, s, third, "it is done", in(store.JobDone))
	})
}

// TestAWorkerOfAnotherBuildLeavesJobsAloneUntilTheServerIsOfThatBuild: a server adopts the jobs of an
// older server and restarts them.
func TestAWorkerOfAnotherBuildLeavesJobsAloneUntilTheServerIsOfThatBuild(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		id := add(t, s, q, "chain", map[string]int{"Rounds": 60})
		do(t, s, func(tx *store.Tx) error {
			j, err := tx.Job(id)
			if err != nil {
				return err
			}
			if _, err = tx.ClaimJob(id, j.Ticket, "old", "token"); err != nil {
				return err
			}
			return errors.Join(tx.SaveJob(id, "token", []byte("of an old build")), tx.QueueJob(j))
		})
		said := &lockedBuilder{}
		log := slog.New(slog.NewTextHandler(said, nil))
		queue(t, s, Options{Build: "new", Workers: 1, Log: log}, chain("new", func(uint64) {}))
		for deadline := time.Now().Add(kit.Patience); !strings.Contains(said.String(), "left alone"); {
			if time.Now().After(deadline) {
				t.Fatalf("it says %q", said)
			}
			time.Sleep(10 * time.Millisecond)
		}
		awaits(t, s, id, "it waits", in(store.JobQueued))
		queue(t, s, Options{Build: "new", Host: true})
		awaits(t, s, id, "it is done", in(store.JobDone))
		if got := results(t, s, id); len(got) != 1 || got[0] != "new "+chained(60) {
			t.Error(got)
		}
	})
}

// TestTheQueueIsMadeAgainFromTheJobs: a restored store has jobs, and no rows of River's.
func TestTheQueueIsMadeAgainFromTheJobs(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		var ids []string
		for range 3 {
			ids = append(ids, add(t, s, q, "chain", map[string]int{"Rounds": 5}))
		}
		_, db := s.SQL()
		if _, err := db.Exec("DELETE FROM river_job"); err != nil {
			t.Fatal(err)
		}
		queue(t, s, Options{Workers: 1}, chain("one", func(uint64) {}))
		for _, id := range ids {
			awaits(t, s, id, "it is done", in(store.JobDone))
			if got := results(t, s, id); len(got) != 1 {
				t.Error(got)
			}
		}
	})
}

// TestJobsOnPostgreSQL runs in the quick suite: the slow suite runs all tests on PostgreSQL.
func TestJobsOnPostgreSQL(t *testing.T) {
	if slow {
		t.Skip("every test runs there")
	}
	t.Parallel()
	p := postgresPlace(t)
	s := p.opened(t, false)
	q := queue(t, s, Options{Host: true})
	id := add(t, s, q, "chain", map[string]int{"Rounds": 60})
	queue(t, p.opened(t, true), Options{Workers: 1}, chain("guest", func(uint64) {}))
	awaits(t, s, id, "it is done", in(store.JobDone))
	if got := results(t, s, id); len(got) != 1 || got[0] != "guest "+chained(60) {
		t.Error(got)
	}
}

// TestADeadlockIsTriedAgainAlsoInRiversTables has two cancel the same two jobs, each in another order: PostgreSQL ends
// one of the transactions.
func TestADeadlockIsTriedAgainAlsoInRiversTables(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	s := p.opened(t, false)
	q := queue(t, s, Options{Host: true})
	var tickets []int64
	for range 2 {
		id := add(t, s, q, "chain", map[string]int{"Rounds": 1})
		err := s.View(t.Context(), func(tx *store.Tx) error {
			j, err := tx.Job(id)
			tickets = append(tickets, j.Ticket)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var both sync.WaitGroup
	both.Add(2)
	done := make(chan error, 2)
	var tries atomic.Int64
	for _, order := range [][]int64{tickets, {tickets[1], tickets[0]}} {
		go func() { // ends with its transaction
			arrived := sync.OnceFunc(func() { both.Done(); both.Wait() })
			done <- s.Do(t.Context(), func(tx *store.Tx) error {
				tries.Add(1)
				if err := q.cancel(tx, order[0]); err != nil {
					return err
				}
				arrived() // each has one
				return q.cancel(tx, order[1])
			})
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := tries.Load(); n < 3 { // on a slow machine PostgreSQL may end one of them again
		t.Errorf("%d transactions were tried; one of two is to be tried twice", n)
	}
}

// lockedBuilder is a strings.Builder for several goroutines.
type lockedBuilder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
