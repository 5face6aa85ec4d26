package hyper

import (
	"strings"
	"testing"

	"impalab/learner/loss"
)

func TestTuneNamesWhatTunesItself(t *testing.T) {
	for text, want := range map[string]Tuning{
		"none":          {},
		"all":           {On: [loss.Metas]bool{true, true, true, true, true, true, true}, OneLeak: true},
		"gamma-entropy": {On: [loss.Metas]bool{loss.MetaGamma: true, loss.MetaEntropyCost: true}},
		"alpha":         {On: [loss.Metas]bool{loss.MetaLeakRho: true, loss.MetaLeakC: true}, OneLeak: true},
		"alpha-alphac":  {On: [loss.Metas]bool{loss.MetaLeakRho: true, loss.MetaLeakC: true}},
		"alphac":        {On: [loss.Metas]bool{loss.MetaLeakC: true}},
	} {
		if got, err := ParseTune(text); err != nil || got != want {
			t.Errorf("%s: %+v (%v), want %+v", text, got, err, want)
		}
	}
	row, err := Lookup("tune")
	if err != nil || !strings.HasSuffix(row.Allowed(), "of "+strings.Join(metaNames[:], ", ")) {
		t.Errorf("%v: the words of tune do not list %v", err, metaNames)
	}
	for _, text := range []string{"", "gamma-", "gamma-gamma", "all-gamma", "delta", "Gamma"} {
		if _, err := ParseTune(text); err == nil || !strings.Contains(err.Error(), "gamma, lambda") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
