package places

import (
	"context"
	"errors"
	"slices"
	"sync"

	"impalab/learner/schedule"
	"impalab/server/errcode"
)

// Made keeps the newest results of slow work, up to a number of bytes. While one request makes a result, others that
// want the same wait for it.
type Made struct {
	most int

	mu     sync.Mutex
	kept   []*result // the newest last
	making map[string]*result
	bytes  int
}

type result struct {
	key  string
	blob []byte
	err  error
	done chan struct{} // closed when blob or err is set
}

// NewMade returns a Made that keeps at most so many bytes.
func NewMade(most int) *Made { return &Made{most: most, making: map[string]*result{}} }

// Get returns the result of a key, which make makes, on the caller's goroutine, if it is not kept. A request that waits
// for another's result makes its own if the other leaves or is refused.
func (m *Made) Get(ctx context.Context, key string, make func(context.Context) ([]byte, error)) ([]byte, error) {
	for {
		r, own := m.look(key)
		if own {
			r.err = schedule.Catch(func() (err error) { r.blob, err = make(ctx); return err })
			m.end(r)
			return r.blob, r.err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if r.err == nil || !errors.Is(r.err, context.Canceled) && errcode.Of(r.err) != errcode.Full {
			return r.blob, r.err
		}
	}
}

// look returns the result of a key, kept or in the making. If there is none, the caller makes it.
func (m *Made) look(key string) (r *result, own bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.kept, func(r *result) bool { return r.key == key }); i >= 0 {
		r = m.kept[i]
		m.kept = append(slices.Delete(m.kept, i, i+1), r)
		return r, false
	}
	if r = m.making[key]; r != nil {
		return r, false
	}
	r = &result{key: key, done: make(chan struct{})}
	m.making[key] = r
	return r, true
}

// end keeps a result, if it is one.
func (m *Made) end(r *result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.making, r.key)
	close(r.done)
	if r.err != nil || len(r.blob) > m.most {
		return
	}
	m.kept = append(m.kept, r)
	for m.bytes += len(r.blob); m.bytes > m.most; m.kept = m.kept[1:] {
		m.bytes -= len(m.kept[0].blob)
	}
}
