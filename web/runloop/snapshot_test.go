package runloop

import (
	"context"
	"errors"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// house is a host that reports its snapshots.
type house struct {
	cfg   hyper.Config
	built chan struct{} // closed when the run asks for its learner, on a core
	kept  func() (room bool)

	rests   bool // from the first update on
	breaths int
}

func (h *house) Learner() (l *learner.Learner, reported watch.Reported, err error) {
	close(h.built)
	l, err = learner.Engine{Lower: graph.Lower}.New(h.cfg)
	return l, reported, err
}
func (h *house) Admit(*hyper.Config) error    { return nil }
func (h *house) Fixed() error                 { return nil }
func (h *house) Rests() bool                  { return h.rests && h.breaths > 1 }
func (h *house) Save(Snapshot) bool           { return h.kept() }
func (h *house) Publish(wire.Message, uint64) {}
func (h *house) Breathe()                     { h.breaths++ }

// A snapshot yields its core. A paused run holds none between two requests, so it must take one first: else the yield
// releases a core of another goroutine, and the core that it gets is lost.
func TestAPausedRunTakesItsSnapshotOnACore(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	change, err := hyper.ParseHot("rho", "3")
	if err != nil {
		t.Fatal(err)
	}
	cores := schedule.NewCores(1)
	other := cores.Share("another", 1)
	isFree := func() bool {
		got := other.Try()
		if got {
			other.Release()
		}
		return got
	}
	free, built := make(chan bool, 10), make(chan struct{})
	var topics hub.Hub
	r := &Run{ID: "r", Link: &hyper.Link{Config: cfg}, Topic: topics.Topic(100, 0), Record: NewRecord(&cfg, "test"),
		Cores: cores.Share("own", 1), Host: &house{cfg: cfg, built: built,
			kept: func() bool { free <- isFree(); return true }}}
	r.Begin(Paused, "")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.Train(ctx) }()
	<-built
	kit.Until(t, "the paused run releases its core", isFree)
	if err := r.Ask(Request{Changes: []hyper.Change{change}}); err != nil {
		t.Fatal(err)
	}
	if <-free {
		t.Error("the core was free during the snapshot")
	}
	stop()
	<-ended
}

// A run that rests takes a snapshot, and gives its memory back later: packing the same state again takes seconds and
// hundreds of megabytes.
func TestARunThatGivesWayAtItsSnapshotTakesNoOther(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	for room, want := range map[bool]int{true: 1, false: 2} {
		var topics hub.Hub
		taken, n := make(chan int, 10), 0
		r := &Run{ID: "r", Link: &hyper.Link{Config: cfg}, Topic: topics.Topic(100, 0), Record: NewRecord(&cfg, "test"),
			Host: &house{cfg: cfg, built: make(chan struct{}), rests: true,
				kept: func() bool { n++; taken <- n; return room }}}
		r.Begin(Running, "")
		r.keeping.Later(-time.Second)
		ended := make(chan error)
		go func() { ended <- r.Train(t.Context()) }()
		<-taken
		r.Interrupt(GiveWay)
		if err := <-ended; !errors.Is(err, GiveWay) {
			t.Fatalf("it ended with %v", err)
		}
		if n != want {
			t.Errorf("%d snapshots of one state were taken, want %d; room for the first: %v", n, want, room)
		}
	}
}
