package lab

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"impalab/learner/hyper"
	"impalab/server/session"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// theatre is a lab whose runs actors of other processes can join, and where they connect.
func theatre(t *testing.T, l *Lab) (url string) {
	ctx, stop := context.WithCancel(context.Background())
	g := session.New(ctx, l, session.Options{Actors: l})
	server := httptest.NewServer(http.HandlerFunc(g.ServeActor))
	t.Cleanup(func() {
		stop()
		g.Wait()
		server.Close()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// begun starts a run from a page's link. It rests until a viewer or a remote actor comes.
func begun(t *testing.T, l *Lab, text string) (*Run, string) {
	t.Helper()
	var settings []hyper.Setting
	for _, s := range link(text).Settings {
		settings = append(settings, hyper.Setting(s))
	}
	spec, err := Watched(settings)
	if err != nil {
		t.Fatal(err)
	}
	r, key, err := l.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	return r, key
}

// Two actors behind websockets play a reference run. One of them disconnects in the middle and connects again. The run
// ends with the same bytes as without them.
func TestActorsBehindWebsocketsPlayToTheSameBytes(t *testing.T) {
	l := newLab(t, Options{Build: "b"})
	url := theatre(t, l)
	const of = "p=cartpole collect=trajectory actors=3 lag=2 steps=30000 speed=inf"
	alone, _ := begun(t, l, of)
	alone.Join()
	<-alone.Ended()
	alone.Leave()

	together, key := begun(t, l, of)
	join := &wire.Join{Run: together.ID, Key: key, Build: "b"}
	var steps [2]uint64
	var all sync.WaitGroup
	for i := range steps {
		all.Go(func() {
			for broken := i == 0; ; {
				ctx, breakOff := context.WithCancel(t.Context())
				var a actorwire.Actor
				err := session.Act(ctx, url, join, &a, func(a *actorwire.Actor) {
					if broken && a.Steps > 1000 {
						broken = false
						breakOff()
					}
				})
				breakOff()
				steps[i] += a.Steps
				var final actorwire.Final
				if errors.As(err, &final) {
					if final.Reason != "the run is over" {
						t.Error(err)
					}
					return
				}
				if err == nil || t.Context().Err() != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	<-together.Ended()
	all.Wait()
	want, err := l.Info(t.Context(), alone.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Info(t.Context(), together.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.ParamsSHA256 != want.ParamsSHA256 || got.ParamsSHA256 == "" || got.Episodes != want.Episodes {
		t.Errorf("with actors it comes to %.12s after %d episodes, alone to %.12s after %d", got.ParamsSHA256, got.Episodes,
			want.ParamsSHA256, want.Episodes)
	}
	if steps[0] < 1000 || steps[1] == 0 {
		t.Errorf("the actors played %d steps", steps)
	}
}

func TestAnActorIsToldWhyItMayNotPlay(t *testing.T) {
	l := newLab(t, Options{Build: "b"})
	url := theatre(t, l)
	r, key := begun(t, l, "p=cartpole")
	wide, wideKey := begun(t, l, "p=cartpole unroll=400 batch=512 hidden=8")
	good := wire.Join{Run: r.ID, Key: key, Build: "b"}
	for want, change := range map[string]func(*wire.Join){
		"no run here has this ID":        func(j *wire.Join) { j.Run = wide.ID },
		"no run here has this ID and":    func(j *wire.Join) { j.Key = "" },
		"this server is impalab b":       func(j *wire.Join) { j.Build = "c" },
		"512 copies are too large to be": func(j *wire.Join) { j.Run, j.Key = wide.ID, wideKey },
	} {
		join := good
		change(&join)
		var final actorwire.Final
		err := session.Act(t.Context(), url, &join, &actorwire.Actor{}, func(*actorwire.Actor) {})
		if !errors.As(err, &final) || !strings.Contains(final.Reason, want) {
			t.Errorf("%+v is told %v, not %q", join, err, want)
		}
	}
	if n, _ := r.Watchers(); n != 0 || l.remote.total() != 0 {
		t.Errorf("%d watch, and %d bytes are taken", n, l.remote.total())
	}
}

// A class has one address, and its actors may take most of the memory; a stranger's actor is still seated.
func TestTheActorsOfOneAddressLeaveRoomForAnother(t *testing.T) {
	l := newLab(t, Options{Build: "b", Memory: 80e6})
	r, key := begun(t, l, "p=catch unroll=20 batch=8")
	join := &wire.Join{Run: r.ID, Key: key, Build: "b"}
	var seats []actorwire.Peer
	fill := func(address string) error {
		for {
			s, err := l.Act(join, address)
			if err != nil {
				return err
			}
			seats = append(seats, s)
		}
	}
	const own = "and one address may have 7 MB for actors here; end one, or start a run with a smaller unroll or batch"
	if err := fill("class"); !strings.Contains(err.Error(), own) || len(seats) == 0 {
		t.Errorf("%d actors of one address, then: %v", len(seats), err)
	}
	of := len(seats)
	const full = "the actors of other processes take all the 8 MB that they may have here; try again in a minute"
	if err := fill("stranger"); !strings.Contains(err.Error(), full) || len(seats) == of {
		t.Errorf("%d actors of a stranger, then: %v", len(seats)-of, err)
	}
	for _, s := range seats {
		s.Leave()
	}
	if n := l.remote.total(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}

// total returns the bytes of all addresses.
func (m *remoteMemory) total() (bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.of {
		bytes += n
	}
	return bytes
}
