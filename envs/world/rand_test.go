package world

import (
	"math"
	"testing"
)

// The first numbers of the public definition from the state (1, 2).
func TestRandIsXoroshiro(t *testing.T) {
	r := Rand{s0: 1, s1: 2}
	for i, want := range []uint64{393217, 669327710093319, 1732421326133921491, 11394790081659126983} {
		if got := r.Uint64(); got != want {
			t.Errorf("draw %d: %d, want %d", i, got, want)
		}
	}
}

func TestRandMoments(t *testing.T) {
	const n = 1_000_000
	var sums, squares [4]float64
	r := NewRand(3, 4)
	for range n {
		for i, x := range [...]float64{r.Float64() - .5, float64(r.Float32()) - .5, r.Norm(), float64(r.IntN(7)) - 3} {
			sums[i] += x
			squares[i] += x * x
		}
	}
	for i, variance := range [...]float64{1. / 12, 1. / 12, 1, 4} {
		if mean := sums[i] / n; math.Abs(mean) > 5*math.Sqrt(variance/n) {
			t.Errorf("distribution %d: mean %v", i, mean)
		}
		if got := squares[i] / n; math.Abs(got/variance-1) > .01 {
			t.Errorf("distribution %d: variance %v, want %v", i, got, variance)
		}
	}
}

func TestRandStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(50) {
		for stream := range uint64(50) {
			r := NewRand(seed, stream)
			for range 4 {
				seen[r.Uint64()] = true
			}
		}
	}
	if len(seen) != 50*50*4 {
		t.Errorf("%d different numbers out of %d", len(seen), 50*50*4)
	}
}

func TestARestoredRandContinues(t *testing.T) {
	r := NewRand(1, 2)
	r.Uint64()
	var other Rand
	if err := other.SetState(r.State()); err != nil {
		t.Fatal(err)
	}
	if a, b := r.Uint64(), other.Uint64(); a != b {
		t.Errorf("%d after restoring, want %d", b, a)
	}
	if other.SetState([2]uint64{}) == nil {
		t.Error("a state of zeros was taken")
	}
}

func TestRecordedRefusesAnotherDraw(t *testing.T) {
	r := Rand{Recorded: &Recorded{Draws: []Draw{{Kind: 'i', N: 5, Value: 3}}}}
	if got := r.IntN(5); got != 3 {
		t.Errorf("the record gave %d, want 3", got)
	}
	for name, draw := range map[string]func(){
		"past its end":  func() { r.Float64() },
		"other kind":    func() { r.Recorded.Read = 0; r.Norm() },
		"another bound": func() { r.Recorded.Read = 0; r.IntN(4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			draw()
		}()
	}
}
