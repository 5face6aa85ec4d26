package rooms

import (
	"math/bits"

	"impalab/envs/world"
)

// Functions paint the pictures on walls, floors and things once, and store them in halves, quarters and so on of their
// size. Distant surfaces use a small picture, so they neither flicker nor cost a search.

const (
	imageBits   = 6
	imageSide   = 1 << imageBits
	imageTexels = (4<<(2*imageBits) - 1) / 3 // of all sizes down to one texel
)

// roomImage holds texels r | g<<8 | b<<16 | a<<24, colours multiplied by a/255, row-major, the largest size first.
type roomImage [imageTexels]uint32

// imageLevel is where each size begins.
var imageLevel = func() (at [imageBits + 1]int) {
	for i := range imageBits {
		at[i+1] = at[i] + 1<<(2*(imageBits-i))
	}
	return at
}()

// size is the picture in level's size, and the bits of its side.
func (m *roomImage) size(level int) ([]uint32, int) {
	bits := imageBits - level
	return m[imageLevel[level] : imageLevel[level]+1<<(2*bits)], bits
}

// levelOf returns the level of a picture to read for a pixel. covers is the part of the picture that the pixel covers,
// with 16 fractional bits. At that level a pixel covers about one texel.
func levelOf(covers int) int {
	return min(bits.Len32(uint32(covers*imageSide*7/8)>>16), imageBits)
}

// paint asks for every texel of the largest size and averages the smaller ones.
func (m *roomImage) paint(texel func(u, v int) uint32) {
	for v := range imageSide {
		for u := range imageSide {
			m[v<<imageBits|u] = texel(u, v)
		}
	}
	for level := 1; level <= imageBits; level++ {
		from, bits := m.size(level - 1)
		to, _ := m.size(level)
		for i := range to {
			v, u := i>>(bits-1), i&(1<<(bits-1)-1)
			a := (2*v)<<bits | 2*u
			to[i] = meanTexel(from[a], from[a+1], from[a+1<<bits], from[a+1<<bits+1])
		}
	}
}

func meanTexel(texels ...uint32) (c uint32) {
	for shift := 0; shift < 32; shift += 8 {
		sum := uint32(len(texels) / 2)
		for _, t := range texels {
			sum += t >> shift & 0xFF
		}
		c |= sum / uint32(len(texels)) << shift
	}
	return c
}

// rgb is an opaque texel of a colour written 0xRRGGBB.
func rgb(hex uint32) uint32 {
	return 0xFF<<24 | hex&0xFF<<16 | hex&0xFF00 | hex>>16&0xFF
}

// tone makes a texel k/256 as bright, up to white; its alpha stays.
func tone(c uint32, k int) uint32 {
	out := c & (0xFF << 24)
	for shift := 0; shift < 24; shift += 8 {
		out |= uint32(min(max(int(c>>shift&0xFF)*k>>8, 0), 255)) << shift
	}
	return out
}

// sheer lets k/256 of a texel through.
func sheer(c uint32, k int) uint32 {
	k = min(max(k, 0), 256)
	return c&0xFF00FF*uint32(k)>>8&0xFF00FF | c>>8&0xFF00FF*uint32(k)&0xFF00FF00
}

// above lays texel a over b.
func above(a, b uint32) uint32 {
	k := a >> 24
	return a + sheer(b, 256-int(k+k>>7))
}

// mist is the colour that the air adds at one distance.
type mist struct{ light, redBlue, green uint32 }

// through returns the mist of an air of colour c that lets light/256 of the colour behind it through.
func through(c, light uint32) mist {
	return mist{light, c & 0xFF00FF * (256 - light), c & 0xFF00 * (256 - light)}
}

func (m *mist) over(c uint32) uint32 {
	return (c&0xFF00FF*m.light+m.redBlue)>>8&0xFF00FF | (c&0xFF00*m.light+m.green)>>8&0xFF00
}

// speckle is a number in −amount..amount that looks like chance: one for each (u, v, salt).
func speckle(u, v, salt, amount int) int {
	h := world.Avalanche(uint64(u)<<40 ^ uint64(v)<<20 ^ uint64(salt))
	return int(h%uint64(2*amount+1)) - amount
}
