// Package trainer trains the runs of a page in a worker of the browser; without a server it trains all of them. It
// sends the page the same messages as a server's lab, through the same hub. When the page is gone nothing is left. It
// finds the networks' programs among stored ones.
//
// It needs no browser, and is tested without one. Look at Trainer.Serve first.
package trainer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/web/hub"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// Options of a trainer.
type Options struct {
	Build string
	Name  string     // the names of its runs begin with this: a page tells its trainers apart by it
	Lower algo.Lower // makes or finds programs
	// Prepare fetches the programs of a configuration. nil: they are there, or Lower makes them.
	Prepare func(*hyper.Config) error
	// Breathe is called between two updates, on the goroutine of a run: a program with one thread reads its messages
	// there. nil: it is not needed.
	Breathe func()
}

// Trainer has the runs of one page: those in its columns, and some earlier ones to which the page may return.
type Trainer struct {
	opts Options
	hub  hub.Hub
	gone sync.WaitGroup
	name string

	recomputing sync.Mutex

	mu    sync.Mutex
	runs  []*Run // oldest first
	begun int    // so far
}

// history is how many events a page that comes back may have missed.
const history = 20_000

// maxRuns limits the runs of a page.
const maxRuns = 12

// New makes a trainer. Close must follow.
func New(o Options) *Trainer {
	if o.Breathe == nil {
		o.Breathe = func() {}
	}
	if o.Prepare == nil {
		o.Prepare = func(*hyper.Config) error { return nil }
	}
	return &Trainer{opts: o, name: o.Name + word() + "-"}
}

// Close stops every run and waits until they have stopped.
func (t *Trainer) Close() {
	t.mu.Lock()
	for _, r := range t.runs {
		r.Interrupt(errDropped)
	}
	t.runs = nil
	t.mu.Unlock()
	t.gone.Wait()
}

// Serve talks to a page: it reads the page's frames from in, and calls send with its own, until in is closed or the run
// is dropped. Send may keep a frame, and must not change it.
func (t *Trainer) Serve(in <-chan []byte, send func(frame []byte)) {
	say := func(b *hub.Batch) error {
		frame, err := b.Frame()
		if err == nil {
			send(frame)
		}
		return err
	}
	if err := t.serve(in, say); err != nil {
		say(hub.Alone(&wire.Bye{Reason: err.Error()}))
	}
}

func (t *Trainer) serve(in <-chan []byte, say func(*hub.Batch) error) error {
	first, ok := <-in
	if !ok {
		return nil
	}
	m, err := wire.Decode(first, wire.FromBrowser)
	if err != nil {
		return err
	}
	hello, ok := m.(*wire.Hello)
	if !ok {
		return errors.New("out of order: the first message must be Hello")
	}
	run, err := t.Open(hello)
	if err != nil {
		return err
	}
	talk := hub.Begin(run, hello.After)
	defer talk.End()
	for {
		b, err := talk.Next()
		switch {
		case err != nil:
			return nil // the topic has said Bye itself
		case b != nil:
			if err := say(b); err != nil {
				return err
			}
		}
		select {
		case <-talk.Ready():
		case frame, ok := <-in:
			if !ok {
				return nil
			}
			m, err := wire.Decode(frame, wire.FromBrowser)
			if err == nil {
				err = talk.Hear(m)
			}
			if err != nil {
				return err
			}
		}
	}
}

// Open gives a page the run that it names, a fork of one, or a new one. hello.After is 0 afterwards unless it is the
// first.
func (t *Trainer) Open(hello *wire.Hello) (hub.Run, error) {
	key := ""
	if hello.Key == "" {
		key = word() + word() // the page gives it to all of its runs
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.find(hello.Run); r != nil {
		r.Join()
		return &runloop.Viewer{Run: &r.Run, Steers: true, Key: key}, nil
	}
	hello.After = 0
	settings := make([]hyper.Setting, len(hello.Settings))
	for i, s := range hello.Settings {
		settings[i] = hyper.Setting(s)
	}
	begin := t.begin
	if hello.From.Run != "" {
		begin = func(settings []hyper.Setting) (*Run, error) { return t.fork(hello.From, settings) }
	}
	r, err := begin(settings)
	if err != nil {
		return nil, err
	}
	r.Join()
	t.dropOldest()
	t.runs = append(t.runs, r)
	t.gone.Go(r.live) // ends when the run is dropped
	return &runloop.Viewer{Run: &r.Run, Steers: true, Key: key}, nil
}

// word returns a random word. The runtime seeds this chance; crypto/rand would be 100 kB more to download.
func word() string { return fmt.Sprintf("%013s", strconv.FormatUint(rand.Uint64(), 36)) }

// named returns the run of a name, or an error.
func (t *Trainer) named(id string) (*Run, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.find(id); r != nil {
		return r, nil
	}
	return nil, errDropped
}

// find is named for a caller that holds mu; nil: there is no such run.
func (t *Trainer) find(id string) *Run {
	for _, r := range t.runs {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// dropOldest drops the oldest unwatched run, when there are many.
func (t *Trainer) dropOldest() {
	if len(t.runs) < maxRuns {
		return
	}
	for i, r := range t.runs {
		if r.Rests() {
			r.Interrupt(errDropped)
			t.runs = append(t.runs[:i], t.runs[i+1:]...)
			return
		}
	}
}

// begin returns a new run of a link's settings.
func (t *Trainer) begin(settings []hyper.Setting) (*Run, error) {
	asked, err := hyper.ReadLink(settings)
	if err == nil {
		err = admit(&asked.Config)
	}
	if err == nil {
		err = asked.Config.CheckPlan(asked.Turns, 0)
	}
	if err != nil {
		return nil, err
	}
	return t.host(asked, wire.Origin{}, &record{Record: runloop.NewRecord(&asked.Config, t.opts.Build)}), nil
}

// host puts a run with this record into memory.
func (t *Trainer) host(asked hyper.Link, from wire.Origin, rec *record) *Run {
	t.begun++
	r := &Run{trainer: t, record: rec, Run: runloop.Run{ID: t.name + strconv.Itoa(t.begun), Build: t.opts.Build,
		Link: &asked, From: from, Topic: t.hub.Topic(history, 0), Record: rec.Record}}
	r.Host = r
	r.BeginLinked()
	return r
}

// fork returns a new run that is another one up to an update, and continues from there with other settings.
func (t *Trainer) fork(from wire.Origin, settings []hyper.Setting) (*Run, error) {
	parent := t.find(from.Run)
	if parent == nil {
		return nil, fmt.Errorf("this page does not have the run %.40s: a browser keeps runs only until its page is closed; "+
			"begin another", from.Run)
	}
	asked := *parent.Link
	asked.Unknown, asked.UpTo, asked.Paused = nil, 0, ""
	part, cfg, err := parent.record.Fork(from, &asked, settings)
	if err == nil {
		err = admit(cfg)
	}
	if err != nil {
		return nil, err
	}
	fork := &record{Record: part}
	parent.record.Lock()
	defer parent.record.Unlock()
	for _, s := range parent.record.snapshots {
		if fork.Inherits(&s) {
			fork.snapshots = append(fork.snapshots, s)
		}
	}
	return t.host(asked, from, fork), nil
}

// ParamsSHA256 returns the hash of the parameters that a run ended with; "" before it has ended.
func (t *Trainer) ParamsSHA256(id string) string {
	r, err := t.named(id)
	if err != nil {
		return ""
	}
	r.record.Lock()
	defer r.record.Unlock()
	if end := r.record.Tape.End(); end != nil {
		return end.ParamsSHA256
	}
	return ""
}
