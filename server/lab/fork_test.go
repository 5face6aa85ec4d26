package lab

import (
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

func TestAForkIsItsParentUpToTheMoment(t *testing.T) {
	l := newLab(t, Options{})
	parent, key := start(t, l, "p=catch steps=40000 speed=1000 seed=3")
	kit.Until(t, "it has begun", func() bool { return parent.record.Position().Steps > 1000 })
	changed, err := parent.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}, {Key: "lag", Value: "4"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parent.Patch(t.Context(), []hyper.Setting{{Key: "speed", Value: "inf"}}); err != nil {
		t.Fatal(err)
	}
	done := ended(t, l, parent.ID)
	if out := replayed(t, l, parent.ID); !out.Same() || out.ParamsSHA256 != done.ParamsSHA256 {
		t.Errorf("the parent trained again: %+v, it had ended with %s", out, done.ParamsSHA256)
	}

	fork := func(update uint64, settings ...hyper.Setting) Info {
		r, childKey, err := l.Fork(t.Context(), Origin{Run: parent.ID, Update: update}, settings,
			Owner{Address: "b"}, Batch, "")
		if err != nil {
			t.Fatal(err)
		}
		if childKey == key || childKey == "" {
			t.Errorf("the fork's key is %q", childKey)
		}
		i := ended(t, l, r.ID)
		if out := replayed(t, l, r.ID); !out.Same() || out.ParamsSHA256 != i.ParamsSHA256 {
			t.Errorf("the fork at %d trained again: %+v, it had ended with %s", update, out, i.ParamsSHA256)
		}
		return i
	}
	// After the last change nothing differs, and the fork ends with the same bytes.
	if same := fork(done.Updates - 10); same.ParamsSHA256 != done.ParamsSHA256 {
		t.Errorf("the fork ended with %s, its parent with %s", same.ParamsSHA256, done.ParamsSHA256)
	}
	// At the mark the change is still to come: without it the run is as if it had never been.
	cfg := parent.spec.Config
	if untouched := fork(changed.Update); untouched.Settings["rho"] != "1" || untouched.ParamsSHA256 != alone(t, cfg) {
		t.Errorf("forked before the change it ended with rho=%s", untouched.Settings["rho"])
	}
	if other := fork(changed.Update, hyper.Setting{Key: "rho", Value: "2"},
		hyper.Setting{Key: "lag", Value: "4"}); other.ParamsSHA256 != done.ParamsSHA256 {
		t.Errorf("with the same change it ended with %s, its parent with %s", other.ParamsSHA256, done.ParamsSHA256)
	}
}

// A turn planned for the moment of the fork has not been made there: the fork's own setting counts.
func TestAForkAtAPlannedTurnLeavesItOut(t *testing.T) {
	l := newLab(t, Options{})
	var settings []hyper.Setting
	for _, s := range link("p=catch steps=20000 speed=inf t=4000:lag=8,8000:correction=none,12000:c=0.5").Settings {
		settings = append(settings, hyper.Setting(s))
	}
	spec, err := Watched(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec.Purpose = Batch
	parent, _, err := l.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	ended(t, l, parent.ID)
	lines := told(t, l, parent.ID).Lines
	recorded, err := tape.ReadLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	at := uint64(0)
	for _, e := range recorded.Events {
		if e.Key == "correction" {
			at = e.Update
		}
	}
	for _, settings := range [][]hyper.Setting{nil, {{Key: "correction", Value: "one-step"}}} {
		r, _, err := l.Fork(t.Context(), Origin{Run: parent.ID, Update: at}, settings, Owner{}, Batch, "")
		if err != nil {
			t.Fatal(err)
		}
		i := ended(t, l, r.ID)
		want := "vtrace"
		if settings != nil {
			want = settings[0].Value
		}
		if i.Settings["correction"] != want || i.Settings["lag"] != "8" || i.Settings["c"] != "0.5" {
			t.Errorf("with %v it ended with correction=%s, lag=%s, c=%s", settings, i.Settings["correction"],
				i.Settings["lag"], i.Settings["c"])
		}
		if out := replayed(t, l, r.ID); !out.Same() || out.ParamsSHA256 != i.ParamsSHA256 {
			t.Errorf("trained again: %+v, it had ended with %s", out, i.ParamsSHA256)
		}
	}
}

// A page that has just started a run, forks it and leaves it can go back to it.
func TestARunThatHasAForkIsKeptHoweverSoonItWasLeft(t *testing.T) {
	l := newLab(t, Options{Rest: 10 * time.Millisecond, PutAway: 20 * time.Millisecond, Forget: 100 * time.Millisecond})
	v, w := visit(t, l, link("p=catch"))
	await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	_, _, err := l.Fork(t.Context(), Origin{Run: w.Run, Update: 3}, nil, Owner{}, Watch, "")
	if err != nil {
		t.Fatal(err)
	}
	v.sub.Close()
	v.run.Leave()
	kit.Until(t, "it is held no more", func() bool { held, _ := l.Count(); return held == 0 })
	if _, err := l.Info(t.Context(), w.Run); err != nil {
		t.Errorf("the parent: %v", err)
	}
}

// Forty forks of a run name its state: neither the store nor the memory has a copy.
func TestForksShareTheStateOfTheirParent(t *testing.T) {
	l := newLab(t, Options{})
	parent, key := start(t, l, "p=catch steps=1e6 speed=inf seed=3")
	kit.Until(t, "it has made a few updates", func() bool { return parent.record.Position().Updates > 20 })
	if err := l.Stop(t.Context(), parent.ID, key); err != nil {
		t.Fatal(err)
	}
	if err := l.Flush(t.Context(), parent.ID); err != nil {
		t.Fatal(err)
	}
	update := parent.record.Position().Updates
	state := func(id string) string {
		t.Helper()
		snap, err := store.Get(t.Context(), l.store, func(tx *store.Tx) (store.Snapshot, error) {
			return tx.SnapshotHead(id, int64(update))
		})
		if err != nil {
			t.Fatal(err)
		}
		return snap.State
	}
	for range 40 {
		fork, _, err := l.Fork(t.Context(), Origin{Run: parent.ID, Update: update}, nil, Owner{Address: "b"}, Batch, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := state(fork.ID); got != state(parent.ID) {
			t.Errorf("the fork has state %s, its parent %s", got, state(parent.ID))
		}
		fork.End(ErrDropped)
	}
}

// A snapshot that cannot be used costs the updates since the one before, not all of them.
func TestARunContinuesFromTheSnapshotBeforeADamagedOne(t *testing.T) {
	l := newLab(t, Options{})
	r, key := start(t, l, "p=catch steps=1e6 speed=inf seed=3")
	take := func() {
		t.Helper()
		at := r.record.Position().Updates
		kit.Until(t, "it has made more updates", func() bool { return r.record.Position().Updates > at+20 })
		if _, err := r.Patch(t.Context(), []hyper.Setting{{Key: "speed", Value: "inf"}}); err != nil {
			t.Fatal(err)
		}
	}
	take()
	if err := l.Stop(t.Context(), r.ID, key); err != nil {
		t.Fatal(err)
	}
	if err := l.Flush(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	all, err := store.Get(t.Context(), l.store, func(tx *store.Tx) ([]store.Snapshot, error) {
		return tx.Snapshots(r.ID)
	})
	if err != nil || len(all) < 2 {
		t.Fatalf("%d snapshots, %v", len(all), err)
	}
	_, db := l.store.SQL()
	newest := all[len(all)-1]
	if _, err := db.Exec("UPDATE states SET blob = $1 WHERE id = $2", []byte("cut"), newest.State); err != nil {
		t.Fatal(err)
	}
	again, _, err := r.resume(learner.Engine{Lower: graph.Lower}, uint64(newest.Update))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if want := uint64(all[len(all)-2].Update); again.Updates() != want {
		t.Errorf("it continues from update %d, want %d", again.Updates(), want)
	}
}

// Snapshots that wait for the store have a bound, and count where a learner asks for memory.
func TestSnapshotsThatWaitAreBounded(t *testing.T) {
	l := newLab(t, Options{Memory: 80e6})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*runloop.Viewer).Host.(*Run)
	l.archiving <- struct{}{} // nothing is stored
	defer func() { <-l.archiving }()
	for update := range 9 {
		r.Save(runloop.Snapshot{Update: uint64(update), Marked: true, Blob: make([]byte, 2e6)})
	}
	if n := len(r.record.snapshots); n != 5 {
		t.Errorf("%d snapshots of 2 MB wait, and 1/8 of 80 MB may", n)
	}
	if l.budget.fits("a stranger", 1, 71e6, false) || !l.budget.fits("a stranger", 1, 69e6, false) {
		t.Error("a learner is not refused the memory of the snapshots that wait")
	}
	r.dropSnapshots()
	if l.budget.other != 0 {
		t.Errorf("%.0f bytes are counted for no snapshot", l.budget.other)
	}
}
