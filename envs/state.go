package envs

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A state blob is what a world needs to go on elsewhere: in the browser, in a snapshot. It travels, so it is
// read with suspicion: it opens with its kind, version and world, and every value after that is checked.

// stateVersion rises with any change to the layout of any world's state.
const stateVersion = 1

const (
	oneWorld   = 'w'
	manyWorlds = 'v'
)

// begin appends the header: kind, version, length of the name, name.
func begin(dst []byte, kind byte, spec *Spec) []byte {
	dst = append(dst, kind, stateVersion, byte(len(spec.Name)))
	return append(dst, spec.Name...)
}

func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

// blob reads a state from its front. After the first fault it gives zeros and remembers why.
type blob struct {
	rest []byte
	err  error
}

// open checks the header and leaves the reader behind it.
func open(src []byte, kind byte, spec *Spec) blob {
	b := blob{rest: src}
	gotKind, version := b.byte(), b.byte()
	name := string(b.take(int(b.byte())))
	switch {
	case b.err != nil:
	case version != stateVersion:
		b.err = fmt.Errorf("envs: the state has version %d, this build reads version %d: reload the page or take a new "+
			"snapshot", version, stateVersion)
	case name != spec.Name:
		b.err = fmt.Errorf("envs: the state is of world %.32q, not of %q", name, spec.Name)
	case gotKind != kind:
		b.err = fmt.Errorf("envs: the state of %q is of kind %q, expected %q (w: one world, v: a vector)", name, gotKind,
			kind)
	}
	return b
}

// close says what went wrong, or that bytes were left over.
func (b *blob) close() error {
	if b.err == nil && len(b.rest) > 0 {
		b.fail("has bytes left over")
	}
	return b.err
}

func (b *blob) fail(why string) {
	if b.err == nil {
		b.err = fmt.Errorf("envs: the state %s", why)
	}
}

func (b *blob) take(n int) []byte {
	if b.err != nil || n < 0 || n > len(b.rest) {
		b.fail("ends too early")
		return nil
	}
	head := b.rest[:n]
	b.rest = b.rest[n:]
	return head
}

func (b *blob) byte() byte {
	if p := b.take(1); p != nil {
		return p[0]
	}
	return 0
}

func (b *blob) uint32() uint32 {
	if p := b.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (b *blob) uint64() uint64 {
	if p := b.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// below reads a number in 0..n−1.
func (b *blob) below(n int) int {
	x := b.uint32()
	if int64(x) >= int64(n) {
		b.fail("holds a number out of range")
		return 0
	}
	return int(x)
}

// within reads a number in −limit..limit; NaN is none.
func (b *blob) within(limit float64) float64 {
	x := math.Float64frombits(b.uint64())
	if !(math.Abs(x) <= limit) {
		b.fail("holds a number out of range")
		return 0
	}
	return x
}

// small reads a number of one byte, signed, in low..high.
func (b *blob) small(low, high int) int8 {
	x := int8(b.byte())
	if int(x) < low || int(x) > high {
		b.fail("holds a number out of range")
		return 0
	}
	return x
}

// flag reads a yes or no.
func (b *blob) flag() bool { return b.small(0, 1) == 1 }
