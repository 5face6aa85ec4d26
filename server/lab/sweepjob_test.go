package lab

import (
	"errors"
	"strings"
	"testing"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

// apart is a server that trains no runs of sweeps, and a worker that does, each with a store of its own on one folder.
func apart(t *testing.T) (server, worker *Lab) {
	t.Helper()
	dir := t.TempDir()
	kept := openStore(t, dir)
	server = newLab(t, Options{Store: kept, Queue: sweepQueue(t, kept, true)})
	guest, err := store.Open(t.Context(), store.Options{Dir: dir, Guest: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { guest.Close() })
	worker, _ = newSweepLab(t, Options{Store: guest, Headless: true, Cores: 1})
	return server, worker
}

func TestARunOfASweepThatAnotherProcessTrainsIsShownHereAndEndsWithItsSweep(t *testing.T) {
	server, worker := apart(t)
	s, key := startSweep(t, server, planned(t, "p=catch steps=100000000", "1-3"))
	until(t, "it learns elsewhere", func() bool { return s.Info().Steps > 0 })
	id := s.Info().Cells[0].Runs[0].Run
	v, welcome := visit(t, server, &wire.Hello{Run: id, Key: key})
	if welcome.State != wire.StateQueued {
		t.Errorf("its page begins in state %d", welcome.State)
	}
	await(v, func(m *wire.Status) bool { return strings.Contains(m.Reason, "trained by") })
	await[*wire.Point](v, nil)
	r, err := server.Owned(t.Context(), id, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}}); !errors.Is(err, errElsewhere) {
		t.Errorf("a change from here: %v", err)
	}
	r.Leave()
	if err := server.Stop(t.Context(), id, key); errcode.Of(err) != errcode.Conflict {
		t.Errorf("stopped from here: %v", err)
	}
	info, err := server.Info(t.Context(), id)
	told, err2 := server.Told(t.Context(), id)
	for _, i := range []Info{info, told.Info} {
		if err != nil || err2 != nil || !strings.Contains(i.Reason, "trained by") || i.Steps == 0 {
			t.Errorf("%+v, %v, %v", i, err, err2)
		}
	}
	if _, err := server.StopSweep(t.Context(), s.ID(), key); err != nil {
		t.Fatal(err)
	}
	i := s.Info()
	row, err := server.Info(t.Context(), id)
	m := i.Cells[0].Runs[0]
	if i.State != store.SweepStopped || m.Outcome != Cut || err != nil || row.State != store.Done {
		t.Errorf("%s, %+v, %+v (%v)", i.State, m, row, err)
	}
	until(t, "the worker has let go", func() bool { held, _ := worker.Count(); return held == 0 })
	if later, err := server.Info(t.Context(), id); err != nil || later.Steps != row.Steps || later.State != store.Done {
		t.Errorf("stopped at %d steps, the run stands at %d and is %s (%v)", row.Steps, later.Steps, later.State, err)
	}
}

func TestALongRunOfASweepLetsAnotherSweepHaveItsTurn(t *testing.T) {
	l, _ := newSweepLab(t, Options{Cores: 1, Turn: 300 * time.Millisecond})
	long, _ := startSweep(t, l, planned(t, "p=catch steps=100000000", "1"))
	until(t, "it learns", func() bool { return long.Info().Steps > 0 })
	spec := planned(t, "p=catch steps=2000", "1")
	spec.Base.Owner.Address = "b"
	short, _ := startSweep(t, l, spec)
	if i := swept(t, short); i.State != store.SweepDone {
		t.Errorf("%+v", i)
	}
	stood := long.Info().Steps
	until(t, "the long one goes on", func() bool { return long.Info().Steps > stood })
}

func TestARunWhoseWorkersDieIsLostAndItsSweepGoesOn(t *testing.T) {
	kept := openStore(t, t.TempDir())
	q := sweepQueue(t, kept, true)
	l := newLab(t, Options{Store: kept, Queue: q, Cores: 1})
	s, _ := startSweep(t, l, planned(t, "p=catch steps=2000", "1-2"))
	err := kept.Do(t.Context(), func(tx *store.Tx) error {
		jobs, err := jobsOf(tx, s.ID())
		return errors.Join(err, tx.CloseJob(jobs[0].ID, store.JobFailed, "its workers die"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Start(l.Kinds()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	i := swept(t, s)
	m := i.Cells[0].Runs
	if i.State != store.SweepDone || m[0].Outcome != Lost || m[0].Reason != "its workers die" || m[1].Outcome != Finished {
		t.Errorf("%s, %+v", i.State, m)
	}
}

func TestASweepOfAServerBeforeTheQueueGoesOn(t *testing.T) {
	kept := openStore(t, t.TempDir())
	spec := planned(t, "p=catch steps=2000", "1-2")
	row := store.Sweep{ID: store.NewID(), Owner: HashKey("a key of its own"), Plan: spec.json(), State: store.SweepRunning}
	if err := kept.Do(t.Context(), func(tx *store.Tx) error { return tx.AddSweep(row, "a key of its own") }); err != nil {
		t.Fatal(err)
	}
	l, _ := newSweepLab(t, Options{Store: kept, Cores: 1})
	s, err := l.Sweep(t.Context(), row.ID)
	if err != nil {
		t.Fatal(err)
	}
	if i := swept(t, s); i.State != store.SweepDone || i.Cells[0].N != 2 {
		t.Errorf("%+v", i)
	}
}

func TestASweepHasFewJobsAtATime(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept, Queue: sweepQueue(t, kept, true)})
	s, key := startSweep(t, l, planned(t, "p=catch steps=2000", "1-40"))
	count := func() (n int) {
		err := kept.View(t.Context(), func(tx *store.Tx) error {
			jobs, err := tx.JobsIn(store.JobQueued)
			n = len(jobs)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != sweepWindow {
		t.Errorf("%d jobs wait for a sweep of 40 runs", n)
	}
	if err := l.DeleteSweep(t.Context(), s.ID(), key); err != nil || count() != 0 {
		t.Errorf("%d jobs are left of a sweep that was deleted, %v", count(), err)
	}
}

// Most worlds have no value error, and their points are read once all the same.
func TestOnlyWhatIsNewIsReadOfARunThatAnotherProcessTrains(t *testing.T) {
	c := &record{measured: 1000}
	if from := c.unseen(store.CurveReturn); from != 1001 {
		t.Errorf("points from step %d on are read again and again", from)
	}
	if from := c.unseen(store.CurveValueError); from != 1 {
		t.Errorf("the value error's first measurement is of step 1 or later, and what is from %d on is read", from)
	}
}
