package lab

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/server/errcode"
)

// Looking at unrolls all the while, a run comes to the bytes that it comes to by itself.
func TestALookAtAnUnrollChangesNoByte(t *testing.T) {
	t.Parallel()
	hash := func(look bool) string {
		l := newLab(t, Options{})
		r, _ := start(t, l, "p=catch steps=8000 speed=400 lag=4")
		looked := 0
		for look && looked < 4 {
			in, err := l.Unroll(t.Context(), r.ID, looked%4, 0)
			if err != nil {
				if code := errcode.Of(err); code != errcode.Conflict && code != errcode.Full {
					t.Fatal(err)
				}
				time.Sleep(time.Millisecond)
				continue
			}
			looked++
			if in.Column != (looked-1)%4 || in.Update < in.Version || in.Update-in.Version > 5 {
				t.Errorf("trajectory %d, update %d, μ's %d, lag 4", in.Column, in.Update, in.Version)
			}
		}
		release(t, l, r.ID)
		kit.Until(t, "its parameters are known", func() bool { return ended(t, l, r.ID).ParamsSHA256 != "" })
		return ended(t, l, r.ID).ParamsSHA256
	}
	if seen, unseen := hash(true), hash(false); seen != unseen || seen == "" {
		t.Errorf("parameters %q with looks, %q without", seen, unseen)
	}
}

// What cannot be looked at is a conflict with a sentence: no ratios, no such trajectory, no run.
func TestWhatCannotBeLookedAtSaysWhy(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	for link, want := range map[string]string{
		"p=catch algo=a2c lag=0": "A2C corrects nothing", "p=vmpo": "V-MPO has no V-trace",
		"p=catch": "a batch of this run has",
	} {
		r, key := start(t, l, link+" steps=1000000")
		var err error
		ctx, cancel := context.WithTimeout(t.Context(), kit.Patience)
		for {
			_, err = l.Unroll(ctx, r.ID, 9999, 0)
			if err == nil || !strings.HasPrefix(err.Error(), "the run has made no update") && errcode.Of(err) != errcode.Full {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
		if errcode.Of(err) != errcode.Conflict || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %q %v, want a conflict: %s", link, errcode.Of(err), err, want)
		}
		if err := l.Stop(t.Context(), r.ID, key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Unroll(t.Context(), "nobody", 0, 0); errcode.Of(err) != errcode.NotFound {
		t.Errorf("a run that is not there: %v", err)
	}
}

// An earlier moment, inspected after the end of the run, shows the learner of that update: before the change made
// there, and after the previous change.
func TestAnEarlierMomentIsMadeAgainAsItWas(t *testing.T) {
	t.Parallel()
	cfg := kit.Config(t, "catch", "")
	cfg.Steps, cfg.Lag, cfg.Speed = 8000, 4, math.Inf(1)
	turns, err := hyper.ParsePlan("3000:lag=2,6000:rho=0.5")
	if err != nil {
		t.Fatal(err)
	}
	// The moments: early, at the second turn, and the last.
	want, moments, rest := map[uint64]*learner.Inspected{}, map[uint64]bool{3: true}, turns
	truth, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer truth.Close()
	_, err = truth.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		due := len(rest) > 0 && rest[0].Step <= l.Steps()
		if moments[l.Updates()] || due {
			in, err := l.Inspect(1)
			if err != nil {
				return err
			}
			want[l.Updates()] = in
		}
		for ; len(rest) > 0 && rest[0].Step <= l.Steps(); rest = rest[1:] {
			if _, err := l.Apply(rest[0].Change); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil || len(want) != 3 {
		t.Fatalf("%d moments, %v", len(want), err)
	}
	l := newLab(t, Options{})
	r, _, err := l.Start(t.Context(), Spec{Purpose: Batch, Owner: Owner{Address: "a"}, Link: hyper.Link{
		Config: cfg, Preset: "catch", Turns: turns}}, "")
	if err != nil {
		t.Fatal(err)
	}
	last := uint64(ended(t, l, r.ID).Updates)
	for update, then := range want {
		in, err := l.Unroll(t.Context(), r.ID, 1, update)
		if err != nil {
			t.Fatalf("update %d: %v", update, err)
		}
		// Written out, because a setting may be no number.
		if got, was := fmt.Sprintf("%+v", in.Inspection), fmt.Sprintf("%+v", then.Inspection); got != was ||
			in.Update != update || in.Actor != then.Actor {
			t.Errorf("update %d is made again as\n%s, was\n%s", update, got, was)
		}
	}
	if _, err := l.Unroll(t.Context(), r.ID, 1, last+1); errcode.Of(err) != errcode.Refused ||
		!strings.Contains(err.Error(), "the run has reached update") {
		t.Errorf("a moment that never was: %v", err)
	}
}

// Whatever window is asked for, each of its updates is made again from the nearest snapshot as it was.
func TestEachUpdateOfAWindowIsMadeAgainAsItWas(t *testing.T) {
	t.Parallel()
	if !slow {
		t.Skip("in make check: it learns twenty times to the same window")
	}
	cfg := kit.Config(t, "catch", "")
	cfg.Steps, cfg.Lag, cfg.Speed = 8000, 8, math.Inf(1)
	const from, to = 60, 80
	want := map[uint64]string{}
	truth, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer truth.Close()
	if _, err = truth.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if at := l.Updates(); at >= from && at < to {
			in, err := l.Inspect(0)
			if err != nil {
				return err
			}
			want[at] = fmt.Sprintf("%+v", in.Inspection)
		}
		return nil
	}}); err != nil || len(want) != to-from {
		t.Fatalf("%d moments, %v", len(want), err)
	}
	l := newLab(t, Options{})
	r, _, err := l.Start(t.Context(), Spec{Purpose: Batch, Owner: Owner{Address: "a"}, Link: hyper.Link{Config: cfg,
		Preset: "catch"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	ended(t, l, r.ID)
	for update, then := range want {
		in, err := l.Unroll(t.Context(), r.ID, 0, update)
		if err != nil {
			t.Fatalf("update %d: %v", update, err)
		}
		if now := fmt.Sprintf("%+v", in.Inspection); now != then || in.Update != update {
			t.Errorf("update %d is made again as\n%s, was\n%s", update, now, then)
		}
	}
}
