package board

// A contest for tests.

import (
	"sync/atomic"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/server/job"
	"impalab/server/store"
)

// hall is a contest on the small track, with a clock that a test sets.
type hall struct {
	*Contest
	t     testing.TB
	track *Track
	dir   string
	at    store.Options
	kept  *store.Store
	queue *job.Queue
	clock atomic.Int64
}

func newHall(t testing.TB) *hall {
	t.Helper()
	h := &hall{t: t, dir: t.TempDir()}
	h.track = parsed(t)
	h.clock.Store(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	h.at = newPlace(t, h.dir)
	kept, err := store.Open(t.Context(), h.at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	h.kept = kept
	h.begin()
	t.Cleanup(func() { h.end() })
	return h
}

// begin starts the contest with two workers.
func (h *hall) begin() {
	h.t.Helper()
	h.beginWith(2)
}

// beginWith starts the contest with so many workers in the server's process.
func (h *hall) beginWith(workers int) {
	h.t.Helper()
	queue, err := job.Open(h.t.Context(), h.kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(),
		Workers: workers, Host: true})
	if err != nil {
		h.t.Fatal(err)
	}
	h.queue = queue
	h.Contest = NewContest(h.options(queue))
	if err := queue.Start(h.Kinds()...); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) end() {
	h.queue.Close()
	h.Contest.Close()
}

// idle restarts the contest without workers.
func (h *hall) idle() {
	h.t.Helper()
	h.end()
	h.beginWith(0)
}

func (h *hall) options(queue *job.Queue) ContestOptions {
	return ContestOptions{Store: h.kept, Tracks: &Tracks{All: []*Track{h.track}}, Queue: queue,
		Salt: []byte("salt"), Now: func() time.Time { return time.UnixMilli(h.clock.Load()) }}
}

func (h *hall) handed(text, key, address string) Handed {
	h.t.Helper()
	settings, err := hyper.ParseText(text)
	if err != nil {
		h.t.Fatal(err)
	}
	return Handed{Track: h.track, Settings: settings, Nickname: "Ada", Key: key, Address: address}
}

func (h *hall) handIn(text, key string) (Standing, bool) {
	h.t.Helper()
	s, fresh, err := h.HandIn(h.t.Context(), h.handed(text, key, "here"))
	if err != nil {
		h.t.Fatal(err)
	}
	return s, fresh
}

// trained waits until an entry is ranked.
func (h *hall) trained(id string) Standing {
	h.t.Helper()
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); {
		news := h.News()
		s, err := h.Standing(h.t.Context(), h.track, id)
		if err != nil {
			h.t.Fatal(err)
		}
		switch s.State {
		case store.Done:
			return s
		case store.Failed:
			h.t.Fatal(s.Reason)
		}
		select {
		case <-news:
		case <-time.After(time.Second):
		}
	}
	h.t.Fatal("it is not trained")
	return Standing{}
}

// baselinesTrained waits until the baselines of a season are trained on its secret seeds.
func (h *hall) baselinesTrained(season int64) {
	h.t.Helper()
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); {
		news := h.News()
		all, err := h.Standings(h.t.Context(), h.track, season, 1)
		if err != nil {
			h.t.Fatal(err)
		}
		if all.BySecret {
			return
		}
		select {
		case <-news:
		case <-time.After(time.Second):
		}
	}
	h.t.Fatal("the baselines are not trained")
}
