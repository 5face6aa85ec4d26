package lab

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

// firstRun waits until the first run of a sweep learns here.
func firstRun(t *testing.T, l *Lab, s *Sweep) *Run {
	t.Helper()
	until(t, "it learns", func() bool { return s.Info().Steps > 0 })
	here := l.runsOf(s.ID())
	return here[s.Info().Cells[0].Runs[0].Run]
}

func TestASweepWhoseServerEndedWhileItStoppedIsOverWithItsRunsAndLearnsNoMore(t *testing.T) {
	kept := openStore(t, t.TempDir())
	first, leave := newSweepLab(t, Options{Store: kept, Cores: 1})
	s, _ := startSweep(t, first, planned(t, "p=catch steps=100000000", "1-3"))
	r := firstRun(t, first, s)
	here := map[string]*Run{r.ID(): r}
	err := kept.Do(t.Context(), func(tx *store.Tx) error { return first.stopSweep(tx, s.ID(), here) })
	if err != nil {
		t.Fatal(err)
	}
	leave()
	q := sweepQueue(t, kept, true)
	l := newLab(t, Options{Store: kept, Queue: q, Cores: 1})
	again, err := l.Sweep(t.Context(), s.ID())
	if err != nil {
		t.Fatal(err)
	}
	before := again.Info()
	if m := before.Cells[0].Runs[0]; before.State != store.SweepRunning || m.Outcome != "" || m.Steps == 0 {
		t.Errorf("before anybody takes its last run the sweep is %s, and the run %+v", before.State, m)
	}
	if err := q.Start(l.Kinds()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	i := swept(t, again)
	m := i.Cells[0].Runs[0]
	if i.State != store.SweepStopped || m.Outcome != Cut || m.Steps != before.Cells[0].Runs[0].Steps {
		t.Errorf("it was %+v, and is %s with %+v", before.Cells[0].Runs[0], i.State, m)
	}
}

func TestARunThatGaveWayWhileItsSweepWasStoppedIsStoppedWithIt(t *testing.T) {
	kept := openStore(t, t.TempDir())
	q := sweepQueue(t, kept, true)
	l := newLab(t, Options{Store: kept, Queue: q, Cores: 1})
	if err := q.Start(l.Kinds()...); err != nil {
		t.Fatal(err)
	}
	s, _ := startSweep(t, l, planned(t, "p=catch steps=100000000", "1"))
	r := firstRun(t, l, s)
	if err := q.Close(); err != nil { // its job waits now, for ever
		t.Fatal(err)
	}
	here := map[string]*Run{r.ID(): r}
	if err := kept.Do(t.Context(), func(tx *store.Tx) error { return l.stopSweep(tx, s.ID(), here) }); err != nil {
		t.Fatal(err)
	}
	if i := swept(t, s); i.State != store.SweepStopped || i.Cells[0].Runs[0].Outcome != Cut {
		t.Errorf("%s, %+v", i.State, i.Cells[0].Runs[0])
	}
}

func TestARunOfASweepIsChangedByNobody(t *testing.T) {
	l, _ := newSweepLab(t, Options{Cores: 1})
	s, key := startSweep(t, l, planned(t, "p=catch steps=100000000", "1"))
	r := firstRun(t, l, s)
	for _, change := range []hyper.Setting{{Key: "rho", Value: "2"}, {Key: "speed", Value: "1"}} {
		if _, err := r.Patch(t.Context(), []hyper.Setting{change}); errcode.Of(err) != errcode.Refused ||
			!errors.Is(err, errFixed) {
			t.Errorf("%v: %v", change, err)
		}
	}
	page, welcome := visit(t, l, &wire.Hello{Run: r.ID(), Key: key})
	if err := page.run.Do(page.sub.ID(), 1, wire.VerbPause); err != nil || welcome.Run != r.ID() {
		t.Fatal(welcome, err)
	}
	if no := await[*wire.Refused](page, nil); no.Intent != 1 || no.Reason != errFixed.Error() {
		t.Errorf("%+v", no)
	}
	stood := s.Info().Steps
	until(t, "it goes on", func() bool { return s.Info().Steps > stood })
}

func TestARunOfASweepThatWasPausedByHandGoesOn(t *testing.T) {
	kept := openStore(t, t.TempDir())
	first, leave := newSweepLab(t, Options{Store: kept, Cores: 1})
	s, _ := startSweep(t, first, planned(t, "p=catch steps=100000000", "1"))
	id := firstRun(t, first, s).ID()
	leave()
	var stood int64
	err := kept.Do(t.Context(), func(tx *store.Tx) error { // as an earlier version let its page do
		row, err := tx.Run(id)
		row.Progress.State, stood = store.Paused, row.Progress.Steps
		return errors.Join(err, tx.SetProgress(id, row.Progress))
	})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := newSweepLab(t, Options{Store: kept, Cores: 1})
	again, err := l.Sweep(t.Context(), s.ID())
	if err != nil {
		t.Fatal(err)
	}
	until(t, "it goes on", func() bool { return again.Info().Steps > uint64(stood) })
}

// TestWhatARunOfASweepToldIsKeptBeforeItsOutcome has a lab that keeps nothing of a run once it is held no more, as one
// that is killed.
func TestWhatARunOfASweepToldIsKeptBeforeItsOutcome(t *testing.T) {
	l, _ := newSweepLab(t, Options{Cores: 1, lastWords: time.Nanosecond})
	const steps = 4000
	s, _ := startSweep(t, l, planned(t, "p=catch steps=4000", "1-8"))
	for _, m := range swept(t, s).Cells[0].Runs {
		var points []store.Point
		err := l.store.View(t.Context(), func(tx *store.Tx) (err error) {
			points, err = tx.Curve(m.Run, store.CurveReturn, 0, math.MaxInt64)
			return err
		})
		if n := len(points); err != nil || n == 0 || points[n-1].Step < steps {
			t.Errorf("seed %d: of %d steps the store has %d points, the last %+v (%v)", m.Seed, m.Steps, n, points[max(0, n-1):],
				err)
		}
	}
}

func TestACurveThatCouldNotBeReadIsReadWhenItCan(t *testing.T) {
	l, _ := newSweepLab(t, Options{Cores: 2})
	s, _ := startSweep(t, l, planned(t, "p=catch steps=4000", "1-2"))
	swept(t, s)
	until(t, "its runs are held no more", func() bool { held, _ := l.Count(); return held == 0 })
	left, leave := context.WithCancel(t.Context())
	leave() // as a browser that goes elsewhere
	if c := s.Curves(left, 0); len(c.Lines) != 0 {
		t.Fatalf("%d lines were read", len(c.Lines))
	}
	if c := s.Curves(t.Context(), 0); len(c.Lines) != 2 {
		t.Errorf("%d lines of 2 runs", len(c.Lines))
	}
}
