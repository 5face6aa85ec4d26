package algo

import (
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

func TestTracesAreWhatTheAlgorithmKeeps(t *testing.T) {
	none := float32(math.Inf(1))
	for _, c := range []struct {
		make   func() (*hyper.Config, *Machine, *traj.Batch)
		names  []string
		bounds []float32
	}{
		{tinyFor(t, "impala", ""), nil, nil},
		{tinyFor(t, "impala", "popart=on"), []string{"popart-scale", "popart-shift"}, []float32{none, none}},
		{tinyFor(t, "vmpo", ""), []string{"temperature", "kl-weights", "kl-weight", "kl-policy"},
			[]float32{none, 0.1, none, 0.002}},
		{tinyFor(t, "vmpo", "psi=uniform"), []string{"kl-weight", "kl-policy"}, []float32{none, 0.002}},
		{tinyFor(t, "vmpo", "kl=off"), []string{"temperature", "kl-weights", "kl-policy"}, []float32{none, 0.1, none}},
		{func() (*hyper.Config, *Machine, *traj.Batch) {
			return tinyReal(t, "policy=gaussian algo=vmpo popart=on eps-sigma=0.0005")
		},
			[]string{"popart-scale", "popart-shift", "temperature", "kl-weights", "kl-weight-mean", "kl-mean", "kl-weight-sigma",
				"kl-sigma"},
			[]float32{none, none, none, 0.1, none, 0.01, none, 0.0005}},
	} {
		cfg, m, batch := c.make()
		a, err := New(m, cfg)
		if err != nil {
			t.Fatal(err)
		}
		var out telemetry.Update
		if err := a.Update(batch, cfg, 0.01, 0, &out); err != nil {
			t.Fatal(err)
		}
		var names []string
		var bounds []float32
		for _, trace := range out.AlgoValues.List() {
			names, bounds = append(names, telemetry.AlgoMetrics[trace.Of].Name), append(bounds, trace.Bound)
			if v := trace.Value; !(v-v == 0) {
				t.Errorf("%v: %v", names, v)
			}
		}
		if !slices.Equal(names, c.names) || !slices.Equal(bounds, c.bounds) {
			t.Errorf("%v within %v, want %v within %v", names, bounds, c.names, c.bounds)
		}
	}
}

// tinyFor makes the tiny network and batch of impala_test.go for another algorithm.
func tinyFor(t *testing.T, algo, change string) func() (*hyper.Config, *Machine, *traj.Batch) {
	return func() (*hyper.Config, *Machine, *traj.Batch) {
		cfg, _, _, batch := tiny(t, "vtrace", "algo="+algo)
		if key, value, ok := strings.Cut(change, "="); ok {
			if err := cfg.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
		m, err := NewMachine(graph.Lower, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		return cfg, m, batch
	}
}

func TestQuantitiesAreInTheOrderOfLossMeta(t *testing.T) {
	if telemetry.LeakC != telemetry.Gamma+loss.MetaLeakC ||
		telemetry.EntropyCost != telemetry.Gamma+loss.MetaEntropyCost ||
		telemetry.Temperature != loss.Metas {
		t.Error("STAC's rows are out of step with loss.Meta")
	}
	for i := range telemetry.AlgoMetrics {
		q := &telemetry.AlgoMetrics[i]
		if q.Name == "" || q.Symbol == "" || q.Words == "" || q.Sentence == "" || q.Paper == "" ||
			telemetry.LookupAlgoMetric(q.Name) != q {
			t.Errorf("row %d (%s) says too little, or shares its name", i, q.Name)
		}
	}
}
