package hub

import (
	"sync"

	"impalab/web/wire"
)

// Batch is what one or many subscribers are shown next, as one frame. It never changes, and is encoded by whoever
// needs its bytes first, outside the topic's mutex.
type Batch struct {
	Event uint64 // number of the newest event in it; 0: none
	Last  bool   // Bye is in it: nothing follows
	Noise bool   // parameters, which look like noise and do not shrink

	messages []wire.Message
	to       position // where it leads
	dropped  uint64   // messages left out that it would have held, had it been shown sooner

	once  sync.Once
	frame []byte
	err   error
	forms [ways]form
}

// The ways in which a frame travels.
const (
	Socket = iota // as a websocket's message
	Stream        // as a server-sent event, in base64
	Events        // as server-sent events for programs
	ways
)

type form struct {
	once  sync.Once
	value any
}

// Alone is a batch of one message.
func Alone(m wire.Message) *Batch {
	b := &Batch{}
	b.add(m)
	return b
}

func (b *Batch) add(m wire.Message) {
	switch m := m.(type) {
	case wire.Event:
		b.Event = *m.EventNumber()
	case *wire.Bye:
		b.Last = true
	case *wire.Weights:
		b.Noise = true
	}
	b.messages = append(b.messages, m)
}

// Frame is the batch as bytes, which belong to all who share it. An error says which message cannot be sent.
func (b *Batch) Frame() ([]byte, error) {
	b.once.Do(func() { b.frame, b.err = wire.AppendJoined(nil, b.messages) })
	return b.frame, b.err
}

// Form is the frame as one way of travelling needs it, made once for all who share the batch and go that way. Frame has
// been called before, and gave no error.
func (b *Batch) Form(way int, pack func(frame []byte) any) any {
	f := &b.forms[way]
	f.once.Do(func() { f.value = pack(b.frame) })
	return f.value
}
