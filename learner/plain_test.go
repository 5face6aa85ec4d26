package learner

import (
	"strings"
	"testing"

	"impalab/learner/kernel"
)

// What short runs come to in plain arithmetic: on any amd64, with vectors or without, and in a browser.
var plain = []struct{ preset, changes, want string }{
	{"cartpole", "steps=6000", "5319a2ac80891136"},
	{"stac-lag", "steps=3000", "a24b0c22933c84b4"},
	{"vmpo", "steps=3000", "c6d94ce15c2aa3e6"},
	{"laser", "steps=3000", "bf421979b5aabb3b"},
	{"vmpo-pendulum", "steps=3000", "f9c076ba19fa77cc"},
	{"catch", "steps=2000 torso=shallow hidden=8", "867ab19a1a2f3a25"},
	{"catch", "steps=2000 lstm=8 popart=on optimiser=adam", "cd7b46def3944ad1"},
}

func TestPlainArithmeticComesToTheSameParametersHereAndInABrowser(t *testing.T) {
	defer kernel.Use("go")()
	if a := kernel.Arithmetic(); a != "plain" {
		t.Skipf("this build's arithmetic is %s", a)
	}
	for _, p := range plain {
		cfg := config(t, p.preset, "seed=1101 hidden=16 batch=4 "+p.changes)
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		result, err := l.Run(t.Context(), Hooks{})
		l.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := result.ParamsSHA256; !strings.HasPrefix(got, p.want) {
			t.Errorf("%s %s: %.16s, want %.16s", p.preset, p.changes, got, p.want)
		}
	}
}
