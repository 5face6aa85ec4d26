package lab

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

func TestADepartedViewerDelaysNoOther(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 200 })
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range 20 {
		l.history(gone, r.ID)
		if err := l.stuck(); err != nil {
			t.Fatalf("all runs wait: %v", err)
		}
	}
}

func TestARunThatTheStoreHasDamagedTakesNoOtherWithIt(t *testing.T) {
	l := newLab(t, Options{})
	spoilt, _ := start(t, l, "p=catch steps=1e6 speed=4000")
	other, _ := start(t, l, "p=catch steps=16000 speed=8000")
	kit.Until(t, "it has begun", func() bool { return spoilt.record.Position().Steps > 200 })
	if err := l.store.Do(t.Context(), func(tx *store.Tx) error {
		n, err := tx.TapeLen(spoilt.ID)
		if err != nil {
			return err
		}
		return tx.AppendTape(spoilt.ID, n+1, "{", "{", "{")
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := spoilt.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}}); err == nil {
		t.Error("a change is confirmed that is not kept")
	}
	if i := ended(t, l, other.ID); i.State != store.Done || l.stuck() != nil {
		t.Errorf("the other run is %s, and the lab stuck on %v", i.State, l.stuck())
	}
	kit.Until(t, "it is held no more", func() bool { held, _ := l.Count(); return held == 1 })
	if _, err := l.Find(t.Context(), spoilt.ID); errcode.Of(err) != errcode.Conflict ||
		!strings.Contains(err.Error(), "line ") {
		t.Errorf("found again: %v", err)
	}
	if _, _, err := l.Fork(t.Context(), Origin{Run: spoilt.ID, Update: 0}, nil, Owner{}, Batch, ""); err != nil {
		t.Errorf("forked from before the damage: %v", err)
	}
}

func TestASnapshotOnItsWayToTheStoreStaysTheSame(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*runloop.Viewer).Host.(*Run)
	l.archiving <- struct{}{} // nothing else takes them
	defer func() { <-l.archiving }()
	r.Save(runloop.Snapshot{Update: 1, Blob: make([]byte, 1000)})
	first, _ := r.record.waits()
	r.Save(runloop.Snapshot{Update: 2, Blob: make([]byte, 1000)})
	if first.Update != 1 {
		t.Errorf("the store is given update %d", first.Update)
	}
	r.settled(first)
	if left, ok := r.record.waits(); !ok || left.Update != 2 {
		t.Errorf("update %d is left, want the second", left.Update)
	}
}

func TestASnapshotThatTheStoreHasIsHeldNoMore(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*runloop.Viewer).Host.(*Run)
	l.archiving <- struct{}{} // nothing else takes them
	defer func() { <-l.archiving }()
	r.Save(runloop.Snapshot{Update: 1, Blob: make([]byte, 1000)})
	s, _ := r.record.waits()
	first := weak.Make(&s.Blob[0])
	size := float64(len(s.Blob))
	l.budget.drainFreed()
	r.settled(s)
	if l.budget.drainFreed() < size {
		t.Error("it is not counted among what can be returned to the system")
	}
	s.Blob = nil
	kit.Until(t, "its memory is given back", func() bool {
		runtime.GC()
		return first.Value() == nil
	})
}

func TestCurvesAreKeptWithTheSnapshotThatEndsThem(t *testing.T) {
	l := newLab(t, Options{})
	v, _ := still(t, l, "p=catch")
	r := v.run.(*runloop.Viewer).Host.(*Run)
	r.record.curved = time.Now()
	r.record.Point(&wire.Point{Step: 300, Update: 3})
	if b := r.batch(usual); len(b.curves) != 0 {
		t.Error("curves alone can wait")
	}
	r.Save(runloop.Snapshot{Update: 2, Blob: make([]byte, 1000)})
	if b := r.batch(usual); len(b.curves) == 0 {
		t.Error("kill -9 after this would leave a gap for ever")
	}
}

// A page may come back at the moment at which its run is put down: it is to find all of it.
func TestARunThatIsLeavingIsFoundWhenTheStoreHasAllOfIt(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=4000")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 1000 })
	l.writing <- struct{}{}
	change, err := hyper.ParseChange("rho", "2")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Ask(runloop.Request{By: tape.ByHand, Changes: []hyper.Change{change}}); err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "it is in force", func() bool { w := r.Welcome(); return value(&w, "rho") == "2" })
	r.End(ErrDropped)
	found := make(chan *Run)
	go func() {
		again, err := l.Find(context.Background(), r.ID)
		if err != nil {
			t.Error(err)
		}
		found <- again
	}()
	time.Sleep(100 * time.Millisecond)
	<-l.writing
	again := <-found
	if w := again.Welcome(); value(&w, "rho") != "2" {
		t.Errorf("found with rho=%s", value(&w, "rho"))
	}
}

// After kill -9 a paused run learns again what its last snapshot does not have, and pauses where it was, for the same
// reason.
func TestAPauseOutlastsTheWayBack(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	r, key := start(t, l, "p=catch steps=1e6 speed=4000")
	v, err := l.Join(t.Context(), r.ID, key)
	if err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 1000 })
	if err := v.Do(1, 1, wire.VerbPauseFell); err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "it pauses", func() bool { return r.State() == runloop.Paused })
	if _, err := l.history(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	v.Leave()
	at, err := l.Info(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	// A kill leaves the state without a snapshot.
	spec, rec, err := l.load(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	rec.id, rec.stored = store.NewID(), 0
	state := rec.state
	if err := l.add(t.Context(), rec, &spec); err != nil {
		t.Fatal(err)
	}
	rec.state = state
	again, err := l.hostOnce(t.Context(), spec, rec, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A run that returns answers no request, and before that it stands where its record ends.
	if _, err := again.Patch(t.Context(), []hyper.Setting{{Key: "speed", Value: "8000"}}); err != nil {
		t.Fatal(err)
	}
	if i, err := l.Info(t.Context(), again.ID); err != nil || i.State != store.Paused || again.State() != runloop.Paused ||
		i.Updates != at.Updates || i.Reason != wire.ReasonFell {
		t.Errorf("it was paused at update %d, and is %s (%v, %q) at %d, %v", at.Updates, i.State, again.State(), i.Reason,
			i.Updates, err)
	}
}

// A server that was started again with less memory has runs that it cannot hold. They must not keep others waiting.
func TestARunThatIsTooLargeNowDelaysNoOther(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept})
	large, _ := start(t, l, "p=catch hidden=512-512 steps=1e6 speed=1000")
	kit.Until(t, "it has begun", func() bool { return large.record.Position().Steps > 0 })
	l.Close()
	l = newLab(t, Options{Store: kept, Memory: 40e6})
	if _, err := l.Find(t.Context(), large.ID); errcode.Of(err) != errcode.Full ||
		!strings.Contains(err.Error(), "memory") {
		t.Errorf("found: %v", err)
	}
	small, _ := start(t, l, "p=catch steps=2000 speed=inf")
	ended(t, l, small.ID)
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
	for _, r := range l.hosted() {
		if r.ctx.Err() == nil {
			held++
		}
	}
	if held > l.maxHeld() {
		t.Errorf("%d runs are held, and %d is the limit", held, l.maxHeld())
	}
}

// One address may not hold all runs, whether they train or wait in the queue.
func TestAStrangerIsHeldBesideTheQueueOfOneAddress(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 2})
	begin := func(address string) error {
		spec, err := Watched([]hyper.Setting{{Key: "steps", Value: "1e9"}})
		if err != nil {
			t.Fatal(err)
		}
		spec.Purpose, spec.Owner.Address = Batch, address
		_, _, err = l.Start(t.Context(), spec, "")
		return err
	}
	held := 0
	for begin("a") == nil {
		held++
	}
	if held != l.maxHeld()-1 {
		t.Errorf("one address holds %d of %d runs", held, l.maxHeld())
	}
	if err := begin("b"); err != nil {
		t.Errorf("a stranger: %v", err)
	}
	if err := begin("a"); errcode.Of(err) != errcode.Full {
		t.Errorf("the address with most: %v", err)
	}
}

// The store forgets the owner of a run that is over. Readers of such runs must not take the places of all others.
func TestAStrangerIsHeldBesideTheReadersOfRunsThatAreOver(t *testing.T) {
	kept := openStore(t, t.TempDir())
	earlier := newLab(t, Options{Store: kept})
	var over []string
	for range 4 * 2 {
		r, _ := start(t, earlier, "p=catch steps=100")
		ended(t, earlier, r.ID)
		over = append(over, r.ID)
	}
	earlier.Close()
	l := newLab(t, Options{Store: kept, MaxRuns: 2})
	held := 0
	for _, id := range over {
		run, err := l.Open(&wire.Hello{Run: id}, "a")
		if err != nil {
			if errcode.Of(err) != errcode.Full {
				t.Fatal(err)
			}
			continue
		}
		defer run.Leave()
		held++
	}
	if held != l.maxHeld()-1 {
		t.Errorf("one address looks at %d of %d runs", held, l.maxHeld())
	}
	for n := range 3 { // the first takes the spare place; runs that are over give way to the others
		run, err := l.Open(link("p=catch"), "b")
		if err != nil {
			t.Fatalf("a stranger's run %d: %v", n, err)
		}
		defer run.Leave()
	}
}

func TestARunThatIsDeletedWhileItIsReadIsUnknown(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=1")
	kit.Until(t, "it trains", func() bool { return r.State().Wire() == wire.StateRunning })
	l.archiving <- struct{}{} // a reader waits here, between the run's record and its snapshots
	r.Save(runloop.Snapshot{Update: 1, Blob: []byte("any")})
	read := make(chan error, 1)
	go func() { read <- l.Flush(t.Context(), r.ID) }()
	kit.Until(t, "the record is stored", func() bool {
		r.record.Lock()
		defer r.record.Unlock()
		return !r.record.Dirty
	})
	if err := l.store.Do(t.Context(), func(tx *store.Tx) error { return tx.DeleteRun(r.ID) }); err != nil {
		t.Fatal(err)
	}
	<-l.archiving
	if err := <-read; errcode.Of(err) != errcode.NotFound {
		t.Errorf("it was deleted a moment ago, and the answer is %v", err)
	}
}

func TestATapeThatIsFullTakesNoMoreChanges(t *testing.T) {
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 0 })
	r.record.Lock()
	r.record.Tape.Events, r.record.stored = make([]tape.Event, runloop.MaxTaped), runloop.MaxTaped
	r.record.Unlock()
	_, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}})
	if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), "begin another") {
		t.Errorf("it was changed once more: %v", err)
	}
}

// A run that retrains reported updates adds no episode to its next point that an earlier point already counted.
func TestNoEpisodeIsCountedTwiceOnTheWayBack(t *testing.T) {
	l := newLab(t, Options{})
	parent, _ := start(t, l, "p=catch steps=20000 speed=inf seed=3")
	done := ended(t, l, parent.ID)
	child, _, err := l.Fork(t.Context(), Origin{Run: parent.ID, Update: done.Updates / 2}, nil, Owner{}, Batch, "")
	if err != nil {
		t.Fatal(err)
	}
	i := ended(t, l, child.ID)
	curves := told(t, l, child.ID).Curves
	counted := 0.
	for _, p := range curves[store.CurveEnded] {
		counted += p.Value
	}
	if all := float64(i.Episodes); counted > all || counted < 0.95*all {
		t.Errorf("the points count %v episodes of %d", counted, i.Episodes)
	}
}
