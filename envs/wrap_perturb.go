package envs

import (
	"encoding/binary"
	"errors"

	"impalab/envs/world"
)

// perturbed gives each episode another body, which one draw decides (world.Luck). The layer delays the actions and
// adds the noise. The world changes the body.
type perturbed struct {
	layer
	world world.Perturbable
	spec  *Spec
	level *world.Level
	luck  world.Luck
	asked []kept // the last actions, the newest first; as long as the level's longest delay
	steps int
}

func wrapPerturb(b *wrapping, value float64) error {
	bare, able := b.bare.New().(world.Perturbable)
	if !able {
		return errors.New("its body cannot be changed: leave perturb out, or choose a world of motion like cartpole")
	}
	level := &bare.Levels()[int(value)-1]
	b.layers = append(b.layers, func(inner layer, w World) layer {
		l := &perturbed{layer: inner, world: w.(world.Perturbable), spec: b.bare.Spec, level: level,
			asked: make([]kept, level.Delay)}
		for i := range l.asked {
			l.asked[i] = newKept(b.bare.Spec)
		}
		l.draw(0)
		return l
	})
	return nil
}

func (l *perturbed) draw(x float64) {
	l.luck = world.NewLuck(x, l.level)
	l.world.Perturb(&l.luck)
}

func (l *perturbed) reset(r *Rand) {
	l.draw(r.Float64())
	l.steps = 0
	for i := range l.asked {
		l.asked[i].action = 0
		clear(l.asked[i].controls)
	}
	l.layer.reset(r)
}

// act takes the action of Luck.Delay steps ago, or until then the first action.
func (l *perturbed) act(r *Rand, m move) Outcome {
	if l.steps == 0 {
		for i := range l.asked {
			l.asked[i].set(m)
		}
	}
	l.steps++
	if len(l.asked) == 0 {
		return l.layer.act(r, m)
	}
	done := m
	if d := l.luck.Delay; d > 0 {
		done = l.asked[d-1].move()
	}
	out := l.layer.act(r, done)
	last := len(l.asked) - 1
	oldest := l.asked[last]
	copy(l.asked[1:], l.asked[:last])
	oldest.set(m)
	l.asked[0] = oldest
	return out
}

func (l *perturbed) observe(obs []float32) {
	l.layer.observe(obs)
	l.luck.Blur(obs, l.steps)
}

// timed reports whether the layer has more of a state than the draw.
func (l *perturbed) timed() bool { return l.level.Delay > 0 || l.level.Noise > 0 }

func (l *perturbed) state(dst []byte) []byte {
	dst = world.AppendFloat(dst, l.luck.X)
	if l.timed() {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(l.steps))
		for i := range l.asked {
			dst = l.asked[i].state(dst)
		}
	}
	return l.layer.state(dst)
}

func (l *perturbed) restore(b *world.Blob) {
	x := b.Within(1)
	if x < 0 || x == 1 {
		b.Fail("holds a number out of range")
		return
	}
	if l.timed() {
		l.steps = b.Below(1 << 31)
		for i := range l.asked {
			l.asked[i].restore(b, l.spec)
		}
	}
	l.draw(x)
	l.layer.restore(b)
}
