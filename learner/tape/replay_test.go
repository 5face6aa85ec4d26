package tape

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// played is a small run with turns, and the file its recorder wrote.
func played(t *testing.T, preset, settings, turns string) (file []byte, result learner.Result) {
	t.Helper()
	cfg := kit.Config(t, preset, settings)
	var script Script
	for _, text := range strings.Fields(turns) {
		turn, err := hyper.ParsePlannedChange(text)
		if err != nil {
			t.Fatal(err)
		}
		script.Turns = append(script.Turns, turn)
	}
	if err := cfg.CheckPlan(script.Turns, 0); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	recorder, err := Record(&out, HeaderOf(&cfg, "test"), 10)
	if err != nil {
		t.Fatal(err)
	}
	script.Tape, script.By = recorder, "the test"
	l, err := here.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if result, err = l.Run(t.Context(), learner.Hooks{Between: script.Between}); err != nil {
		t.Fatal(err)
	}
	if err := script.Tape.Stop(l); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), result
}

func read(t *testing.T, file []byte) *Tape {
	t.Helper()
	tape, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

const turns = "700:lag=4 1000:rho=0.5 1500:correction=none"

func TestAReplayComesToTheSameBytes(t *testing.T) {
	file, result := played(t, "catch", "steps=2000", turns)
	tape := read(t, file)
	outcome, err := Replay(t.Context(), tape, Options{Engine: here})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != result.ParamsSHA256 || outcome.Update != result.Updates ||
		outcome.Step != result.Steps {
		t.Errorf("replayed: %+v, %v; the run came to %+v", outcome, err, result)
	}
	if want := int(result.Updates/10) + 1; outcome.Checked != want {
		t.Errorf("%d lines were compared, want %d", outcome.Checked, want)
	}
	plain, other := played(t, "catch", "steps=2000", "")
	if other.ParamsSHA256 == result.ParamsSHA256 || len(plain) == 0 {
		t.Error("three turns changed nothing")
	}
}

// The longest program that a person may write is on the tape from the start, and in a change of it.
func TestATapeKeepsAPersonsOwnCorrection(t *testing.T) {
	cfg := kit.Config(t, "catch", "steps=2000 lag=4 correction=own")
	longest, err := hyper.Lookup("program")
	if err != nil {
		t.Fatal(err)
	}
	program := func(then string) string {
		text := "def weight(ratio, adv, pi, mu, age):\n    return " + then + "\n#"
		return text + strings.Repeat("x", longest.Longest()-len(text))
	}
	if err := cfg.Set("program", program("min(1, ratio)")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	recorder, err := Record(&out, HeaderOf(&cfg, "test"), 10)
	if err != nil {
		t.Fatal(err)
	}
	later, err := hyper.ParseHot("program", program("1"))
	if err != nil {
		t.Fatal(err)
	}
	script := Script{Turns: []hyper.PlannedChange{{Step: 700, Change: later}}, Tape: recorder, By: "the test"}
	l, err := here.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(t.Context(), learner.Hooks{Between: script.Between})
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Tape.Stop(l); err != nil {
		t.Fatal(err)
	}
	outcome, err := Replay(t.Context(), read(t, out.Bytes()), Options{Engine: here})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != result.ParamsSHA256 {
		t.Errorf("replayed: %+v, %v; the run came to %+v", outcome, err, result)
	}
}

// A batch of catch is 4 unrolls of 9 steps: step 700 is within update 20, and the turn waits for its end at 720.
func TestATurnIsMadeBeforeTheFirstUpdateThatBeginsAtItsStepOrAfter(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", "700:lag=4 720:rho=2 721:c=2")
	var at [][2]uint64
	for _, e := range read(t, file).Events {
		if e.Kind == Changed {
			at = append(at, [2]uint64{e.Update, e.Step})
		}
	}
	if len(at) != 3 || at[0] != [2]uint64{20, 720} || at[1] != [2]uint64{20, 720} || at[2] != [2]uint64{21, 756} {
		t.Errorf("turns were made at %v", at)
	}
}

func TestAnEditedTapeDiffersWhereItWasEdited(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", turns)
	for _, c := range []struct {
		name, from, to string
		at             uint64
	}{
		{"another seed", `"seed":"1"`, `"seed":"2"`, 10},
		{"another value", `"to":"0.5"`, `"to":"0.25"`, 30}, // made at update 28
		{"another value before", `"from":"1","to":"0.5"`, `"from":"3","to":"0.5"`, 28},
		{"a change in another place", `{"update":42,"step":1512,"key"`, `{"update":41,"step":1476,"key"`, 50},
		{"another step", `{"update":42,"step":1512,"key"`, `{"update":42,"step":1513,"key"`, 42},
		{"a longer run", `"steps":"2000"`, `"steps":"3000"`, 56},
		{"a shorter run", `"steps":"2000"`, `"steps":"1800"`, 50},
		{"another hash", `{"update":50,"step":1800,"params_sha256":"`,
			`{"update":50,"step":1800,"params_sha256":"0123456789`, 50},
		{"a run that ended otherwise", `"state":"done"`, `"state":"diverged"`, 56},
	} {
		text := string(file)
		if !strings.Contains(text, c.from) {
			t.Fatalf("%s: no %s in\n%s", c.name, c.from, text)
		}
		edited := strings.Replace(text, c.from, c.to, 1)
		if c.name == "another hash" { // of the same length
			i := strings.Index(edited, "0123456789")
			edited = edited[:i+10] + edited[i+20:]
		}
		tape, err := Read(strings.NewReader(edited))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		outcome, err := Replay(t.Context(), tape, Options{Engine: here})
		if err != nil || outcome.DiffersAt == nil || *outcome.DiffersAt != c.at || outcome.Why == "" {
			t.Errorf("%s: %v %v, want a difference at %d; %+v", c.name, outcome.DiffersAt, err, c.at, outcome)
		}
	}
}

func TestAReplayStopsWhereItIsToldTo(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", turns)
	tape := read(t, file)
	outcome, err := Replay(t.Context(), tape, Options{Engine: here, Until: 30})
	if err != nil || outcome.Update != 30 || outcome.Checked != 3 || outcome.ParamsSHA256 != tape.Events[4].ParamsSHA256 {
		t.Errorf("%+v %v, the tape has %+v", outcome, err, tape.Events[4])
	}
	if _, err := Replay(t.Context(), tape, Options{Engine: here, Until: 57}); err == nil ||
		!strings.Contains(err.Error(), "ends at update 56") {
		t.Errorf("past the end: %v", err)
	}
}

func TestATapeWithoutItsEndIsReplayedAsFarAsItGoes(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", turns)
	for _, cut := range []int{40, 200} { // within the last line, and further up
		tape, err := Read(bytes.NewReader(file[:len(file)-cut]))
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), "cut short") || tape == nil {
			t.Fatalf("cut by %d bytes: %v", cut, err)
		}
		last, _ := tape.Last()
		if outcome, err := Replay(t.Context(), tape, Options{Engine: here}); err != nil || !outcome.Same() ||
			outcome.Update != last {
			t.Errorf("cut by %d bytes: %+v %v, want update %d", cut, outcome, err, last)
		}
	}
}

func TestARunThatDivergesDivergesAgain(t *testing.T) {
	file, result := played(t, "cartpole",
		"lr=10 momentum=0.999 hidden=64-64-64-64 activation=relu clip=inf steps=2000000", "")
	if result.Diverged == "" {
		t.Fatal("the run did not diverge")
	}
	tape := read(t, file)
	if end := tape.End(); end == nil || end.State != Diverged || end.Reason != result.Diverged {
		t.Fatalf("the tape ends with %+v", end)
	}
	outcome, err := Replay(t.Context(), tape, Options{Engine: here})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != result.ParamsSHA256 {
		t.Errorf("%+v %v", outcome, err)
	}
}

func TestWhatCannotBeReplayedIsRefusedByName(t *testing.T) {
	file, _ := played(t, "catch", "steps=400", "100:rho=2")
	for _, c := range []struct{ from, to, want string }{
		{`"seed":"1"`, `"seed":"1","gru":"64"`, `unknown setting "gru"`},
		{`"mode":"reference"`, `"mode":"live"`, "live run"},
		{`"world":"catch"`, `"world":"mars"`, "mars"},
		{`"key":"rho"`, `"key":"sparkle"`, `unknown setting "sparkle"`},
		{`"key":"rho","from":"1","to":"2"`, `"key":"unroll","from":"9","to":"8"`, "unroll cannot change"},
		{`"key":"rho","from":"1","to":"2"`, `"key":"rho","from":"1","to":"-2"`, `rho="-2"`},
		{`"mix":"0"`, `"mix":"7"`, "mix"},
	} {
		tape, err := Read(strings.NewReader(strings.Replace(string(file), c.from, c.to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Replay(t.Context(), tape, Options{Engine: here}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.to, err, c.want)
		}
	}
}

func TestASettingOlderThanItsTapeHasTheValueOfEveryPreset(t *testing.T) {
	file, _ := played(t, "catch", "steps=400", "")
	old := strings.Replace(string(file), `"advantage":"vtrace",`, "", 1)
	if old == string(file) {
		t.Fatal("the setting is not there to be taken out")
	}
	tape := read(t, []byte(old))
	if cfg, err := tape.Config(nil); err != nil || cfg.Advantage != correct.AdvantageVTrace {
		t.Errorf("advantage=%s, %v", cfg.Advantage, err)
	}
	if outcome, err := Replay(t.Context(), tape, Options{Engine: here}); err != nil || !outcome.Same() {
		t.Errorf("%+v %v", outcome, err)
	}
}

func TestASeedKeptElsewhereIsAskedFor(t *testing.T) {
	file, result := played(t, "catch", "steps=400 seed=77", "")
	tape := read(t, file)
	tape.SeedRef = "secret:3"
	var out bytes.Buffer
	if err := tape.Write(&out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), `"seed":`) {
		t.Error("the seed stands in the file all the same")
	}
	hidden := read(t, out.Bytes())
	if _, err := Replay(t.Context(), hidden, Options{Engine: here}); err == nil ||
		!strings.Contains(err.Error(), "secret:3") {
		t.Errorf("without the seed: %v", err)
	}
	outcome, err := Replay(t.Context(), hidden, Options{Engine: here, Seed: func(ref string) (uint64, error) {
		if ref != "secret:3" {
			t.Errorf("asked for %s", ref)
		}
		return 77, nil
	}})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != result.ParamsSHA256 {
		t.Errorf("%+v %v", outcome, err)
	}
}

// A fork continues from the middle of its parent with something changed; its tape begins with its parent's, and so can
// be replayed by itself. Update 28 is where the parent changed ρ̄, which the fork does not.
func TestAForkHasItsParentsBytesUpToWhereItLeft(t *testing.T) {
	file, result := played(t, "catch", "steps=2000", turns)
	parent := read(t, file)
	l, outcome, err := Reach(t.Context(), parent, Options{Engine: here, Until: 28})
	if err != nil || !outcome.Same() || outcome.Update != 28 || l.Config().RhoBar != 1 || l.Config().Lag != 4 {
		t.Fatalf("%+v %v", outcome, err)
	}
	defer l.Close()
	fork := parent.Before(28)
	fork.Parent = &Parent{Run: "the parent", Update: 28}
	var out bytes.Buffer
	if err := fork.Write(&out); err != nil {
		t.Fatal(err)
	}
	recorder := fork.Resume(&out, 10)
	change, err := hyper.ParseChange("gamma", "0.5")
	if err != nil {
		t.Fatal(err)
	}
	changed, err := l.Apply(change)
	if err != nil {
		t.Fatal(err)
	}
	if err := recorder.Changed(changed, "a fork"); err != nil {
		t.Fatal(err)
	}
	other, err := l.Run(t.Context(), learner.Hooks{Between: recorder.Between})
	if err != nil || other.ParamsSHA256 == result.ParamsSHA256 {
		t.Fatalf("the fork came to %+v, %v", other, err)
	}
	if err := recorder.Stop(l); err != nil {
		t.Fatal(err)
	}
	child := read(t, out.Bytes())
	if outcome, err := Replay(t.Context(), child, Options{Engine: here}); err != nil || !outcome.Same() ||
		outcome.ParamsSHA256 != other.ParamsSHA256 || outcome.Checked != 6 {
		t.Errorf("the fork's tape came to %+v, %v; the fork to %s", outcome, err, other.ParamsSHA256)
	}
}

func TestAReplayFromASnapshotComesToTheSame(t *testing.T) {
	file, result := played(t, "laser-catch", "steps=1200", "300:mix=0.75 600:trust=0.05 900:lag=2")
	tape := read(t, file)
	for _, at := range []uint64{10, 15, 23, 29} { // changes were made at 15 and 23
		l, _, err := Reach(t.Context(), tape, Options{Engine: here, Until: at})
		if err != nil {
			t.Fatal(err)
		}
		blob, err := l.Snapshot()
		l.Close()
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := Replay(t.Context(), tape, Options{Engine: here, From: blob})
		if err != nil || !outcome.Same() || outcome.ParamsSHA256 != result.ParamsSHA256 {
			t.Errorf("from update %d: %+v %v", at, outcome, err)
		}
		if _, err := Replay(t.Context(), tape, Options{Engine: here, From: blob, Until: at}); err == nil ||
			!strings.Contains(err.Error(), "already") {
			t.Errorf("backwards from update %d: %v", at, err)
		}
	}
}

func TestAReplayEndsWithItsContext(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Replay(ctx, read(t, file), Options{Engine: here}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Two arithmetics never give the same bytes. The outcome names the arithmetic, and reports no difference.
func TestATapeOfAnotherArithmeticIsReplayedAndNotCompared(t *testing.T) {
	inArithmetic(t, kernel.Fused)
	file, made := played(t, "catch", "steps=2000 batch=4", "800:lag=2")
	tape := read(t, file)
	if tape.Arithmetic != kernel.Fused || made.Arithmetic != kernel.Fused {
		t.Fatalf("the tape's arithmetic is %q, the result's %q", tape.Arithmetic, made.Arithmetic)
	}
	restore := inArithmetic(t, kernel.Plain)
	defer func() { restore() }()
	outcome, err := Replay(t.Context(), tape, Options{Engine: here})
	if err != nil || outcome.OtherFrom == nil || !outcome.Same() || outcome.Checked != 0 ||
		outcome.Arithmetic != kernel.Plain ||
		outcome.Update != made.Updates || outcome.ParamsSHA256 == made.ParamsSHA256 {
		t.Errorf("plain: %+v, %v", outcome, err)
	}

	// A machine with vectors has a browser's arithmetic too.
	file, made = played(t, "catch", "steps=2000 batch=4", "800:lag=2")
	restore()
	restore = func() {}
	tape = read(t, file)
	outcome, err = Replay(t.Context(), tape, Options{Engine: here})
	if err != nil || outcome.OtherFrom != nil || !outcome.Same() || outcome.Checked < 5 ||
		outcome.Arithmetic != kernel.Plain ||
		outcome.ParamsSHA256 != made.ParamsSHA256 {
		t.Errorf("of a browser: %+v, %v", outcome, err)
	}

	// A run that diverges in one arithmetic need not in another.
	end := &tape.Events[len(tape.Events)-1]
	end.State, end.Reason = Diverged, "the loss is not finite"
	tape.Arithmetic = kernel.Plain + "-arm64"
	outcome, err = Replay(t.Context(), tape, Options{Engine: here})
	if err != nil || outcome.OtherFrom == nil || !outcome.Same() {
		t.Errorf("of a run that diverged: %+v, %v", outcome, err)
	}
}
