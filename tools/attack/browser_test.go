package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"impalab/web/wire"
)

// Addresses of this machine: Linux owns all of 127.0.0.0/8.
const (
	attacker = 1      // the first of the addresses that attacks come from
	stranger = 60_000 // a stranger to the attack
)

// from dials from loopback address number n, counted from 127.0.0.1 on.
func from(n int) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, byte(n>>16), byte(n>>8), byte(n))}}
	return d.DialContext
}

// browser is one page without a screen.
type browser struct {
	conn *websocket.Conn
	came []wire.Message // and not read yet
	seq  uint32
}

// patience is how long a browser waits for an answer.
const patience = 20 * time.Second

// dial opens a websocket from loopback address n. An error has the server's words.
func (t *target) dial(ctx context.Context, n int) (*browser, error) {
	d := websocket.Dialer{EnableCompression: true, HandshakeTimeout: patience, NetDialContext: from(n)}
	conn, answer, err := d.DialContext(ctx, "ws://"+t.host+"/ws", http.Header{"Origin": {"http://" + t.host}})
	if err != nil && answer != nil {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		return nil, fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(string(said)))
	}
	if err != nil {
		return nil, err
	}
	return &browser{conn: conn}, nil
}

// visit dials, says hello and reads the Welcome.
func (t *target) visit(ctx context.Context, n int, hello *wire.Hello) (*browser, *wire.Welcome, error) {
	b, err := t.dial(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	err = b.say(hello)
	for err == nil {
		var m wire.Message
		if m, err = b.hear(patience); err != nil {
			break
		}
		switch m := m.(type) {
		case *wire.Welcome:
			return b, m, nil
		case *wire.Bye:
			err = errors.New(m.Reason)
		}
	}
	b.conn.Close()
	return nil, nil, err
}

func (b *browser) say(m wire.Message) error {
	frame, err := wire.Append(nil, m)
	if err != nil {
		return err
	}
	return b.conn.WriteMessage(websocket.BinaryMessage, frame)
}

// set asks for a setting and returns the number of the request.
func (b *browser) set(key, value string) (intent uint32, err error) {
	b.seq++
	return b.seq, b.say(&wire.Set{Seq: b.seq, Key: key, Value: value})
}

// hear returns the next message.
func (b *browser) hear(within time.Duration) (wire.Message, error) {
	if len(b.came) == 0 {
		b.conn.SetReadDeadline(time.Now().Add(within))
		_, frame, err := b.conn.ReadMessage()
		if err != nil {
			return nil, err
		}
		if b.came, err = wire.DecodeAll(frame, wire.FromServer); err != nil {
			return nil, err
		}
	}
	m := b.came[0]
	b.came = b.came[1:]
	return m, nil
}
