package model

import (
	"slices"
	"testing"

	"impalab/learner/hyper"
)

func TestWhatHasNoEffectIsKnown(t *testing.T) {
	for _, c := range []struct {
		link   string
		unused []string // in the order of the table
	}{
		{"", []string{"alpha", "alpha-c", "trust", "relevance", "beta1", "beta2", "actors", "sharers", "sharing", "inference"}},
		{"#correction=none&optimiser=adam&mode=live", []string{"rho", "c", "alpha", "rho-pg", "alpha-c", "lambda", "trust", "relevance", "opt-decay", "opt-start", "momentum", "sharers", "sharing", "collect"}},
		{"#correction=one-step", []string{"c", "alpha", "rho-pg", "alpha-c", "lambda", "trust", "relevance", "beta1", "beta2", "actors", "sharers", "sharing", "inference"}},
		{"#correction=leaky", []string{"trust", "relevance", "beta1", "beta2", "actors", "sharers", "sharing", "inference"}},
		{"#correction=trust-region", []string{"alpha", "alpha-c", "beta1", "beta2", "actors", "sharers", "sharing", "inference"}},
		{"#correction=is", []string{"rho", "c", "alpha", "rho-pg", "alpha-c", "trust", "relevance", "beta1", "beta2", "actors", "sharers", "sharing", "inference"}},
	} {
		m := New(c.link)
		greet(m)
		var unused []string
		for i := range hyper.Table {
			if _, owned := ownedBy[hyper.Table[i].Key]; !owned && !m.Used(&hyper.Table[i]) {
				unused = append(unused, hyper.Table[i].Key)
			}
		}
		if !slices.Equal(unused, c.unused) {
			t.Errorf("%s: without effect are %q, want %q", c.link, unused, c.unused)
		}
	}
}

func TestAnAlgorithmsOwnSettingsCountOnlyThere(t *testing.T) {
	for _, c := range []struct{ algo, used, unused string }{
		{"impala", "lambda", "meta-lr"}, {"impala", "lr", "top"},
		{"stac", "meta-lr", "heads"}, {"stac", "alpha", "top"}, {"stacx", "heads", "kl"},
		{"vmpo", "top", "tune"}, {"a2c", "gamma", "correction"}, {"a2c", "entropy", "lambda"},
	} {
		m := New("#algo=" + c.algo)
		greet(m)
		if !m.Used(m.Control(c.used).Row) || m.Used(m.Control(c.unused).Row) {
			t.Errorf("%s: %s counts %v, %s counts %v", c.algo, c.used, m.Used(m.Control(c.used).Row), c.unused, m.Used(m.Control(c.unused).Row))
		}
	}
	for key := range ownedBy {
		if _, err := hyper.Lookup(key); err != nil {
			t.Error(err)
		}
	}
}
