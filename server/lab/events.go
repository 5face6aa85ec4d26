package lab

import (
	"sync"

	"impalab/web/hub"
	"impalab/web/wire"
)

// events publishes the states and changes of a run in order. An event that a viewer asked for is published when the
// store has it: who reads that a change is in force may rely on it. Later events wait behind it for a few milliseconds.
// The points of the curves wait for nothing.
type events struct {
	topic *hub.Topic

	mu     sync.Mutex
	queued []queuedEvent // the first of them was asked for
}

type queuedEvent struct {
	event wire.Message
	owner uint64 // viewer who asked for it, or 0
}

// publish publishes an event, or queues it and reports that.
func (e *events) publish(event wire.Message, owner uint64) (queued bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if owner != 0 || len(e.queued) > 0 {
		e.queued = append(e.queued, queuedEvent{event, owner})
		return true
	}
	e.topic.Publish(event, owner)
	return false
}

// waiting returns how many events are queued. The run's record has their changes.
func (e *events) waiting() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.queued)
}

// stored publishes the first n queued events, and those up to the next that was asked for.
func (e *events) stored(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.queued) > 0 && (n > 0 || e.queued[0].owner == 0) {
		e.topic.Publish(e.queued[0].event, e.queued[0].owner)
		e.queued = e.queued[1:]
		n--
	}
}
