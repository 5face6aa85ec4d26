package learner

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/program"
)

// stored is an engine that knows no graph, but the programs of cfg, as bytes.
func stored(t *testing.T, cfg *hyper.Config) Engine {
	t.Helper()
	made, err := algo.Programs(graph.Lower, cfg)
	if err != nil {
		t.Fatal(err)
	}
	back, err := program.ParseStored(made.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	return Engine{Lower: algo.Stored(back)}
}

func TestARunFromStoredProgramsComesToTheSameParameters(t *testing.T) {
	for preset, changes := range map[string]string{
		"cartpole": "steps=4000", "stac-lag": "steps=4000", "vmpo": "steps=4000", "laser": "steps=4000 lstm=8",
		"catch": "steps=2000 torso=shallow hidden=8 learners=2 batch=6",
		"cliff": "steps=2000 mix=0.5 sharers=1", "t-maze": "steps=2000 lstm=0 trxl=8 core-layers=2",
		"breakout": "steps=1000 hidden=8 pixel-control=0.01 pixel-cell=2",
	} {
		cfg := kit.Config(t, preset, changes)
		l, err := stored(t, &cfg).New(cfg)
		if err != nil {
			t.Fatalf("%s: %v", preset, err)
		}
		result, err := l.Run(t.Context(), Hooks{})
		l.Close()
		if err != nil {
			t.Fatalf("%s: %v", preset, err)
		}
		if want := train(t, cfg, Hooks{}); result.ParamsSHA256 != want.ParamsSHA256 {
			t.Errorf("%s: %.16s, with the graph %.16s", preset, result.ParamsSHA256, want.ParamsSHA256)
		}
	}
}

func TestAnEngineWithoutTheProgramSaysSo(t *testing.T) {
	cfg, other := kit.Config(t, "catch", ""), kit.Config(t, "catch", "hidden=5")
	if _, err := stored(t, &other).New(cfg); err == nil || !strings.Contains(err.Error(), "none of 1 stored programs") {
		t.Errorf("another network's programs: %v", err)
	}
	if made, err := algo.Programs(algo.Stored(nil), &cfg); made != nil || err == nil {
		t.Errorf("programs that nothing makes: %v, %v", made, err)
	}
	if _, err := (Engine{}).New(cfg); err == nil || !strings.Contains(err.Error(), "nothing makes the network's program") {
		t.Errorf("no programs: %v", err)
	}
}
