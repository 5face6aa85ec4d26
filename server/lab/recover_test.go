package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/server/store"
	"impalab/web/wire"
)

// killed is a lab whose process ends as with kill -9: anything not stored by then is lost.
const killed = time.Nanosecond

func TestMoreRunsThanFitAllContinueAfterARestart(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept, MaxRuns: 4})
	var all []string
	for i := range 10 {
		r, _ := start(t, l, fmt.Sprintf("p=catch steps=500 speed=1000 seed=%d", i))
		all = append(all, r.ID)
	}
	l.Close()
	l = newLab(t, Options{Store: kept, MaxRuns: 2, Forget: time.Second})
	if held, _ := l.Count(); held >= len(all) {
		t.Errorf("%d of %d runs are held, and %d is the limit", held, len(all), l.maxHeld())
	}
	visit(t, l, link("p=catch")) // who comes now finds room
	for _, id := range all {
		if i := ended(t, l, id); i.Steps < 500 {
			t.Errorf("run %s ended at step %d", id, i.Steps)
		}
	}
}

// Memory and cores are shared by address, also for runs from before the restart. The data folder contains no address in
// plain text.
func TestARunCountsForItsAddressAfterARestart(t *testing.T) {
	dir := t.TempDir()
	kept := openStore(t, dir)
	const address = "192.0.2.77"
	salt := []byte("sixteen bytes of salt")
	l := newLab(t, Options{Store: kept, Salt: salt})
	begin := func() *Run {
		spec := Spec{Purpose: Batch, Owner: Owner{Address: address}}
		var err error
		if spec.Config, err = hyper.FromPreset("catch"); err != nil {
			t.Fatal(err)
		}
		spec.Config.Steps, spec.Config.Speed = 1e6, 1000
		r, _, err := l.Start(t.Context(), spec, "")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	id := begin().ID
	other, _ := start(t, l, "p=catch steps=1e6 speed=1000")
	l.Close()

	l = newLab(t, Options{Store: kept, Salt: salt})
	again, err := l.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := l.Find(t.Context(), other.ID)
	if err != nil {
		t.Fatal(err)
	}
	now := begin().spec.Owner.Address
	if was := again.spec.Owner.Address; was == "" || was != now || stranger.spec.Owner.Address == now {
		t.Errorf("it counts for %q, a new one for %q, a stranger's for %q", was, now, stranger.spec.Owner.Address)
	}
	l.Close()
	kept.Close()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if text, err := os.ReadFile(filepath.Join(dir, f.Name())); err != nil || strings.Contains(string(text), address) {
			t.Errorf("%s tells the address: %v", f.Name(), err)
		}
	}
}

// The quartiles cover the same episodes as without the interruption: after kill -9 the run recomputes updates that it
// had already reported.
func TestAnInterruptedRunHasTheCurvesOfAnUninterruptedOne(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept, LastWords: killed})
	fast, _ := start(t, l, "p=catch steps=40000 speed=inf seed=3")
	slow, _ := start(t, l, "p=catch steps=40000 speed=4000 seed=3")
	kit.Until(t, "it has begun", func() bool { return slow.record.Position().Steps > 4_000 })
	if _, err := slow.Patch(t.Context(), []hyper.Setting{{Key: "speed", Value: "8000"}}); err != nil { // a snapshot
		t.Fatal(err)
	}
	kit.Until(t, "it goes on, and that is kept", func() bool {
		row, _ := inStore(t, l, slow.ID)
		return row.Steps > 8_000
	})
	ended(t, l, fast.ID)
	l.Close()
	l = newLab(t, Options{Store: kept})
	i := ended(t, l, slow.ID)
	if strings.Contains(i.Reason, "differs") {
		t.Errorf("it says %q", i.Reason)
	}
	if want := ended(t, l, fast.ID).ParamsSHA256; i.ParamsSHA256 != want || want == "" {
		t.Errorf("it ended with %s, uninterrupted with %s", i.ParamsSHA256, want)
	}
	a := told(t, l, fast.ID).Curves
	b := told(t, l, slow.ID).Curves
	for _, name := range []string{store.CurveReturn, store.CurveRecent, store.CurveLow, store.CurveHigh,
		store.CurveEnded, "ess", "kl", "grad-norm"} {
		if len(a[name]) < 30 || fmt.Sprint(a[name]) != fmt.Sprint(b[name]) {
			t.Errorf("%s: %d points against %d, or others:\n%v\n%v", name, len(a[name]), len(b[name]), a[name], b[name])
		}
	}
}

// Once a run's count of changes has been reported, its tape has that many, whenever the process ends.
func TestEveryConfirmedChangeIsFoundAgain(t *testing.T) {
	kept := openStore(t, t.TempDir())
	l := newLab(t, Options{Store: kept, LastWords: killed})
	v, w := visit(t, l, link("p=catch speed=4000"))
	for _, rho := range []string{"2", "3", "5", "4"} { // of several at one update each counts
		v.set("rho", rho)
	}
	await(v, func(c *wire.Changed) bool { return c.To == "4" })
	l.Close()
	l = newLab(t, Options{Store: kept})
	r, err := l.Find(t.Context(), w.Run)
	if err != nil {
		t.Fatal(err)
	}
	if now := r.Welcome(); value(&now, "rho") != "4" {
		t.Errorf("ρ̄ is %s after the restart", value(&now, "rho"))
	}
	if row, tape := inStore(t, l, w.Run); row.State == store.Done || strings.Count(tape, `"key":"rho"`) != 4 {
		t.Errorf("the tape says\n%s", tape)
	}
}
