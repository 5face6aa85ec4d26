package quantity_test

import (
	"math"
	"slices"
	"testing"

	"impalab/web/exercise"
	"impalab/web/lesson"
	"impalab/web/lesson/quantity"
)

// compare computes a quantity and compares it with a stated figure.
func compare(t *testing.T, where, exact string, is, within float64) {
	t.Helper()
	if v, err := quantity.Compute(exact); err != nil || math.Abs(v-is) > within {
		t.Errorf("%s: %s is %.10g (%v); the text says %.10g", where, exact, v, err, is)
	}
}

// The computed figures of lessons and errata agree with the papers and the solved worlds to 1e-6.
func TestFiguresOfLessonsAgreeToAMillionth(t *testing.T) {
	compared := 0
	for _, l := range append(slices.Clone(lesson.All()), lesson.Errata()) {
		for _, s := range l.Steps {
			if s.Evidence == nil {
				continue
			}
			for _, r := range s.Evidence.Rows {
				if r.Exact != "" {
					compared++
					compare(t, l.Name+", "+s.Title, r.Exact, r.Is, 1e-6)
				}
			}
		}
		if l.Check.Run == nil && l.Check.Ask != "" {
			compare(t, l.Name+", check", l.Check.Exact, l.Check.Is, 1e-6)
		}
	}
	if compared < 100 {
		t.Errorf("only %d figures were compared", compared)
	}
}

// A typing error in a file of an exercise or a plan would teach thirty people something wrong.
func TestFiguresOfAClassAgree(t *testing.T) {
	for _, p := range exercise.Plans() {
		for _, s := range p.Steps {
			if q := s.Predict; q != nil && q.Exact != "" {
				compare(t, p.Name+", "+s.Title, q.Exact, q.Is, .02*math.Abs(q.Is))
			}
		}
	}
	named := func(name string) *exercise.Exercise {
		e, err := exercise.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	compare(t, "the typical unroll", "median-product pi=0.8 mu=0.5 steps=10", named("the-typical-unroll").Number.Is, 1e-9)
	compare(t, "which bound", "temperature bound=0.1", named("which-bound").Number.Is, .01)
	mu, err := quantity.Compute("value-of-mu")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "half-way house", "value-of-pi", 2*named("half-way-house").Find.Target-mu, 1e-3)
}

func TestComputeRefusesUnknownNames(t *testing.T) {
	for _, text := range []string{"", "nowhere", "destination way=1", "destination rho=much"} {
		if v, err := quantity.Compute(text); err == nil {
			t.Errorf("%q is %g", text, v)
		}
	}
}
