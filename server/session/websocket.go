package session

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"impalab/web/hub"
	"impalab/web/wire"
)

const (
	deflateFrom = 256         // bytes: shorter frames gain little from compression
	farewell    = time.Second // for a browser to take Bye and close
)

var upgrader = websocket.Upgrader{
	HandshakeTimeout:  5 * time.Second,
	ReadBufferSize:    1024,
	WriteBufferSize:   4096,
	WriteBufferPool:   &sync.Pool{}, // a silent session holds no write buffer
	EnableCompression: true,
	CheckOrigin:       func(*http.Request) bool { return true }, // firewall.SameOrigin has checked
	Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
		text := reason.Error()
		if r.Header.Get("Upgrade") == "" {
			text = "this address is for websockets, and the request has no Upgrade header. If a page sent it, a proxy has " +
				"removed the header; the page continues without websockets"
		}
		http.Error(w, text, status)
	},
}

// ServeWS serves a session over a websocket, with one binary message for each frame, both ways.
func (g *Gate) ServeWS(w http.ResponseWriter, r *http.Request) {
	s, leave := g.enter(w, r)
	if s == nil {
		return
	}
	defer leave()
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	var reader sync.WaitGroup
	reader.Go(func() { s.listen(conn) }) // ends when the connection does
	s.pump(&socket{conn, s.opts.WriteWithin})
	conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
		time.Now().Add(farewell))
	// Closing with unread bytes would reset the connection, and Bye could be lost. So listen reads them first.
	late := time.AfterFunc(farewell, func() { conn.Close() })
	reader.Wait()
	late.Stop()
	conn.Close()
}

// listen reads until the connection ends. After the end of the session it discards the messages, so that the browser
// gets its Bye.
func (s *session) listen(conn *websocket.Conn) {
	defer s.end(errGone)
	alive := func() { conn.SetReadDeadline(time.Now().Add(s.opts.BeatEvery * 5 / 2)) }
	alive()
	pong := conn.PingHandler()
	conn.SetPongHandler(func(string) error {
		if s.may() {
			alive()
		}
		return nil
	})
	conn.SetPingHandler(func(data string) error {
		if !s.may() {
			return nil
		}
		alive()
		return pong(data)
	})
	for {
		kind, body, err := conn.NextReader()
		if err != nil {
			return
		}
		if s.ctx.Err() != nil {
			continue
		}
		// gorilla's own limit counts compressed bytes, and closes before Bye.
		frame, err := io.ReadAll(io.LimitReader(body, wire.MaxFromBrowser+1))
		switch {
		case err != nil:
			s.end(fmt.Errorf("a message could not be read: %w", err))
		case kind != websocket.BinaryMessage:
			s.end(errors.New("a text message came; messages are binary"))
		case s.receive(frame) == nil:
			alive()
		}
	}
}

// may reports whether the browser may send a ping or pong, which count like messages.
func (s *session) may() bool {
	if err := s.spend(); err != nil {
		s.end(err)
	}
	return s.ctx.Err() == nil
}

// socket sends batches over a websocket, each as one message.
type socket struct {
	conn   *websocket.Conn
	within time.Duration
}

func (t *socket) send(b *hub.Batch, within time.Duration) error {
	ready := b.Form(hub.Socket, func(frame []byte) any {
		m, err := websocket.NewPreparedMessage(websocket.BinaryMessage, frame)
		return prepared{m, err, len(frame) >= deflateFrom && !b.Noise}
	}).(prepared)
	if ready.err != nil {
		return ready.err
	}
	t.conn.SetWriteDeadline(time.Now().Add(within))
	t.conn.EnableWriteCompression(ready.deflate)
	return t.conn.WritePreparedMessage(ready.message)
}

// prepared is a batch for all websockets, compressed once.
type prepared struct {
	message *websocket.PreparedMessage
	err     error
	deflate bool
}

// hurry implements transport. gorilla's own deadline would hold for the next write only.
func (t *socket) hurry() { t.conn.NetConn().SetWriteDeadline(time.Now().Add(farewell)) }

func (t *socket) beat() error {
	return t.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(t.within))
}
