package lab

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

func TestAnAskerWhoGoesAwayHoldsNobodyUp(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
	until(t, "it has begun", func() bool { return r.steps.Load() > 200 })
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range 20 {
		l.Tape(gone, r.id)
		if err := l.stuck(); err != nil {
			t.Fatalf("all runs wait: %v", err)
		}
	}
}

func TestARunThatTheStoreHasDamagedTakesNoOtherWithIt(t *testing.T) {
	l := newLab(t, Options{})
	spoilt, _ := start(t, l, "p=catch steps=1e6 speed=4000")
	other, _ := start(t, l, "p=catch steps=16000 speed=8000")
	until(t, "it has begun", func() bool { return spoilt.steps.Load() > 200 })
	if err := l.store.Do(t.Context(), func(tx *store.Tx) error {
		n, err := tx.TapeLen(spoilt.id)
		if err != nil {
			return err
		}
		return tx.AppendTape(spoilt.id, n+1, "{", "{", "{")
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := spoilt.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}}); err == nil {
		t.Error("a change is confirmed that is not kept")
	}
	if i := ended(t, l, other.id); i.State != store.Done || l.stuck() != nil {
		t.Errorf("the other run is %s, and the lab stuck on %v", i.State, l.stuck())
	}
	until(t, "it is held no more", func() bool { held, _ := l.Count(); return held == 1 })
	if _, err := l.Find(t.Context(), spoilt.id); errcode.Of(err) != errcode.Conflict ||
		!strings.Contains(err.Error(), "line ") {
		t.Errorf("found again: %v", err)
	}
	if _, _, err := l.Fork(t.Context(), Origin{spoilt.id, 0}, nil, Owner{}, Batch, ""); err != nil {
		t.Errorf("forked from before the damage: %v", err)
	}
}

func TestASnapshotOnItsWayToTheStoreStaysTheSame(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*viewer).Run
	learner, _, err := r.resume()
	if err != nil {
		t.Fatal(err)
	}
	defer learner.Close()
	r.snapshot(learner, false)
	first := &r.record.snapshots[0].blob[0]
	b, _ := r.batch(usual)
	r.snapshot(learner, false)
	if &b.snapshots[0].blob[0] != first {
		t.Error("the store would be given another")
	}
	b.settle(t.Context(), nil)
	if len(r.record.snapshots) != 1 {
		t.Errorf("%d snapshots are left to be kept, want the second", len(r.record.snapshots))
	}
}

func TestASnapshotThatTheStoreHasIsHeldNoMore(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*viewer).Run
	learner, _, err := r.resume()
	if err != nil {
		t.Fatal(err)
	}
	defer learner.Close()
	r.snapshot(learner, false)
	first := weak.Make(&r.record.snapshots[0].blob[0])
	b, _ := r.batch(usual)
	size := float64(len(r.record.snapshots[0].blob))
	l.budget.takeFreed()
	b.settle(t.Context(), nil)
	if l.budget.takeFreed() < size {
		t.Error("it is not counted among what can be returned to the system")
	}
	b.snapshots = nil
	until(t, "its memory is given back", func() bool {
		runtime.GC()
		return first.Value() == nil
	})
}

func TestCurvesAreKeptWithTheSnapshotThatEndsThem(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*viewer).Run
	learner, _, err := r.resume()
	if err != nil {
		t.Fatal(err)
	}
	defer learner.Close()
	r.record.curved = time.Now()
	r.record.Point(&wire.Point{Step: 300, Update: 3})
	if b, _ := r.batch(usual); len(b.curves) != 0 {
		t.Error("curves alone can wait")
	}
	r.snapshot(learner, false)
	if b, _ := r.batch(usual); len(b.curves) == 0 {
		t.Error("kill -9 after this would leave a gap for ever")
	}
}

// A page may come back at the moment at which its run is put down: it is to find all of it.
func TestARunThatIsLeavingIsFoundWhenTheStoreHasAllOfIt(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=4000")
	until(t, "it has begun", func() bool { return r.steps.Load() > 1000 })
	l.writing <- struct{}{}
	change, err := hyper.ParseChange("rho", "2")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.enqueue(request{by: tape.ByHand, changes: []hyper.Change{change}}); err != nil {
		t.Fatal(err)
	}
	until(t, "it is in force", func() bool { w := r.welcome(); return value(&w, "rho") == "2" })
	r.end(errDropped)
	found := make(chan *Run)
	go func() {
		again, err := l.Find(context.Background(), r.id)
		if err != nil {
			t.Error(err)
		}
		found <- again
	}()
	time.Sleep(100 * time.Millisecond)
	<-l.writing
	again := <-found
	if w := again.welcome(); value(&w, "rho") != "2" {
		t.Errorf("found with rho=%s", value(&w, "rho"))
	}
}

// After kill -9 a paused run learns again what its last snapshot does not have, and pauses where it was, for the same
// reason.
func TestAPauseOutlastsTheWayBack(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	r, key := start(t, l, "p=catch steps=1e6 speed=4000")
	v, err := l.join(t.Context(), r.id, key)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "it has begun", func() bool { return r.steps.Load() > 1000 })
	if err := v.Do(1, 1, wire.VerbPauseFell); err != nil {
		t.Fatal(err)
	}
	until(t, "it pauses", func() bool { return r.now() == wire.StatePaused })
	if _, err := l.Tape(t.Context(), r.id); err != nil {
		t.Fatal(err)
	}
	v.Leave()
	at, err := l.Info(t.Context(), r.id)
	if err != nil {
		t.Fatal(err)
	}
	// What a kill leaves: the state, and no snapshot of it.
	spec, rec, err := l.load(t.Context(), r.id)
	if err != nil {
		t.Fatal(err)
	}
	rec.id, rec.kept = store.NewID(), 0
	state := rec.state
	if err := l.add(t.Context(), rec, &spec, key); err != nil {
		t.Fatal(err)
	}
	rec.state = state
	again, err := l.keepHeld(spec, rec)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "it is where it was", func() bool { return again.steps.Load() >= at.Steps })
	time.Sleep(200 * time.Millisecond)
	if i, err := l.Info(t.Context(), again.id); err != nil || i.State != store.Paused || again.now() != wire.StatePaused ||
		i.Updates != at.Updates || i.Reason != wire.ReasonFell {
		t.Errorf("it was paused at update %d, and is %s (%q) at %d, %v", at.Updates, i.State, i.Reason, i.Updates, err)
	}
}

// A server that was started again with less memory has runs that it cannot hold. They must not keep others waiting.
func TestARunThatIsTooLargeNowKeepsNobodyWaiting(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	large, _ := start(t, l, "p=catch hidden=512-512 steps=1e6 speed=1000")
	until(t, "it has begun", func() bool { return large.steps.Load() > 0 })
	l.Close()
	l = newLab(t, Options{Store: kept, Memory: 40e6})
	if _, err := l.Find(t.Context(), large.id); errcode.Of(err) != errcode.Full ||
		!strings.Contains(err.Error(), "memory") {
		t.Errorf("found: %v", err)
	}
	small, _ := start(t, l, "p=catch steps=2000 speed=inf")
	ended(t, l, small.id)
}

func TestRunsThatAreLeavingMakeRoomOnce(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 1})
	l.writing <- struct{}{} // who leaves stays for now
	defer func() { <-l.writing }()
	for range 3 * l.maxHeld() {
		spec, err := Watched(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := l.Start(t.Context(), spec, "")
		if err != nil {
			t.Fatal(err)
		}
		r.mu.Lock()
		r.begun = time.Time{} // as if it were worth keeping
		r.mu.Unlock()
	}
	held := 0
	for _, r := range l.held() {
		if r.ctx.Err() == nil {
			held++
		}
	}
	if held > l.maxHeld() {
		t.Errorf("%d runs are held, and %d is the limit", held, l.maxHeld())
	}
}

func TestATapeThatIsFullTakesNoMoreChanges(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
	until(t, "it has begun", func() bool { return r.steps.Load() > 0 })
	r.record.mu.Lock()
	r.record.tape.Events, r.record.kept = make([]tape.Event, maxTaped), maxTaped
	r.record.mu.Unlock()
	_, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}})
	if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), "begin another") {
		t.Errorf("it was changed once more: %v", err)
	}
}

// A run that learns again what it has told counts no episode into the next point that an earlier point has counted.
func TestNoEpisodeIsCountedTwiceOnTheWayBack(t *testing.T) {
	l := newLab(t, Options{})
	parent, _ := start(t, l, "p=catch steps=20000 speed=inf seed=3")
	done := ended(t, l, parent.id)
	child, _, err := l.Fork(t.Context(), Origin{parent.id, done.Updates / 2}, nil, Owner{}, Batch, "")
	if err != nil {
		t.Fatal(err)
	}
	i := ended(t, l, child.id)
	curves, err := l.Curves(t.Context(), child.id)
	if err != nil {
		t.Fatal(err)
	}
	counted := 0.
	for _, p := range curves[store.CurveEnded] {
		counted += p.Value
	}
	if all := float64(i.Episodes); counted > all || counted < 0.95*all {
		t.Errorf("the points count %v episodes of %d", counted, i.Episodes)
	}
}
