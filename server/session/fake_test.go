package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"impalab/web/hub"
	"impalab/web/wire"
)

// oneRun is a lab of one run without a learner: it grants requests at once.
type oneRun struct {
	hub   hub.Hub
	topic *hub.Topic
	mu    sync.Mutex
	came  int
	left  int
	rho   string
}

func newOneRun() *oneRun {
	l := &oneRun{rho: "1"}
	l.topic = l.hub.Topic(100, 1)
	return l
}

func (l *oneRun) welcome() wire.Welcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	return wire.Welcome{Run: "r", Key: "k", State: wire.StateRunning, Settings: []wire.Setting{{Key: "rho", Value: l.rho}}}
}

func (l *oneRun) Open(hello *wire.Hello, _ string) (hub.Run, error) {
	for _, s := range hello.Settings {
		if s.Key == "preset" && s.Value == "none" {
			return nil, errors.New(`preset "none" is unknown`)
		}
	}
	if hello.Run != "r" || hello.Key != "k" {
		hello.After = 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.came++
	return l, nil
}

func (l *oneRun) Subscribe(after uint64) *hub.Subscriber { return l.topic.Subscribe(l.welcome, after) }

func (l *oneRun) Set(owner uint64, intent uint32, key, value string) error {
	if key == "panic" {
		panic("a fault of ours")
	}
	if key != "rho" {
		return fmt.Errorf("%s is unknown; rho is known", key)
	}
	l.mu.Lock()
	from := l.rho
	l.rho = value
	l.mu.Unlock()
	l.topic.Publish(&wire.Changed{Intent: intent, Key: key, From: from, To: value}, owner)
	return nil
}

func (l *oneRun) Do(_ uint64, _ uint32, verb uint8) error {
	if verb != wire.VerbPause {
		return fmt.Errorf("verb %d is unknown", verb)
	}
	l.topic.Publish(&wire.Status{State: wire.StatePaused}, 0)
	return nil
}

func (l *oneRun) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left++
}

func (l *oneRun) watchers() (came, left int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.came, l.left
}

// site is a gate behind a real server. When the test ends it stops, and every session must have ended.
func site(t testing.TB, l Lab, opts Options) (*Gate, *httptest.Server, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	g := New(ctx, l, opts)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", g.ServeWS)
	mux.HandleFunc("GET /stream", g.ServeStream)
	mux.HandleFunc("POST /stream", g.ServePost)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		stop()
		g.Wait()
		server.Close()
	})
	return g, server, stop
}

// browser is one page, whichever way it travels.
type browser interface {
	say(frame []byte)   // may fail when the session has ended
	hear() wire.Message // fails the test when the connection ends
	ended() bool        // the connection ends, with nothing more to hear
	drop()
}

// ways are the ways a page can travel: every claim about sessions holds for each.
var ways = map[string]func(testing.TB, *httptest.Server) browser{"websocket": byWebsocket, "stream": byStream}

func bothWays(t *testing.T, claim func(t *testing.T, connect func(*httptest.Server) browser)) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			claim(t, func(s *httptest.Server) browser {
				b := way(t, s)
				t.Cleanup(b.drop)
				return b
			})
		})
	}
}

type wsBrowser struct {
	t    testing.TB
	conn *websocket.Conn
	came []wire.Message // and not heard yet
}

func byWebsocket(t testing.TB, s *httptest.Server) browser {
	t.Helper()
	dialer := websocket.Dialer{EnableCompression: true}
	conn, _, err := dialer.Dial("ws"+strings.TrimPrefix(s.URL, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	return &wsBrowser{t: t, conn: conn}
}

func (b *wsBrowser) say(frame []byte) { b.conn.WriteMessage(websocket.BinaryMessage, frame) }

func (b *wsBrowser) hear() wire.Message {
	b.t.Helper()
	if len(b.came) == 0 {
		_, frame, err := b.conn.ReadMessage()
		if err != nil {
			b.t.Fatal(err)
		}
		b.came = decode(b.t, frame)
	}
	m := b.came[0]
	b.came = b.came[1:]
	return m
}

func (b *wsBrowser) ended() bool {
	_, _, err := b.conn.ReadMessage()
	return websocket.IsCloseError(err, websocket.CloseNormalClosure)
}

func (b *wsBrowser) drop() { b.conn.Close() }

type streamBrowser struct {
	t      testing.TB
	url    string
	secret string
	body   *http.Response
	lines  *bufio.Scanner
	id     string // of the newest server-sent event
	came   []wire.Message
}

func byStream(t testing.TB, s *httptest.Server) browser { return openStream(t, s, "") }

func openStream(t testing.TB, s *httptest.Server, lastID string) *streamBrowser {
	t.Helper()
	r, _ := http.NewRequest("GET", s.URL+"/stream", nil)
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(resp, err)
	}
	b := &streamBrowser{t: t, url: s.URL + "/stream", body: resp, lines: bufio.NewScanner(resp.Body)}
	b.lines.Buffer(nil, 2*wire.MaxToBrowser)
	name := ""
	if name, b.secret = b.event(); name != "session" || len(b.secret) < 20 {
		t.Fatalf("the stream began with %q, %q", name, b.secret)
	}
	return b
}

// event is the next server-sent event: its name and data.
func (b *streamBrowser) event() (name, data string) {
	for b.lines.Scan() {
		field, value, _ := strings.Cut(b.lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "data":
			data = value
		case "id":
			b.id = value
		case "":
			if data != "" {
				return name, data
			}
		}
	}
	return "", ""
}

func (b *streamBrowser) say(frame []byte) { b.post(frame) }

func (b *streamBrowser) post(frame []byte) (status int) {
	r, _ := http.NewRequest("POST", b.url, bytes.NewReader(frame))
	r.Header.Set(SecretHeader, b.secret)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Error(err)
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

func (b *streamBrowser) hear() wire.Message {
	b.t.Helper()
	if len(b.came) == 0 {
		b.id = ""
		_, data := b.event()
		frame, err := base64.StdEncoding.DecodeString(data)
		if err != nil || data == "" {
			b.t.Fatalf("the stream ended or was broken: %q, %v, %v", data, err, b.lines.Err())
		}
		b.came = decode(b.t, frame)
		newest := ""
		for _, m := range b.came {
			if e, ok := m.(wire.Event); ok {
				newest = strconv.FormatUint(*e.EventNumber(), 10)
			}
		}
		if b.id != newest {
			b.t.Errorf("%#v came with id %q", b.came, b.id)
		}
	}
	m := b.came[0]
	b.came = b.came[1:]
	return m
}

func (b *streamBrowser) ended() bool {
	_, data := b.event()
	return data == "" && b.lines.Err() == nil
}

func (b *streamBrowser) drop() { b.body.Body.Close() }

func decode(t testing.TB, frame []byte) []wire.Message {
	t.Helper()
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func encode(t testing.TB, m wire.Message) []byte {
	t.Helper()
	frame, err := wire.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// expect hears one message of type M.
func expect[M wire.Message](t testing.TB, b browser) M {
	t.Helper()
	m := b.hear()
	want, ok := m.(M)
	if !ok {
		t.Fatalf("got %#v where %T belongs", m, want)
	}
	return want
}

// greet says Hello for a new run and hears the Welcome.
func greet(t testing.TB, b browser) *wire.Welcome {
	t.Helper()
	b.say(encode(t, &wire.Hello{}))
	return expect[*wire.Welcome](t, b)
}

// expectBye hears Bye with this reason, and then nothing. Earlier messages may come before it.
func expectBye(t testing.TB, b browser, reason string) {
	t.Helper()
	for {
		bye, ok := b.hear().(*wire.Bye)
		if !ok {
			continue
		}
		if bye.Reason != reason {
			t.Errorf("Bye because %q, not %q", bye.Reason, reason)
		}
		break
	}
	if !b.ended() {
		t.Error("the connection went on after Bye, or broke off")
	}
}
