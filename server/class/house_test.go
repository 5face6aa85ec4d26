package class

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/kernel"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/exercise"
)

// house has rooms on a store of its own, which can be opened again.
type house struct {
	t     *testing.T
	dir   string
	kept  *store.Store
	queue *job.Queue
	idle  bool // without workers
	*Rooms
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir()}
	h.open(Options{})
	t.Cleanup(h.shut)
	return h
}

func (h *house) open(o Options) {
	h.t.Helper()
	var err error
	if h.kept, err = store.Open(context.Background(), store.Options{Dir: h.dir}); err != nil {
		h.t.Fatal(err)
	}
	h.begin(o)
}

// begin opens the queue and the rooms on the store.
func (h *house) begin(o Options) {
	h.t.Helper()
	var err error
	h.queue, err = job.Open(context.Background(), h.kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(),
		Workers: 1, Host: true})
	if err != nil {
		h.t.Fatal(err)
	}
	o.Store, o.Queue = h.kept, h.queue
	if h.Rooms, err = New(o); err != nil {
		h.t.Fatal(err)
	}
	if h.idle {
		return
	}
	if err := h.queue.Start(h.Kinds()...); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) shut() {
	h.queue.Close()
	h.Rooms.Close()
	h.kept.Close()
}

// room makes a room with a plan.
func (h *house) room(plan string) (r *Room, key string) {
	h.t.Helper()
	code, key, err := h.Make(h.t.Context(), "here", "A class", plan)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.at(code), key
}

func (h *house) at(code string) *Room {
	h.t.Helper()
	r, err := h.Room(h.t.Context(), "here", code)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *house) join(r *Room, nickname string) Joined {
	h.t.Helper()
	j, err := r.Join(h.t.Context(), nickname)
	if err != nil {
		h.t.Fatal(err)
	}
	return j
}

func (h *house) change(r *Room, c Change) {
	h.t.Helper()
	if err := r.Change(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
}

// stepNamed returns the index of a step in the room's plan.
func stepNamed(t *testing.T, r *Room, name string) *int {
	t.Helper()
	plan, err := exercise.PlanNamed(r.set.Plan)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range plan.Steps {
		if s.Name == name {
			return &i
		}
	}
	t.Fatalf("no step %s", name)
	return nil
}

func is[T any](v T) *T { return &v }

func wants(t *testing.T, what string, err error, code errcode.Code, words string) {
	t.Helper()
	if errcode.Of(err) != code || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("%s: %s, %v; want %s with %q", what, errcode.Of(err), err, code, words)
	}
}

func seen(t *testing.T, r *Room, number int64) Student {
	t.Helper()
	s, err := r.AsStudent(number, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// awaits waits until ok returns true.
func awaits(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(kit.Patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal(what)
		}
	}
}
