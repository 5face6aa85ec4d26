package envs

import (
	"encoding/binary"

	"impalab/envs/world"
)

// Delays, as in the Real-World RL suite: actions happen later, observations arrive later, rewards are paid later. Each
// is a ring as long as the delay.

// actDelay takes the action of some steps ago, or until then the first action.
type actDelay struct {
	layer
	spec  *Spec
	ring  []kept
	at    int
	begun bool
}

func wrapActDelay(b *wrapping, value float64) error {
	b.add(func(inner layer) layer {
		l := &actDelay{layer: inner, spec: &b.spec, ring: make([]kept, int(value))}
		for i := range l.ring {
			l.ring[i] = newKept(&b.spec)
		}
		return l
	})
	return nil
}

func (l *actDelay) reset(r *Rand) {
	l.at, l.begun = 0, false
	for i := range l.ring {
		l.ring[i].action = 0
		clear(l.ring[i].controls)
	}
	l.layer.reset(r)
}

func (l *actDelay) act(r *Rand, m move) Outcome {
	if !l.begun {
		for i := range l.ring {
			l.ring[i].set(m)
		}
		l.begun = true
	}
	out := l.layer.act(r, l.ring[l.at].move())
	l.ring[l.at].set(m)
	l.at = (l.at + 1) % len(l.ring)
	return out
}

func (l *actDelay) state(dst []byte) []byte {
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(l.at)), asByte(l.begun))
	for i := range l.ring {
		dst = l.ring[i].state(dst)
	}
	return l.layer.state(dst)
}

func (l *actDelay) restore(b *world.Blob) {
	l.at, l.begun = b.Below(len(l.ring)), b.Flag()
	for i := range l.ring {
		l.ring[i].restore(b, l.spec)
	}
	l.layer.restore(b)
}

// obsDelay shows the observation of some steps ago, or until then the first.
type obsDelay struct {
	lens
	ring []float32 // [delay, size]
	at   int
}

func wrapObsDelay(b *wrapping, value float64) error {
	size := b.spec.Size()
	b.add(func(inner layer) layer {
		return &obsDelay{lens: lens{inner, make([]float32, size)}, ring: make([]float32, int(value)*size)}
	})
	return nil
}

func (l *obsDelay) reset(r *Rand) {
	l.layer.reset(r)
	l.at = 0
	l.layer.observe(l.seen)
	for i := 0; i < len(l.ring); i += len(l.seen) {
		copy(l.ring[i:], l.seen)
	}
}

func (l *obsDelay) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	size := len(l.seen)
	slot := l.ring[l.at*size : (l.at+1)*size]
	copy(l.seen, slot)
	l.layer.observe(slot)
	l.at = (l.at + 1) % (len(l.ring) / size)
	return out
}

func (l *obsDelay) state(dst []byte) []byte {
	return l.lens.state(world.AppendFloats(binary.LittleEndian.AppendUint32(dst, uint32(l.at)), l.ring))
}

func (l *obsDelay) restore(b *world.Blob) {
	l.at = b.Below(len(l.ring) / len(l.seen))
	b.Floats(l.ring)
	l.lens.restore(b)
}

// rewardDelay pays the reward of some steps ago, and all remaining rewards with the last step, so the return stays the
// same. (The Real-World RL suite, whose episodes are long, pays the first reward until there is one, and never the
// remaining ones.)
type rewardDelay struct {
	layer
	ring []float32
	at   int
}

func wrapRewardDelay(b *wrapping, value float64) error {
	b.add(func(inner layer) layer { return &rewardDelay{layer: inner, ring: make([]float32, int(value))} })
	return nil
}

func (l *rewardDelay) reset(r *Rand) {
	l.at = 0
	clear(l.ring)
	l.layer.reset(r)
}

func (l *rewardDelay) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	out.Reward, l.ring[l.at] = l.ring[l.at], out.Reward
	l.at = (l.at + 1) % len(l.ring)
	if out.End != Running {
		for i := range l.ring { // the oldest first
			out.Reward += l.ring[(l.at+i)%len(l.ring)]
		}
	}
	return out
}

func (l *rewardDelay) state(dst []byte) []byte {
	return l.layer.state(world.AppendFloats(binary.LittleEndian.AppendUint32(dst, uint32(l.at)), l.ring))
}

func (l *rewardDelay) restore(b *world.Blob) {
	l.at = b.Below(len(l.ring))
	b.Floats(l.ring)
	l.layer.restore(b)
}
