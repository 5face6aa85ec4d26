package fall

import (
	"math"
	"testing"
)

var nan = math.NaN()

// see shows a watch the same means after each of some episodes, and returns after which it first says fallen; 0: none.
func see(w *Watch, hundred, ten float64, from, to uint64) uint64 {
	for n := from; n <= to; n++ {
		if w.See(hundred, ten, n) {
			return n
		}
	}
	return 0
}

func TestARunFallsTwentyEpisodesAfterItsLastTenWentBelowHalfOfItsBest(t *testing.T) {
	w := Watch{Rule: Broken}
	if n := see(&w, 300, 310, 1, 500); n > 0 {
		t.Errorf("a run that stands has fallen after %d episodes", n)
	}
	if n := see(&w, 290, 149, 501, 600); n != 521 {
		t.Errorf("below 150 from episode 501 on: fallen after %d, want 521", n)
	}
	if w.See(290, 160, 601) {
		t.Error("a run that stands again has still fallen")
	}
	if n := see(&w, 200, 100, 602, 700); n != 622 {
		t.Errorf("a second fall from episode 602 on is noticed after %d, want 622", n)
	}
}

func TestAStumbleIsNoFall(t *testing.T) {
	w := Watch{Rule: Broken}
	see(&w, 300, 300, 1, 100)
	for range 10 {
		if n := see(&w, 290, 100, 101, 120); n > 0 {
			t.Fatalf("twenty episodes low are a fall after %d", n)
		}
		w.See(290, 200, 121)
	}
}

func TestARunThatNeverRoseCannotFall(t *testing.T) {
	for _, rule := range []Rule{Broken, Down} {
		w := Watch{Rule: rule}
		if n := see(&w, 60, 9, 1, 1000); n > 0 || w.Risen() {
			t.Errorf("%+v: fallen after %d episodes", rule, n)
		}
		if n := see(&w, nan, nan, 1001, 1010); n > 0 {
			t.Errorf("%+v: a mean of nothing is a fall after %d", rule, n)
		}
	}
}

func TestDownIsOneLookBelowThirty(t *testing.T) {
	w := Watch{Rule: Down}
	see(&w, 374, 300, 1, 100)
	if w.See(370, 30, 101) {
		t.Error("30 is not below 30")
	}
	if !w.See(370, 29.9, 102) || !w.See(nan, nan, 102) {
		t.Error("29.9 is below 30, and stays so while nothing is known")
	}
	if w.See(360, 31, 103) {
		t.Error("it has got up")
	}
}
