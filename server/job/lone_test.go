package job

import (
	"context"
	"strings"
	"testing"
	"time"

	"impalab/server/store"
)

// die has workers take a job and die, so often.
func die(t *testing.T, s *store.Store, q *Queue, id string, times int) (j store.Job) {
	t.Helper()
	for range times {
		do(t, s, func(tx *store.Tx) (err error) {
			if j, err = tx.Job(id); err != nil {
				return err
			}
			if j, err = tx.ClaimJob(id, j.Ticket, "worker", "token"); err == nil {
				err = q.recoverJob(tx, j)
			}
			return err
		})
	}
	do(t, s, func(tx *store.Tx) (err error) { j, err = tx.Job(id); return err })
	return j
}

func TestAJobThatKillsItsWorkersFails(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		id := add(t, s, q, "chain", struct{}{})
		if j := die(t, s, q, id, guilty-1); j.State != store.JobQueued {
			t.Errorf("%+v", j)
		}
		if j := die(t, s, q, id, 1); j.State != store.JobFailed || !strings.Contains(j.Reason, "8 workers died") {
			t.Errorf("%+v", j)
		}
	})
}

// TestASuspectRunsAlone, after the worker has handed its other job back, which then continues.
func TestASuspectRunsAlone(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true})
		id := add(t, s, q, "suspect", struct{}{})
		die(t, s, q, id, suspect)
		innocent := add(t, s, q, "chain", map[string]int{"Rounds": 3000})
		began := time.Now()
		queue(t, s, Options{Workers: 2}, chain("one", func(uint64) {}),
			Kind{Name: "suspect", Work: func(ctx context.Context, w *Work) error {
				if lived := time.Since(began); lived < hurry {
					t.Errorf("it began in a worker that had lived for %v", lived)
				}
				for range 10 {
					do(t, s, func(tx *store.Tx) error {
						j, err := tx.Job(innocent)
						if err != nil || j.State != store.JobQueued {
							t.Errorf("beside the suspect: %+v (%v)", j, err)
						}
						return err
					})
					time.Sleep(10 * time.Millisecond)
				}
				return record(w, "alone", "")
			}})
		awaits(t, s, id, "it is done", in(store.JobDone))
		awaits(t, s, innocent, "it is done", in(store.JobDone))
		if got := results(t, s, innocent); len(got) != 1 || got[0] != "one "+chained(3000) {
			t.Error(got)
		}
	})
}
