package hyper

import "testing"

func TestAWrongWordIsAnsweredWithTheNearest(t *testing.T) {
	for word, want := range map[string]string{
		"lagg":        "; did you mean lag?",
		"value-costs": "; did you mean value-cost?",
		"roh":         "; did you mean rho?", // two letters swapped
		"foo":         "?",                   // two of three letters are others
	} {
		if got := DidYouMean(word, Keys(), "?"); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("something else", Keys(), "; none is near"); got != "; none is near" {
		t.Errorf("far from all: %q", got)
	}
}

func TestAnUnknownPresetIsAnsweredInOneLine(t *testing.T) {
	_, err := FromPreset("lag-clif")
	if err == nil || err.Error() != `unknown preset "lag-clif"; did you mean lag-cliff? (impalab presets lists all)` {
		t.Error(err)
	}
	if _, err := FromPreset("moon"); err == nil || len(err.Error()) > 100 {
		t.Error(err)
	}
}
