//go:build linux && amd64 && !purego && !noopencl

package opencl

import "impalab/learner/kernel"

// board is an input of a network. If all numbers are 0 or 1, they are sent as bits, a thirty-second of the bytes.
type board struct {
	words  int // place of the bits in the arena and in the host memory
	to     int // place of the input
	unpack launches
}

// packFrom is the length from which sending bits is worth the launch that unpacks them: a launch takes about as long as
// sending 64 kB.
const packFrom = 1 << 14

// words returns how many numbers hold n bits; 0: an input of n numbers is sent as it is.
func words(n int) int {
	if n < packFrom {
		return 0
	}
	return (n + 31) / 32
}

// newBoard returns the board of n numbers.
func newBoard(q *queue, at, to, n int) (board, error) {
	p := board{words: at, to: to}
	if words(n) == 0 {
		return p, nil
	}
	b := builder{q: q, shards: 1}
	b.unpack(place{base: to}, place{base: at}, n)
	p.unpack = b.list
	return p, b.err
}

// send sends x to the arena, as bits if it can.
func (p *board) send(q *queue, x []float32) {
	if n := words(len(x)); n > 0 && p.unpack != nil {
		if to := q.host[p.words:][:n]; kernel.PackBits(to, x) {
			q.write(p.words, to)
			q.run(p.unpack)
			return
		}
	}
	to := q.host[p.to:][:len(x)]
	copy(to, x)
	q.write(p.to, to)
}
