package hub

import (
	"sync"

	"impalab/web/wire"
)

// Batch is one frame for one or many subscribers. It never changes. The first subscriber that needs its bytes encodes
// it, outside the topic's mutex.
type Batch struct {
	Event uint64 // number of its newest event; 0: none
	Last  bool   // it contains Bye, so nothing follows
	Noise bool   // it contains parameters, which do not compress

	messages []wire.Message
	to       position // position after it
	dropped  uint64   // messages that newer ones replaced before it was shown

	once  sync.Once
	frame []byte
	err   error
	forms [ways]form
}

// The forms of a frame on its way.
const (
	Socket = iota // a websocket message
	Stream        // a server-sent event, in base64
	Events        // server-sent events for programs
	ways
)

type form struct {
	once  sync.Once
	value any
}

// Alone returns a batch of one message.
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

// Frame returns the batch as bytes, which all subscribers share. An error names the message that cannot be sent.
func (b *Batch) Frame() ([]byte, error) {
	b.once.Do(func() { b.frame, b.err = wire.AppendJoined(nil, b.messages) })
	return b.frame, b.err
}

// Form returns pack(frame). The first subscriber that asks for a way computes it; all share the result. Call it only
// after a Frame without an error.
func (b *Batch) Form(way int, pack func(frame []byte) any) any {
	f := &b.forms[way]
	f.once.Do(func() { f.value = pack(b.frame) })
	return f.value
}
