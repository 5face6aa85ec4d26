package learner

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/kernel"
)

// What five presets come to with seed 1101 after 25 000 and after 250 000 steps: how the parameters' SHA-256 begins. A
// change that means to leave learning alone leaves these alone; one that means to change it changes them here and says
// why. They hold on every machine with AVX2 or AVX-512; plain Go adds up in another order.
var pinned = []struct{ preset, short, whole string }{
	{"cartpole", "9db7ae894ff27888", "0995e331dce59231"},
	{"lag-cliff", "e207ad26d7bc3e20", "9d418cb2132ce2e5"},
	{"laser", "e87cbefec5ffcee2", "cbad12ea06152a43"},
	{"stac-lag", "81e7a94bda4d11ed", "c6baeb1fcefc0ca2"},
	{"vmpo", "7df9ea3ee86dea90", "0eedd208846ae659"},
}

func TestTheReferenceRunsComeToTheSameParametersAsEver(t *testing.T) {
	levels := kernel.Vectors()
	if len(levels) == 0 {
		t.Skip("this machine has neither AVX2 nor AVX-512")
	}
	for _, p := range pinned {
		for _, level := range levels {
			restore := kernel.Use(level)
			pin(t, p.preset, level, "25000", p.short)
			restore()
		}
		if !testing.Short() { // at the widest alone: the levels are held together above
			pin(t, p.preset, levels[0], "250000", p.whole)
		}
	}
}

func pin(t *testing.T, preset, level, steps, want string) {
	t.Helper()
	cfg := kit.Config(t, preset, "seed=1101 steps="+steps)
	if got := train(t, cfg, Hooks{}).ParamsSHA256; !strings.HasPrefix(got, want) {
		t.Errorf("%s, %s steps, %s: %.16s, want %.16s", preset, steps, level, got, want)
	}
}
