package trial

import (
	"math"
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/telemetry"
)

// A spread is of every seventh update, also if another listener asks for more. A quantity that the algorithm lacks is
// unknown.
func TestASpreadIsOfEverySeventhUpdate(t *testing.T) {
	cfg := kit.Config(t, "vmpo", "")
	cfg.Steps = 20000
	var all []float64
	run := Trial{Config: cfg, Seeds: []uint64{3}, Jobs: 1, Quantities: []string{"kl-policy", "gamma"},
		Hooks: func() learner.Hooks {
			return learner.Hooks{Due: func() bool { return true }, Update: func(u *telemetry.Update) {
				for _, trace := range u.AlgoValues.List() {
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
	n, got := len(seventh), reports[0].Spreads
	for _, want := range []struct {
		name     string
		got      Number
		from, to int
	}{{"mean", got[0].Mean, 0, n}, {"first tenth", got[0].First, 0, n / 10}, {"last tenth", got[0].Last, n - n/10, n}} {
		sum := 0.0
		for _, v := range seventh[want.from:want.to] {
			sum += v
		}
		if mean := sum / float64(want.to-want.from); n < 20 || math.Abs(float64(want.got)-mean) > 1e-12 {
			t.Errorf("%s is %v, want %v of %d updates", want.name, want.got, mean, n)
		}
	}
	slices.Sort(seventh)
	if float64(got[0].Nine) != seventh[n*9/10] {
		t.Errorf("nine of ten are below %v, want %v", got[0].Nine, seventh[n*9/10])
	}
	if got[1].Name != "gamma" || got[1].Mean.known() || got[1].Nine.known() {
		t.Errorf("V-MPO has %+v", got[1])
	}
	if s := SummariseSpreads(reports); s[0].Name != "kl-policy" || float64(s[0].Mean.Mean) != float64(got[0].Mean) {
		t.Errorf("one seed's summary is %+v", s)
	}
}
