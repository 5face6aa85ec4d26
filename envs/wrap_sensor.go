package envs

import "impalab/envs/world"

// Sensors that are noisy, drop out or stick, each value independently, as in the Real-World RL suite. A step draws its
// chance once, so looking twice shows the same.

// obsNoise adds Gaussian noise to every value.
type obsNoise struct {
	lens
	deviation float64
}

func wrapObsNoise(b *wrapping, value float64) error {
	size := b.spec.Size()
	b.add(func(inner layer) layer { return &obsNoise{lens{inner, make([]float32, size)}, value} })
	return nil
}

func (l *obsNoise) sense(r *Rand) {
	l.layer.observe(l.seen)
	for i := range l.seen {
		l.seen[i] += float32(l.deviation * r.Norm())
	}
}

func (l *obsNoise) reset(r *Rand) {
	l.layer.reset(r)
	l.sense(r)
}

func (l *obsNoise) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.sense(r)
	return out
}

// failing is the common part of drop and stuck: the times and the length of a sensor's failures.
type failing struct {
	lens
	chance float64
	steps  uint8
	left   []uint8 // for each value, steps until it works again
	now    []float32
}

func newFailing(inner layer, size int, chance, steps float64) failing {
	return failing{lens{inner, make([]float32, size)}, chance, uint8(steps), make([]uint8, size), make([]float32, size)}
}

// fails reports whether value i fails in this step.
func (l *failing) fails(r *Rand, i int) bool {
	if broken := r.Float64() < l.chance; broken && l.left[i] == 0 {
		l.left[i] = l.steps
	}
	if l.left[i] == 0 {
		return false
	}
	l.left[i]--
	return true
}

func (l *failing) state(dst []byte) []byte { return l.lens.state(append(dst, l.left...)) }

func (l *failing) restore(b *world.Blob) {
	copy(l.left, b.Next(len(l.left)))
	for _, n := range l.left {
		if n >= l.steps {
			b.Fail("holds a number out of range")
		}
	}
	l.lens.restore(b)
}

// dropped shows 0 for a sensor that is out.
type dropped struct{ failing }

func wrapDrop(b *wrapping, value float64) error {
	size, steps := b.spec.Size(), b.values("drop-steps")
	b.add(func(inner layer) layer { return &dropped{newFailing(inner, size, value, steps)} })
	return nil
}

func (l *dropped) sense(r *Rand) {
	l.layer.observe(l.seen)
	for i := range l.seen {
		if l.fails(r, i) {
			l.seen[i] = 0
		}
	}
}

func (l *dropped) reset(r *Rand) {
	l.layer.reset(r)
	clear(l.left)
	l.sense(r)
}

func (l *dropped) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.sense(r)
	return out
}

// stuck repeats the last value of a sensor.
type stuck struct{ failing }

func wrapStuck(b *wrapping, value float64) error {
	size, steps := b.spec.Size(), b.values("stuck-steps")
	b.add(func(inner layer) layer { return &stuck{newFailing(inner, size, value, steps)} })
	return nil
}

func (l *stuck) sense(r *Rand) {
	l.layer.observe(l.now)
	for i, x := range l.now {
		if !l.fails(r, i) {
			l.seen[i] = x
		}
	}
}

func (l *stuck) reset(r *Rand) {
	l.layer.reset(r)
	clear(l.left)
	l.layer.observe(l.seen) // a sensor stuck from the start shows the first value
	l.sense(r)
}

func (l *stuck) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.sense(r)
	return out
}

// extra shows values of pure noise behind the true ones.
type extra struct{ lens }

func wrapExtra(b *wrapping, value float64) error {
	more := int(value)
	b.flatten(more)
	b.add(func(inner layer) layer { return &extra{lens{inner, make([]float32, more)}} })
	return nil
}

func (l *extra) sense(r *Rand) {
	for i := range l.seen {
		l.seen[i] = float32(r.Norm())
	}
}

func (l *extra) observe(obs []float32) {
	size := len(obs) - len(l.seen)
	l.layer.observe(obs[:size])
	copy(obs[size:], l.seen)
}

func (l *extra) reset(r *Rand) {
	l.layer.reset(r)
	l.sense(r)
}

func (l *extra) act(r *Rand, m move) Outcome {
	out := l.layer.act(r, m)
	l.sense(r)
	return out
}
