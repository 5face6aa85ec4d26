package run

import (
	"testing"

	"impalab/web/wire"
)

func TestAStageNamesItsRunAndSaysThatItFell(t *testing.T) {
	m := onCliff(t, "")
	stay(m, 400, 200)
	name, score, unit, weak := m.Staged()
	if name != "IMPALA" || score != "400" || unit != "last 10" || weak {
		t.Errorf("a run: %q %q %q, fell: %v", name, score, unit, weak)
	}
	stay(m, 9, 150)
	pausedFor(m, wire.ReasonFell)
	if _, _, _, weak := m.Staged(); !weak {
		t.Error("a run that fell looks like another")
	}
	m.PinFall()
	if _, score, _, weak := m.Staged(); weak || score != "400" {
		t.Errorf("before its fall: %q, fell: %v", score, weak)
	}
}

func TestTwoStagesAreNamedByWhatDiffers(t *testing.T) {
	for key, want := range map[string][2]string{"correction=none": {"V-trace", "no correction"},
		"lag=4":  {"lag 8", "lag 4"},
		"seed=3": {"seed 1", "seed 3"}, "algo=vmpo": {"IMPALA", "V-MPO"}, "rho=2": {"ρ̄ 1", "ρ̄ 2"}} {
		a, b := onCliff(t, ""), onCliff(t, "&"+key)
		for _, m := range []*Run{a, b} {
			m.Page = func() []*Run { return []*Run{a, b} }
		}
		for i, m := range []*Run{a, b} {
			if name, _, _, _ := m.Staged(); name != want[i] {
				t.Errorf("%s: stage %d is named %q, want %q", key, i, name, want[i])
			}
		}
	}
}
