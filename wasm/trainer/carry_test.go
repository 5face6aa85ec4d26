// The lab of a server has no build for the browser.

//go:build !js

package trainer

import (
	"log/slog"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/graph"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/wasm/run"
	"impalab/web/hub"
	"impalab/web/wire"
)

// mover is a page whose run moves between trainers of browsers and the lab of a server.
type mover struct {
	t    *testing.T
	page *run.Run
	at   hub.Run
	sub  *hub.Subscriber
}

// open continues a run with a Hello on another server.
func (m *mover) open(hello wire.Message, opens func(*wire.Hello) (hub.Run, error)) {
	m.t.Helper()
	if m.at != nil {
		m.sub.Close()
		m.at.Leave()
	}
	at, err := opens(hello.(*wire.Hello))
	if err != nil {
		m.t.Fatal(err)
	}
	m.at, m.sub = at, at.Subscribe(0)
}

// until has the page hear what its run tells, until it knows something of it.
func (m *mover) until(what string, known func() bool) {
	m.t.Helper()
	late := time.After(kit.Patience)
	for !known() {
		b, err := m.sub.Next()
		if err != nil {
			m.t.Fatal(err)
		}
		if b == nil {
			select {
			case <-m.sub.Ready():
			case <-late:
				m.t.Fatalf("it does not come to this: %s", what)
			}
			continue
		}
		frame, err := b.Frame()
		if err != nil {
			m.t.Fatal(err)
		}
		heard, err := wire.DecodeAll(frame, wire.FromServer)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, one := range heard {
			m.page.Apply(one)
		}
	}
}

// set changes a setting, and waits for that.
func (m *mover) set(key, value string) {
	m.t.Helper()
	asked, err := m.page.Set(key, value)
	if err != nil {
		m.t.Fatal(err)
	}
	s := asked.(*wire.Set)
	if err := m.at.Set(m.sub.ID(), s.Seq, s.Key, s.Value); err != nil {
		m.t.Fatal(err)
	}
	m.until(key+"="+value, func() bool { return m.page.Config().Get(key) == value })
}

// newLab returns the lab of a server.
func newLab(t *testing.T) *lab.Lab {
	t.Helper()
	kept, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	runs, err := lab.New(lab.Options{Build: "test", Store: kept, Log: slog.New(slog.DiscardHandler), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(runs.Close)
	return runs
}

// TestARunThatGoesFromBrowserToServerAndBackEndsLikeOneThatStayed has a page move its run, and turn a setting by hand
// wherever it is.
func TestARunThatGoesFromBrowserToServerAndBackEndsLikeOneThatStayed(t *testing.T) {
	t.Parallel()
	runs := newLab(t)
	onServer := func(hello *wire.Hello) (hub.Run, error) { return runs.Open(hello, "a") }
	var browsers [2]*Trainer
	for i := range browsers {
		browsers[i] = New(Options{Build: "test", Name: "here0-", Lower: graph.Lower})
		t.Cleanup(browsers[i].Close)
	}
	m := &mover{t: t, page: run.New("#v=1&p=catch&arithmetic=plain&steps=18000&speed=720", new(run.Speech))}
	carry := func(inBrowser bool) wire.Message {
		t.Helper()
		hello, err := m.page.Carry(inBrowser)
		if err != nil {
			t.Fatal(err)
		}
		return hello
	}
	m.open(m.page.Hello(), browsers[0].Open)
	m.until("some steps in the browser", func() bool { return m.page.Steps() > 300 })
	m.set("lag", "8")
	stood := m.page.Steps()
	m.open(carry(false), onServer)
	m.until("it goes on on the server", func() bool { return m.page.State == wire.StateRunning && m.page.Steps() > stood })
	m.set("correction", "none")
	stood = m.page.Steps()
	m.open(carry(true), browsers[1].Open)
	m.until("it goes on in a browser", func() bool { return m.page.State == wire.StateRunning && m.page.Steps() > stood })
	m.set("c", "0.5")
	m.set("speed", "inf")
	m.until("its end", func() bool { return wire.Over(m.page.State) })
	moved := browsers[1].ParamsSHA256(m.page.ID)

	stayed := &mover{t: t, page: run.New(m.page.Shared(), new(run.Speech))}
	if turns := stayed.page.Link.Planned(); len(turns) != 3 {
		t.Errorf("it was turned %d times: %s", len(turns), m.page.Shared())
	}
	stayed.open(stayed.page.Hello(), onServer)
	stayed.until("its end", func() bool { return wire.Over(stayed.page.State) })
	var info lab.Info
	const pause = 20 * time.Millisecond
	for late := time.Now().Add(kit.Patience); info.State != "done" && time.Now().Before(late); time.Sleep(pause) {
		var err error
		if info, err = runs.Info(t.Context(), stayed.page.ID); err != nil {
			t.Fatal(err)
		}
	}
	if moved != info.ParamsSHA256 || len(moved) != 64 {
		t.Errorf("it ends with %s, the one that stayed with %s", moved, info.ParamsSHA256)
	}
}
