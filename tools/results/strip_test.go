package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

// An episode of a cheetah always has a thousand steps. A walker that has learned nothing falls before the first pose.
func TestAStripHasEightPosesOfTheWholeBody(t *testing.T) {
	limbs := map[string]int{"cheetah": 8, "walker": 0}
	for world, n := range limbs {
		cfg, err := hyper.FromPreset(world)
		if err != nil {
			t.Fatal(err)
		}
		l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		blob, err := l.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		from, to := filepath.Join(t.TempDir(), "snapshot"), filepath.Join(t.TempDir(), "strip.svg")
		if err := os.WriteFile(from, blob, 0o644); err != nil {
			t.Fatal(err)
		}
		err = saveStrip(from, to)
		if n == 0 {
			if err == nil || !strings.Contains(err.Error(), "a strip needs 8") {
				t.Errorf("%s: %v", world, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		picture, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(picture), `stroke-width="5.5"`); got != poses*n {
			t.Errorf("%s: %d limbs as wide as its capsules, not %d poses of %d", world, got, poses, n)
		}
	}
}
