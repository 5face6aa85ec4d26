package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"impalab/server/store"
)

// patient is longer than a worker waits for a busy database, so no worker of this test counts as dead.
const patient = time.Minute

// TestJobsFinishInOrderOfPriorityWithFairShares queues 200 jobs of two priorities and five submitters, one submitter
// after the other, of whom the last asks for four times as much with each job. The order of the queue is fair, and each
// of two workers does its jobs in that order.
func TestJobsFinishInOrderOfPriorityWithFairShares(t *testing.T) {
	onEach(t, func(t *testing.T, p place) {
		s := p.opened(t, false)
		q := queue(t, s, Options{Host: true, dead: patient})
		do(t, s, func(tx *store.Tx) error {
			for _, priority := range []int64{2, 1} {
				for submitter := range 5 {
					for range 20 {
						j := store.Job{Kind: "note", Priority: priority, Submitter: fmt.Sprint(submitter), Cost: 1}
						if submitter == 4 {
							j.Cost = 4
						}
						if _, err := q.Add(tx, j, struct{}{}); err != nil {
							return err
						}
					}
				}
			}
			return nil
		})
		var all []store.Job
		do(t, s, func(tx *store.Tx) (err error) { all, err = tx.JobsIn(store.JobQueued); return err })
		at := map[string]int{} // in the order of the queue
		for i, j := range all {
			at[j.ID] = i
		}
		fair(t, all)

		var mu sync.Mutex
		order := map[string][]int{} // by worker
		done := make(chan bool, len(all))
		for name, from := range map[string]*store.Store{"one": s, "two": p.opened(t, true)} {
			note := func(ctx context.Context, w *Work) error {
				mu.Lock()
				order[name] = append(order[name], at[w.ID()])
				mu.Unlock()
				defer func() { done <- true }()
				return record(w, name, "")
			}
			queue(t, from, Options{Workers: 1, Name: name, dead: patient}, Kind{Name: "note", Work: note})
		}
		for range all {
			<-done
		}
		for name, had := range order {
			if !slices.IsSorted(had) {
				t.Errorf("worker %s did the jobs of the queue in this order: %v", name, had)
			}
		}
	})
}

// fair fails the test unless a list of jobs of two priorities shares each priority fairly between five submitters.
func fair(t *testing.T, all []store.Job) {
	t.Helper()
	if !slices.IsSortedFunc(all, func(a, b store.Job) int { return cmp.Compare(a.Priority, b.Priority) }) {
		t.Error("a job goes before one of a higher priority")
	}
	for half := range slices.Chunk(all, len(all)/2) {
		had := map[string]int{}
		for i, j := range half {
			had[j.Submitter]++
			// Until the four have had their twenty, the fifth has had a quarter of what each of them has.
			for other := range 4 {
				if n := had[fmt.Sprint(other)]; i < 80 && (n < i*4/17 || n > i*4/17+2 || had["4"] > i/17+1) {
					t.Fatalf("after %d jobs they had %v", i+1, had)
				}
			}
		}
		if had["4"] != 20 {
			t.Errorf("they had %v", had)
		}
	}
}
