package board

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/kernel"
	"impalab/learner/schedule"
	"impalab/server/job"
	"impalab/server/store"
)

// TestEntriesOnTwoWorkersAreTrainedInTheirTurn hands in twelve entries each of two addresses, then one each of sixteen
// more, and lets two workers beside the server train them. The queue itself is tested with two hundred jobs.
func TestEntriesOnTwoWorkersAreTrainedInTheirTurn(t *testing.T) {
	if !slow {
		t.Skip("it trains 640 seeds, and says of forty rows how sure they are")
	}
	h := newHall(t)
	h.end()
	var err error
	if h.track, err = Parse("small", []byte(strings.Replace(good, "steps: 1500", "steps: 100", 1))); err != nil {
		t.Fatal(err)
	}
	h.beginWith(0)
	whose := map[string]string{}
	n := 0
	handIn := func(address string) {
		t.Helper()
		n++
		s, _, err := h.HandIn(t.Context(), h.handed(fmt.Sprintf("rho=%.3f", 1+float64(n)/1000), "k", address))
		if err != nil {
			t.Fatal(err)
		}
		whose[s.ID] = address
	}
	for who := range 2 {
		for range mostWaiting {
			handIn(fmt.Sprint("many ", who))
		}
	}
	for who := range 16 {
		handIn(fmt.Sprint("one ", who))
	}
	if n != 40 {
		t.Fatalf("%d entries", n)
	}
	for range 2 {
		h.helper()
	}
	var done []store.Job
	for until := time.Now().Add(20 * time.Minute); len(done) < 2*n; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d of %d jobs are done", len(done), 2*n)
		}
		err := h.kept.View(t.Context(), func(tx *store.Tx) (err error) { done, err = tx.JobsIn(store.JobDone); return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(done, func(a, b store.Job) int { return cmp.Compare(a.Changed, b.Changed) })
	for half, priority := range []int64{publicPriority, secretPriority} {
		had, left := map[string]int{}, map[string]int{}
		for _, address := range whose {
			left[address]++
		}
		for i, j := range done[half*n : half*n+n] {
			if j.Priority != priority && i > 1 && i < n-2 { // two run at the same time
				t.Fatalf("job %d of those of priority %d is %+v", i, priority, j)
			}
			var args jobArgs
			if err := json.Unmarshal([]byte(j.Args), &args); err != nil {
				t.Fatal(err)
			}
			who := whose[args.Entry]
			had[who]++
			left[who]--
			for other, waits := range left {
				if waits > 0 && had[who] > had[other]+2 && i < n-2 {
					t.Fatalf("after %d jobs of priority %d %s has had %d, and %s, who has %d waiting, %d", i+1, priority, who,
						had[who], other, waits, had[other])
				}
			}
		}
	}
	for id := range whose {
		kit.Until(t, "entry "+id+" is ranked", func() bool { // its standing follows its jobs
			s, err := h.Standing(t.Context(), h.track, id)
			return err == nil && s.State == store.Done
		})
	}
}

// helper starts a worker with its own connection to the store, until the test ends.
func (h *hall) helper() {
	h.t.Helper()
	at := h.at
	at.Guest = true
	kept, err := store.Open(h.t.Context(), at)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { kept.Close() })
	queue, err := job.Open(h.t.Context(), kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(), Workers: 1})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { queue.Close() })
	o := h.options(queue)
	o.Store, o.Cores = kept, schedule.NewCores(1)
	if err := queue.Start(Kinds(o)...); err != nil {
		h.t.Fatal(err)
	}
}
