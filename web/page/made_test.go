package page

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/tape"
)

// A run of the Lab has no end. Its command trains it to where it is.
func TestTheCommandOfARunWithoutAnEndEndsWhereTheRunIs(t *testing.T) {
	cfg := kit.Config(t, "lag-cliff", "")
	cfg.Seed, cfg.Steps = 2, 0
	recorded := &tape.Tape{Header: tape.Header{Settings: cfg.Settings()}}
	show := Run{Preset: "lag-cliff", Steps: 81_440, Tape: recorded}
	want := "impalab train --preset lag-cliff --seed 2 --steps 81440"
	if got := show.command(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAScaleHasRoundFigures(t *testing.T) {
	for scale, want := range map[scoreScale]string{
		{0, 500}: "0 100 200 300 400 500", {-1, 1}: "−1.0 −0.5 0 0.5 1.0", {-1.2, 1}: "−1.0 −0.5 0 0.5 1.0",
		{0, 1}: "0 0.2 0.4 0.6 0.8 1.0",
	} {
		var got []string
		for _, tick := range scale.ticks() {
			got = append(got, tick.text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %v, want %s", scale, got, want)
		}
	}
	if s := (scoreScale{0, 500}); s.at(250) != "50%" || s.at(-3) != "0%" || s.at(900) != "100%" {
		t.Errorf("%s %s %s", s.at(250), s.at(-3), s.at(900))
	}
}
