package replay

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"impalab/envs"
	"impalab/learner/traj"
)

// surprising is a store of n trajectories that surprised by 0, 1, 2 and so on.
func surprising(n int, p Priority) *Store {
	s := NewPrioritised(4*n, 4, p)
	for i := range n {
		s.Add(numbered(uint64(i)))
		s.Visit(i, float64(i))
	}
	return s
}

func TestASumTreeHoldsTheSumsOfItsLeavesAndFindsEachByItsShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree tree
		var plain []float64
		weight := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e12))
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			i := rapid.IntRange(0, 40).Draw(t, "leaf")
			w := weight.Draw(t, "weight")
			tree.set(i, w)
			for len(plain) <= i {
				plain = append(plain, 0)
			}
			plain[i] = w
		}
		for at := 1; at < tree.leaves(); at++ {
			if tree.sum[at] != tree.sum[2*at]+tree.sum[2*at+1] {
				t.Fatalf("node %d is not the sum of its children", at)
			}
		}
		var anew flat = plain
		if total := anew.total(); math.Abs(tree.total()-total) > 1e-12*total {
			t.Fatalf("the whole is %g, the leaves come to %g", tree.total(), total)
		}
		if tree.total() == 0 {
			return
		}
		x := rapid.Float64Range(0, 1).Draw(t, "share") * tree.total()
		if x >= tree.total() {
			x = math.Nextafter(tree.total(), 0)
		}
		found := tree.find(x)
		if found >= len(plain) || plain[found] == 0 {
			t.Fatalf("%g of %g finds leaf %d, which weighs nothing", x, tree.total(), found)
		}
		before, slack := anew[:found].total(), 1e-12*tree.total()
		if x < before-slack || x > before+plain[found]+slack {
			t.Fatalf("%g finds leaf %d, which lies from %g to %g", x, found, before, before+plain[found])
		}
	})
}

// flat is the sum tree without the tree: leaves alone.
type flat []float64

func (p flat) total() (sum float64) {
	for _, w := range p {
		sum += w
	}
	return sum
}

func TestDrawsAreAsLikelyAsTheirPrioritiesSay(t *testing.T) {
	for _, p := range []Priority{{Exponent: 1}, {Exponent: 0.5, Uniform: 0.2}, {Exponent: 2, Uniform: 0.1}, {Exponent: 0},
		{Exponent: 1, Uniform: 1}} {
		const n, draws = 6, 100_000
		s, r := surprising(n, p), envs.NewRand(1, 0)
		var drawn [n]int
		for range draws {
			drawn[s.Draw(&r)]++
		}
		// P(i) = (1−ε)·i^α/Σ j^α + ε/n, from the definition
		sum := 0.0
		for i := range n {
			sum += math.Pow(float64(i), p.Exponent)
		}
		for i := range n {
			want := (1-p.Uniform)*math.Pow(float64(i), p.Exponent)/sum + p.Uniform/n
			if got := s.Chance(i); math.Abs(got-want) > 1e-12 {
				t.Errorf("%+v: trajectory %d has chance %v, want %v", p, i, got, want)
			}
			// five standard deviations of a share
			if got := float64(drawn[i]) / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
				t.Errorf("%+v: trajectory %d drawn with share %.4f, want %.4f", p, i, got, want)
			}
		}
	}
}

// With β = 1 the weighted mean over draws is the plain mean over the store.
func TestFullCorrectionMakesUpForThePriorities(t *testing.T) {
	const n = 5
	s := surprising(n, Priority{Exponent: 1, Correction: 1, Uniform: 0.3})
	places := []int{0, 1, 2, 3, 4}
	weights := make([]float32, n)
	s.Weigh(weights, places)
	for i := range n {
		if got, want := float64(weights[i])*s.Chance(i), 1.0/n; math.Abs(got-want) > 1e-7 {
			t.Errorf("trajectory %d: chance times weight is %v, want %v as for all", i, got, want)
		}
	}
	s.by.Correction = 0
	if s.Weigh(weights, places); weights[4] != 1 {
		t.Errorf("without correction a weight is %v, want 1", weights[4])
	}
}

func TestANewUnrollIsDrawnAsIfItHadSurprisedMost(t *testing.T) {
	s := NewPrioritised(12, 4, Priority{Exponent: 1})
	s.Add(numbered(0))
	s.Visit(0, 8)
	s.Visit(0, 2)
	s.Add(numbered(1))
	if s.by.tree.weight(1) != 8 || s.by.tree.weight(0) != 2 {
		t.Errorf("weights %v and %v, want 2 and the largest so far, 8", s.by.tree.weight(0), s.by.tree.weight(1))
	}
}

func TestWhenNothingSurprisesEverythingIsDrawn(t *testing.T) {
	s, r := NewPrioritised(8, 4, Priority{Exponent: 1}), envs.NewRand(2, 0)
	var drawn [2]int
	for i := range 2 {
		s.Add(numbered(uint64(i)))
		s.Visit(i, 0)
	}
	for range 100 {
		drawn[s.Draw(&r)]++
	}
	if drawn[0] == 0 || drawn[1] == 0 || s.Chance(0) != 0.5 {
		t.Errorf("drawn %v with chance %v", drawn, s.Chance(0))
	}
}

func TestARestoredPrioritisedStoreDrawsWhatTheOldOneWould(t *testing.T) {
	p := Priority{Exponent: 0.7, Correction: 0.5, Uniform: 0.1}
	for _, size := range []int{20, 400} { // a ring that has wrapped around, and a ring with free slots
		a, b := NewPrioritised(size, 4, p), NewPrioritised(size, 4, p)
		ra := envs.NewRand(3, 0)
		visit := func(s *Store, n uint64, place int) { s.Visit(place, math.Abs(math.Sin(float64(n)))) }
		for n := range uint64(8) {
			a.Add(numbered(n))
			visit(a, n, a.Draw(&ra))
		}
		if err := b.Load(append([]*traj.Unroll(nil), a.All()...), a.Save()); err != nil {
			t.Fatal(err)
		}
		rb := ra
		for n := uint64(8); n < 200; n++ {
			i, j := a.Draw(&ra), b.Draw(&rb)
			if x, y := a.At(i).Version, b.At(j).Version; x != y || a.Chance(i) != b.Chance(j) {
				t.Fatalf("size %d: the old store draws %d with chance %v, the restored one %d with %v", size, x, a.Chance(i), y,
					b.Chance(j))
			}
			visit(a, n, i)
			visit(b, n, j)
			a.Add(numbered(n))
			b.Add(numbered(n))
		}
	}
}

func TestPrioritiesThatDoNotBelongAreRefused(t *testing.T) {
	full := surprising(3, Priority{Exponent: 1})
	for name, spoil := range map[string]func(*Saved){
		"a weight too few":    func(s *Saved) { s.Weights = s.Weights[1:] },
		"a negative weight":   func(s *Saved) { s.Weights[0] = -1 },
		"no number":           func(s *Saved) { s.Weights[0] = math.NaN() },
		"above the largest":   func(s *Saved) { s.Weights[0] = s.Top + 1 },
		"a place not there":   func(s *Saved) { s.First = 3 },
		"an infinite largest": func(s *Saved) { s.Top = math.Inf(1) },
	} {
		saved := full.Save()
		spoil(saved)
		if err := NewPrioritised(12, 4, Priority{}).Load(full.All(), saved); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := New(12, 4).Load(full.All(), full.Save()); err == nil {
		t.Error("a uniform store took priorities")
	}
	if err := NewPrioritised(12, 4, Priority{}).Load(full.All(), nil); err == nil {
		t.Error("a prioritised store did without priorities")
	}
}

func TestDrawingAndVisitingAllocatesNothing(t *testing.T) {
	s, r := surprising(50, Priority{Exponent: 0.6, Correction: 1, Uniform: 0.1}), envs.NewRand(4, 0)
	places, weights, u := make([]int, 7), make([]float32, 7), numbered(9)
	if n := testing.AllocsPerRun(100, func() {
		for i := range places {
			places[i] = s.Draw(&r)
		}
		s.Weigh(weights, places)
		s.Visit(places[0], 3)
		s.Add(u)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
