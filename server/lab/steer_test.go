package lab

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/web/hub"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// still is a run whose goroutine has not begun, so that several things can be asked before any is done.
func still(t *testing.T, l *Lab, text string) (v *visitor, begin func()) {
	t.Helper()
	var settings []hyper.Setting
	for _, s := range link(text).Settings {
		settings = append(settings, hyper.Setting(s))
	}
	spec, err := Watched(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec.Owner.Key = HashKey("k")
	rec := newRecord(&spec, "test")
	if err := l.add(t.Context(), rec, &spec); err != nil {
		t.Fatal(err)
	}
	bytes, err := l.Admit(&spec.Config)
	if err != nil {
		t.Fatal(err)
	}
	r := l.host(spec, rec, bytes)
	r.Join()
	v = subscribe(t, &runloop.Viewer{Run: &r.Run, Steers: true})
	await[*wire.Welcome](v, nil)
	return v, func() {
		l.mu.Lock()
		l.runs[r.ID] = r
		l.gone.Go(r.live)
		l.mu.Unlock()
	}
}

func subscribe(t *testing.T, r hub.Run) *visitor {
	ctx, cancel := context.WithTimeout(context.Background(), kit.Patience)
	v := &visitor{t: t, run: r, sub: r.Subscribe(0), ctx: ctx}
	t.Cleanup(func() { v.sub.Close(); cancel() })
	return v
}

func TestTheChangesOfOneRequestAllHold(t *testing.T) {
	v, begin := still(t, newLab(t, Options{}), "p=catch")
	v.set("rho", "3")
	v.set("c", "0.5")
	v.set("lag", "4")
	begin()
	await(v, func(c *wire.Changed) bool { return c.Key == "lag" && c.Intent == 3 })
	w := v.run.(*runloop.Viewer).Welcome()
	for key, want := range map[string]string{"rho": "3", "c": "0.5", "lag": "4"} {
		if got := value(&w, key); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func TestTwoPagesSteerOneRunAndBothAreOnItsTape(t *testing.T) {
	l := newLab(t, Options{})
	one, w := visit(t, l, link("p=catch speed=2000"))
	two, _ := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
	one.set("rho", "3")
	two.set("lag", "4")
	one.set("lag", "2")
	for _, page := range []*visitor{one, two} {
		lags := map[uint32]string{}
		for len(lags) < 2 {
			c := await(page, func(c *wire.Changed) bool { return c.Key == "lag" })
			lags[c.Intent] = c.To
		}
		if own := map[*visitor]uint32{one: 2, two: 1}[page]; lags[own] == "" || lags[0] == "" {
			t.Errorf("a page was told of %v; its own is number %d", lags, own)
		}
	}
	if _, tape := inStore(t, l, w.Run); strings.Count(tape, `"key":"lag"`) != 2 || strings.Count(tape, `"by":"hand"`) != 3 {
		t.Errorf("the tape has\n%s", tape)
	}
}

func TestALateRefusalReachesItsSenderOnly(t *testing.T) {
	v, begin := still(t, newLab(t, Options{}), "p=catch replay-size=1") // fine without replay
	other := subscribe(t, v.run)
	v.set("mix", "0.5")
	v.set("rho", "2")
	begin()
	if no := await[*wire.Refused](v, nil); no.Intent != 1 || no.Key != "mix" ||
		!strings.Contains(no.Reason, "replay-size=1") {
		t.Errorf("refused: %+v", no)
	}
	for seen := ""; seen != "rho"; {
		m, err := other.next()
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *wire.Refused:
			t.Errorf("the other was told %+v", m)
		case *wire.Changed:
			seen = m.Key
		}
	}
}

func TestEveryStepAskedForIsTaken(t *testing.T) {
	v, begin := still(t, newLab(t, Options{}), "p=catch")
	for range 3 {
		v.do(wire.VerbStep)
	}
	v.set("rho", "2")
	begin()
	if c := await[*wire.Changed](v, nil); c.Update != 3 {
		t.Errorf("three steps asked at once made %d updates", c.Update)
	}
}

func TestARunThatIsOverSaysSoToWhoWouldPlayIt(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch steps=40 speed=inf"))
	await(v, func(s *wire.Status) bool { return s.State == wire.StateDone })
	v.do(wire.VerbPlay)
	if no := await[*wire.Refused](v, nil); no.Intent != 1 || !strings.Contains(no.Reason, "begin another") {
		t.Errorf("refused: %+v", no)
	}
}

func TestARunMayNotAskForMoreThanTheMachineHas(t *testing.T) {
	l := newLab(t, Options{})
	for _, c := range []struct{ link, want string }{
		{"p=cartpole hidden=1024-1024-1024-1024 batch=1024 unroll=1024 replay-size=5e6 lag=1024 actors=64",
			"unroll=1024, batch=1024, hidden=1024-1024-1024-1024"},
		{"p=cartpole hidden=1024-1024 lag=1024", "lag=1024, hidden=1024-1024"},
		{"p=four-rooms replay-size=5e6", "replay-size=5000000"},
		{"p=cartpole hidden=1024-1024 unroll=128 batch=64",
			"this run would take 467 MB of memory, most of it for hidden=1024-1024, unroll=128, batch=64; here a run " +
				"may take 256 MB"},
	} {
		_, err := l.Open(link(c.link), "a")
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "make one of these smaller") {
			t.Errorf("%s: %v", c.link, err)
		}
	}
	roomy := newLab(t, Options{RunMemory: 4e9})
	_, err := roomy.Open(link("p=cartpole hidden=1024-1024 unroll=128 batch=64"), "a")
	if err == nil || !strings.Contains(err.Error(),
		"one update would take 1.1e+11 operations with unroll=128, batch=64, hidden=1024-1024; here it may take 5e+10") {
		t.Errorf("an update of seconds: %v", err)
	}
	v, _ := visit(t, l, link("p=cartpole hidden=512-512 lag=8"))
	v.set("lag", "1024")
	if no := await[*wire.Refused](v, nil); no.Key != "lag" || !strings.Contains(no.Reason, "lag=1024") {
		t.Errorf("a hot setting that takes 1 GB: %+v", no)
	}
}

func TestEveryPresetMayRunHere(t *testing.T) {
	l := newLab(t, Options{})
	for _, p := range hyper.Presets {
		cfg := p.Config()
		if _, err := l.Admit(&cfg); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func TestWhatWaitsForTheLearnerHasABound(t *testing.T) {
	v, _ := still(t, newLab(t, Options{}), "p=catch")
	for range 256 {
		v.set("rho", "2")
	}
	if err := v.run.Set(1, 1, "rho", "2"); err == nil || !strings.Contains(err.Error(), "already waiting for this run") {
		t.Errorf("one more: %v", err)
	}
}

func TestAClosedLabLeavesNoGoroutineBehind(t *testing.T) {
	opts := Options{Store: openStore(t, t.TempDir())}
	before := runtime.NumGoroutine()
	l, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"p=catch", "p=cartpole speed=inf", "p=cartpole mode=live actors=8 batch=16",
		"p=destination", "p=catch steps=40 speed=inf", "p=cartpole unroll=64 batch=64"} {
		v, _ := visit(t, l, link(text))
		await[*wire.XRay](v, nil)
		v.sub.Close()
		v.run.Leave()
	}
	l.Close()
	for deadline := time.Now().Add(kit.Patience); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}
