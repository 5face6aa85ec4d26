package cluster

import (
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/web/hub"
	"impalab/web/wire"
)

// lingers is how long a run counts as watched after the last wish for it: a front end may come back in a moment.
const lingers = 15 * time.Second

// feed publishes the messages of a run, as long as a front end wishes for them. It is one viewer of the run.
type feed struct {
	id      string
	run     hub.Run
	sub     *hub.Subscriber
	changed chan struct{} // has a token when a wish has changed

	// Under the host's mu:
	wishes map[string]lasting // by relay
	joined bool               // a front end has come, and needs the newest frame and parameters
}

// lasting is a wish that is in force until a time.
type lasting struct {
	wish
	until time.Time
}

// publish begins the feed of a run after an event, if there is none, and returns the owner of requests to it. The feed
// leaves the run.
func (h *Host) publish(run hub.Run, w wish, after uint64) (owner uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feeds[w.Run]
	switch {
	case h.ctx.Err() != nil:
		run.Leave()
		return 0
	case f != nil:
		run.Leave()
	default:
		f = &feed{id: w.Run, run: run, sub: run.Subscribe(after), changed: make(chan struct{}, 1),
			wishes: map[string]lasting{}}
		h.feeds[f.id] = f
		h.gone.Go(func() { h.feed(f) }) // ends without wishes, with the run, or with Close
	}
	f.note(w)
	return f.sub.ID()
}

// wished notes a wish for a run that has a feed.
func (h *Host) wished(w wish) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.feeds[w.Run]; f != nil {
		f.note(w)
	}
}

// note notes a wish. The caller holds the host's mu.
func (f *feed) note(w wish) {
	if w.Left {
		delete(f.wishes, w.From)
	} else {
		_, known := f.wishes[w.From]
		f.joined = f.joined || !known
		f.wishes[w.From] = lasting{w, time.Now().Add(lingers)}
	}
	select {
	case f.changed <- struct{}{}:
	default: // one token is enough
	}
}

// wanted sets what the front ends wish together, and reports whether any wishes more. Otherwise the feed is forgotten,
// and the next state begins another.
func (h *Host) wanted(f *feed) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	frames, weights, now := false, false, time.Now()
	for front, w := range f.wishes {
		if now.After(w.until) {
			h.Log.Info("a front end is lost, or has lost its connection", "run", f.id)
			delete(f.wishes, front)
			continue
		}
		frames, weights = frames || w.Frames, weights || w.Weights
	}
	if len(f.wishes) == 0 {
		delete(h.feeds, f.id)
		return false
	}
	if f.joined {
		f.sub.Want(false, false) // what is wanted again is told again
		f.joined = false
	}
	f.sub.Want(frames, weights)
	return true
}

// feed is the goroutine of a feed.
func (h *Host) feed(f *feed) {
	defer f.run.Leave()
	defer f.sub.Close()
	err := h.stream(f)
	h.mu.Lock()
	if h.feeds[f.id] == f {
		delete(h.feeds, f.id)
	}
	h.mu.Unlock()
	switch {
	case h.ctx.Err() != nil:
		if frame, err := hub.Alone(&wire.Bye{Reason: errStopping.Error()}).Frame(); err == nil {
			h.NATS.Publish(subject(f.id), frame)
		}
	case err != nil && !errors.Is(err, hub.ErrClosed):
		h.Log.Error("the messages of a run end for front ends", "run", f.id, "error", err)
	}
}

// stream publishes until no front end wishes more, or the run or the host ends. While NATS is away messages are lost,
// and front ends ask again.
func (h *Host) stream(f *feed) error {
	if _, err := f.sub.Next(); err != nil { // the Welcome: each front end has its own
		return err
	}
	for h.wanted(f) {
		b, err := f.sub.Next()
		if err != nil {
			return err
		}
		if b != nil {
			frame, err := b.Frame()
			if err != nil {
				return err
			}
			begun := time.Now()
			h.send(f, frame)
			f.sub.Sent(time.Since(begun))
			continue
		}
		select {
		case <-f.sub.Ready():
		case <-f.changed:
		case <-time.After(beat):
			h.send(f, nil)
		case <-h.ctx.Done():
			return h.ctx.Err()
		}
	}
	return nil
}

// send publishes one message of a run; empty: a beat.
func (h *Host) send(f *feed, frame []byte) {
	h.NATS.PublishMsg(&nats.Msg{Subject: subject(f.id), Data: frame,
		Header: nats.Header{eventHeader: {strconv.FormatUint(f.sub.At(), 10)}}})
}
