package cluster

import (
	"context"
	"errors"
	"time"

	"impalab/web/hub"
	"impalab/web/wire"
)

// Bits of a front end's answer to each message of a feed.
const (
	takesFrames  byte = 1 << iota // its viewers want frames
	takesWeights                  // …weights
	enough                        // its last viewer has left
)

// beat is the longest silence of a feed: an empty message shows that the host is there.
const beat = time.Second

// errEnough says that the last viewer at a front end has left a run.
var errEnough = errors.New("the front end has no viewers left")

// follow begins a feed: the host sends the messages of a run to a front end, which counts as one viewer.
func (h *Host) follow(q followAsk) (a followAnswer, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, within)
	defer cancel()
	run, err := h.Runs.Join(ctx, q.Run, "")
	if err != nil {
		return a, err
	}
	sub := run.Subscribe(q.After)
	first, err := sub.Take() // the Welcome
	if err == nil {
		a.Welcome, err = first.Frame()
	}
	if err != nil {
		sub.Close()
		run.Leave()
		return a, err
	}
	a.At, a.Owner = sub.At(), sub.ID()
	h.gone.Go(func() { h.feed(run, sub, q.To) }) // ends with Close, or when the front end is gone
	return a, nil
}

// feed sends messages until the end of the feed. A run whose front end was lost counts as watched for a while: the
// front end may come back in a moment, and the run continues meanwhile.
func (h *Host) feed(run hub.Run, sub *hub.Subscriber, to string) {
	defer sub.Close()
	switch err := h.tell(sub, to); {
	case h.ctx.Err() != nil:
		if frame, err := hub.Alone(&wire.Bye{Reason: errStopping.Error()}).Frame(); err == nil {
			h.NATS.Publish(to, frame)
		}
	case !errors.Is(err, errEnough) && !errors.Is(err, hub.ErrClosed):
		h.Log.Info("a front end is lost, or has lost its connection", "error", err)
		time.AfterFunc(lingers, run.Leave)
		return
	}
	run.Leave()
}

// tell sends messages until the front end has enough or does not answer, or the run ends.
func (h *Host) tell(sub *hub.Subscriber, to string) error {
	takes := takesFrames // a subscriber's first wish
	for {
		b, err := sub.Take()
		if err != nil {
			return err
		}
		var frame []byte // empty for a beat
		if b == nil {
			select {
			case <-sub.Ready():
				continue
			case <-time.After(beat):
			case <-h.ctx.Done():
				return h.ctx.Err()
			}
		} else if frame, err = b.Frame(); err != nil {
			return err
		}
		begun := time.Now()
		answer, err := h.send(to, frame)
		if err != nil {
			return err
		}
		sub.Sent(time.Since(begun))
		if answer != takes {
			takes = answer
			sub.Want(takes&takesFrames != 0, takes&takesWeights != 0)
		}
	}
}

// send sends one message and returns the answer.
func (h *Host) send(to string, frame []byte) (answer byte, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, within)
	defer cancel()
	m, err := h.NATS.RequestWithContext(ctx, to, frame)
	switch {
	case err != nil:
		return 0, err
	case len(m.Data) != 1:
		return 0, errors.New("its answer is not one byte")
	case m.Data[0]&enough != 0:
		return 0, errEnough
	}
	return m.Data[0], nil
}
