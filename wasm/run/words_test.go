package run

import "testing"

func TestSettingsReadWell(t *testing.T) {
	m := open("")
	for _, c := range []struct{ key, text, want string }{
		{"lag", "8", "8 updates"}, {"lag", "1", "1 update"}, {"rho", "inf", "∞"}, {"rho-pg", "same", "same as ρ̄"},
		{"speed", "inf", "full speed"}, {"speed", "400", "400 steps/s"}, {"speed", "1", "1 step/s"},
		{"steps", "0", "until stopped"},
		{"steps", "250000", "250\u2009000 steps"}, {"lr", "1e-05", "0.00001"}, {"batch", "1", "1 trajectory"},
		{"mix", "0.95", "0.95, 7 of 8 old"}, {"mix", "0", "0"}, {"world", "catch", "Catch"},
	} {
		if got := m.Pretty(m.Control(c.key).Row, c.text); got != c.want {
			t.Errorf("%s=%s reads %q, want %q", c.key, c.text, got, c.want)
		}
	}
}

func TestAnnouncementsAreSentencesWithOneStopEach(t *testing.T) {
	if got := Spoken([]string{"It fell: 9 → 1.", "paused", "No news."}); got != "It fell: 9 → 1. paused. No news." {
		t.Error(got)
	}
}
