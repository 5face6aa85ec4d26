package algo

import (
	"math"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/learner/traj"
)

// Inspect refuses an unroll with a number that is not finite, wherever it stands.
func TestInspectingValuesThatAreNotFiniteSaysSo(t *testing.T) {
	cfg, m, a, _ := tiny(t, "vtrace")
	b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	r := envs.NewRand(33, 0)
	strangers(b, &r)
	if _, err := Inspect(m, a, cfg, b, 0, 1); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string][]float32{
		"the state after it": b.Tail[b.Size:][:b.Size], "a state in it": b.Obs[b.Size:][:b.Size],
	} {
		was := append([]float32(nil), place...)
		for i := range place {
			place[i] = float32(math.NaN())
		}
		if _, err := Inspect(m, a, cfg, b, 0, 1); err == nil || !strings.Contains(err.Error(), "finite") {
			t.Errorf("%s is no number, and a look says %v", name, err)
		}
		copy(place, was)
	}
}
