package cluster

import (
	"context"
	"errors"
	"time"

	"impalab/web/hub"
	"impalab/web/wire"
)

// What a front end answers each message of a feed: what its viewers take, and whether it wants any more.
const (
	takesFrames byte = 1 << iota
	takesWeights
	enough
)

// beat is the longest silence of a feed: a message without content says that the host is there.
const beat = time.Second

// errEnough says that nobody looks on at a front end any more.
var errEnough = errors.New("nobody looks on there any more")

// follow begins a feed: what a run tells is sent to a front end, which is one viewer of it whoever looks on there.
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

// feed sends what comes until somebody ends it. A run whose front end was lost counts as watched for a while: the front
// end may be there again in a moment, and the run goes on meanwhile.
func (h *Host) feed(run hub.Run, sub *hub.Subscriber, to string) {
	defer sub.Close()
	switch err := h.tell(sub, to); {
	case h.ctx.Err() != nil:
		if frame, err := hub.Alone(&wire.Bye{Reason: errStopping.Error()}).Frame(); err == nil {
			h.NATS.Publish(to, frame) // where it is lost the front end finds nobody
		}
	case !errors.Is(err, errEnough) && !errors.Is(err, hub.ErrClosed):
		h.Log.Info("a front end is lost, or has lost its connection", "error", err)
		time.AfterFunc(h.Lingers, run.Leave)
		return
	}
	run.Leave()
}

// tell sends what comes until the front end has enough or does not answer, or the run is held no more.
func (h *Host) tell(sub *hub.Subscriber, to string) error {
	var takes byte = takesFrames // as a subscriber begins
	for {
		b, err := sub.Take()
		if err != nil {
			return err
		}
		var frame []byte // without a batch none: a beat
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

// send sends one message and waits for the answer.
func (h *Host) send(to string, frame []byte) (answer byte, err error) {
	ctx, cancel := context.WithTimeout(h.ctx, within)
	defer cancel()
	m, err := h.NATS.RequestWithContext(ctx, to, frame)
	switch {
	case err != nil:
		return 0, err
	case len(m.Data) != 1:
		return 0, errors.New("it answers what no front end answers")
	case m.Data[0]&enough != 0:
		return 0, errEnough
	}
	return m.Data[0], nil
}
