package places

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/singleflight"

	"impalab/learner/schedule"
	"impalab/server/errcode"
)

// Made keeps the newest results of slow work, up to a number of bytes. While one request makes a result, others that
// want the same wait for it.
type Made struct {
	most  int
	group singleflight.Group

	mu    sync.Mutex
	kept  []result // the newest last
	bytes int
}

type result struct {
	key  string
	blob []byte
}

// NewMade returns a Made that keeps at most so many bytes.
func NewMade(most int) *Made { return &Made{most: most} }

// Get returns the result of a key, which make makes if it is not kept. A request that waits for another's result makes
// its own if the other leaves or is refused.
func (m *Made) Get(ctx context.Context, key string, make func(context.Context) ([]byte, error)) ([]byte, error) {
	for {
		own := false
		made := m.group.DoChan(key, func() (any, error) {
			own = true
			blob := m.look(key)
			if blob != nil {
				return blob, nil
			}
			err := schedule.Catch(func() (err error) { blob, err = make(ctx); return err })
			if err == nil {
				m.keep(key, blob)
			}
			return blob, err
		})
		select {
		case r := <-made:
			if !own && ctx.Err() == nil && (errors.Is(r.Err, context.Canceled) || errcode.Of(r.Err) == errcode.Full) {
				continue
			}
			return r.Val.([]byte), r.Err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (m *Made) look(key string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.kept, func(r result) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	found := m.kept[i]
	m.kept = append(slices.Delete(m.kept, i, i+1), found)
	return found.blob
}

func (m *Made) keep(key string, blob []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(blob) > m.most {
		return
	}
	m.kept = append(m.kept, result{key, blob})
	for m.bytes += len(blob); m.bytes > m.most; m.kept = m.kept[1:] {
		m.bytes -= len(m.kept[0].blob)
	}
}
