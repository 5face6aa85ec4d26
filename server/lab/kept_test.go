package lab

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

// inStore is a run as the store has it at this moment.
func inStore(t *testing.T, l *Lab, id string) (row store.Run, tape string) {
	t.Helper()
	err := l.store.View(t.Context(), func(tx *store.Tx) (err error) {
		if row, err = tx.Run(id); err != nil {
			return err
		}
		lines, err := tx.Tape(id, 1, 1000)
		tape = strings.Join(lines, "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return row, tape
}

// A change that the server has confirmed survives a power cut.
func TestAConfirmedChangeIsInTheStore(t *testing.T) {
	l := newLab(t, Options{})
	v, w := visit(t, l, link("p=catch speed=4000"))
	await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	for _, rho := range []string{"2", "3", "4"} {
		v.set("rho", rho)
		await(v, func(c *wire.Changed) bool { return c.To == rho })
		if row, tape := inStore(t, l, w.Run); !strings.Contains(tape, `"to":"`+rho+`"`) ||
			!strings.Contains(row.Settings, `"rho":"`+rho+`"`) {
			t.Fatalf("ρ̄ = %s is confirmed, and the store has\n%s\n%s", rho, row.Settings, tape)
		}
	}
	for _, verb := range []uint8{wire.VerbPause, wire.VerbPlay, wire.VerbPause} {
		v.do(verb)
		want := StateOf(await[*wire.Status](v, nil).State)
		if row, _ := inStore(t, l, w.Run); row.State != want {
			t.Errorf("it is %s on the page, and %s in the store", want, row.State)
		}
	}
}

// One transaction serves all who wait.
func TestManyWhoChangeAtOnceShareACommit(t *testing.T) {
	l := newLab(t, Options{})
	var runs []*Run
	for range 8 {
		r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
		runs = append(runs, r)
	}
	l.writing <- struct{}{} // one commit takes its time
	answers := make(chan error, len(runs))
	for _, r := range runs {
		go func() {
			_, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}})
			answers <- err
		}()
	}
	kit.Until(t, "all wait for the next", func() bool {
		n := 0
		for _, r := range runs {
			r.record.Lock()
			n += len(r.record.waiting)
			r.record.Unlock()
		}
		return n == len(runs)
	})
	for _, r := range runs {
		if _, tape := inStore(t, l, r.ID); strings.Contains(tape, `"key":"rho"`) {
			t.Error("it was kept by itself")
		}
	}
	<-l.writing
	for range runs {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	for _, r := range runs {
		if _, tape := inStore(t, l, r.ID); !strings.Contains(tape, `"key":"rho"`) {
			t.Error("a change is confirmed that is not kept")
		}
	}
}

func TestAStopThatIsAnsweredIsInTheStore(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 1})
	learning, key := start(t, l, "p=catch steps=1e6 speed=4000")
	kit.Until(t, "it has begun", func() bool { return learning.record.Position().Steps > 400 })
	waiting, otherKey := start(t, l, "p=catch steps=1e6 speed=4000")
	for r, key := range map[*Run]string{learning: key, waiting: otherKey} {
		if err := l.Stop(t.Context(), r.ID, key); err != nil {
			t.Fatal(err)
		}
		if row, _ := inStore(t, l, r.ID); row.State != store.Done || row.Reason != errStopped.Error() ||
			uint64(row.Steps) != r.record.At.Steps {
			t.Errorf("it has stopped at step %d, and the store has %s at %d", r.record.At.Steps, row.State, row.Steps)
		}
	}
}

// A database that does not answer must not keep the server from ending.
func TestAStuckDatabaseHoldsNoShutdownUp(t *testing.T) {
	l := newLab(t, Options{LastWords: 300 * time.Millisecond})
	for range 4 {
		r, _ := start(t, l, "p=catch steps=1e6 speed=1000")
		kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 0 })
	}
	stuck, release := make(chan struct{}), make(chan struct{})
	go l.store.Do(context.Background(), func(*store.Tx) error { close(stuck); <-release; return nil })
	<-stuck
	defer close(release)
	for _, r := range l.hosted() { // a request waits without end, and holds the scribe's place
		go l.settle(context.Background(), r.ID)
	}
	time.Sleep(50 * time.Millisecond)
	closed := make(chan struct{})
	go func() { l.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(kit.Patience):
		t.Fatal("it does not end")
	}
}

// What runs tell while the disk is full is kept when there is room again, and they come to the bytes that they would
// have come to.
func TestAFullDiskPausesRunsUntilThereIsRoom(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=6m", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk takes the right to mount one: %v: %s", err, bytes.TrimSpace(out))
	}
	kept, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data")})
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, Options{Store: kept})
	defer func() {
		l.Close()
		kept.Close()
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	}()
	r, key := start(t, l, "p=catch steps=40000 speed=400 seed=3")
	kit.Until(t, "it has begun", func() bool { return r.record.Position().Steps > 400 })
	ballast := filepath.Join(dir, "ballast")
	os.WriteFile(ballast, make([]byte, 6<<20), 0o600) // as much as there is room for
	kit.Until(t, "it is noticed", func() bool { return l.stuck() != nil })
	if l.stuck() != errFull {
		t.Errorf("it says %v", l.stuck())
	}
	v, err := l.Join(t.Context(), r.ID, key)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Leave()
	page := subscribe(t, v)
	kit.Until(t, "it stands still", func() bool {
		at := r.record.Position().Steps
		time.Sleep(50 * time.Millisecond)
		return r.record.Position().Steps == at
	})
	page.set("rho", "2")
	if no := await[*wire.Refused](page, nil); no.Reason != errFull.Error() {
		t.Errorf("a change that cannot be kept: %+v", no)
	}
	if _, err := r.Patch(t.Context(), []hyper.Setting{{Key: "rho", Value: "2"}}); errcode.Of(err) != errcode.Full {
		t.Errorf("the same by the API: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "there is room again", func() bool { return l.stuck() == nil })
	release(t, l, r.ID)
	i := ended(t, l, r.ID)
	if want := alone(t, r.spec.Config); i.ParamsSHA256 != want {
		t.Errorf("it ended with %s, undisturbed with %s", i.ParamsSHA256, want)
	}
	if out := replayed(t, l, r.ID); !out.Same() {
		t.Errorf("its tape does not hold: %+v", out)
	}
}
