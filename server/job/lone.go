package job

import (
	"context"
	"sync"
	"time"
)

// lone lets a suspect run alone in this worker: if the worker dies then, the suspect killed it.
type lone struct {
	mu      sync.Mutex
	suspect *Work
	others  map[*Work]chan struct{} // each is closed when its job has left this worker
}

// begin registers a job that is about to run, or returns how long the job has to wait instead. A suspect waits until
// this worker has lived for a while: the deaths of a server that is killed again and again do not count. Every other
// job waits while a suspect runs. The caller calls end in any case; calling begin again changes nothing.
func (l *lone) begin(w *Work, suspect bool, lived, settle time.Duration) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.suspect == w || l.others[w] != nil:
		return 0
	case suspect && lived < settle:
		return settle - lived
	case l.suspect != nil:
		return time.Second
	case !suspect:
		l.others[w] = make(chan struct{})
		return 0
	}
	l.suspect = w
	for other := range l.others {
		other.lost(errAside)
	}
	return 0
}

// alone waits until the other jobs of this worker are handed back.
func (l *lone) alone(ctx context.Context) error {
	for {
		l.mu.Lock()
		var running chan struct{}
		for _, running = range l.others {
			break
		}
		l.mu.Unlock()
		if running == nil {
			return nil
		}
		select {
		case <-running:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// clear lets other jobs run beside a suspect that has a snapshot: its worker did not die.
func (l *lone) clear(w *Work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect == w {
		l.suspect, l.others[w] = nil, make(chan struct{})
	}
}

// end removes a job that has left this worker.
func (l *lone) end(w *Work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect == w {
		l.suspect = nil
	}
	if running, ok := l.others[w]; ok {
		close(running)
		delete(l.others, w)
	}
}
