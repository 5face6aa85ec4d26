package lab

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// start begins a run of the API's.
func start(t *testing.T, l *Lab, text string) (*Run, string) {
	t.Helper()
	var settings []hyper.Setting
	for _, s := range link(text).Settings {
		settings = append(settings, hyper.Setting(s))
	}
	spec := Spec{Purpose: Batch, Owner: Owner{Address: "a"}}
	var err error
	if spec.Config, spec.Preset, _, err = hyper.FromSettings(settings); err != nil {
		t.Fatal(err)
	}
	r, key, err := l.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	return r, key
}

// ended waits for a run's end.
func ended(t *testing.T, l *Lab, id string) (i Info) {
	t.Helper()
	kit.Until(t, "the run is done", func() bool {
		var err error
		if i, err = l.Info(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return i.State == store.Done || i.State == store.Diverged
	})
	return i
}

// alone returns the hash that a configuration's run ends with when nothing disturbs it.
func alone(t *testing.T, cfg hyper.Config) string {
	t.Helper()
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return result.ParamsSHA256
}

// replayed trains a run's tape again, alone, and returns its outcome.
func replayed(t *testing.T, l *Lab, id string) tape.Outcome {
	t.Helper()
	lines := told(t, l, id).Lines
	recorded, err := tape.ReadLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := tape.Replay(t.Context(), recorded, tape.Options{Engine: learner.Engine{Lower: graph.Lower}})
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func TestRunsOfBothArithmeticsTrainOnOneServer(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	l := newLab(t, Options{})
	plain, _ := start(t, l, "p=catch steps=2000 hidden=8 arithmetic=plain")
	fused, _ := start(t, l, "p=catch steps=2000 hidden=8 arithmetic=fused")
	for _, r := range []*Run{plain, fused} {
		i := ended(t, l, r.ID)
		if want := alone(t, r.spec.Config); i.ParamsSHA256 != want || i.Arithmetic != r.spec.Config.Get("arithmetic") {
			t.Errorf("%s comes to %.12s as %s, alone to %.12s", r.spec.Config.Get("arithmetic"), i.ParamsSHA256, i.Arithmetic,
				want)
		}
	}
}

// A server may restart on a machine with other arithmetic. The parameters until then come from the old machine, and the
// tape names the update at which the arithmetic changed, so no replay reports a false difference.
func TestARunThatContinuesInAnotherArithmeticSaysSoOnItsTape(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	r, _ := start(t, l, "p=catch steps=12000 hidden=8 speed=1000")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 2000 })
	l.Close()
	restore := kernel.Use("go")
	defer func() { restore() }()
	l = newLab(t, Options{Store: kept})
	release(t, l, r.ID)
	done := ended(t, l, r.ID)
	child, _, err := l.Fork(t.Context(), Origin{Run: r.ID, Update: done.Updates / 8}, nil, Owner{}, Batch, "")
	if err != nil {
		t.Fatal(err)
	}
	ended(t, l, child.ID)
	for _, id := range []string{r.ID, child.ID} {
		plain := replayed(t, l, id)
		restore()
		fused := replayed(t, l, id)
		restore = kernel.Use("go")
		if !plain.Same() || !fused.Same() || fused.OtherFrom == nil || *fused.OtherFrom == 0 ||
			*fused.OtherFrom > done.Updates ||
			fused.OtherMade != kernel.Plain {
			t.Errorf("trained again plain: %+v; fused: %+v", plain, fused)
		}
	}
}

func TestWithoutItsKeyARunCanBeReadAndForkedOnly(t *testing.T) {
	l := newLab(t, Options{})
	r, key := start(t, l, "p=catch steps=1e6 speed=4000")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 200 })
	for _, wrong := range []string{"", "0123456789abcdef", key + "x"} {
		if err := l.Stop(t.Context(), r.ID, wrong); errcode.Of(err) != errcode.NotFound {
			t.Errorf("stopped with the key %q: %v", wrong, err)
		}
		if err := l.Delete(t.Context(), r.ID, wrong); errcode.Of(err) != errcode.NotFound {
			t.Errorf("deleted with the key %q: %v", wrong, err)
		}
		if _, err := l.Owned(t.Context(), r.ID, wrong); errcode.Of(err) != errcode.NotFound {
			t.Errorf("owned with the key %q: %v", wrong, err)
		}
	}
	if _, err := l.Info(t.Context(), strings.Repeat("0", 32)); errcode.Of(err) != errcode.NotFound {
		t.Errorf("an unknown run: %v", err)
	}
	if runs, _, err := l.List(t.Context(), key, store.Cursor{}, 10); err != nil || len(runs) != 1 || runs[0].ID != r.ID {
		t.Errorf("the owner's runs: %+v, %v", runs, err)
	}
	if err := l.Stop(t.Context(), r.ID, key); err != nil {
		t.Error(err)
	}
	if i := ended(t, l, r.ID); i.Reason != "stopped by hand" || i.ParamsSHA256 == "" {
		t.Errorf("stopped: %+v", i)
	}
	if err := l.Stop(t.Context(), r.ID, key); errcode.Of(err) != errcode.Conflict {
		t.Errorf("stopped twice: %v", err)
	}
	if err := l.Delete(t.Context(), r.ID, key); err != nil {
		t.Error(err)
	}
	time.Sleep(2 * scribeEvery)
	if _, err := l.Info(t.Context(), r.ID); errcode.Of(err) != errcode.NotFound {
		t.Errorf("after it was deleted: %v", err)
	}
}

// One page starts a run and leaves, another deletes it, and a third hangs up before the deletion is done.
func TestARunIsDeletedOnceOrContinues(t *testing.T) {
	l := newLab(t, Options{})
	r, key := start(t, l, "p=catch steps=1e6 speed=4000")
	hungUp, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Delete(hungUp, r.ID, key); !errors.Is(err, context.Canceled) || r.ctx.Err() != nil {
		t.Errorf("whoever asked has gone: %v, and the run has ended: %v", err, context.Cause(r.ctx))
	}
	if err := l.store.Do(t.Context(), func(tx *store.Tx) error { return tx.DeleteRun(r.ID) }); err != nil {
		t.Fatal(err)
	}
	if err := l.Delete(t.Context(), r.ID, key); err != nil && errcode.Of(err) != errcode.NotFound || r.ctx.Err() == nil {
		t.Errorf("it was forgotten meanwhile: %v, and the run has ended: %v", err, context.Cause(r.ctx))
	}
}

// A run whose tape cannot be stored waits and says so: beyond the stored tape no restart could recover it.
func TestWhenNothingCanBeKeptRunsWaitAndSaySo(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	v, _ := visit(t, l, link("p=catch speed=inf"))
	await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	kept.Close()
	s := await(v, func(s *wire.Status) bool { return s.State == wire.StatePaused })
	if s.Reason != errUnkept.Error() {
		t.Errorf("it says %q", s.Reason)
	}
	kit.Until(t, "it stands still", func() bool {
		at := l.Steps()
		time.Sleep(50 * time.Millisecond)
		return l.Steps() == at
	})
	v.do(wire.VerbPlay)
	if no := await[*wire.Refused](v, nil); no.Reason != errUnkept.Error() {
		t.Errorf("told to play: %+v", no)
	}
	if _, err := l.Open(link("p=catch"), "a"); errcode.Of(err) != errcode.Full {
		t.Errorf("another run began: %v", err)
	}
	if _, _, err := l.Fork(t.Context(), Origin{Run: v.run.(*runloop.Viewer).ID, Update: 0}, nil, Owner{}, Batch,
		""); errcode.Of(err) != errcode.Full {
		t.Errorf("a fork of it began: %v", err)
	}
}

// A run that moves here from a browser is recomputed at full speed up to where it stood, with its turns. It ends like a
// run that was always here; requests wait until it has arrived.
func TestARunFromABrowserIsLearnedUpToWhereItStood(t *testing.T) {
	l := newLab(t, Options{})
	const text = "p=catch arithmetic=plain steps=5400 t=720:lag=8"
	stayed, _ := visit(t, l, link(text+" speed=inf"))
	came, _ := visit(t, l, link(text+" speed=36 upto=3600"))
	way := await(came, func(s *wire.Status) bool { return s.State == wire.StateReturning })
	if !strings.HasPrefix(way.Reason, "on its way to step 3600: ") {
		t.Errorf("on its way it says %q", way.Reason)
	}
	came.set("speed", "inf")
	if c := await(came, func(c *wire.Changed) bool { return c.Key == "speed" }); c.Step != 3600 {
		t.Errorf("it was steered at step %d", c.Step)
	}
	sha := func(v *visitor) string { return ended(t, l, v.run.(*runloop.Viewer).ID).ParamsSHA256 }
	if got, want := sha(came), sha(stayed); got != want || len(got) != 64 {
		t.Errorf("it ends with %s, the one that stayed with %s", got, want)
	}
}

// The same turns give the same bytes by a link and by the command line, also when the server stops in between.
func TestTheTurnsOfALinkAreMadeAtTheirSteps(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	text := "p=catch steps=30000 speed=20000 t=20000:c=0.5,4000:lag=8,9999:correction=none"
	var settings []hyper.Setting
	for _, s := range link(text).Settings {
		settings = append(settings, hyper.Setting(s))
	}
	spec, err := Watched(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec.Purpose = Batch
	r, _, err := l.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "two turns were made", func() bool { return r.record.Position().Steps > 12000 })
	l.Close()
	l = newLab(t, Options{Store: kept})
	i := ended(t, l, r.ID)
	if out := replayed(t, l, r.ID); !out.Same() || out.ParamsSHA256 != i.ParamsSHA256 {
		t.Errorf("trained again: %+v, it had ended with %s", out, i.ParamsSHA256)
	}
	lines := told(t, l, r.ID).Lines
	said := strings.Join(lines, "\n")
	for _, want := range []string{`"step":4032,"key":"lag"`, `"step":10008,"key":"correction"`, `"step":20016,"key":"c"`} {
		if !strings.Contains(said, want) {
			t.Errorf("the tape does not say %s:\n%s", want, said)
		}
	}
	if strings.Count(said, `"by":"turn"`) != 3 {
		t.Errorf("the tape says:\n%s", said)
	}
	if _, _, err := l.Start(t.Context(), Spec{Link: hyper.Link{Config: spec.Config,
		Turns: []hyper.PlannedChange{{Step: 40000, Change: spec.Turns[0].Change}}}, Purpose: Batch},
		""); errcode.Of(err) != errcode.Refused {
		t.Errorf("a turn after the end: %v", err)
	}
}

func TestARunThatTheStoreForgetsTakesNoOtherWithIt(t *testing.T) {
	l := newLab(t, Options{})
	lost, _ := start(t, l, "p=catch steps=1e6 speed=4000")
	other, _ := start(t, l, "p=catch steps=8000 speed=8000")
	kit.Until(t, "it has begun", func() bool { return lost.record.Position().Steps > 200 })
	if err := l.store.Do(t.Context(), func(tx *store.Tx) error { return tx.DeleteRun(lost.ID) }); err != nil {
		t.Fatal(err)
	}
	if i := ended(t, l, other.ID); i.State != store.Done || l.stuck() != nil {
		t.Errorf("the other run is %s, and the lab stuck on %v", i.State, l.stuck())
	}
	kit.Until(t, "it is held no more", func() bool { return lost.ctx.Err() != nil })
	if _, err := l.Info(t.Context(), lost.ID); errcode.Of(err) != errcode.NotFound {
		t.Errorf("the lost run: %v", err)
	}
}

func TestARunWithoutMemoryIsNotStored(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 1})
	key := "a-key-for-all-of-them"
	var err error
	began := 0
	for range 10 {
		spec := Spec{Purpose: Batch, Owner: Owner{Address: "a"}}
		if spec.Config, err = hyper.FromPreset("catch"); err != nil {
			t.Fatal(err)
		}
		spec.Config.Steps, spec.Config.Speed = 1e6, 1000
		if _, _, err = l.Start(t.Context(), spec, key); err != nil {
			break
		}
		began++
	}
	runs, _, listErr := l.List(t.Context(), key, store.Cursor{}, 20)
	if errcode.Of(err) != errcode.Full || listErr != nil || len(runs) != began || began == 0 {
		t.Errorf("%d runs began, %d are kept: %v, %v", began, len(runs), err, listErr)
	}
}
