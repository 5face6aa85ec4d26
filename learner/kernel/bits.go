package kernel

import "math"

// one is 1's bits.
const one = 0x3f800000

// PackBits writes numbers that are 0 or 1 as bits, number i as bit i mod 32 of word i/32; a word's bits are a
// float32's. It returns false if x holds another number (−0 is another); words are then invalid.
func PackBits(words, x []float32) bool {
	blocks := len(x) / 32
	if len(words) < (len(x)+31)/32 {
		panic("kernel: too few words for so many bits")
	}
	if blocks > 0 && !packBits(words, x, 1) { // most that are not bits show it at once
		return false
	}
	if blocks > 1 && !packBits(words[1:], x[32:], blocks-1) {
		return false
	}
	if rest := x[32*blocks:]; len(rest) > 0 {
		var padded [32]float32
		copy(padded[:], rest)
		return packBits(words[blocks:], padded[:], 1)
	}
	return true
}

// UnpackBits is the way back.
func UnpackBits(x, words []float32) {
	for i := range x {
		x[i] = float32(math.Float32bits(words[i/32]) >> (i % 32) & 1)
	}
}

func packBitsGo(words, x []float32, blocks int) bool {
	odd := uint32(0)
	for i := range blocks {
		word := uint32(0)
		for _, v := range x[32*i : 32*i+32] {
			b := math.Float32bits(v)
			odd |= b ^ (-(b >> 29 & 1) & one)
			word = word>>1 | b<<2&(1<<31)
		}
		words[i] = math.Float32frombits(word)
	}
	return odd == 0
}
