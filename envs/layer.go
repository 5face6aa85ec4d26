package envs

import (
	"encoding/binary"

	"impalab/envs/world"
)

// The common parts of layers: an observation that is stored because chance made it, a move that is stored because it
// lasts, and their state.

// lens is a layer that shows another observation than the layer within. Each step computes seen again.
type lens struct {
	layer
	seen []float32
}

func (l *lens) observe(obs []float32)   { copy(obs, l.seen) }
func (l *lens) state(dst []byte) []byte { return l.layer.state(world.AppendFloats(dst, l.seen)) }

func (l *lens) restore(b *world.Blob) {
	b.Floats(l.seen)
	l.layer.restore(b)
}

// kept is a move that outlives its step.
type kept struct {
	action   int32
	controls []float32
}

func (k *kept) set(m move) {
	k.action = int32(m.action)
	copy(k.controls, m.controls)
}

func (k *kept) move() move { return move{int(k.action), k.controls} }

func newKept(s *Spec) kept { return kept{controls: make([]float32, len(s.Controls))} }

func (k *kept) state(dst []byte) []byte {
	return world.AppendFloats(binary.LittleEndian.AppendUint32(dst, uint32(k.action)), k.controls)
}

func (k *kept) restore(b *world.Blob, s *Spec) {
	k.action = int32(b.Below(len(s.Actions)))
	b.Floats(k.controls)
	for i, x := range k.controls {
		if c := s.Controls[i]; !(x >= min(c.Low, 0) && x <= max(c.High, 0)) { // 0: none kept yet
			b.Fail("holds a control out of range")
		}
	}
}

// appendBlob appends a length and then the output of write.
func appendBlob(dst []byte, write func(dst []byte) []byte) []byte {
	at := len(dst)
	dst = write(append(dst, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}
