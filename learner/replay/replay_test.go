package replay

import (
	"testing"

	"impalab/envs"
	"impalab/learner/traj"
)

// numbered is an unroll of four steps that can be told from others.
func numbered(n uint64) *traj.Unroll {
	u := traj.NewUnroll(4, traj.Shape{Size: 1, Actions: 2})
	u.Begin(n)
	return u
}

func TestTheOldestTrajectoryLeavesFirst(t *testing.T) {
	s := New(13, 4) // room for three whole unrolls
	u := numbered(0)
	for n := range uint64(8) {
		u.Version = n // the caller fills the same unroll again: the store must have its own copy
		s.Add(u)
	}
	var held []uint64
	for _, u := range s.All() {
		held = append(held, u.Version)
	}
	if len(held) != 3 || held[0] != 5 || held[1] != 6 || held[2] != 7 {
		t.Errorf("the store holds %v, want 5 6 7", held)
	}
}

func TestEveryTrajectoryIsDrawnEquallyOften(t *testing.T) {
	s := New(20, 4)
	for n := range uint64(7) {
		s.Add(numbered(n))
	}
	r, drawn := envs.NewRand(1, 0), map[uint64]int{}
	const draws = 50_000
	for range draws {
		drawn[s.At(s.Draw(&r)).Version]++
	}
	for n := uint64(2); n < 7; n++ {
		if share := float64(drawn[n]) / draws; share < 0.19 || share > 0.21 {
			t.Errorf("trajectory %d: share %.3f, want 0.2", n, share)
		}
	}
}

func TestARestoredStoreDrawsWhatTheOldOneWould(t *testing.T) {
	a := New(20, 4)
	for n := range uint64(8) { // the ring has turned
		a.Add(numbered(n))
	}
	b := New(20, 4)
	if err := b.Load(append([]*traj.Unroll(nil), a.All()...), a.Save()); err != nil {
		t.Fatal(err)
	}
	ra, rb := envs.NewRand(3, 0), envs.NewRand(3, 0)
	for n := uint64(8); n < 30; n++ {
		if x, y := a.At(a.Draw(&ra)).Version, b.At(b.Draw(&rb)).Version; x != y {
			t.Fatalf("the old store draws %d, the restored one %d", x, y)
		}
		a.Add(numbered(n))
		b.Add(numbered(n))
	}
}
