package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// typeJoined marks a frame with several messages, which costs one write and one compression. After Version and
// typeJoined comes each message: four bytes of length, then its frame without Version. There are at least two messages,
// so every content has one encoding.
const typeJoined byte = 32

// least is the size of the shortest message in a joined frame, in bytes.
const least = 5

// AppendJoined appends a frame with several messages to dst. An error names the message that is too long; dst is then
// unchanged.
func AppendJoined(dst []byte, messages []Message) ([]byte, error) {
	if len(messages) == 1 {
		return Append(dst, messages[0])
	}
	if n := len(messages); n == 0 || n > MaxJoined {
		return dst, fmt.Errorf("%d messages are joined; it may be 1 to %d", n, MaxJoined)
	}
	frame := append(dst, Version, typeJoined)
	for _, m := range messages {
		if of := find(m.Type()); of.from != FromServer {
			return dst, fmt.Errorf("%s: only a server joins messages", of.name)
		}
		at := len(frame)
		frame = append(frame, 0, 0, 0) // with Version, these are the four bytes of length
		var err error
		if frame, err = Append(frame, m); err != nil {
			return dst, err
		}
		binary.LittleEndian.PutUint32(frame[at:], uint32(len(frame)-at-4))
	}
	if n := len(frame) - len(dst); n > MaxToBrowser {
		return dst, fmt.Errorf("the joined frame has %d bytes; the limit from a %s is %d", n, FromServer, MaxToBrowser)
	}
	return frame, nil
}

// DecodeAll reads all messages of a frame from one side. It returns all of them or an error.
func DecodeAll(frame []byte, from Direction) ([]Message, error) {
	if len(frame) < 2 || frame[0] != Version || frame[1] != typeJoined || from != FromServer {
		m, err := Decode(frame, from)
		if err != nil {
			return nil, err
		}
		return []Message{m}, nil
	}
	if err := checkSize(len(frame), from); err != nil {
		return nil, err
	}
	var messages []Message
	for rest := frame[2:]; len(rest) > 0; {
		if len(rest) < least {
			return nil, fmt.Errorf("the joined frame ends %d bytes early", least-len(rest))
		}
		n := binary.LittleEndian.Uint32(rest)
		rest = rest[4:]
		switch {
		case uint64(n) > uint64(len(rest)):
			return nil, fmt.Errorf("the joined frame ends %d bytes early", uint64(n)-uint64(len(rest)))
		case len(messages) == MaxJoined:
			return nil, fmt.Errorf("the joined frame carries more than %d messages", MaxJoined)
		case n == 0:
			return nil, errors.New("a message of a joined frame has 0 bytes; the shortest has 1")
		}
		m, err := decode(rest[0], rest[1:n], from)
		if err != nil {
			return nil, err
		}
		messages, rest = append(messages, m), rest[n:]
	}
	if len(messages) < 2 {
		return nil, fmt.Errorf("a joined frame carries %d messages; it is at least 2", len(messages))
	}
	return messages, nil
}
