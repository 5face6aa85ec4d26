package job

import (
	"sync"
	"time"
)

// lone lets a suspect run alone in this worker: if the worker dies then, the suspect killed it.
type lone struct {
	mu      sync.Mutex
	suspect *Work
	others  map[*Work]bool
	running sync.WaitGroup // of others: a suspect waits until they are handed back
}

// begin registers a job that is about to run, or returns how long the job has to wait instead. A suspect waits until
// this worker has lived for a while: the deaths of a server that is killed again and again do not count. Every other
// job waits while a suspect runs. The caller calls end in any case; calling begin again changes nothing.
func (l *lone) begin(w *Work, suspect bool, lived, settle time.Duration) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.suspect == w || l.others[w]:
		return 0
	case suspect && lived < settle:
		return settle - lived
	case l.suspect != nil:
		return time.Second
	case !suspect:
		l.add(w)
		return 0
	}
	l.suspect = w
	for other := range l.others {
		other.lost(errAside)
	}
	return 0
}

// clear lets other jobs run beside a suspect that has a snapshot: its worker did not die.
func (l *lone) clear(w *Work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect == w {
		l.suspect = nil
		l.add(w)
	}
}

// add registers a job that runs beside others. The caller holds mu.
func (l *lone) add(w *Work) {
	l.others[w] = true
	l.running.Add(1)
}

// end removes a job that has left this worker.
func (l *lone) end(w *Work) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.suspect == w {
		l.suspect = nil
	}
	if l.others[w] {
		l.running.Done()
		delete(l.others, w)
	}
}
