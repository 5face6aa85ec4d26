package attack

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"impalab/web/wire"
)

// A tap is a cheap viewer, so two thousand fit beside their server. It reads websocket frames by hand (RFC 6455 and
// 7692), and inflates and decodes a payload of many viewers once.
type tap struct {
	conn net.Conn
	in   *bufio.Reader
	read *reader
	buf  []byte
}

// reader decodes payloads, each once.
type reader struct {
	seed maphash.Seed
	mu   sync.Mutex
	last map[uint64]*payload // the newest few hundred
	ring []uint64
}

// payload is a received websocket message, and the messages in it.
type payload struct {
	once     sync.Once
	messages []wire.Message
	err      error
}

const remembered = 512

func newReader() *reader { return &reader{seed: maphash.MakeSeed(), last: map[uint64]*payload{}} }

// decode returns the messages of a payload.
func (r *reader) decode(b []byte, deflated bool) ([]wire.Message, error) {
	key := maphash.Bytes(r.seed, b)
	r.mu.Lock()
	p := r.last[key]
	if p == nil {
		p = &payload{}
		r.last[key] = p
		if r.ring = append(r.ring, key); len(r.ring) > remembered {
			delete(r.last, r.ring[0])
			r.ring = r.ring[1:]
		}
	}
	r.mu.Unlock()
	p.once.Do(func() {
		plain := b
		if deflated {
			// permessage-deflate leaves these bytes off. With an empty last block the end is not an error.
			end := bytes.NewReader([]byte("\x00\x00\xff\xff\x01\x00\x00\xff\xff"))
			if plain, p.err = io.ReadAll(flate.NewReader(io.MultiReader(bytes.NewReader(b), end))); p.err != nil {
				return
			}
		}
		p.messages, p.err = wire.DecodeAll(plain, wire.FromServer)
	})
	return p.messages, p.err
}

// tap opens a websocket from loopback address n and says hello.
func (t *target) tap(ctx context.Context, n int, r *reader, hello *wire.Hello) (*tap, error) {
	conn, err := from(n)(ctx, "tcp", t.host)
	if err != nil {
		return nil, err
	}
	v := &tap{conn: conn, in: bufio.NewReaderSize(conn, 4096), read: r}
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"+
		"Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n\r\n",
		t.host, t.host)
	answer, err := http.ReadResponse(v.in, nil)
	if err == nil && answer.StatusCode != http.StatusSwitchingProtocols {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		err = fmt.Errorf("%s: %s", answer.Status, bytes.TrimSpace(said))
	}
	if err == nil {
		var frame []byte
		if frame, err = wire.Append(nil, hello); err == nil {
			_, err = conn.Write(masked(opBinary, frame))
		}
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	conn.SetDeadline(time.Time{})
	return v, nil
}

// The opcodes of a websocket.
const (
	opBinary = 2
	opClose  = 8
	opPing   = 9
	opPong   = 10
)

// masked returns a websocket frame from a client, whose mask is zero.
func masked(op byte, payload []byte) []byte {
	b := []byte{0x80 | op}
	if n := len(payload); n < 126 {
		b = append(b, 0x80|byte(n))
	} else {
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

var errGone = errors.New("the server closed the connection")

// next returns the messages of the next websocket message, and its bytes on the wire.
func (v *tap) next() (messages []wire.Message, size int, err error) {
	v.buf = v.buf[:0]
	deflated := false
	for {
		var head [10]byte
		if _, err := io.ReadFull(v.in, head[:2]); err != nil {
			return nil, 0, err
		}
		n, wide := uint64(head[1]&0x7f), 0
		switch n {
		case 126:
			wide = 2
		case 127:
			wide = 8
		}
		if wide > 0 {
			if _, err := io.ReadFull(v.in, head[10-wide:]); err != nil {
				return nil, 0, err
			}
			if n = uint64(binary.BigEndian.Uint16(head[8:])); wide == 8 {
				n = binary.BigEndian.Uint64(head[2:])
			}
		}
		if n > wire.MaxToBrowser {
			return nil, 0, fmt.Errorf("a websocket frame of %d bytes came", n)
		}
		size += 2 + wide + int(n)
		at := len(v.buf)
		v.buf = append(v.buf, make([]byte, n)...)
		if _, err := io.ReadFull(v.in, v.buf[at:]); err != nil {
			return nil, 0, err
		}
		switch op := head[0] & 0x0f; {
		case op == opPing:
			if _, err := v.conn.Write(masked(opPong, v.buf[at:])); err != nil {
				return nil, 0, err
			}
			v.buf = v.buf[:at]
			continue
		case op == opClose:
			return nil, 0, errGone
		case op == opBinary:
			deflated = head[0]&0x40 != 0
		}
		if head[0]&0x80 != 0 {
			messages, err = v.read.decode(v.buf, deflated)
			return messages, size, err
		}
	}
}

// A tap reads the same as a browser: short frames, long ones, deflated ones, with a ping between.
func TestATapReadsWhatTheServerSays(t *testing.T) {
	long := strings.Repeat("long ", 100)
	said := []wire.Message{&wire.Bye{Reason: "short"}, &wire.Bye{Reason: long},
		&wire.Frame{Number: 7, State: make([]byte, 100_000)}}
	upgrader := websocket.Upgrader{EnableCompression: true, CheckOrigin: func(*http.Request) bool { return true }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		if _, hello, err := conn.ReadMessage(); err != nil || hello[1] != (*wire.Hello).Type(nil) {
			t.Errorf("the tap said %x, %v", hello, err)
		}
		for _, deflate := range []bool{false, true} {
			conn.EnableWriteCompression(deflate)
			for _, m := range said {
				frame, _ := wire.Append(nil, m)
				conn.WriteMessage(websocket.PingMessage, nil)
				conn.WriteMessage(websocket.BinaryMessage, frame)
			}
		}
		conn.WriteMessage(websocket.CloseMessage, nil)
		for err == nil { // the pongs are there; unread they would reset the connection
			_, _, err = conn.ReadMessage()
		}
	}))
	defer server.Close()
	aim := &target{host: strings.TrimPrefix(server.URL, "http://")}
	v, err := aim.tap(t.Context(), attacker, newReader(), &wire.Hello{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.conn.Close()
	for i := range 2 * len(said) {
		got, size, err := v.next()
		if err != nil || len(got) != 1 || size == 0 {
			t.Fatalf("message %d came as %v, %v", i, got, err)
		}
		want, _ := wire.Append(nil, said[i%len(said)])
		if frame, _ := wire.Append(nil, got[0]); string(frame) != string(want) {
			t.Errorf("message %d is %#v", i, got[0])
		}
	}
	if _, _, err := v.next(); err != errGone {
		t.Errorf("the end is %v", err)
	}
	v.conn.Close()
}
