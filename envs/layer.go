package envs

import (
	"encoding/binary"
	"math"
)

// What layers share: an observation kept because chance made it, a move kept because it is not over, and how both go
// into a state and come back.

// lens is a layer that shows another observation than the layer within; seen is made anew by every step.
type lens struct {
	layer
	seen []float32
}

func (l *lens) observe(obs []float32)   { copy(obs, l.seen) }
func (l *lens) state(dst []byte) []byte { return l.layer.state(appendFloats(dst, l.seen)) }

func (l *lens) restore(b *blob) {
	b.floats(l.seen)
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
	return appendFloats(binary.LittleEndian.AppendUint32(dst, uint32(k.action)), k.controls)
}

func (k *kept) restore(b *blob, s *Spec) {
	k.action = int32(b.below(len(s.Actions)))
	b.floats(k.controls)
	for i, x := range k.controls {
		if c := s.Controls[i]; !(x >= min(c.Low, 0) && x <= max(c.High, 0)) { // 0: none kept yet
			b.fail("holds a control out of range")
		}
	}
}

// appendBlob appends a length and then what write appends.
func appendBlob(dst []byte, write func(dst []byte) []byte) []byte {
	at := len(dst)
	dst = write(append(dst, 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

func appendFloats(dst []byte, values []float32) []byte {
	for _, x := range values {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// floats reads as many numbers as there is room for. None comes near the limit; it keeps sums of foreign ones finite.
func (b *blob) floats(values []float32) {
	const limit = 1e30
	for i := range values {
		x := math.Float32frombits(b.uint32())
		if !(x >= -limit && x <= limit) {
			b.fail("holds a number out of range")
			x = 0
		}
		values[i] = x
	}
}
