package envs

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// Actions that are repeated or changed.

// sticky repeats the last action with some probability (Machado et al., 2018, Revisiting the Arcade Learning
// Environment): a policy cannot play a sequence learned by heart. An episode's first action never sticks.
type sticky struct {
	layer
	spec   *Spec
	chance float64
	begun  bool
	last   kept
}

func wrapSticky(b *wrapping, value float64) error {
	b.add(func(inner layer) layer {
		return &sticky{layer: inner, spec: &b.spec, chance: value, last: newKept(&b.spec)}
	})
	return nil
}

func (l *sticky) reset(r *Rand) {
	l.begun, l.last.action = false, 0
	clear(l.last.controls)
	l.layer.reset(r)
}

func (l *sticky) act(r *Rand, m move) Outcome {
	if again := r.Float64() < l.chance; !again || !l.begun {
		l.last.set(m)
		l.begun = true
	}
	return l.layer.act(r, l.last.move())
}

func (l *sticky) state(dst []byte) []byte {
	return l.layer.state(l.last.state(append(dst, asByte(l.begun))))
}

func (l *sticky) restore(b *world.Blob) {
	l.begun = b.Flag()
	l.last.restore(b, l.spec)
	l.layer.restore(b)
}

// repeated repeats each action several times and shows only the result of the last (Mnih et al., 2015).
type repeated struct {
	layer
	times int
	past  bool // its limit: a cut ended one repetition and ends no more
}

func wrapRepeat(b *wrapping, value float64) error {
	times := int(value)
	b.spec.Limit = (b.spec.Limit + times - 1) / times // an end within the repetition ends it
	b.spec.Rate /= float32(times)
	b.add(func(inner layer) layer { return &repeated{layer: inner, times: times} })
	return nil
}

func (l *repeated) reset(r *Rand) {
	l.past = false
	l.layer.reset(r)
}

func (l *repeated) act(r *Rand, m move) Outcome {
	var sum Outcome
	for i := 0; i < l.times && (sum.End == Running || sum.End == Truncated && l.past); i++ {
		out := l.layer.act(r, m)
		sum.Reward += out.Reward
		sum.End = out.End
	}
	l.past = sum.End == Truncated
	return sum
}

// holding keeps an action for several of the agent's own steps. The agent sees them all and is paid for each, but its
// choices in between have no effect (the Real-World RL suite's repetition, with probability 1).
type holding struct {
	layer
	spec        *Spec
	steps, left int
	held        kept
}

func wrapHold(b *wrapping, value float64) error {
	b.add(func(inner layer) layer {
		return &holding{layer: inner, spec: &b.spec, steps: int(value), held: newKept(&b.spec)}
	})
	return nil
}

func (l *holding) reset(r *Rand) {
	l.left, l.held.action = 0, 0
	clear(l.held.controls)
	l.layer.reset(r)
}

func (l *holding) act(r *Rand, m move) Outcome {
	if l.left == 0 {
		l.held.set(m)
		l.left = l.steps
	}
	l.left--
	return l.layer.act(r, l.held.move())
}

func (l *holding) state(dst []byte) []byte {
	return l.layer.state(l.held.state(binary.LittleEndian.AppendUint32(dst, uint32(l.left))))
}

func (l *holding) restore(b *world.Blob) {
	l.left = b.Below(l.steps)
	l.held.restore(b, l.spec)
	l.layer.restore(b)
}

// actNoise adds Gaussian noise to controls and clips, as the Real-World RL suite does, whose ranges are −1..1: the
// deviation is in half ranges. Named actions have nothing to add noise to. For two actions at −1 and 1, noise of
// deviation σ moves one past the middle with probability Φ(−1/σ). So an action becomes a uniformly drawn one with
// probability 2·Φ(−1/σ), which for two actions is the other one half of the time.
type actNoise struct {
	layer
	spec      *Spec
	deviation float64
	replaced  float64
	controls  []float32 // room for the noisy controls
}

func wrapActNoise(b *wrapping, value float64) error {
	b.add(func(inner layer) layer {
		return &actNoise{
			layer: inner, spec: &b.spec, deviation: value,
			replaced: math.Erfc(1 / (value * math.Sqrt2)), // 2·Φ(−1/σ)
			controls: make([]float32, len(b.spec.Controls)),
		}
	})
	return nil
}

func (l *actNoise) act(r *Rand, m move) Outcome {
	for i, x := range m.controls {
		c := &l.spec.Controls[i]
		half := float64(c.High-c.Low) / 2
		l.controls[i] = float32(c.Clip(x + float32(l.deviation*half*r.Norm())))
	}
	if len(m.controls) == 0 && r.Float64() < l.replaced {
		m.action = r.IntN(len(l.spec.Actions))
	}
	m.controls = l.controls
	return l.layer.act(r, m)
}
