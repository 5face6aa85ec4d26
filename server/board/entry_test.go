package board

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"impalab/learner/correct"
)

func entry(t *testing.T, track *Track, text string) Entry {
	t.Helper()
	e, err := track.ParseEntry(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOneConfigurationHasOneHash(t *testing.T) {
	track := parsed(t)
	want := entry(t, track, "lr=0.0025 rho=2")
	if want.Text() != "lr=0.0025 rho=2" || len(want.Hash) != 64 {
		t.Errorf("%q %s", want.Text(), want.Hash)
	}
	for _, same := range []string{"rho=2 lr=0.0025", "rho=2.0 lr=.0025", "rho=4/2 lr=2.5e-3", "rho=1 rho=2 lr=25e-4",
		"rho=2 lr=0.0025 unroll=9", "rho=2 lr=0.0025 alpha=0.5" /* V-trace does not leak */, "rho=2 lr=0.0025 lag=1"} {
		if got := entry(t, track, same); got.Hash != want.Hash || got.Text() != want.Text() {
			t.Errorf("%s is %s", same, got.Text())
		}
	}
	for _, other := range []string{"", "rho=2", "rho=2 lr=0.0025 correction=none", "rho=2 lr=0.00251",
		"rho=2 lr=0.0025 correction=leaky alpha=0.5"} {
		if got := entry(t, track, other); got.Hash == want.Hash {
			t.Errorf("%s has the same hash", other)
		}
	}
	if e := entry(t, track, "alpha=0.5"); !slices.Equal(e.Idle, []string{"alpha"}) || len(e.Settings) > 0 {
		t.Errorf("alpha without a leak: %v, left out %v", e.Settings, e.Idle)
	}
	elsewhere := *track
	elsewhere.Name = "other"
	if entry(t, &elsewhere, "rho=2").Hash == entry(t, track, "rho=2").Hash {
		t.Error("two tracks share a hash")
	}
}

func TestSettingsThatATrackForbidsAreRefusedByName(t *testing.T) {
	track := parsed(t)
	for text, want := range map[string]string{
		"mix=0.5":             "mix is fixed at 0 on Small\nthese may change: correction, rho",
		"world=cartpole":      "world is fixed at catch on Small",
		"seed=7":              "seed: Small trains every entry on its own seeds",
		"steps=9":             "steps is fixed at 1500 on Small",
		"lr=0.5":              "lr=0.5: must be a number from 1e-05 to 0.1, on Small",
		"rho=0":               "rho=0: must be a number from 0.1 to inf",
		"unroll=28":           "unroll=28: must be a whole number from 3 to 27",
		"correction=one-step": "correction=one-step: must be one of vtrace, none, leaky",
		"correction=vtracee":  `correction="vtracee"`,
		"lrr=1":               `unknown setting "lrr"; did you mean lr?`,
		"zebra=1":             `unknown setting "zebra"`,
		"preset=cartpole":     `unknown setting "preset"`,
		"rho":                 "must be KEY=VALUE",
		"rho=":                "must be KEY=VALUE",
		"lr=NaN":              `lr="NaN"`,
	} {
		if e, err := track.ParseEntry(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v, want %s", text, e.Settings, err, want)
		}
	}
	if _, err := track.ParseEntry("mix=0.5 lr=9"); err == nil || !strings.Contains(err.Error(), "mix") ||
		!strings.Contains(err.Error(), "lr") {
		t.Errorf("two mistakes: %v", err)
	}
	if _, err := track.ParseEntry(strings.Repeat("rho=2 ", 5000)); err == nil {
		t.Error("an entry without end is read")
	}
}

// A program is one value of an entry, however it is written; a faulty one is refused with its line.
func TestAnEntryHoldsAProgram(t *testing.T) {
	track, err := Own().Find("write-a-correction")
	if err != nil {
		t.Fatal(err)
	}
	const program = "def weight(ratio, adv, pi, mu, age):\n    return 1 if age < 99 else 2"
	want := entry(t, track, "lr=0.003 program="+program)
	if want.Config.Program != program || len(want.Settings) != 2 {
		t.Errorf("%q", want.Settings)
	}
	for _, same := range []string{want.Text(), "program=" + strconv.Quote(program) + " lr=0.003",
		"correction=own lr=0.003 program=" + program + "\n"} {
		if got := entry(t, track, same); got.Hash != want.Hash {
			t.Errorf("%q is %q", same, got.Settings)
		}
	}
	for text, want := range map[string]string{
		"program=return":                       "program: line 1",
		"program=def weight(ratio): pass":      "it defines no function def weight(ratio, adv, pi, mu, age)",
		`program="def`:                         "must end with a double quote",
		"correction=band gamma=0.5":            "gamma is fixed at",
		"program=" + strings.Repeat("#", 5000): "program of 5000 bytes: must be a function",
	} {
		if e, err := track.ParseEntry(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v %v, want %s", text, e.Settings, err, want)
		}
	}
	if e := entry(t, track, "correction=band program="+program); len(e.Settings) != 1 || !slices.Equal(e.Idle,
		[]string{"program"}) {
		t.Errorf("a program without effect: %q, left out %v", e.Settings, e.Idle)
	}
}

// A person's own correction has a program, on every track: without one it would be another row's weights.
func TestAnOwnCorrectionWithoutAProgramIsRefused(t *testing.T) {
	for _, track := range Own().All {
		if !slices.Contains(track.open(), "correction") || track.Start.Correction == correct.MethodOwn {
			continue
		}
		if e, err := track.ParseEntry("correction=own"); err == nil || !strings.Contains(err.Error(), track.Title+" takes "+
			"none: it would weigh like correction=one-step") {
			t.Errorf("%s: %v, %v", track.Name, e.Settings, err)
		}
	}
	track, err := Parse("small", []byte(strings.NewReplacer("allowed:", "allowed:\n  program: any",
		"vtrace, none, leaky", "any").Replace(good)))
	if err != nil {
		t.Fatal(err)
	}
	if e, err := track.ParseEntry("correction=own"); err == nil || !strings.Contains(err.Error(), "write program=def") {
		t.Errorf("%v, %v", e.Settings, err)
	}
	if e := entry(t, track, "correction=own program=def weight(ratio, adv, pi, mu, age): return 1"); len(e.Settings) != 2 {
		t.Errorf("with a program: %v", e.Settings)
	}
}

// Every accepted text is one configuration within the track. Its own text gives it again, in any order, and the
// settings that the track decides stay.
func FuzzEntry(f *testing.F) {
	for _, seed := range []string{"", "rho=2 lr=.0025", "alpha=0.5 correction=leaky", "rho=inf rho-pg=same", "lr=1/3",
		"mix=0.5", "rho=-0", "unroll=1e1", "correction=none alpha=0", "lr==", "seed=1", "rho=∞"} {
		f.Add(seed)
	}
	track, err := Parse("small", []byte(good))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := track.ParseEntry(text)
		if err != nil {
			if len(err.Error()) == 0 {
				t.Error("refused without a word")
			}
			return
		}
		words := strings.Fields(e.Text())
		slices.Reverse(words)
		again, err := track.ParseEntry(strings.Join(words, " "))
		if err != nil || again.Hash != e.Hash || again.Text() != e.Text() {
			t.Errorf("%q is %q, and that is %q (%v)", text, e.Text(), again.Text(), err)
		}
		if err := e.Config.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		for _, s := range e.Config.Diff(&track.Start) {
			i := slices.IndexFunc(track.Keys, func(k Key) bool { return k.Row.Key == s.Key })
			if i < 0 || track.Keys[i].check(s.Value) != nil {
				t.Errorf("%q comes to %s=%s", text, s.Key, s.Value)
			}
		}
	})
}
