package learner

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// programmed returns settings whose correction is a program.
func programmed(t *testing.T, preset, settings, program string) hyper.Config {
	t.Helper()
	cfg := kit.Config(t, preset, settings+" correction=own")
	if err := cfg.Set("program", program); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// A program that computes a correction's weights learns the same bytes as the correction. Other programs learn others.
func TestProgramsHaveTheBytesOfTheCorrectionsThatTheyWrite(t *testing.T) {
	const settings = "steps=12000 lag=9"
	of := func(cfg hyper.Config) string { return train(t, cfg, Hooks{}).ParamsSHA256 }
	seen := map[string]string{}
	for _, start := range correct.Starts {
		own := of(programmed(t, "lag-cliff", settings, start.Program))
		if start.Like != correct.MethodOwn {
			if like := of(kit.Config(t, "lag-cliff", settings+" correction="+start.Like.String())); own != like {
				t.Errorf("%s: %.12s, as a program %.12s", start.Name, like, own)
			}
		}
		if other := seen[own]; other != "" {
			t.Errorf("%s and %s have the same bytes", start.Name, other)
		}
		seen[own] = start.Name
	}
}

// What short runs of the texts to begin from come to: in plain arithmetic on any machine and in a browser, in fused
// arithmetic on any machine with vectors. A text and the correction that it writes agree in all bits: both weigh in
// float64, and round the weight to float32 once.
var written = []struct{ start, plain, fused string }{
	{"none", "a82da55d504bc24b", "47663f65191d640f"},
	{"one-step", "f78909e66d2c37fc", "83ac04f1208d9958"},
	{"clip", "b76b589ae16746e1", "6e879aedbf09f428"},
	{"taper", "8913d4324792b79b", "de9de50dc52e78d2"},
	{"band", "6620060b6f14d01a", "d5b3bdc9fe52e2de"},
	{"shift", "c5dd310faab3b7ab", "931c776dacd7dac1"},
	{"young data", "e711b14fbab60cfb", "1483cb0690a43db6"},
}

func TestProgramsHaveTheBytesOfTheirOwnArithmetic(t *testing.T) {
	const settings = "steps=3000 lag=9 seed=1101 hidden=16 batch=4 lr=0.01 arithmetic="
	if len(written) != len(correct.Starts) {
		t.Fatalf("%d texts to begin from, and %d have their bytes here", len(correct.Starts), len(written))
	}
	for i, c := range written {
		start := correct.Starts[i]
		for arithmetic, want := range map[string]string{kernel.Plain: c.plain, kernel.Fused: c.fused} {
			if _, err := kernel.In(arithmetic); err != nil {
				t.Logf("%s is left out: %v", arithmetic, err)
				continue
			}
			runs := map[string]hyper.Config{"its text": programmed(t, "lag-cliff", settings+arithmetic, start.Program)}
			if start.Like != correct.MethodOwn {
				runs["the correction"] = kit.Config(t, "lag-cliff", settings+arithmetic+" correction="+start.Like.String())
			}
			for what, cfg := range runs {
				if got := train(t, cfg, Hooks{}).ParamsSHA256; got[:16] != want || start.Name != c.start {
					t.Errorf("%s, %s in %s arithmetic: %.16s, want %s of %s", start.Name, what, arithmetic, got, want, c.start)
				}
			}
		}
	}
}

// The age is that of the step: with a lag of 8, all steps of a later batch were played 8 updates ago.
func TestAProgramSeesTheAgeOfAStep(t *testing.T) {
	const settings = "steps=4000 lag=8"
	only := func(age string) string {
		return train(t, programmed(t, "lag-cliff", settings,
			"def weight(ratio, adv, pi, mu, age): return 1 if age <= "+age+" else 0"), Hooks{}).ParamsSHA256
	}
	if all := train(t, kit.Config(t, "lag-cliff", settings+" correction=none"), Hooks{}).ParamsSHA256; only("8") != all ||
		only("7") == all {
		t.Errorf("none %.12s, age up to 8 %.12s, up to 7 %.12s", all, only("8"), only("7"))
	}
}

// A fault ends the run with its line, and its parameters stay as they were; a weight without bounds is held.
func TestAFaultOfAProgramEndsItsRun(t *testing.T) {
	for program, want := range map[string]string{
		"def weight(ratio, adv, pi, mu, age):\n  return 1 / (age - age)": "your own correction stopped the run: line 2: " +
			"floating-point division by zero (ratio=",
		"def weight(ratio, adv, pi, mu, age):\n  return log(-1)": "it returned NaN (ratio=",
	} {
		l, err := New(programmed(t, "lag-cliff", "steps=4000", program))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = l.Run(t.Context(), Hooks{}); err == nil || !strings.Contains(err.Error(), want) || l.Updates() != 0 {
			t.Errorf("%q: %v after %d updates", program, err, l.Updates())
		}
		l.Close()
	}
	for _, held := range [][2]string{{"1e300", "10"}, {"-1", "0"}, {"1 / 1e-310", "10"}} {
		of := func(c string) string {
			return train(t, programmed(t, "lag-cliff", "steps=4000",
				"def weight(ratio, adv, pi, mu, age): return "+c), Hooks{}).ParamsSHA256
		}
		if a, b := of(held[0]), of(held[1]); a != b {
			t.Errorf("%s is not held at %s", held[0], held[1])
		}
	}
}

// A program that is none is refused before anything is built, in a change as at the start.
func TestAProgramThatIsNoneIsRefused(t *testing.T) {
	cfg := programmed(t, "lag-cliff", "", "def weight(ratio): return 1")
	const want = "program: it defines no function def weight(ratio, adv, pi, mu, age)"
	if _, err := New(cfg); err == nil || err.Error() != want {
		t.Errorf("a new run: %v", err)
	}
	if _, err := CostOf(&cfg); err == nil || err.Error() != want {
		t.Errorf("its cost: %v", err)
	}
	l, err := New(programmed(t, "lag-cliff", "", correct.Starts[0].Program))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	change, err := hyper.ParseHot("program", "return 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Apply(change); err == nil || l.cfg.Program == change.Value() {
		t.Errorf("a change: %v", err)
	}
}

// An inspected trajectory has the weights that the function returned.
func TestAnInspectedTrajectoryHasTheWeightsOfTheFunction(t *testing.T) {
	l, err := New(programmed(t, "lag-cliff", "steps=4000 lag=8",
		"def weight(ratio, adv, pi, mu, age): return ratio / 2 if adv < 0 else age"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	in, err := l.Inspect(1)
	if err != nil {
		t.Fatal(err)
	}
	age, bad := float32(l.Updates()-in.Version), 0
	for i, w := range in.Weight {
		switch w {
		case in.Ratio[i] / 2:
			bad++
		case age:
		default:
			t.Errorf("step %d of ratio %v has the weight %v, and its age is %v", i, in.Ratio[i], w, age)
		}
	}
	if bad == 0 || bad == len(in.Weight) || age != 9 {
		t.Errorf("%d of %d steps went worse than expected; the age is %v", bad, len(in.Weight), age)
	}
}
