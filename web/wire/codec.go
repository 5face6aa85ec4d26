package wire

import (
	"fmt"
	"sync"
)

// Direction is the side that sends a message.
type Direction uint8

const (
	FromBrowser Direction = iota + 1
	FromServer
	FromActor // an actor in another process
	ToActor
)

// sides have the name of each side, its largest frame in bytes, and the advice if it has another version.
var sides = [...]struct {
	name   string
	limit  int
	update string
}{
	FromBrowser: {"browser", MaxFromBrowser, "reload the page"},
	FromServer:  {"server", MaxToBrowser, "reload the page"},
	FromActor:   {"remote actor", MaxFromActor, "start it from the server's own build"},
	ToActor:     {"server", MaxToActor, "start the actor from the server's own build"},
}

func (d Direction) String() string { return sides[d].name }

func (d Direction) limit() int { return sides[d].limit }

// Message is a pointer to one of the messages of this package.
type Message interface {
	Type() byte // second byte of the frame
	walk(*walk)
}

// Event is a message of a run's history. Its publisher sets its number.
type Event interface {
	Message
	EventNumber() *uint64
}

// row describes a message type.
type row struct {
	number byte
	name   string
	from   Direction
	empty  func() Message
}

// The type bytes. A type byte never changes its meaning; a new message gets a new one.
const (
	typeHello   byte = 1
	typeSet     byte = 2
	typeDo      byte = 3
	typeWant    byte = 4
	typeWelcome byte = 16
	typeChanged byte = 17
	typeStatus  byte = 18
	typePoint   byte = 19
	typeXRay    byte = 20
	typeFrame   byte = 21
	typeGauge   byte = 22
	typeRefused byte = 23
	typeBye     byte = 24
	typeWeights byte = 25
	typeJudged  byte = 26
	typeJoin    byte = 48
	typeBlock   byte = 49
	typePlace   byte = 50
	typeOrder   byte = 51
	typeLeave   byte = 52
)

// table has all messages.
var table = [...]row{
	{typeHello, "Hello", FromBrowser, func() Message { return new(Hello) }},
	{typeSet, "Set", FromBrowser, func() Message { return new(Set) }},
	{typeDo, "Do", FromBrowser, func() Message { return new(Do) }},
	{typeWant, "Want", FromBrowser, func() Message { return new(Want) }},
	{typeWelcome, "Welcome", FromServer, func() Message { return new(Welcome) }},
	{typeChanged, "Changed", FromServer, func() Message { return new(Changed) }},
	{typeStatus, "Status", FromServer, func() Message { return new(Status) }},
	{typePoint, "Point", FromServer, func() Message { return new(Point) }},
	{typeXRay, "XRay", FromServer, func() Message { return new(XRay) }},
	{typeFrame, "Frame", FromServer, func() Message { return new(Frame) }},
	{typeGauge, "Gauge", FromServer, func() Message { return new(Gauge) }},
	{typeRefused, "Refused", FromServer, func() Message { return new(Refused) }},
	{typeBye, "Bye", FromServer, func() Message { return new(Bye) }},
	{typeWeights, "Weights", FromServer, func() Message { return new(Weights) }},
	{typeJudged, "Judged", FromServer, func() Message { return new(Judged) }},
	{typeJoin, "Join", FromActor, func() Message { return new(Join) }},
	{typeBlock, "Block", FromActor, func() Message { return new(Block) }},
	{typePlace, "Place", ToActor, func() Message { return new(Place) }},
	{typeOrder, "Order", ToActor, func() Message { return new(Order) }},
	{typeLeave, "Leave", ToActor, func() Message { return new(Leave) }},
}

func (*Hello) Type() byte   { return typeHello }
func (*Set) Type() byte     { return typeSet }
func (*Do) Type() byte      { return typeDo }
func (*Want) Type() byte    { return typeWant }
func (*Welcome) Type() byte { return typeWelcome }
func (*Changed) Type() byte { return typeChanged }
func (*Status) Type() byte  { return typeStatus }
func (*Point) Type() byte   { return typePoint }
func (*XRay) Type() byte    { return typeXRay }
func (*Frame) Type() byte   { return typeFrame }
func (*Gauge) Type() byte   { return typeGauge }
func (*Refused) Type() byte { return typeRefused }
func (*Bye) Type() byte     { return typeBye }
func (*Weights) Type() byte { return typeWeights }
func (*Judged) Type() byte  { return typeJudged }
func (*Join) Type() byte    { return typeJoin }
func (*Block) Type() byte   { return typeBlock }
func (*Place) Type() byte   { return typePlace }
func (*Order) Type() byte   { return typeOrder }
func (*Leave) Type() byte   { return typeLeave }

func (m *Changed) EventNumber() *uint64 { return &m.Event }
func (m *Status) EventNumber() *uint64  { return &m.Event }
func (m *Point) EventNumber() *uint64   { return &m.Event }
func (m *Judged) EventNumber() *uint64  { return &m.Event }

func find(number byte) *row {
	for i := range table {
		if table[i].number == number {
			return &table[i]
		}
	}
	return nil
}

// walks pools walks. A walk on the stack would escape through the interface.
var walks = sync.Pool{New: func() any { return new(walk) }}

// Append appends m's frame to dst. An error names the field that is too long and its limit; dst is then unchanged.
func Append(dst []byte, m Message) ([]byte, error) {
	w := walks.Get().(*walk)
	*w = walk{buf: append(dst, Version, m.Type())}
	m.walk(w)
	frame, err := w.buf, w.err
	*w = walk{}
	walks.Put(w)
	of := find(m.Type())
	if most := of.from.limit(); err == nil && len(frame)-len(dst) > most {
		err = fmt.Errorf("the frame has %d bytes; the limit from a %s is %d", len(frame)-len(dst), of.from, most)
	}
	if err != nil {
		return dst, fmt.Errorf("%s: %w", of.name, err)
	}
	return frame, nil
}

// Decode reads the message of a frame from one side. The message shares no memory with the frame. Errors are sentences
// for people.
func Decode(frame []byte, from Direction) (Message, error) {
	switch {
	case len(frame) > from.limit():
		return nil, tooLong(frame, from)
	case len(frame) < 2:
		return nil, fmt.Errorf("the frame has %d bytes; the shortest has 2", len(frame))
	case frame[0] != Version:
		return nil, fmt.Errorf("the %s speaks version %d of the protocol and this side version %d; %s", from, frame[0],
			Version, sides[from].update)
	}
	return decode(frame[1], frame[2:], from)
}

func tooLong(frame []byte, from Direction) error {
	return fmt.Errorf("the frame has %d bytes; the limit from a %s is %d", len(frame), from, from.limit())
}

// decode reads the fields of a message.
func decode(number byte, body []byte, from Direction) (Message, error) {
	of := find(number)
	switch {
	case of == nil:
		return nil, fmt.Errorf("a message of type %d is unknown", number)
	case of.from != from:
		return nil, fmt.Errorf("%s: a %s does not send it", of.name, from)
	}
	m := of.empty()
	w := walks.Get().(*walk)
	*w = walk{buf: body, decoding: true}
	m.walk(w)
	rest, err := len(w.buf), w.err
	*w = walk{}
	walks.Put(w)
	if err == nil && rest > 0 {
		err = fmt.Errorf("%d bytes follow its end", rest)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", of.name, err)
	}
	return m, nil
}
