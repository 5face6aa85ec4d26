package hyper

import (
	"strings"
	"testing"
)

func TestABatchKeepsBothKindsOfTrajectoryUnlessTheMixIs0Or1(t *testing.T) {
	for _, c := range []struct {
		settings string
		want     int
		says     string
	}{
		{"mix=0 batch=8", 0, ""},
		{"mix=0.01 batch=8", 1, "1 of 8 old"},
		{"mix=0.5 batch=8", 4, "4 of 8 old"},
		{"mix=0.875 batch=8", 7, "7 of 8 old"},
		{"mix=0.95 batch=8", 7, "7 of 8 old"}, // to the nearest whole one it would be pure replay
		{"mix=0.999 batch=2", 1, "1 of 2 old"},
		{"mix=1 batch=8", 8, "8 of 8 old"},
		{"mix=1 batch=1", 1, "1 of 1 old"},
	} {
		cfg := with(t, c.settings)
		if got := cfg.Replayed(); got != c.want {
			t.Errorf("%s replays %d, want %d", c.settings, got, c.want)
		}
		row, _ := Lookup("mix")
		if got := row.Meaning(&cfg, cfg.Get("mix")); got != c.says {
			t.Errorf("%s says %q, want %q", c.settings, got, c.says)
		}
		warned := strings.Contains(strings.Join(cfg.Warnings(), " "), "old data alone")
		if pure := c.want == cfg.BatchSize; warned != pure {
			t.Errorf("%s: warned of pure replay %v, want %v", c.settings, warned, pure)
		}
	}
}

func TestOneTrajectoryCannotBeMixed(t *testing.T) {
	cfg := with(t, "mix=0.5 batch=1")
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "batch=1") {
		t.Errorf("mix=0.5 with batch=1: %v, want a refusal that names both", err)
	}
}

// with is the default preset with some settings changed.
func with(t *testing.T, settings string) Config {
	t.Helper()
	cfg, err := FromPreset(DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range strings.Fields(settings) {
		key, value, _ := strings.Cut(pair, "=")
		if err := cfg.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return cfg
}
