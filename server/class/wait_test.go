package class

import (
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/store"
	"impalab/web/exercise"
)

// within fails unless fn returns.
func within(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { // ends with fn
		defer close(done)
		fn()
	}()
	select {
	case <-done:
	case <-time.After(kit.Patience):
		t.Fatalf("%s waits", what)
	}
}

func TestFindingARoomWaitsForNoRoom(t *testing.T) {
	h := newHouse(t)
	slow, _ := h.room("exercises")
	other, _ := h.room("exercises")
	slow.mu.Lock()
	defer slow.mu.Unlock()
	within(t, "finding a room whose lock is held", func() { h.at(slow.Code()) })
	within(t, "finding another room", func() { h.at(other.Code()) })
}

// While the store is busy with a change of a room, everybody still sees the room.
func TestNoViewerOfARoomWaitsForTheStore(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	busy, release, over := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() { // ends with the release
		over <- h.kept.Do(t.Context(), func(*store.Tx) error {
			select {
			case <-busy:
			default:
				close(busy)
			}
			<-release
			return nil
		})
	}()
	<-busy
	go func() { // ends when the store is free again
		_, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": "1.08"}})
		over <- err
	}()
	time.Sleep(100 * time.Millisecond) // by now the answer waits for the store
	within(t, "a view during a change", func() {
		r.AsTeacher()
		seen(t, r, 1)
		h.at(r.Code())
	})
	close(release)
	for range 2 {
		if err := <-over; err != nil {
			t.Error(err)
		}
	}
	if s := seen(t, r, 1); s.Credit != 1 {
		t.Errorf("the answer has credit %g", s.Credit)
	}
}
