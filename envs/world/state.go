package world

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A state blob holds everything that a world needs to continue elsewhere: in the browser, in a snapshot. It travels, so
// it is read with suspicion: it opens with its kind, version and world, and every value after that is checked.

// stateVersion rises with any change to the layout of any world's state.
const stateVersion = 1

// Kinds of state.
const (
	One  = 'w' // of a world
	Many = 'v' // of a Vector
)

// Begin appends the header: kind, version, length of the name, name.
func Begin(dst []byte, kind byte, spec *Spec) []byte {
	dst = append(dst, kind, stateVersion, byte(len(spec.Name)))
	return append(dst, spec.Name...)
}

// AppendFloat appends a number as Within reads it.
func AppendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

// Blob reads a state from its front. After the first fault it gives zeros and remembers why.
type Blob struct {
	rest []byte
	Err  error // the first fault; nil while there is none
}

// Open checks the header and leaves the reader behind it.
func Open(src []byte, kind byte, spec *Spec) Blob {
	b := Blob{rest: src}
	gotKind, version := b.Byte(), b.Byte()
	name := string(b.Next(int(b.Byte())))
	switch {
	case b.Err != nil:
	case version != stateVersion:
		b.Err = fmt.Errorf("envs: the state has version %d, this build reads version %d: reload the page or take a new "+
			"snapshot", version, stateVersion)
	case name != spec.Name:
		b.Err = fmt.Errorf("envs: the state is of world %.32q, not of %q", name, spec.Name)
	case gotKind != kind:
		b.Err = fmt.Errorf("envs: the state of %q is of kind %q, expected %q (w: one world, v: a vector)", name, gotKind,
			kind)
	}
	return b
}

// Close returns the first fault, or that bytes were left over.
func (b *Blob) Close() error {
	if b.Err == nil && len(b.rest) > 0 {
		b.Fail("has bytes left over")
	}
	return b.Err
}

// Fail records a fault of the state, as in "has bytes left over"; only the first one counts.
func (b *Blob) Fail(why string) {
	if b.Err == nil {
		b.Err = fmt.Errorf("envs: the state %s", why)
	}
}

// Next reads n bytes, which stay the state's own; nil where it ends too early.
func (b *Blob) Next(n int) []byte {
	if b.Err != nil || n < 0 || n > len(b.rest) {
		b.Fail("ends too early")
		return nil
	}
	head := b.rest[:n]
	b.rest = b.rest[n:]
	return head
}

// Byte, Uint32 and Uint64 read numbers of any value, low bytes first.
func (b *Blob) Byte() byte {
	if p := b.Next(1); p != nil {
		return p[0]
	}
	return 0
}

func (b *Blob) Uint32() uint32 {
	if p := b.Next(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (b *Blob) Uint64() uint64 {
	if p := b.Next(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// Below reads a number in 0..n−1.
func (b *Blob) Below(n int) int {
	x := b.Uint32()
	if int64(x) >= int64(n) {
		b.Fail("holds a number out of range")
		return 0
	}
	return int(x)
}

// Within reads a number in −limit..limit; NaN is none.
func (b *Blob) Within(limit float64) float64 {
	x := math.Float64frombits(b.Uint64())
	if !(math.Abs(x) <= limit) {
		b.Fail("holds a number out of range")
		return 0
	}
	return x
}

// Small reads a number of one byte, signed, in low..high.
func (b *Blob) Small(low, high int) int8 {
	x := int8(b.Byte())
	if int(x) < low || int(x) > high {
		b.Fail("holds a number out of range")
		return 0
	}
	return x
}

// Flag reads a yes or no.
func (b *Blob) Flag() bool { return b.Small(0, 1) == 1 }

// AppendFloats appends numbers as Floats reads them.
func AppendFloats(dst []byte, values []float32) []byte {
	for _, x := range values {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// Floats reads as many numbers as there is room for. None comes near the limit; it keeps sums of foreign ones finite.
func (b *Blob) Floats(values []float32) {
	const limit = 1e30
	for i := range values {
		x := math.Float32frombits(b.Uint32())
		if !(x >= -limit && x <= limit) {
			b.Fail("holds a number out of range")
			x = 0
		}
		values[i] = x
	}
}
