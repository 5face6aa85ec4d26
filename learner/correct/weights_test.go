package correct

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Sound means ρ_t ≥ c_t for every ratio: Unsound must agree with a search over ratios, both ways.
func TestUnsoundIsWhereRhoFallsBelowC(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	found := map[bool]int{}
	for range 20000 {
		clip := randomCut(rng)
		if clip.RhoBar == 0 && clip.LeakRho == 1 {
			continue // values that do not move have a warning of their own
		}
		below := false
		for _, is := range []float64{1e-3, 0.1, clip.RhoBar, clip.CBar, 1, 3, 1e2, 1e8} {
			if is < inf && clip.Rho(is) < clip.C(is)*(1-1e-12) {
				below = true
			}
		}
		if below != (len(clip.Unsound()) > 0) {
			t.Fatalf("%+v: ρ < c somewhere: %v; warnings: %q", clip, below, clip.Unsound())
		}
		found[below]++
	}
	if found[true] < 1000 || found[false] < 1000 {
		t.Fatalf("one side was hardly met: %v", found)
	}
}

func TestUnsoundNamesTheCondition(t *testing.T) {
	for _, c := range []struct {
		clip Truncation[float64]
		want string
	}{
		{Truncation[float64]{1, 1, 1, 1, 1, 1}, ""},
		{Truncation[float64]{1, 1, 1, 1, 0.5, 0.5}, ""},
		{Truncation[float64]{1, 1, 1, 1, 0.3, 1}, ""},
		{Truncation[float64]{inf, inf, 1, 1, 1, 0}, ""},
		{Truncation[float64]{1, 1.5, 1, 0.5, 1, 1}, ""}, // λ halves c
		{Truncation[float64]{0.5, 1, 1, 1, 1, 1}, "ρ̄ = 0.5 is below c̄ = 1"},
		{Truncation[float64]{1, inf, 1, 1, 1, 1}, "c̄ = ∞"},
		{Truncation[float64]{1, inf, 1, 1, 1, 0}, "α_ρ = 1 is above α_c = 0"},   // c̄ = ∞ cuts nothing, and neither does α_c
		{Truncation[float64]{1, 1, 1, 1, 1, 0.3}, "α_ρ = 1 is above α_c = 0.3"}, // STAC's printed order
		{Truncation[float64]{0, 0, 0, 1, 1, 1}, "do not move"},
	} {
		got := strings.Join(c.clip.Unsound(), "; ")
		if len(c.clip.Unsound()) != min(1, len(c.want)) || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.clip, got, c.want)
		}
	}
}

func TestInfiniteRatioIsNeverNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 5000 {
		clip := randomCut(rng)
		for _, w := range []float64{clip.Rho(inf), clip.C(inf), clip.RhoPG(inf)} {
			if w != w {
				t.Fatalf("%+v gives NaN", clip)
			}
		}
		if nan := inf - inf; clip.Rho(nan) == clip.Rho(nan) {
			t.Fatalf("%+v hides a ratio that is not a number", clip)
		}
	}
}
