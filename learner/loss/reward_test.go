package loss_test

import (
	"math"
	"testing"

	"impalab/learner/loss"
)

// A loss is never rewarded, and more is never worth less: the caption's sign would break both.
func TestRewardTransformsKeepOrderAndSign(t *testing.T) {
	for _, r := range loss.Rewards {
		last := math.Inf(-1)
		for x := -20.0; x <= 20; x += 0.25 {
			y := r.Of(x)
			if y < last || math.Signbit(y) != math.Signbit(x) && y != 0 {
				t.Fatalf("%s: %v becomes %v after %v", r.Name, x, y, last)
			}
			last = y
		}
	}
}
