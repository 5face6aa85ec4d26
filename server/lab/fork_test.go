package lab

import (
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/web/wire"
)

func TestAForkIsItsParentUpToTheMoment(t *testing.T) {
	l := newLab(t, Options{})
	parent, key := start(t, l, "p=catch steps=40000 speed=20000 seed=3")
	kit.Until(t, "it has begun", func() bool { return parent.record.Position().Steps > 4000 })
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
