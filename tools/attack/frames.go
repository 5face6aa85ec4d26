package main

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gorilla/websocket"

	"impalab/web/wire"
)

// framesCommand sends frames that no browser sends, and prints the server's answers.
type framesCommand struct{}

func (framesCommand) Run(ctx context.Context, t *target) error {
	for _, o := range oddities() {
		answer, err := t.oddity(ctx, o)
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Printf("%-28s %s\n", o.name, answer)
	}
	return t.alive()
}

// oddity is the frames of one session, and the beginning of the server's answer.
type oddity struct {
	name string
	say  func(*websocket.Conn) error
	want string
}

// oddities is every way to break the rules that we found.
func oddities() []oddity {
	frame := func(m wire.Message) []byte {
		b, err := wire.Append(nil, m)
		if err != nil {
			panic(err) // each is valid alone
		}
		return b
	}
	binary := func(frames ...[]byte) func(*websocket.Conn) error {
		return func(c *websocket.Conn) error {
			for _, f := range frames {
				if err := c.WriteMessage(websocket.BinaryMessage, f); err != nil {
					return nil // the server has closed the session: its answer counts
				}
			}
			return nil
		}
	}
	hello := frame(&wire.Hello{})
	set := func(key, value string) []byte { return frame(&wire.Set{Seq: 1, Key: key, Value: value}) }
	raw := func(b ...byte) []byte { return append([]byte{wire.Version}, b...) }
	markup := "<img src=x onerror=alert(1)>"
	return []oddity{
		{"an empty frame", binary(nil), "Bye: the frame has 0 bytes"},
		{"one byte", binary(raw()), "Bye: the frame has 1 bytes"},
		{"another version", binary([]byte{wire.Version + 1, 1}), "Bye: the browser speaks version"},
		{"an unknown type", binary(raw(200)), "Bye: a message of type 200 is unknown"},
		{"a message of the server", binary(raw(16)), "Bye: Welcome: a browser does not send it"},
		{"a joined frame", binary(raw(32, 1, 0, 0, 0, 4)), "Bye: a message of type 32 is unknown"},
		{"Set before Hello", binary(set("lag", "1")), "Bye: out of order"},
		{"Want before Hello", binary(frame(&wire.Want{})), "Bye: out of order"},
		{"Hello twice", binary(hello, hello), "Bye: out of order"},
		{"Hello cut short", binary(hello[:5]), "Bye: Hello: the frame ends"},
		{"Hello and more", binary(append(bytes.Clone(hello), 0)), "Bye: Hello: 1 bytes follow"},
		{"a length that lies", binary(raw(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)),
			"Bye: Hello: Settings has length 65535"},
		{"not UTF-8", binary(raw(1, 2, 0, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "Bye: Hello: Run is not UTF-8"},
		{"a frame too long", binary(append(raw(1), make([]byte, wire.MaxFromBrowser)...)), "Bye: the frame has 16385 bytes"},
		{"20 MB", binary(append(raw(1), make([]byte, 20<<20)...)), "Bye: the frame has 16385 bytes"},
		{"a text", func(c *websocket.Conn) error { return c.WriteMessage(websocket.TextMessage, []byte("hello")) },
			"Bye: a text message came"},
		{"a flag of 2", binary(hello, raw(4, 2, 0)), "Bye: Want: Frames is 2"},
		{"a number left out", binary(hello, frame(&wire.Do{Seq: 5, Verb: 1})), "Bye: out of order"},
		{"an unknown verb", binary(hello, frame(&wire.Do{Seq: 1, Verb: 99})), "Refused: verb 99"},
		{"an unknown key", binary(hello, set(markup, "1")), "Refused: "},
		{"markup for a world", binary(hello, set("world", markup)), "Refused: "},
		{"a NaN", binary(hello, set("lr", "NaN")), "Refused: "},
		{"a guessed key", binary(frame(&wire.Hello{Run: "0000000000000000", Key: "00", After: 1 << 63})), "Welcome"},
		{"an event to come", binary(frame(&wire.Hello{After: 1<<64 - 1})), "Welcome"},
		{"200 MB deflated", bomb(), "Bye: the frame has 16385 bytes"},
		{"2 000 messages at once", func(c *websocket.Conn) error {
			many := make([][]byte, 2000)
			for i := range many {
				many[i] = frame(&wire.Want{Frames: i%2 == 0})
			}
			return binary(append([][]byte{hello}, many...)...)(c)
		}, "Bye: too fast"},
		{"5 000 pings at once", func(c *websocket.Conn) error {
			for range 5000 {
				if c.WriteControl(websocket.PingMessage, make([]byte, 125), time.Now().Add(time.Second)) != nil {
					break
				}
			}
			return nil
		}, "Bye: too fast"},
	}
}

// bomb is a message that is small until it is inflated. It is made beforehand, because a server waits five seconds for
// a Hello.
func bomb() func(*websocket.Conn) error {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	zeros := make([]byte, 1<<20)
	for i := 0; i < 200 && err == nil; i++ {
		_, err = w.Write(zeros)
	}
	if err == nil {
		err = w.Flush()
	}
	const deflated = 0x40
	frame := masked(deflated|opBinary, bytes.TrimSuffix(packed.Bytes(), []byte{0, 0, 0xff, 0xff}))
	return func(c *websocket.Conn) error {
		if err == nil {
			_, err = c.NetConn().Write(frame)
		}
		return err
	}
}

// oddity sends the frames in a new session and returns the answer: the reason of the Bye or Refused if there is one,
// otherwise the Welcome.
func (t *target) oddity(ctx context.Context, o oddity) (answer string, err error) {
	b, err := t.dial(ctx, attacker)
	if err != nil {
		return "", err
	}
	defer b.conn.Close()
	said := make(chan error, 1)
	go func() { said <- o.say(b.conn) }() // ends with the connection
	answer = "nothing"
	for limit := time.Now().Add(10 * time.Second); ; {
		m, err := b.hear(time.Until(limit))
		switch m := m.(type) {
		case *wire.Bye:
			return "Bye: " + m.Reason, nil
		case *wire.Refused:
			return "Refused: " + m.Reason, nil
		case *wire.Welcome:
			answer = "Welcome"
		}
		if late, ok := err.(net.Error); ok && late.Timeout() || answer == "Welcome" && o.want == answer {
			return answer, nil
		}
		if err != nil {
			return answer + ", then the connection broke: " + err.Error(), nil
		}
	}
}
