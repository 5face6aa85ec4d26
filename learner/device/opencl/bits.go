//go:build linux && amd64 && !purego && !noopencl

package opencl

import "impalab/learner/kernel"

// board is input that may be a board's: where all of it is 0 or 1 it travels as bits, a thirty-second of its bytes.
type board struct {
	words  int // where in the arena, and in the host memory, the bits lie
	to     int // where the input lies
	unpack launches
}

// packFrom is how many numbers are worth the launch that unpacks them, which takes a device about as long as 64 kB take
// to get there.
const packFrom = 1 << 14

// words is how many numbers hold n bits; 0: so few travel as they are.
func words(n int) int {
	if n < packFrom {
		return 0
	}
	return (n + 31) / 32
}

// newBoard is that of n numbers.
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

// send takes x to the arena, as bits where it may.
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
