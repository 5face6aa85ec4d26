package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Views that make learning easier: values of one scale, and several observations at once.

// normalised shows each value less its running mean, over its running deviation, both as far as this copy has seen
// them: Welford's recursion in float64. They outlive episodes, and travel with the state.
type normalised struct {
	layer
	count    uint64
	mean, m2 []float64 // m2: the sum of squared deviations
	now      []float32
}

const (
	normaliseClip = 10   // deviations; and
	normaliseEps  = 1e-8 // is added to the variance: both as in OpenAI baselines' VecNormalize
)

func wrapNormalise(b *wrapping, _ float64) error {
	n := b.spec.Size()
	b.add(func(inner layer) layer {
		return &normalised{layer: inner, mean: make([]float64, n), m2: make([]float64, n), now: make([]float32, n)}
	})
	return nil
}

func (l *normalised) lasting() bool { return true }

func (l *normalised) sense() {
	l.layer.observe(l.now)
	l.count++
	for i, x := range l.now {
		off := float64(x) - l.mean[i]
		l.mean[i] += off / float64(l.count)
		l.m2[i] += off * (float64(x) - l.mean[i])
	}
}

func (l *normalised) reset(r *Rand) {
	l.layer.reset(r)
	l.sense()
}

func (l *normalised) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.sense()
	return out
}

func (l *normalised) observe(obs []float32) {
	l.layer.observe(obs)
	n := float64(max(l.count, 1))
	for i, x := range obs {
		z := (float64(x) - l.mean[i]) / math.Sqrt(l.m2[i]/n+normaliseEps)
		obs[i] = float32(min(max(z, -normaliseClip), normaliseClip))
	}
}

func (l *normalised) state(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, l.count)
	for i := range l.mean {
		dst = world.AppendFloat(world.AppendFloat(dst, l.mean[i]), l.m2[i])
	}
	return l.layer.state(dst)
}

func (l *normalised) restore(b *world.Blob) {
	const looks, farthest, most = 1 << 53, 1e30, 1e70 // no true count, mean or sum of squares comes near
	if l.count = b.Uint64(); l.count > looks {
		b.Fail("holds a number out of range")
	}
	for i := range l.mean {
		l.mean[i], l.m2[i] = b.Within(farthest), b.Within(most)
		if l.m2[i] < 0 {
			b.Fail("holds a negative sum of squares")
		}
	}
	l.layer.restore(b)
}

// stacked shows the last few observations at once, the newest last; at an episode's start they are all the first one.
// A list of values grows longer; a picture gets the channels of each added picture, and stays a picture.
type stacked struct {
	layer
	frames   []float32 // [times, size], the newest last
	channels int       // of one frame, in each cell
	size     int
}

func wrapStack(b *wrapping, value float64) error {
	times, size := int(value), b.spec.Size()
	shape := append([]int(nil), b.spec.Obs...)
	channels := size
	switch len(shape) {
	case 1:
		shape[0] *= times
	case 2:
		channels = 1
		shape = append(shape, times)
	default:
		channels = shape[len(shape)-1]
		shape[len(shape)-1] *= times
	}
	b.spec.Obs = shape
	b.add(func(inner layer) layer { return &stacked{inner, make([]float32, times*size), channels, size} })
	return nil
}

func (l *stacked) reset(r *Rand) {
	l.layer.reset(r)
	l.layer.observe(l.frames[:l.size])
	for i := l.size; i < len(l.frames); i += l.size {
		copy(l.frames[i:], l.frames[:l.size])
	}
}

func (l *stacked) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	copy(l.frames, l.frames[l.size:])
	l.layer.observe(l.frames[len(l.frames)-l.size:])
	return out
}

func (l *stacked) observe(obs []float32) {
	for cell := 0; cell < l.size; cell += l.channels {
		for frame := 0; frame < len(l.frames); frame += l.size {
			obs = obs[copy(obs, l.frames[frame+cell:frame+cell+l.channels]):]
		}
	}
}

func (l *stacked) state(dst []byte) []byte { return l.layer.state(world.AppendFloats(dst, l.frames)) }

func (l *stacked) restore(b *world.Blob) {
	b.Floats(l.frames)
	l.layer.restore(b)
}
