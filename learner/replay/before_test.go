package replay

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"impalab/envs"
	"impalab/learner/traj"
)

// Before is checked against a plain list of the store's unrolls, through turns of the ring and a restored snapshot.
func TestBeforeIsTheSameCopysEarlierUnrollWhileItIsHeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := rapid.IntRange(1, 7).Draw(t, "room")
		s, serial := New(4*room, 4), map[uint64]uint64{}
		var held []*traj.Unroll // oldest first
		for range rapid.IntRange(1, 30).Draw(t, "unrolls") {
			u := traj.NewUnroll(4, traj.Shape{Size: 1, Actions: 2})
			u.Lane = rapid.Uint64Range(0, 3).Draw(t, "lane")
			u.Serial = serial[u.Lane]
			serial[u.Lane]++
			s.Add(u)
			if held = append(held, u); len(held) > room {
				held = held[1:]
			}
			if rapid.IntRange(0, 9).Draw(t, "restore") == 0 {
				s.Add(&traj.Unroll{T: 4, Shape: u.Shape, Lane: 9}) // loading a snapshot drops the earlier contents
				if err := s.Load(append([]*traj.Unroll(nil), held...), nil); err != nil {
					t.Fatal(err)
				}
			}
			for lane := range uint64(10) {
				for n := range serial[lane] + 2 {
					asked := &traj.Unroll{Lane: lane, Serial: n}
					got, ok := s.Before(asked)
					var want *traj.Unroll
					for _, u := range held {
						if u.Lane == lane && u.Serial+1 == n {
							want = u
						}
					}
					if ok != (want != nil) || ok && (got.Lane != lane || got.Serial != want.Serial) {
						t.Fatalf("before unroll %d of copy %d: %+v (%v), want %+v", n, lane, got, ok, want)
					}
				}
			}
		}
	})
}

// A copy's first unroll has none before it, not even one whose number the subtraction runs round to.
func TestNothingComesBeforeTheFirst(t *testing.T) {
	s, last := New(8, 4), numbered(0)
	last.Serial = math.MaxUint64
	s.Add(last)
	if u, ok := s.Before(numbered(0)); ok {
		t.Errorf("before the first comes %+v", u)
	}
}

func TestAStoreHasRoomForAtLeastOne(t *testing.T) {
	s := New(3, 4)
	s.Add(numbered(1))
	s.Add(numbered(2))
	if s.Len() != 1 || s.At(0).Version != 2 {
		t.Errorf("holds %d, first %d", s.Len(), s.At(0).Version)
	}
}

func TestAUniformStoreHasNoPriorities(t *testing.T) {
	s := New(20, 4)
	for n := range uint64(4) {
		s.Add(numbered(n))
	}
	s.Visit(2, 100)
	weights := []float32{7, 7, 7}
	s.Weigh(weights, []int{0, 1, 2})
	if s.Chance(2) != 0.25 || weights[0] != 1 || weights[1] != 1 || weights[2] != 1 || s.Save() != nil {
		t.Errorf("chance %v, weights %v, saved %v", s.Chance(2), weights, s.Save())
	}
}

// In an empty place or in an overwritten one, a new unroll has the largest priority so far. That is 1 until an unroll
// surprises by more.
func TestANewUnrollTakesTheLargestPriorityInEveryPlace(t *testing.T) {
	s := NewPrioritised(12, 4, Priority{Exponent: 1})
	for n := range uint64(3) {
		s.Add(numbered(n))
		s.Visit(int(n), 0.5)
	}
	for n, surprise := range []float64{0.25, 4} {
		s.Add(numbered(uint64(3 + n)))
		if got, want := s.Chance(n)/s.Chance(2), 2.0; got != want {
			t.Errorf("what is new is drawn %v times as often as what surprised by ½, want %v", got, want)
		}
		s.Visit(n, surprise)
	}
	s.Add(numbered(5))
	if got := s.Chance(2) / s.Chance(1); got != 1 {
		t.Errorf("what is new is drawn %v times as often as what surprised most", got)
	}
}

func TestATreeHasTheLeastPowerOfTwoOfLeaves(t *testing.T) {
	var empty tree
	if empty.total() != 0 || empty.leaves() != 0 {
		t.Errorf("an empty tree has %d leaves and sums to %v", empty.leaves(), empty.total())
	}
	for n := 1; n <= 70; n++ {
		var grown tree
		grown.set(n-1, 3)
		if leaves := grown.leaves(); leaves < n || leaves/2 >= n || leaves&(leaves-1) != 0 || grown.total() != 3 {
			t.Errorf("room for %d: %d leaves, sum %v", n, leaves, grown.total())
		}
	}
}

// A leaf is a half-open interval: its lower end is its own, its upper end the next one's. What rounding brings to the
// very end of the whole finds the last leaf that weighs something.
func TestTheEdgesOfALeaf(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		x       float64
		want    int
	}{
		{[]float64{1, 1}, 1, 1}, {[]float64{0, 1}, 0, 1}, {[]float64{0, 0, 0, 2}, 0, 3}, {[]float64{1, 2, 3, 4}, 3, 2},
		{[]float64{1, 0, 5, 0}, 6, 2}, {[]float64{5, 0, 0, 0}, 5, 0}, {[]float64{1, 0, 0, 3, 0, 0, 0, 0}, 4, 3},
	} {
		var tree tree
		for i, w := range c.weights {
			tree.set(i, w)
		}
		if got := tree.find(c.x); got != c.want {
			t.Errorf("%v: %v falls in leaf %d, want %d", c.weights, c.x, got, c.want)
		}
	}
}

func TestASnapshotOfPrioritiesIsTakenOverOnlyWhole(t *testing.T) {
	p := Priority{Exponent: 1}
	three := surprising(3, p).All()
	used := surprising(9, p) // its earlier contents are gone
	if err := used.Load(three, &Saved{Weights: []float64{1, 2, 1}, Top: 2}); err != nil {
		t.Fatal(err)
	}
	if used.Len() != 3 || used.Chance(1) != 0.5 || used.by.top != 2 {
		t.Errorf("%d unrolls, chance %v, largest %v", used.Len(), used.Chance(1), used.by.top)
	}
	if err := NewPrioritised(12, 4, p).Load(nil, &Saved{Top: 1}); err != nil {
		t.Errorf("an empty store: %v", err)
	}
	weights := []float64{1, 1, 1}
	if err := NewPrioritised(12, 4, p).Load(three, &Saved{Weights: weights, First: 2, Top: 1}); err != nil {
		t.Errorf("a ring that has turned: %v", err)
	}
	for what, saved := range map[string]*Saved{
		"a place before the first":         {Weights: weights, First: -1, Top: 1},
		"a place after the last":           {Weights: weights, First: 3, Top: 1},
		"a largest below 1":                {Weights: []float64{0, 0, 0}, Top: 0.5},
		"a largest that is no number":      {Weights: []float64{0, 0, 0}, Top: math.NaN()},
		"a ring that turned, yet had room": {Weights: weights, First: 1, Top: 1},
	} {
		room := 12
		if what == "a ring that turned, yet had room" {
			room = 16
		}
		if err := NewPrioritised(room, 4, p).Load(three, saved); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	for _, s := range []*Store{New(8, 4), NewPrioritised(8, 4, p)} {
		saved := s.Save()
		if saved != nil {
			saved.Weights = weights
		}
		if err := s.Load(three, saved); err == nil {
			t.Error("three unrolls were taken where two have room")
		}
	}
}

func TestAStoreThatNeverDrawsUniformlyFollowsItsPriorities(t *testing.T) {
	s, r := NewPrioritised(8, 4, Priority{Exponent: 1}), envs.NewRand(5, 0)
	for i, surprise := range []float64{0, 1} {
		s.Add(numbered(uint64(i)))
		s.Visit(i, surprise)
	}
	for range 1000 {
		if s.Draw(&r) == 0 {
			t.Fatal("what surprises nobody was drawn")
		}
	}
}
