package envs

import (
	"encoding/binary"
	"fmt"

	"impalab/envs/world"
)

// A time limit cuts an episode; it does not end it. The return continues from the state at the cut.

type limited struct {
	layer
	steps, limit int
}

func wrapLimit(b *wrapping, value float64) error {
	limit := int(value)
	if own := b.spec.Limit; own > 0 && limit >= own {
		return fmt.Errorf("its own limit is %d: choose less, or leave limit out", own)
	}
	b.spec.Limit = limit
	b.add(func(inner layer) layer { return &limited{layer: inner, limit: limit} })
	return nil
}

func (l *limited) reset(r *Rand) {
	l.steps = 0
	l.layer.reset(r)
}

func (l *limited) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.steps = min(l.steps+1, l.limit)
	if out.End == Running && l.steps == l.limit {
		out.End = Truncated
	}
	return out
}

func (l *limited) state(dst []byte) []byte {
	return l.layer.state(binary.LittleEndian.AppendUint32(dst, uint32(l.steps)))
}

func (l *limited) restore(b *world.Blob) {
	l.steps = b.Below(l.limit + 1)
	l.layer.restore(b)
}
