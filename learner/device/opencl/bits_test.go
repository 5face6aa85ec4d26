//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"math"
	"slices"
	"testing"
)

// A board arrives unchanged in a thirty-second of its bytes. Every other input arrives unchanged.
func TestABoardTravelsAsBitsAndNothingElseDoes(t *testing.T) {
	const n, most = packFrom + 77, 2 * packFrom
	q, err := underTest(t, usual).queue(words(most)+most, words(most)+most)
	if err != nil {
		t.Fatal(err)
	}
	defer q.close()
	b, err := newBoard(q, 0, words(most), most)
	if err != nil {
		t.Fatal(err)
	}
	defer b.unpack.close()
	x, plain := make([]float32, n), 4*n
	for i := range x {
		x[i] = float32(i * i % 3 % 2)
	}
	minus := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		at   int
		odd  float32
		sent int
	}{
		{0, 1, 4 * words(n)}, {n - 1, 0, 4 * words(n)}, {0, 0.5, plain}, {n - 1, minus, plain}, {n / 2, -1, plain},
		{40, float32(math.NaN()), plain}, {41, 1, 4 * words(n)},
	} {
		one, before := slices.Clone(x), q.spent.sent
		one[c.at] = c.odd
		b.send(q, one)
		sent := q.spent.sent - before
		got := q.host[words(most):][:n]
		q.finish() // until then the transfer reads it
		clear(got)
		q.read(got, words(most))
		if !sameBits(got, one) || sent != c.sent || q.err != nil {
			t.Errorf("%g at %d: %d bytes are sent, want %d, or something else arrives: %v", c.odd, c.at, sent, c.sent, q.err)
		}
	}
	before := q.spent
	if b.send(q, x[:packFrom-1]); q.spent.sent-before.sent != 4*(packFrom-1) || q.spent.launches != before.launches {
		t.Error("a small board is not sent as it is")
	}
}
