package session

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"time"

	"impalab/server/firewall"
	"impalab/web/hub"
	"impalab/web/wire"
)

// SecretHeader has the secret of the stream that a post belongs to. A page of another site cannot set it.
const SecretHeader = "X-Session"

// ServeStream sends a session's messages where websockets are blocked, as server-sent events. The first, "session", is
// the secret that posts must name; the others are frames in base64. The page then posts its Hello. The id of a frame is
// the number of the newest event of the run in it. After Bye the stream ends.
func (g *Gate) ServeStream(w http.ResponseWriter, r *http.Request) {
	s, leave := g.enter(w, r)
	if s == nil {
		return
	}
	defer leave()
	s.back, _ = strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64)
	secret := rand.Text()
	g.mu.Lock()
	g.streams[secret] = s
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.streams, secret)
		g.mu.Unlock()
	}()

	defer context.AfterFunc(r.Context(), func() { s.end(errGone) })()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // or nginx would buffer the answer
	h.Set("Connection", "close")     // the write deadline below would outlive this answer
	t := &stream{to: w, control: http.NewResponseController(w), within: s.opts.WriteWithin}
	if err := t.write([]byte("event: session\ndata: "+secret+"\n\n"), t.within); err != nil {
		s.log.Debug("an event stream did not begin", "error", err)
		return
	}
	s.pump(t)
}

// ServePost receives a frame for a stream, whose secret is in the header. A page posts one frame at a time, so frames
// arrive in order. The answer is empty, or says why the session has ended.
func (g *Gate) ServePost(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	s := g.streams[r.Header.Get(SecretHeader)]
	g.mu.Unlock()
	if s == nil {
		firewall.Unread(w)
		http.Error(w, "this stream has ended; open another", http.StatusGone)
		return
	}
	// If the deadline cannot be set, the server's own holds.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.opts.WriteWithin))
	frame, err := io.ReadAll(io.LimitReader(r.Body, wire.MaxFromBrowser+1))
	if err == nil {
		err = s.receive(frame)
	}
	if err != nil {
		firewall.Unread(w)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// stream sends batches as server-sent events.
type stream struct {
	to      http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

func (t *stream) send(b *hub.Batch, within time.Duration) error {
	return t.write(b.Form(hub.Stream, func(frame []byte) any { return serverSent(b.Event, frame) }).([]byte), within)
}

// serverSent returns a frame as a server-sent event with an id.
func serverSent(id uint64, frame []byte) []byte {
	b := make([]byte, 0, base64.StdEncoding.EncodedLen(len(frame))+40)
	if id != 0 {
		b = append(b, "id: "...)
		b = strconv.AppendUint(b, id, 10)
		b = append(b, '\n')
	}
	b = append(b, "data: "...)
	b = base64.StdEncoding.AppendEncode(b, frame)
	return append(b, "\n\n"...)
}

func (t *stream) hurry() { _ = t.control.SetWriteDeadline(time.Now().Add(farewell)) } // write has seen that it can

func (t *stream) beat() error { return t.write([]byte(":\n\n"), t.within) }

func (t *stream) write(b []byte, within time.Duration) error {
	if err := t.control.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err // without a deadline a dead browser would hold its session
	}
	if _, err := t.to.Write(b); err != nil {
		return err
	}
	return t.control.Flush()
}
