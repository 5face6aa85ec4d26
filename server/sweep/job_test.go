package sweep

import (
	"errors"
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

// apart is a server that trains no runs of sweeps, and a worker that does, each with a store of its own on one folder.
func apart(t *testing.T) (server, worker *house) {
	t.Helper()
	dir := t.TempDir()
	server = newHouse(t, openStore(t, store.Options{Dir: dir}), false, Options{}, lab.Options{})
	guest := openStore(t, store.Options{Dir: dir, Guest: true})
	worker = newHouse(t, guest, true, Options{}, lab.Options{Cores: 1}).work(t)
	return server, worker
}

func TestARunOfASweepThatAnotherProcessTrainsIsShownHereAndEndsWithItsSweep(t *testing.T) {
	server, worker := apart(t)
	s, key := server.start(t, planned(t, "p=catch steps=100000000", "1-3"))
	kit.Until(t, "it learns elsewhere", func() bool { return s.Info().Taken > 0 })
	id := *s.Info().Cells[0].Runs[0].ID
	v := visit(t, server, id, key)
	welcome := await[*wire.Welcome](v, nil)
	if welcome.State != wire.StateQueued {
		t.Errorf("its page begins in state %d", welcome.State)
	}
	await(v, func(m *wire.Status) bool { return strings.Contains(m.Reason, "trained by") })
	await[*wire.Point](v, nil)
	r, err := server.lab.Owned(t.Context(), id, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}}); err == nil ||
		!strings.Contains(err.Error(), "trained by another process") {
		t.Errorf("a change from here: %v", err)
	}
	r.Leave()
	if err := server.lab.Stop(t.Context(), id, key); errcode.Of(err) != errcode.Conflict {
		t.Errorf("stopped from here: %v", err)
	}
	info, err := server.lab.Info(t.Context(), id)
	var told lab.Info
	err2 := server.lab.WithHistory(t.Context(), id, func(t *lab.History) error { told = t.Info; return nil })
	for _, i := range []lab.Info{info, told} {
		if err != nil || err2 != nil || !strings.Contains(i.Reason, "trained by") || i.Steps == 0 {
			t.Errorf("%+v, %v, %v", i, err, err2)
		}
	}
	if _, err := server.Stop(t.Context(), s.ID, key); err != nil {
		t.Fatal(err)
	}
	i := s.Info()
	row, err := server.lab.Info(t.Context(), id)
	m := i.Cells[0].Runs[0]
	if i.State != store.SweepStopped || m.State != Cut || err != nil || row.State != store.Done {
		t.Errorf("%s, %+v, %+v (%v)", i.State, m, row, err)
	}
	kit.Until(t, "the worker has let go", func() bool { return worker.heldRuns() == 0 })
	if later, err := server.lab.Info(t.Context(),
		id); err != nil || later.Steps != row.Steps || later.State != store.Done {
		t.Errorf("stopped at %d steps, the run stands at %d and is %s (%v)", row.Steps, later.Steps, later.State, err)
	}
}

func TestALongRunOfASweepLetsAnotherSweepHaveItsTurn(t *testing.T) {
	l := newHouse(t, nil, false, Options{Turn: 300 * time.Millisecond}, lab.Options{Cores: 1}).work(t)
	long, _ := l.start(t, planned(t, "p=catch steps=100000000", "1"))
	kit.Until(t, "it learns", func() bool { return long.Info().Taken > 0 })
	spec := planned(t, "p=catch steps=2000", "1")
	spec.Base.Owner.Address = "b"
	short, _ := l.start(t, spec)
	if i := swept(t, short); i.State != store.SweepDone {
		t.Errorf("%+v", i)
	}
	stood := long.Info().Taken
	kit.Until(t, "the long one goes on", func() bool { return long.Info().Taken > stood })
}

func TestARunWhoseWorkersDieIsLostAndItsSweepContinues(t *testing.T) {
	kept := openStore(t, store.Options{Dir: t.TempDir()})
	l := newHouse(t, kept, false, Options{}, lab.Options{Cores: 1})
	s, _ := l.start(t, planned(t, "p=catch steps=2000", "1-2"))
	err := kept.Do(t.Context(), func(tx *store.Tx) error {
		jobs, err := jobsOf(tx, s.ID)
		j := jobs[0]
		j.Reason = "its workers die"
		return errors.Join(err, tx.CloseJob(j.ID, store.JobFailed, j.Reason), l.failed(tx, j))
	})
	if err != nil {
		t.Fatal(err)
	}
	l.work(t)
	i := swept(t, s)
	m := i.Cells[0].Runs
	if i.State != store.SweepDone || m[0].State != Lost || m[0].Reason != "its workers die" || m[1].State != Finished {
		t.Errorf("%s, %+v", i.State, m)
	}
}

func TestASweepHasFewJobsAtATime(t *testing.T) {
	kept := openStore(t, store.Options{Dir: t.TempDir()})
	l := newHouse(t, kept, false, Options{}, lab.Options{})
	s, key := l.start(t, planned(t, "p=catch steps=2000", "1-40"))
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
	if n := count(); n != window {
		t.Errorf("%d jobs wait for a sweep of 40 runs", n)
	}
	if err := l.Delete(t.Context(), s.ID, key); err != nil || count() != 0 {
		t.Errorf("%d jobs are left of a sweep that was deleted, %v", count(), err)
	}
}
