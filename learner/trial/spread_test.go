package trial

import (
	"math"
	"slices"
	"testing"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// A spread is of every seventh update, also if another listener asks for more. A quantity that the algorithm lacks is
// unknown.
func TestASpreadIsOfEverySeventhUpdate(t *testing.T) {
	cfg, err := hyper.FromPreset("vmpo")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 20000
	var all []float64
	run := Trial{Config: cfg, Seeds: []uint64{3}, Jobs: 1, Quantities: []string{"kl-policy", "gamma"},
		Hooks: func() learner.Hooks {
			return learner.Hooks{Due: func() bool { return true }, Update: func(u *telemetry.Update) {
				for _, trace := range u.Traces.List() {
					if trace.Of == telemetry.OfPolicy {
						all = append(all, float64(trace.Value))
					}
				}
			}}
		}}
	reports, err := run.Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	var seventh []float64
	for i := 6; i < len(all); i += 7 {
		seventh = append(seventh, all[i])
	}
	slices.Sort(seventh)
	mean := 0.0
	for _, v := range seventh {
		mean += v / float64(len(seventh))
	}
	got := reports[0].Spreads
	if len(seventh) < 10 || math.Abs(float64(got[0].Mean)-mean) > 1e-12 ||
		float64(got[0].Nine) != seventh[len(seventh)*9/10] {
		t.Errorf("mean %v, nine of ten below %v; of %d updates %v", got[0].Mean, got[0].Nine, len(seventh), mean)
	}
	if got[1].Name != "gamma" || got[1].Mean.known() || got[1].Nine.known() {
		t.Errorf("V-MPO has %+v", got[1])
	}
	if s := SummariseSpreads(reports); s[0].Name != "kl-policy" || float64(s[0].Mean.Mean) != float64(got[0].Mean) {
		t.Errorf("one seed's summary is %+v", s)
	}
}
