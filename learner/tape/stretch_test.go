package tape

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/kernel"
)

// inArithmetic sets the arithmetic of the test. The returned function resets it.
func inArithmetic(t *testing.T, name string) (restore func()) {
	t.Helper()
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	if name == kernel.Fused {
		return func() {}
	}
	return kernel.Use("go")
}

// wentOn returns a tape and a snapshot. The run was interrupted at update 40, in fused arithmetic. It continued from
// its snapshot of update 35 in plain arithmetic, on a machine without vectors.
func wentOn(t *testing.T) (file, snapshot []byte) {
	t.Helper()
	inArithmetic(t, kernel.Fused)
	cfg := kit.Config(t, "catch", "")
	cfg.Steps = 2520 // 70 updates
	var out bytes.Buffer
	recorder, err := Record(&out, HeaderOf(&cfg, "the first"), 10)
	if err != nil {
		t.Fatal(err)
	}
	l, err := here.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if l.Updates() == 35 {
			if snapshot, err = l.Snapshot(); err != nil {
				return err
			}
		}
		if err := recorder.Between(l); err != nil {
			return err
		}
		if l.Updates() == 40 {
			return errReached
		}
		return nil
	}})
	l.Close()
	if err != errReached {
		t.Fatal(err)
	}
	recorded := read(t, out.Bytes())
	defer inArithmetic(t, kernel.Plain)()
	if l, err = here.Resume(snapshot); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	line, news := recorded.Continue(l, "the second", 40, 1440)
	if !news || line.Since != 35 || line.Arithmetic != kernel.Plain || line.Build != "the second" {
		t.Fatalf("%+v %v", line, news)
	}
	if err := Append(&out, line); err != nil {
		t.Fatal(err)
	}
	recorded = read(t, out.Bytes())
	recorder = recorded.Resume(&out, 10)
	past := recorded.Past(35, 40)
	if _, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if returning, err := past.Apply(l); err != nil || returning {
			return err
		}
		return recorder.Between(l)
	}}); err != nil {
		t.Fatal(err)
	}
	if said := past.Differs(); said != "" {
		t.Errorf("on the way back: %s", said)
	}
	if err := recorder.Stop(l); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), snapshot
}

func TestARunThatWentOnInAnotherArithmeticIsComparedUpToThere(t *testing.T) {
	file, snapshot := wentOn(t)
	recorded := read(t, file)
	for _, c := range []struct {
		arithmetic string
		from       []byte
		checked    int
		otherFrom  uint64
	}{
		{kernel.Fused, nil, 4, 40},
		{kernel.Plain, nil, 0, 0},
		{kernel.Plain, snapshot, 3, 0}, // marks 50 and 60, and the end; up to 40 they are the first program's
		{kernel.Fused, snapshot, 1, 40},
	} {
		restore := inArithmetic(t, c.arithmetic)
		out, err := Replay(t.Context(), recorded, Options{Engine: here, From: c.from})
		restore()
		if err != nil || !out.Same() || out.Checked != c.checked || out.OtherFrom == nil ||
			*out.OtherFrom != c.otherFrom {
			t.Errorf("in %s arithmetic, from a snapshot %v: %+v, %v; want %d and %d", c.arithmetic, c.from != nil, out, err,
				c.checked, c.otherFrom)
		}
	}
	for i := range recorded.Events { // before the line a difference is one
		if e := &recorded.Events[i]; e.Kind == Marked && e.Update == 20 {
			e.ParamsSHA256 = strings.Repeat("0", 64)
		}
	}
	if out, err := Replay(t.Context(), recorded, Options{Engine: here}); err != nil || out.Same() || *out.DiffersAt != 20 {
		t.Errorf("edited: %+v, %v", out, err)
	}
}

// The second program continues, and then the first one where the second began: it makes its earlier parameters again.
func TestAnUnchangedContinuationNeedsNoLine(t *testing.T) {
	file, snapshot := wentOn(t)
	recorded := read(t, file)
	recorded.Events = recorded.Events[:len(recorded.Events)-1]
	for _, c := range []struct {
		arithmetic, build string
		news              bool
	}{
		{kernel.Plain, "the second", false},
		{kernel.Plain, "a third", true},
		{kernel.Fused, "the second", true},
	} {
		restore := inArithmetic(t, c.arithmetic)
		l, err := here.Resume(snapshot)
		if err != nil {
			t.Fatal(err)
		}
		line, news := recorded.Continue(l, c.build, 70, 2520)
		l.Close()
		restore()
		if news != c.news || news && (line.Arithmetic != c.arithmetic || line.Build != c.build) {
			t.Errorf("%+v: %v %+v", c, news, line)
		}
		if c.arithmetic != kernel.Fused {
			continue
		}
		again := *recorded
		again.Events = append(again.Events[:len(again.Events):len(again.Events)], line)
		if ways := again.stretches(); len(ways) != 3 || ways[2].way != 0 || ways[1].way != 1 {
			t.Errorf("back on the first way: %+v", ways)
		}
	}
}

// A golden of version 1, which must stay readable.
func TestATapeOfTwoProgramsOpensAndReplays(t *testing.T) {
	path := filepath.Join("testdata", "continued-catch.tape")
	file, err := os.ReadFile(path)
	if os.IsNotExist(err) && *writeGoldens {
		file, _ = wentOn(t)
		err = os.WriteFile(path, file, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	recorded := read(t, file)
	at := -1
	for i, e := range recorded.Events {
		if e.Kind == Continued {
			at = i
		}
	}
	if at < 0 || recorded.Events[at] != (Event{Kind: Continued, Update: 40, Step: 1440, Since: 35, Build: "the second",
		Arithmetic: kernel.Fused}) {
		t.Fatalf("%+v", recorded.Events)
	}
	restore := inArithmetic(t, kernel.Plain)
	defer restore()
	if out, err := Replay(t.Context(), recorded, Options{Engine: here}); err != nil || !out.Same() || out.Checked != 4 ||
		out.OtherFrom == nil || *out.OtherFrom != 40 {
		t.Errorf("%+v %v", out, err)
	}
}

// What later builds add can be passed over by rule: it names its kind, and changes nothing that is learned.
func TestALineOfALaterBuildIsKeptAndPassedOver(t *testing.T) {
	note := `{"update":20, "step":720, "kind":"applause","hands":[2]}`
	file, made := played(t, "catch", "steps=2000", turns)
	mark := `{"update":20,"step":720,"params_sha256"`
	noted := read(t, []byte(strings.Replace(string(file), mark, note+"\n"+mark, 1)))
	var out bytes.Buffer
	if err := noted.Write(&out); err != nil || !strings.Contains(out.String(), note+"\n") {
		t.Errorf("written: %v\n%s", err, out.String())
	}
	if before := noted.Before(20); before.Events[len(before.Events)-1].Kind == Later {
		t.Errorf("a fork at update 20 has what was said there: %+v", before.Events)
	}
	outcome, err := Replay(t.Context(), noted, Options{Engine: here})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != made.ParamsSHA256 {
		t.Errorf("%+v, %v", outcome, err)
	}
}

// The line says why a replay may differ, and changes nothing that a replay learns.
func TestALineOfAnActorFromOutsideIsKeptAndSaysWhyAReplayDiffers(t *testing.T) {
	joined := `{"update":20,"step":720,"by":"laptop","kind":"outside"}`
	file, made := played(t, "catch", "steps=2000", turns)
	mark := `{"update":20,"step":720,"params_sha256":"`
	text := strings.Replace(string(file), mark, joined+"\n"+joined+"\n"+mark, 1)
	noted := read(t, []byte(text))
	var out bytes.Buffer
	if err := noted.Write(&out); err != nil || !strings.Contains(out.String(), joined+"\n") {
		t.Errorf("written: %v\n%s", err, out.String())
	}
	if list := noted.Outsiders(); len(list) != 1 || list[0].By != "laptop" || list[0].Update != 20 {
		t.Errorf("the actors from outside are %+v", list)
	}
	outcome, err := Replay(t.Context(), noted, Options{Engine: here})
	if err != nil || !outcome.Same() || outcome.ParamsSHA256 != made.ParamsSHA256 || *outcome.Outside != 20 {
		t.Errorf("%+v, %v", outcome, err)
	}
	at := strings.Index(text, mark) + len(mark)
	other := read(t, []byte(text[:at]+strings.Repeat("0", 64)+text[at+64:]))
	outcome, err = Replay(t.Context(), other, Options{Engine: here})
	if want := "an actor outside the server supplied data from update 21"; err != nil || outcome.Same() ||
		!strings.Contains(outcome.Why, want) {
		t.Errorf("%+v, %v, not %q", outcome, err, want)
	}
}
