package correct

import "testing"

// If several actions are equally good, Regret takes the first: of the true values and of the distorted ones.
func TestOfEquallyGoodActionsTheFirstIsMeant(t *testing.T) {
	if got := Best([]float64{5, 5, 1}); got != 0 {
		t.Errorf("the best of two equal ones is %d", got)
	}
	if got := Regret([]float64{2, 1}, []float64{0.5, 1}); got != 0 { // Q^ω is 1 and 1: it acts on the first
		t.Errorf("regret %v", got)
	}
	if got := Regret([]float64{1, 2}, []float64{1, 0.5}); got != 1 {
		t.Errorf("regret %v, want 1", got)
	}
}

func TestNoFiniteShareOfOldDataStandsAnEndlessBound(t *testing.T) {
	for bound, want := range map[float64]float64{inf: 1, 3: 0.75, 0: 0, -2: 0, -inf: 0, inf - inf: 0} {
		if got := OnlineShare(bound); got != want {
			t.Errorf("bound %v: share %v, want %v", bound, got, want)
		}
	}
}
