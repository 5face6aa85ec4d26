package wire

import (
	"fmt"
	"reflect"
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

// Message is a pointer to one of the messages of this package.
type Message interface {
	Type() byte // second byte of the frame
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
	fields []field
}

func rowOf[M any, P interface {
	*M
	Message
}](from Direction) row {
	t := reflect.TypeFor[M]()
	return row{P(new(M)).Type(), t.Name(), from, func() Message { return P(new(M)) }, fieldsOf(t, 0, "", "")}
}

// table has all messages.
var table = [...]row{
	rowOf[Hello](FromBrowser), rowOf[Set](FromBrowser), rowOf[Do](FromBrowser), rowOf[Want](FromBrowser),
	rowOf[Welcome](FromServer), rowOf[Changed](FromServer), rowOf[Status](FromServer), rowOf[Point](FromServer),
	rowOf[XRay](FromServer), rowOf[Frame](FromServer), rowOf[Gauge](FromServer), rowOf[Refused](FromServer),
	rowOf[Bye](FromServer), rowOf[Weights](FromServer), rowOf[Judged](FromServer), rowOf[Belt](FromServer),
	rowOf[Join](FromActor), rowOf[Block](FromActor),
	rowOf[Place](ToActor), rowOf[Order](ToActor), rowOf[Leave](ToActor),
}

// A type byte never changes its meaning; a new message gets a new one. typeJoined is none of them.

func (*Hello) Type() byte   { return 1 }
func (*Set) Type() byte     { return 2 }
func (*Do) Type() byte      { return 3 }
func (*Want) Type() byte    { return 4 }
func (*Welcome) Type() byte { return 16 }
func (*Changed) Type() byte { return 17 }
func (*Status) Type() byte  { return 18 }
func (*Point) Type() byte   { return 19 }
func (*XRay) Type() byte    { return 20 }
func (*Frame) Type() byte   { return 21 }
func (*Gauge) Type() byte   { return 22 }
func (*Refused) Type() byte { return 23 }
func (*Bye) Type() byte     { return 24 }
func (*Weights) Type() byte { return 25 }
func (*Judged) Type() byte  { return 26 }
func (*Belt) Type() byte    { return 27 }
func (*Join) Type() byte    { return 48 }
func (*Block) Type() byte   { return 49 }
func (*Place) Type() byte   { return 50 }
func (*Order) Type() byte   { return 51 }
func (*Leave) Type() byte   { return 52 }

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

// walks pools walks. A walk on the stack would escape.
var walks = sync.Pool{New: func() any { return new(walk) }}

// through walks a message whose frame begins or ends with buf, and returns the buffer after it.
func (of *row) through(m Message, buf []byte, decoding bool) ([]byte, error) {
	w := walks.Get().(*walk)
	*w = walk{buf: buf, decoding: decoding}
	w.visit(reflect.ValueOf(m).UnsafePointer(), of.fields)
	buf, err := w.buf, w.err
	*w = walk{}
	walks.Put(w)
	return buf, err
}

// Append appends m's frame to dst. An error names the field that is too long and its limit; dst is then unchanged.
func Append(dst []byte, m Message) ([]byte, error) {
	of := find(m.Type())
	frame, err := of.through(m, append(dst, Version, m.Type()), false)
	if err == nil {
		err = checkSize(len(frame)-len(dst), of.from)
	}
	if err != nil {
		return dst, fmt.Errorf("%s: %w", of.name, err)
	}
	return frame, nil
}

func checkSize(bytes int, from Direction) error {
	if most := sides[from].limit; bytes > most {
		return fmt.Errorf("the frame has %d bytes; the limit from a %s is %d", bytes, from, most)
	}
	return nil
}

// Decode reads the message of a frame from one side. The message shares no memory with the frame. Errors are sentences
// for people.
func Decode(frame []byte, from Direction) (Message, error) {
	if err := checkSize(len(frame), from); err != nil {
		return nil, err
	}
	switch {
	case len(frame) < 2:
		return nil, fmt.Errorf("the frame has %d bytes; the shortest has 2", len(frame))
	case frame[0] != Version:
		return nil, fmt.Errorf("the %s speaks version %d of the protocol and this side version %d; %s", from, frame[0],
			Version, sides[from].update)
	}
	return decode(frame[1], frame[2:], from)
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
	rest, err := of.through(m, body, true)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow its end", len(rest))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", of.name, err)
	}
	return m, nil
}
