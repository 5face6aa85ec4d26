package exercise

// The judgement in a page without a server. Its seeds are no secret, and all pages have the same.

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// openDraw returns bytes that depend on the parts, and on nothing else.
func openDraw(parts ...any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "open %q", parts))
}

// OpenSeeds returns the seeds of a hand-in, in place of a room's secret ones: 2^31 or more, within 32 bits.
func (r *Reach) OpenSeeds(exercise string) (seeds []uint64) {
	for i := range r.Hidden.Seeds {
		sum := openDraw(exercise, i)
		seeds = append(seeds, 1<<31|binary.BigEndian.Uint64(sum[:])>>33)
	}
	return seeds
}

// OpenInputs returns the unrolls of a hand-in and their seed. They follow from the text of the program: another text,
// with these targets written into it, gets other unrolls.
func (p *Program) OpenInputs(text string) (in Inputs, seed [32]byte) {
	seed = openDraw(text)
	return p.Inputs(Letters(seed[:5]), seed), seed
}
