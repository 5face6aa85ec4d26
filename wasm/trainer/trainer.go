// Package trainer trains the runs of a page in a worker of the browser: all of them where there is no server. It
// answers a page in the same messages as a server's lab, through the same hub, so that the page does not care where a
// run trains. It keeps nothing when the page is gone, and it makes no programs: it finds them among stored ones.
//
// It needs no browser, and is tested without one. Look at Trainer.Serve first.
package trainer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"impalab/learner"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Options of a trainer.
type Options struct {
	Build string
	Name  string     // begins the names of its runs: a page tells by it which of its trainers has a run
	Lower algo.Lower // makes or finds programs
	// Prepare has the programs of a configuration be found; nil: they are, or they are made.
	Prepare func(*hyper.Config) error
	// Breathe is called between two updates, by the goroutine of a run: whoever has but one thread listens there. nil:
	// there is no need to.
	Breathe func()
}

// Trainer has the runs of one page: those in its columns, and some that had one before, so that it can go back to them.
type Trainer struct {
	opts Options
	hub  hub.Hub
	gone sync.WaitGroup
	name string

	again sync.Mutex // whoever makes moments again

	mu    sync.Mutex
	runs  []*Run // oldest first
	begun int    // so far
}

// What a page's runs may take, all together and each. A tab of a phone has about a gigabyte.
const (
	maxRuns  = 12
	maxBytes = 256e6
	maxWork  = 4e9 // floating-point operations of one update: about two seconds
)

// New makes a trainer. Close ends it.
func New(o Options) *Trainer {
	if o.Breathe == nil {
		o.Breathe = func() {}
	}
	if o.Prepare == nil {
		o.Prepare = func(*hyper.Config) error { return nil }
	}
	return &Trainer{opts: o, name: o.Name + word() + "-"}
}

// Close stops every run where it stands, and waits for that.
func (t *Trainer) Close() {
	t.mu.Lock()
	for _, r := range t.runs {
		r.stop(errDropped)
	}
	t.runs = nil
	t.mu.Unlock()
	t.gone.Wait()
}

// Serve talks to a page: it takes its frames from in, and gives it frames through send, until in is closed or there is
// nothing more to say. Send may keep a frame, and not change it.
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
		b, err := talk.Take()
		switch {
		case err != nil:
			return nil // the topic has said Bye itself
		case b != nil:
			if err := say(b); err != nil {
				return err
			}
		}
		var ready <-chan struct{}
		if b == nil {
			ready = talk.Ready()
		} else {
			ready = always
		}
		select {
		case <-ready:
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

// always is a channel that is ready.
var always = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Open gives a page the run it names, a fork of one, or a new one. hello.After is 0 afterwards unless it is the first.
func (t *Trainer) Open(hello *wire.Hello) (hub.Run, error) {
	key := ""
	if hello.Key == "" {
		key = word() + word() // the page gives it to all of its runs, as it would one of a server's
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.find(hello.Run); r != nil {
		r.join()
		return &viewer{r, key}, nil
	}
	hello.After = 0
	settings := make([]hyper.Setting, len(hello.Settings))
	for i, s := range hello.Settings {
		settings[i] = hyper.Setting(s)
	}
	var r *Run
	var err error
	if hello.From.Run != "" {
		r, err = t.fork(hello.From, settings)
	} else {
		var asked hyper.Link
		if asked, err = hyper.ReadLink(settings); err == nil {
			r, err = t.begin(asked)
		}
	}
	if err != nil {
		return nil, err
	}
	r.join()
	t.makeRoom()
	t.runs = append(t.runs, r)
	t.gone.Go(r.live) // ends when the run is dropped
	return &viewer{r, key}, nil
}

// word is a word that nobody has said before. The runtime seeds this chance; crypto/rand would be 100 kB more to
// download.
func word() string { return fmt.Sprintf("%013s", strconv.FormatUint(rand.Uint64(), 36)) }

// named is the run of a name, or an error where there is none.
func (t *Trainer) named(id string) (*Run, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.find(id); r != nil {
		return r, nil
	}
	return nil, errDropped
}

// find is named, for whoever holds mu; nil where there is none.
func (t *Trainer) find(id string) *Run {
	for _, r := range t.runs {
		if r.id == id {
			return r
		}
	}
	return nil
}

// makeRoom drops the oldest run that nobody watches, when there are many.
func (t *Trainer) makeRoom() {
	if len(t.runs) < maxRuns {
		return
	}
	for i, r := range t.runs {
		if r.watchers() == 0 {
			r.stop(errDropped)
			t.runs = append(t.runs[:i], t.runs[i+1:]...)
			return
		}
	}
}

// begin is a new run.
func (t *Trainer) begin(asked hyper.Link) (*Run, error) {
	if err := admit(&asked.Config); err != nil {
		return nil, err
	}
	if err := asked.Config.CheckTurns(asked.Turns, 0); err != nil {
		return nil, err
	}
	return t.hold(asked, newRecord(t.opts.Build, &asked.Config)), nil
}

// hold makes a run of a record.
func (t *Trainer) hold(asked hyper.Link, rec *record) *Run {
	t.begun++
	return newRun(t, t.name+strconv.Itoa(t.begun), asked, rec)
}

// fork is a new run that is another up to a moment, and goes on from there with other settings.
func (t *Trainer) fork(from wire.Origin, settings []hyper.Setting) (*Run, error) {
	parent := t.find(from.Run)
	if parent == nil {
		return nil, fmt.Errorf("this page does not have the run %.40s: a browser keeps runs only until its page is closed; "+
			"begin another", from.Run)
	}
	asked := parent.asked
	asked.Unknown, asked.UpTo, asked.Paused = nil, 0, ""
	rec, err := parent.record.cut(from, &asked.Config)
	if err != nil {
		return nil, err
	}
	asked.Turns = rec.tape.TurnsOfFork(asked.Turns, rec.steps)
	cfg, err := rec.tape.At(asked.Config, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		if s.Key == "preset" || s.Key == "p" {
			continue // what links of the fork count from is as in the run it leaves
		}
		change, err := hyper.ParseHot(s.Key, s.Value)
		if err != nil {
			return nil, err
		}
		was := cfg.Get(change.Key())
		change.Apply(&cfg)
		rec.change(rec.changedHere(change.Key(), was, change.Value()), tape.ByFork)
	}
	if err := admit(&cfg); err != nil {
		return nil, err
	}
	r := t.hold(asked, rec)
	r.from = from
	return r, nil
}

// admit refuses what is invalid, and what a browser's tab is too small for.
func admit(cfg *hyper.Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	if cfg.Mode == hyper.Live {
		return errors.New("mode=live: actors that race the learner need a server; choose mode=reference")
	}
	if _, err := cfg.Kernels(""); err != nil {
		return err
	}
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return err
	case cost.Bytes > maxBytes:
		return fmt.Errorf("this run would take %.3g MB of memory, most of it for %s; in a browser a run may take %.3g MB: "+
			"make one of these smaller, or open it on a server", cost.Bytes/1e6, cost.Largest, maxBytes/1e6)
	case cost.Work > maxWork:
		return fmt.Errorf("one update would take %.2g operations with %s; in a browser it may take %.2g: make one of these "+
			"smaller, or open it on a server", cost.Work, cost.Working, maxWork)
	}
	return nil
}

// ParamsSHA256 is the hash of the parameters that a run ended with; "" before it has.
func (t *Trainer) ParamsSHA256(id string) string {
	r, err := t.named(id)
	if err != nil {
		return ""
	}
	r.record.mu.Lock()
	defer r.record.mu.Unlock()
	if n := len(r.record.tape.Events); n > 0 {
		return r.record.tape.Events[n-1].ParamsSHA256
	}
	return ""
}
