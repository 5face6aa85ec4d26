package job

import (
	"context"
	"slices"
	"sync"

	"impalab/server/store"
)

// slots are how many jobs a worker does at once, of whatever kind that has none of its own. River hands out each
// family of kinds by itself and in its order; a job of another family may have to wait here, and the first by priority
// and turn of those goes first.
type slots struct {
	mu    sync.Mutex
	free  int
	queue []*waiting
}

type waiting struct {
	job   *store.Job
	ready chan struct{} // closed when it has its slot
}

// take waits for a slot, or for the end of ctx.
func (s *slots) take(ctx context.Context, j *store.Job) error {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	w := &waiting{j, make(chan struct{})}
	s.queue = append(s.queue, w)
	s.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.queue, w)
	if at >= 0 {
		s.queue = slices.Delete(s.queue, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // it was given one meanwhile
		s.give()
	}
	return ctx.Err()
}

// give hands a slot on.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.free++
		return
	}
	at := 0
	for i, w := range s.queue {
		first := s.queue[at].job
		if w.job.Priority < first.Priority || w.job.Priority == first.Priority && w.job.Turn < first.Turn {
			at = i
		}
	}
	close(s.queue[at].ready)
	s.queue = slices.Delete(s.queue, at, at+1)
}
