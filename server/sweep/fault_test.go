package sweep

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/wire"
)

func TestASweepWhoseServerEndedWhileItStoppedIsOverWithItsRunsAndLearnsNoMore(t *testing.T) {
	kept := openStore(t, store.Options{Dir: t.TempDir()})
	first := working(t, kept, 1)
	s, _ := first.start(t, planned(t, "p=catch steps=100000000", "1-3"))
	first.firstRun(t, s)
	here := first.trainingOf(s.ID)
	err := kept.Do(t.Context(), func(tx *store.Tx) error { return first.stopIn(tx, s.ID, here, stopped) })
	if err != nil {
		t.Fatal(err)
	}
	first.leave()
	l := newHouse(t, kept, false, Options{}, lab.Options{Cores: 1})
	again, err := l.Find(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := again.Info()
	if m := before.Cells[0].Runs[0]; before.State != store.SweepRunning || m.State == Cut || m.Steps == 0 {
		t.Errorf("before anybody takes its last run the sweep is %s, and the run %+v", before.State, m)
	}
	l.work(t)
	i := swept(t, again)
	m := i.Cells[0].Runs[0]
	if i.State != store.SweepStopped || m.State != Cut || m.Steps != before.Cells[0].Runs[0].Steps {
		t.Errorf("it was %+v, and is %s with %+v", before.Cells[0].Runs[0], i.State, m)
	}
}

func TestARunThatGaveWayWhileItsSweepWasStoppedIsStoppedWithIt(t *testing.T) {
	kept := openStore(t, store.Options{Dir: t.TempDir()})
	l := working(t, kept, 1)
	s, _ := l.start(t, planned(t, "p=catch steps=100000000", "1"))
	l.firstRun(t, s)
	here := l.trainingOf(s.ID)
	if err := l.q.Close(); err != nil { // its job now waits without end
		t.Fatal(err)
	}
	if err := kept.Do(t.Context(), func(tx *store.Tx) error { return l.stopIn(tx, s.ID, here, stopped) }); err != nil {
		t.Fatal(err)
	}
	if i := swept(t, s); i.State != store.SweepStopped || i.Cells[0].Runs[0].State != Cut {
		t.Errorf("%s, %+v", i.State, i.Cells[0].Runs[0])
	}
}

func TestNoRequestChangesARunOfASweep(t *testing.T) {
	const fixed = "this run follows the plan of its sweep: fork it, and change the fork"
	l := working(t, nil, 1)
	s, key := l.start(t, planned(t, "p=catch steps=100000000", "1"))
	r := l.firstRun(t, s)
	for _, change := range []hyper.Setting{{Key: "rho", Value: "2"}, {Key: "speed", Value: "1"}} {
		if _, err := r.Patch(t.Context(), []hyper.Setting{change}); errcode.Of(err) != errcode.Refused ||
			!strings.Contains(err.Error(), fixed) {
			t.Errorf("%v: %v", change, err)
		}
	}
	page := visit(t, l, r.ID, key)
	welcome := await[*wire.Welcome](page, nil)
	if err := page.run.Do(page.sub.ID(), 1, wire.VerbPause); err != nil || welcome.Run != r.ID {
		t.Fatal(welcome, err)
	}
	if no := await[*wire.Refused](page, nil); no.Intent != 1 || no.Reason != fixed {
		t.Errorf("%+v", no)
	}
	stood := s.Info().Taken
	kit.Until(t, "it goes on", func() bool { return s.Info().Taken > stood })
}

// TestThePointsOfASweepsRunAreStoredBeforeItsOutcome has a lab that keeps nothing of a run once it is held no more, as
// one that is killed.
func TestThePointsOfASweepsRunAreStoredBeforeItsOutcome(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{Cores: 1, LastWords: time.Nanosecond}).work(t)
	const steps = 4000
	s, _ := l.start(t, planned(t, "p=catch steps=4000", "1-8"))
	for _, m := range swept(t, s).Cells[0].Runs {
		var points []store.Point
		err := l.store.View(t.Context(), func(tx *store.Tx) (err error) {
			points, err = tx.Curve(*m.ID, store.CurveReturn, 0, math.MaxInt64)
			return err
		})
		if n := len(points); err != nil || n == 0 || points[n-1].Step < steps {
			t.Errorf("seed %d: of %d steps the store has %d points, the last %+v (%v)", m.Seed, m.Steps, n, points[max(0, n-1):],
				err)
		}
	}
}

func TestACurveThatCouldNotBeReadIsReadWhenItCan(t *testing.T) {
	l := working(t, nil, 2)
	s, _ := l.start(t, planned(t, "p=catch steps=4000", "1-2"))
	swept(t, s)
	kit.Until(t, "its runs are held no more", func() bool { return l.heldRuns() == 0 })
	left, leave := context.WithCancel(t.Context())
	leave() // as a browser that goes elsewhere
	if c := s.Curves(left, 0); len(c.Lines) != 0 {
		t.Fatalf("%d lines were read", len(c.Lines))
	}
	if c := s.Curves(t.Context(), 0); len(c.Lines) != 2 {
		t.Errorf("%d lines of 2 runs", len(c.Lines))
	}
}
