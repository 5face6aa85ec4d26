package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"impalab/web/wire"
)

// until waits for what other goroutines bring about.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came to pass that " + what)
		}
	}
}

func (l *Lab) heldBytes() float64 {
	_, _, bytes := l.budget.counts()
	return bytes
}

// A run that nobody watches gives back its memory, and goes on from the same update when its page comes back.
func TestARunThatWasPutAwayGoesOn(t *testing.T) {
	for _, data := range []string{"", t.TempDir()} {
		l := newLab(t, Options{Data: data, Rest: 10 * time.Millisecond, PutAway: 20 * time.Millisecond, Forget: time.Minute})
		v, w := visit(t, l, link("p=catch speed=inf"))
		at := await(v, func(x *wire.XRay) bool { return x.Update > 50 }).Update
		v.sub.Close()
		v.run.Leave()
		until(t, "the memory is given back", func() bool { return l.heldBytes() == 0 })
		if kept, _ := filepath.Glob(filepath.Join(data, shelfDir, "*")); data != "" && len(kept) != 1 {
			t.Errorf("%d snapshots are kept", len(kept))
		}
		back, again := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
		if again.Run != w.Run || again.State != wire.StateRunning {
			t.Errorf("welcome back: %+v", again)
		}
		if x := await[*wire.XRay](back, nil); x.Update < at {
			t.Errorf("it went on from update %d, it had come to %d", x.Update, at)
		}
		back.set("rho", "2")
		await(back, func(c *wire.Changed) bool { return c.To == "2" })
		l.Close()
		if kept, _ := filepath.Glob(filepath.Join(data, shelfDir, "*")); data != "" && len(kept) != 0 {
			t.Errorf("%d snapshots stay behind", len(kept))
		}
	}
}

func TestWhatAnEarlierProcessLeftIsRemoved(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, shelfDir, "old.impalab")
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	newLab(t, Options{Data: dir})
	if _, err := os.Stat(old); err == nil {
		t.Error("it is still there")
	}
}

// The newest run of the address with most gives way to a stranger, waits in the queue, and goes on where it was.
func TestARunThatGaveWayGoesOnInItsTurn(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 2, Turn: time.Hour})
	visit(t, l, link("p=catch"))
	newest, _ := visit(t, l, link("p=catch speed=inf"))
	at := await(newest, func(x *wire.XRay) bool { return x.Update > 50 }).Update
	run, err := l.Open(link("p=catch"), "stranger")
	if err != nil {
		t.Fatal(err)
	}
	stranger := subscribe(t, run)
	await(stranger, func(x *wire.XRay) bool { return x.Update > 5 })
	await(newest, func(s *wire.Status) bool { return s.State == wire.StateQueued })
	stranger.sub.Close()
	stranger.run.Leave()
	await(newest, func(s *wire.Status) bool { return s.State == wire.StateRunning })
	if x := await(newest, func(x *wire.XRay) bool { return x.Update != at }); x.Update < at {
		t.Errorf("it went on from update %d, it had come to %d", x.Update, at)
	}
}

func TestThirtyFivePagesOfOneAddressAndAStrangerAllRun(t *testing.T) {
	if testing.Short() {
		t.Skip("thirty-six runs")
	}
	l := newLab(t, Options{})
	var school []*visitor
	for range 35 {
		v, _ := visit(t, l, link("p=cartpole"))
		school = append(school, v)
	}
	run, err := l.Open(link("p=cartpole"), "stranger")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range append(school, subscribe(t, run)) {
		await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	}
}
