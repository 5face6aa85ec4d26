// Package hub carries a run's messages to all its viewers. It knows no network. A publisher never
// waits: events are kept in a bounded history in which each subscriber has its place, and of everything else only
// the newest is kept. After the learner, drop and count.
//
// Subscribers are shown a topic in cuts: everything up to one moment, at most every ten milliseconds. All that had the
// cut before get the very same Batch, so its bytes are made once and compressed once however many they are.
// Start with Topic, then cut.go.
package hub

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Time between two cuts. It rises with all subscribers of all topics, and with what sending to them takes.
const (
	perSubscriber = 250 * time.Microsecond // 4 000 batches a second in all: 80 subscribers get 50 cuts a second…
	quickest      = 10 * time.Millisecond  // …and fewer get up to 100
	common        = 100 * time.Millisecond // 400 subscribers and more get 10
	slowest       = 250 * time.Millisecond // when sending takes more than its share; an event waits no longer than this

	// share of the cores is what sending may take: learners come before viewers.
	share     = 1. / 6
	lookEvery = 500 * time.Millisecond // between two looks at what sending took
	sendMost  = time.Millisecond       // one sending counts for no more: it waited for the network, not for a core
)

// Hub is what all topics of a server share: how often they are cut, and what is counted. The zero value is ready.
type Hub struct {
	subscribers   atomic.Int64
	spent         atomic.Int64 // nanoseconds that sending took since looked
	sent, dropped atomic.Uint64

	mu      sync.Mutex
	looked  time.Time
	stretch float64 // of the time between two cuts; at least 1
}

// Sent is how many batches went out to subscribers.
func (h *Hub) Sent() uint64 { return h.sent.Load() }

// Dropped is how many latest-wins messages gave way to newer ones before a subscriber was shown them.
func (h *Hub) Dropped() uint64 { return h.dropped.Load() }

// Every is the time between two cuts of a topic, as things stand.
func (h *Hub) Every() time.Duration {
	calm := min(max(time.Duration(h.subscribers.Load())*perSubscriber, quickest), common)
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); now.Sub(h.looked) >= lookEvery {
		cores := float64(h.spent.Swap(0)) / float64(now.Sub(h.looked)) / float64(runtime.GOMAXPROCS(0))
		h.looked = now
		// Half or double at most, so that one odd look does not decide. Under its share it returns to 1 by itself.
		h.stretch *= min(max(cores/share, 0.5), 2)
		h.stretch = min(max(h.stretch, 1), float64(slowest)/float64(quickest))
	}
	return min(time.Duration(float64(calm)*h.stretch), slowest)
}
