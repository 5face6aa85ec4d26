package world

import (
	"errors"
	"math"
	"math/bits"
)

// Rand is the one source of chance for worlds and actors: xoroshiro128++ (Blackman and Vigna, 2019), two words
// of state, so that a vector of worlds carries its chance along in a snapshot. Make one with NewRand; the zero
// value is a generator stuck at zero.
type Rand struct {
	s0, s1   uint64
	Recorded *Recorded // when set, draws come from it: only to replay recorded runs
}

// NewRand begins stream number stream of a seed. Streams of one seed are independent of each other for all
// practical ends: both words go through an avalanche.
func NewRand(seed, stream uint64) Rand {
	const odd = 0x9e3779b97f4a7c15 // 2^64/φ, splitmix64's step
	base := Avalanche(Avalanche(seed+odd) ^ stream*odd)
	return Rand{s0: Avalanche(base + odd), s1: Avalanche(base-odd) | 1} // | 1: never all zero
}

// Avalanche is splitmix64's finaliser: every bit of the result depends on every bit of z.
func Avalanche(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 is 64 fresh bits. It never reads the record.
func (r *Rand) Uint64() uint64 {
	s0, s1 := r.s0, r.s1
	x := bits.RotateLeft64(s0+s1, 17) + s0
	s1 ^= s0
	r.s0 = bits.RotateLeft64(s0, 49) ^ s1 ^ s1<<21
	r.s1 = bits.RotateLeft64(s1, 28)
	return x
}

// Float64 is uniform on [0, 1), a multiple of 2⁻⁵³.
func (r *Rand) Float64() float64 {
	if r.Recorded != nil {
		return r.Recorded.next('u', 0)
	}
	return float64(r.Uint64()>>11) * 0x1p-53
}

// Float32 is uniform on [0, 1), a multiple of 2⁻²⁴.
func (r *Rand) Float32() float32 {
	if r.Recorded != nil {
		return float32(r.Recorded.next('u', 0))
	}
	return float32(r.Uint64()>>40) * 0x1p-24
}

// IntN is uniform on 0..n−1 (to within n·2⁻⁶⁴); n must be positive.
func (r *Rand) IntN(n int) int {
	if n <= 0 {
		panic("envs: IntN needs a positive n")
	}
	if r.Recorded != nil {
		return int(r.Recorded.next('i', n))
	}
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Norm is standard normal, by Box and Muller's transform; it keeps no second value, so two words stay the whole state.
func (r *Rand) Norm() float64 {
	if r.Recorded != nil {
		return r.Recorded.next('n', 0)
	}
	radius := math.Sqrt(-2 * math.Log(1-r.Float64()))
	return radius * math.Cos(2*math.Pi*r.Float64())
}

// State is the whole state, for snapshots.
func (r *Rand) State() [2]uint64 { return [2]uint64{r.s0, r.s1} }

// SetState restores the output of State.
func (r *Rand) SetState(s [2]uint64) error {
	if s == [2]uint64{} {
		return errors.New("envs: a random state of all zeros never moves: take one that State gave")
	}
	r.s0, r.s1 = s[0], s[1]
	return nil
}

// Recorded feeds recorded draws in the place of fresh ones, so that a run recorded under another generator replays
// here, draw for draw. A draw that asks for something else than was recorded panics: the world has left the record.
type Recorded struct {
	Draws []Draw
	Read  int // draws taken so far
}

// Draw is one recorded draw: kind 'u' uniform on [0, 1), 'n' standard normal, 'i' integer on 0..N−1.
type Draw struct {
	Kind  byte
	N     int // for 'i'
	Value float64
}

func (t *Recorded) next(kind byte, n int) float64 {
	if t.Read == len(t.Draws) {
		panic("envs: the record has no more draws")
	}
	d := t.Draws[t.Read]
	if d.Kind != kind || d.N != n {
		panic("envs: the world made another kind of draw than the record holds")
	}
	t.Read++
	return d.Value
}
