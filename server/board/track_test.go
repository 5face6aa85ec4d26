package board

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEveryTrackOfOursCanBeRead(t *testing.T) {
	tracks := Own()
	for _, fault := range tracks.Faults {
		t.Error(fault)
	}
	for _, track := range tracks.All {
		if !slices.Contains(order, track.Name) {
			t.Errorf("%s has no place in order (load.go)", track.Name)
		}
	}
	if len(tracks.All) != len(order) {
		t.Fatalf("%d tracks, and %d places in order", len(tracks.All), len(order))
	}
	for i, track := range tracks.All {
		if track.Name != order[i] || len(track.Baselines) < 4 || len(track.Public) != 8 || track.Secret != 16 {
			t.Errorf("%s: %d baselines, %d public seeds, %d secret seeds; want at least 4, 8 and 16, and the place %d in order",
				track.Name, len(track.Baselines), len(track.Public), track.Secret, i)
		}
		if start, err := track.ParseEntry(""); err != nil || len(start.Settings) > 0 {
			t.Errorf("%s: its start: %v %v", track.Name, start.Settings, err)
		}
		study := track.Study()
		for j := range study.Variants {
			cfg, err := study.Config(&study.Variants[j])
			if want := track.Baselines[j].Config; err != nil || cfg != want && cfg.Diff(&want) != nil {
				t.Errorf("%s, %s: reproduce trains %v (%v)", track.Name, study.Variants[j].Label, cfg.Diff(&want), err)
			}
		}
	}
	pole, err := tracks.Find("late-pole")
	if err != nil || pole.Start.Lag != 16 || pole.Start.World != "cartpole" || pole.Start.Steps != 100_000 {
		t.Errorf("late pole: %v %v", pole, err)
	}
	if _, err := tracks.Find("late-pool"); err == nil || !strings.Contains(err.Error(), "did you mean late-pole?") {
		t.Errorf("%v", err)
	}
}

// good is a valid track that trains quickly.
const good = `title: Small
sentence: Catch for a moment.
preset: catch
settings: lag=1
steps: 1500
score: mean over the run
scale: [-1, 1]
seeds: {public: 1-8, secret: 8}
allowed:
  rho: 0.1 to inf
  rho-pg: any
  unroll: 3 to 27
  lr: 1e-5 to 0.1
  correction: vtrace, none, leaky
  alpha: 0 to 1
baselines:
  - {name: none, settings: correction=none}
  - {name: start, settings: ""}
`

func parsed(t testing.TB) *Track {
	t.Helper()
	track, err := Parse("small", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	return track
}

func TestAMistakeInATrackIsReportedWithItsPlace(t *testing.T) {
	parsed(t)
	for _, c := range []struct{ old, new, want string }{
		{"rho: 0.1", "roh: 0.1", `line 10: allowed: roh: unknown setting "roh"; did you mean rho?`},
		{"  lr: 1e-5", "  lr: 1e-5 to 1\n  lr: 1e-5", "lr: it stands there twice"},
		{"lr: 1e-5 to 0.1", "lr: 0.1 to 1e-5", "line 13: allowed: lr: \"0.1 to 1e-5\": the lower end must come first"},
		{"lr: 1e-5 to 0.1", "lr: -1 to 0.1", "line 13: allowed: lr: lr=\"-1\": must be a number"},
		{"lr: 1e-5 to 0.1", "lr: 0.1", "must be LOW to HIGH, or any"},
		{"lr: 1e-5 to 0.1", "lr: [1, 2]", "line 13: allowed: lr: must be any, LOW to HIGH"},
		{"rho-pg: any", "seed: any", "seed: the track decides this"},
		{"unroll: 3 to 27", "unroll: 10 to 27",
			"the track's own start is outside: unroll=9: must be a whole number from 10 to 27"},
		{"vtrace, none", "none", "correction: the track's own start is outside"},
		{"vtrace, none", "vtrace, non", `correction="non"`},
		{"steps: 1500", "steps: 0", "steps: 0: must be environment steps"},
		{"steps: 1500", "steps: many", "line 5"},
		{"score: mean over", "score: end of", `score: "end of the run"`},
		{"preset: catch", "preset: katch", `unknown preset "katch"; did you mean catch?`},
		{"title: Small", "titel: Small", "line 1: field titel not found"},
		{"lag=1", "lag=1 mode=live", "mode=live"},
		{"lag=1", "lagg=1", `settings: unknown setting "lagg"`},
		{"1-8", "1-7", "seeds: public: 7 seeds; must be 8"},
		{"secret: 8", "secret: 0", "seeds: secret: 0 seeds; must be 8"},
		{"1-8", "8-1", "seeds: public:"},
		{"[-1, 1]", "[1, -1]", "scale:"},
		{"correction=none}", "mix=0.5}", "baselines: none: mix is fixed at 0 on Small"},
		{`settings: ""}`, "settings: correction=none}", "baselines: start: it is the same configuration as none"},
		{"name: start", "name: none", `baselines: "none": must be a name for each, none twice`},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("the good track has no %q", c.old)
		}
		_, err := Parse("small", []byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	if _, err := Parse("../small", []byte(good)); err == nil {
		t.Error("a name that leads elsewhere is taken")
	}
}

func TestATrackWithAMistakeIsLeftOutAndTheOthersAreThere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"small.yaml": good, "bad.yaml": strings.Replace(good, "lr:", "lrr:", 1),
		"late-pole.yaml": good, "notes.txt": "no track"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tracks, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(tracks.All) != len(order)+1 || tracks.All[len(order)].Name != "small" || len(tracks.Faults) != 2 {
		t.Errorf("%d tracks, faults %v", len(tracks.All), tracks.Faults)
	}
	said := ""
	for _, fault := range tracks.Faults {
		said += fault.Error() + "\n"
	}
	for _, want := range []string{dir + "/bad.yaml: line 13: allowed: lrr",
		dir + "/late-pole.yaml: a track of this name"} {
		if !strings.Contains(said, want) {
			t.Errorf("the faults do not say %q:\n%s", want, said)
		}
	}
	if len(Own().All) != len(order) {
		t.Error("a host's track is among ours")
	}
	if _, err := Load(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is taken")
	}
}
