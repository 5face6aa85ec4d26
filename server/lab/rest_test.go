package lab

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/errcode"
	"impalab/web/wire"
)

func (l *Lab) heldBytes() float64 {
	_, _, bytes := l.budget.counts()
	return bytes
}

// A run without viewers releases its memory and continues from the same update when its page returns: from memory, or
// from the store after it was dropped.
func TestAStoredRunContinues(t *testing.T) {
	for _, forget := range []time.Duration{time.Minute, 200 * time.Millisecond} {
		l := newLab(t, Options{Rest: 10 * time.Millisecond, PutAway: 20 * time.Millisecond, Forget: forget})
		v, w := visit(t, l, link("p=catch speed=inf"))
		at := await(v, func(x *wire.XRay) bool { return x.Update > 50 }).Update
		v.set("rho", "3")
		await[*wire.Changed](v, nil)
		v.sub.Close()
		v.run.Leave()
		kit.Until(t, "the memory is given back", func() bool { return l.heldBytes() == 0 })
		if forget < time.Second {
			kit.Until(t, "the run is held no more", func() bool { held, _ := l.Count(); return held == 0 })
		}
		back, again := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
		if again.Run != w.Run || again.State != wire.StateRunning || !again.Steers || value(again, "rho") != "3" {
			t.Errorf("welcome back: %+v", again)
		}
		if p := await[*wire.Point](back, nil); p.Update > 50 {
			t.Errorf("the first point it tells again is of update %d", p.Update)
		}
		if x := await[*wire.XRay](back, nil); x.Update < at {
			t.Errorf("it went on from update %d, it had come to %d", x.Update, at)
		}
		back.set("rho", "2")
		await(back, func(c *wire.Changed) bool { return c.To == "2" })
		l.Close()
	}
}

// The newest run of the address with most runs makes room for a stranger's run, waits in the queue, and continues from
// its last update.
func TestAnInterruptedRunContinuesInItsTurn(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 2, Turn: time.Hour})
	older, _ := visit(t, l, link("p=catch"))
	await(older, func(x *wire.XRay) bool { return x.Update > 0 }) // it has its memory before the next run asks
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

func TestARunThatWasLeftAtOnceIsNotKept(t *testing.T) {
	l := newLab(t, Options{Rest: 10 * time.Millisecond, PutAway: 20 * time.Millisecond, Forget: 100 * time.Millisecond})
	v, w := visit(t, l, link("p=catch"))
	changed, x := visit(t, l, link("p=catch"))
	changed.set("rho", "3")
	await[*wire.Changed](changed, nil)
	for _, one := range []*visitor{v, changed} {
		one.sub.Close()
		one.run.Leave()
	}
	kit.Until(t, "both are held no more", func() bool { held, _ := l.Count(); return held == 0 })
	if _, err := l.Info(t.Context(), w.Run); errcode.Of(err) != errcode.NotFound {
		t.Errorf("the one that was left at once: %v", err)
	}
	if _, err := l.Info(t.Context(), x.Run); err != nil {
		t.Errorf("the one that was changed: %v", err)
	}
}

// Packing a snapshot, storing it and answering a request take memory that no claim counts. The runtime alone would keep
// it: here it collects nothing by itself.
func TestMemoryThatNobodyCountedIsReturnedToTheSystem(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	newLab(t, Options{})
	garbage, collected := new([2 * returnBytes]byte), make(chan struct{})
	runtime.AddCleanup(garbage, func(c chan struct{}) { close(c) }, collected)
	garbage[0] = 1
	garbage = nil
	kit.Until(t, "it is collected", func() bool {
		select {
		case <-collected:
			return true
		default:
			return false
		}
	})
	kit.Until(t, "the system has it", func() bool { return unused() < returnBytes })
}
