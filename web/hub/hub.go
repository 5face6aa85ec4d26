// Package hub sends a run's messages to all its viewers. It knows no network. A publisher never waits. The hub keeps
// events in a bounded history, where each subscriber has a position, and only the newest of all other messages.
//
// Subscribers see a topic in cuts, at most one every ten milliseconds. Subscribers at the same cut get the same Batch,
// so its bytes are made and compressed once. Start with Topic, then cut.go.
package hub

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Time between two cuts. It rises with the subscribers of all topics and with the cost of sending.
const (
	perSubscriber = 250 * time.Microsecond // 4 000 batches a second in total: 80 subscribers get 50 cuts a second
	quickest      = 10 * time.Millisecond  // fewer subscribers get up to 100
	common        = 100 * time.Millisecond // 400 subscribers and more get 10
	slowest       = 250 * time.Millisecond // if sending takes more than its share; an event waits no longer than this

	// share limits the share of the cores for sending: learners come before viewers.
	share     = 1. / 6
	lookEvery = 500 * time.Millisecond // between two measurements of the cost of sending
	sendMost  = time.Millisecond       // a longer send waited for the network, not for a core
)

// Hub is shared by all topics of a server. Its zero value is ready.
type Hub struct {
	subscribers   atomic.Int64
	spent         atomic.Int64 // nanoseconds of sending since looked
	sent, dropped atomic.Uint64

	mu      sync.Mutex
	looked  time.Time
	stretch float64 // of the time between two cuts; at least 1
}

// Sent returns the number of batches sent.
func (h *Hub) Sent() uint64 { return h.sent.Load() }

// Dropped returns the number of latest-wins messages that newer ones replaced before a subscriber saw them.
func (h *Hub) Dropped() uint64 { return h.dropped.Load() }

// Every returns the present time between two cuts of a topic.
func (h *Hub) Every() time.Duration {
	calm := min(max(time.Duration(h.subscribers.Load())*perSubscriber, quickest), common)
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); now.Sub(h.looked) >= lookEvery {
		cores := float64(h.spent.Swap(0)) / float64(now.Sub(h.looked)) / float64(runtime.GOMAXPROCS(0))
		h.looked = now
		// It halves or doubles at most, so that one odd measurement does not decide. Below its share it returns to 1.
		h.stretch *= min(max(cores/share, 0.5), 2)
		h.stretch = min(max(h.stretch, 1), float64(slowest)/float64(quickest))
	}
	return min(time.Duration(float64(calm)*h.stretch), slowest)
}
