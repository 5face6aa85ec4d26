package lab

import (
	"testing"

	"impalab/learner/fall"
	"impalab/web/wire"
)

// A run says once that it has solved its world; one that learns nothing never says so.
func TestASolutionIsSaidOnceAndOnlyWhereThereIsOne(t *testing.T) {
	l := newLab(t, Options{})
	for text, want := range map[string]int{"p=bandit speed=inf steps=30000": 1, "p=bandit speed=inf steps=30000 lr=0": 0} {
		v, _ := visit(t, l, link(text))
		said := 0
		for {
			s := await[*wire.Status](v, nil)
			if s.Reason == fall.SaidSolved {
				said++
			}
			if wire.Over(s.State) {
				break
			}
		}
		if said != want {
			t.Errorf("%s: a solution is said %d times, want %d", text, said, want)
		}
	}
}
