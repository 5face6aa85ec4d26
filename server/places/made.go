package places

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"impalab/learner/schedule"
	"impalab/server/errcode"
)

// Made keeps the newest results of slow work, up to a number of bytes. While one request makes a result, others that
// want the same wait for it. Work that waits for a place (Places.Do) has not begun: only requests of its own address
// wait for it, because the others may have a place earlier.
type Made struct {
	most int

	mu     sync.Mutex
	kept   []*result          // the newest last
	making map[string]*result // begun, by key
	queued map[wanted]*result // not begun
	bytes  int
}

type result struct {
	wanted
	begun bool
	blob  []byte
	err   error
	done  chan struct{} // closed when blob or err is set
}

// wanted is a result that an address wants.
type wanted struct{ key, address string }

// errBegun ends a request's own work because another has begun the same.
var errBegun = errors.New("another request makes this result")

// NewMade returns a Made that stores at most the given bytes.
func NewMade(most int) *Made {
	return &Made{most: most, making: map[string]*result{}, queued: map[wanted]*result{}}
}

// Get returns the result of a key, which make makes, on the caller's goroutine, if it is not kept. A request that waits
// for another's result makes its own if the other leaves or is refused.
func (m *Made) Get(ctx context.Context, key string, make func(context.Context) ([]byte, error)) ([]byte, error) {
	for {
		r, own := m.claim(wanted{key, Visitor(ctx)})
		if own {
			to := context.WithValue(ctx, beginKey{}, func() error { return m.begin(r) })
			r.err = schedule.Catch(func() (err error) { r.blob, err = make(to); return err })
			m.end(r)
			if errors.Is(r.err, errBegun) {
				continue
			}
			return r.blob, r.err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if r.err == nil || !errors.Is(r.err, context.Canceled) && !errors.Is(r.err, errBegun) &&
			errcode.Of(r.err) != errcode.Full {
			return r.blob, r.err
		}
	}
}

// claim returns a result that is stored or being made. If there is none, own is true and the caller makes it.
func (m *Made) claim(want wanted) (r *result, own bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.find(want.key); i >= 0 {
		r = m.kept[i]
		m.kept = append(slices.Delete(m.kept, i, i+1), r)
		return r, false
	}
	if r = cmp.Or(m.making[want.key], m.queued[want]); r != nil {
		return r, false
	}
	r = &result{wanted: want, done: make(chan struct{})}
	m.queued[want] = r
	return r, true
}

// find returns the index of a kept result, or -1. The caller holds mu.
func (m *Made) find(key string) int {
	return slices.IndexFunc(m.kept, func(r *result) bool { return r.key == key })
}

// begin notes that the work for a result begins now. It returns errBegun if another request has begun or ended it.
func (m *Made) begin(r *result) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case r.begun:
		return nil
	case m.making[r.key] != nil || m.find(r.key) >= 0:
		return errBegun
	}
	r.begun = true
	delete(m.queued, r.wanted)
	m.making[r.key] = r
	return nil
}

// end keeps a result, if it is one.
func (m *Made) end(r *result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.begun {
		delete(m.making, r.key)
	} else {
		delete(m.queued, r.wanted)
	}
	close(r.done)
	if r.err != nil || len(r.blob) > m.most || m.find(r.key) >= 0 {
		return
	}
	m.kept = append(m.kept, r)
	for m.bytes += len(r.blob); m.bytes > m.most; m.kept = m.kept[1:] {
		m.bytes -= len(m.kept[0].blob)
	}
}
