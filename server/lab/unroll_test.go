package lab

import (
	"context"
	"strings"
	"testing"
	"time"

	"impalab/web/wire"
)

// Looking at unrolls all the while, a run comes to the bytes that it comes to by itself.
func TestALookAtAnUnrollChangesNoByte(t *testing.T) {
	t.Parallel()
	hash := func(look bool) string {
		l := newLab(t, Options{})
		r, _ := start(t, l, "p=catch steps=8000 speed=inf lag=4")
		looked := 0
		deadline := time.Now().Add(30 * time.Second)
		for r.now() != wire.StateDone {
			if time.Now().After(deadline) {
				t.Fatal("the run does not end")
			}
			if !look {
				time.Sleep(time.Millisecond)
				continue
			}
			in, err := l.Unroll(t.Context(), r.ID(), looked%4)
			if err != nil {
				if code := CodeOf(err); code != Conflict && code != Full {
					t.Fatal(err)
				}
				continue
			}
			looked++
			if in.Column != (looked-1)%4 || in.Update < in.Version || in.Update-in.Version > 5 {
				t.Errorf("trajectory %d, update %d, μ's %d, lag 4", in.Column, in.Update, in.Version)
			}
		}
		if look && looked == 0 {
			t.Error("nothing was looked at")
		}
		until(t, "its parameters are known", func() bool { return ended(t, l, r.ID()).ParamsSHA256 != "" })
		return ended(t, l, r.ID()).ParamsSHA256
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
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		for {
			_, err = l.Unroll(ctx, r.ID(), 9999)
			if err == nil || !strings.HasPrefix(err.Error(), "nothing has been learned") && CodeOf(err) != Full {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
		if CodeOf(err) != Conflict || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %q %v, want a conflict: %s", link, CodeOf(err), err, want)
		}
		if err := l.Stop(t.Context(), r.ID(), key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Unroll(t.Context(), "nobody", 0); CodeOf(err) != NotFound {
		t.Errorf("a run that is not there: %v", err)
	}
}
