package session

import (
	"bytes"
	"compress/flate"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"impalab/internal/kit"
	"impalab/web/wire"
)

// knock asks for a path as a page would, and gives the answer's status and text.
func knock(t *testing.T, server *httptest.Server, method, path string, header http.Header) (int, string) {
	t.Helper()
	r, _ := http.NewRequest(method, server.URL+path, nil)
	r.Header = header.Clone()
	if path == "/ws" {
		for k, v := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} {
			r.Header.Set(k, v)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 300 {
		return resp.StatusCode, ""
	}
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, strings.TrimSpace(string(text))
}

func TestAFullServerSaysSo(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		g, server, _ := site(t, newOneRun(), Options{MaxSessions: 2})
		greet(t, connect(server))
		second := connect(server)
		greet(t, second)
		for _, path := range []string{"/ws", "/stream"} {
			if status, text := knock(t, server, "GET", path, http.Header{}); status != 503 ||
				text != "all 2 places are taken; try again in a minute" {
				t.Errorf("%s: %d %q", path, status, text)
			}
		}
		second.drop()
		kit.Until(t, "a session has ended", func() bool { return g.Sessions() < 2 })
		greet(t, connect(server))
	})
}

func TestOneAddressMayNotTakeAllPlaces(t *testing.T) {
	_, server, _ := site(t, newOneRun(), Options{MaxPerAddress: 1,
		Address: func(r *http.Request) string { return r.Header.Get("From") }})
	for _, from := range []string{"a", "b"} {
		conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(server.URL, "http")+"/ws",
			http.Header{"From": {from}})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	status, text := knock(t, server, "GET", "/stream", http.Header{"From": {"a"}})
	if status != 503 || text != "1 pages are open from your address, and that is the limit; close one" {
		t.Errorf("%d %q", status, text)
	}
}

func TestAStoppedServerAcceptsNoPage(t *testing.T) {
	_, server, stop := site(t, newOneRun(), Options{})
	stop()
	if status, text := knock(t, server, "GET", "/ws", http.Header{}); status != 503 || text != errStopping.Error() {
		t.Errorf("%d %q", status, text)
	}
}

func TestAPostNeedsTheSecretOfAnOpenStream(t *testing.T) {
	g, server, _ := site(t, newOneRun(), Options{})
	b := byStream(t, server).(*streamBrowser)
	hello := encode(t, &wire.Hello{})
	own := b.secret
	for _, secret := range []string{"", "x", strings.ToLower(own)} {
		b.secret = secret
		if status := b.post(hello); status != 410 {
			t.Errorf("the secret %q is answered by %d", secret, status)
		}
	}
	b.secret = own
	if status := b.post(hello); status != 204 {
		t.Errorf("the right secret is answered by %d", status)
	}
	expect[*wire.Welcome](t, b)
	b.drop()
	kit.Until(t, "all sessions have ended", func() bool { return g.Sessions() == 0 })
	if status := b.post(hello); status != 410 {
		t.Errorf("the secret of a stream that ended is answered by %d", status)
	}
}

func TestATextMessageEndsTheSession(t *testing.T) {
	_, server, _ := site(t, newOneRun(), Options{})
	b := byWebsocket(t, server).(*wsBrowser)
	defer b.drop()
	b.conn.WriteMessage(websocket.TextMessage, []byte("hello"))
	expectBye(t, b, "a text message came; messages are binary")
}

func TestAFloodOfPingsOrPongsEndsTheSession(t *testing.T) {
	_, server, _ := site(t, newOneRun(), Options{Rate: 0.001, Burst: 3})
	for _, kind := range []int{websocket.PingMessage, websocket.PongMessage} {
		b := byWebsocket(t, server).(*wsBrowser)
		defer b.drop()
		greet(t, b)
		for range 5 {
			b.conn.WriteMessage(kind, nil)
		}
		expectBye(t, b, "too fast: more than 0.001 messages a second, or 3 at once")
	}
}

// A few bytes inflate to very many. The bound holds after inflating too.
func TestACompressedBombIsNotInflated(t *testing.T) {
	var bomb bytes.Buffer
	deflate, _ := flate.NewWriter(&bomb, flate.DefaultCompression)
	deflate.Write(make([]byte, 8<<20))
	deflate.Flush()
	payload := bytes.TrimSuffix(bomb.Bytes(), []byte{0, 0, 0xff, 0xff})
	_, server, _ := site(t, newOneRun(), Options{})
	b := byWebsocket(t, server).(*wsBrowser)
	defer b.drop()
	writeRaw(b.conn.NetConn(), 0xC2, payload) // final, compressed, binary
	expectBye(t, b, "the frame has 16385 bytes; the limit from a browser is 16384")
}

func TestBrokenCompressionAndBrokenFramesEndTheSession(t *testing.T) {
	_, server, _ := site(t, newOneRun(), Options{})
	good := byWebsocket(t, server)
	defer good.drop()
	greet(t, good)
	seq := uint32(0)
	for name, head := range map[string]byte{"not deflated": 0xC2, "reserved bits": 0xB2, "unknown opcode": 0x8F,
		"continues nothing": 0x80} {
		b := byWebsocket(t, server).(*wsBrowser)
		writeRaw(b.conn.NetConn(), head, bytes.Repeat([]byte{0xff}, 100))
		for {
			if _, _, err := b.conn.ReadMessage(); err != nil {
				break // ended, in whatever way
			}
		}
		b.drop()
		seq++
		good.say(encode(t, &wire.Set{Seq: seq, Key: "x"}))
		if r := expect[*wire.Refused](t, good); r.Intent != seq {
			t.Errorf("after %s another session heard %+v", name, r)
		}
	}
}

func TestABrowserThatTakesNothingIsLetGoAndAnotherSeesEverything(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		g, server, _ := site(t, l, Options{WriteWithin: 500 * time.Millisecond})
		dead, other := connect(server), connect(server)
		greet(t, dead)
		greet(t, other)
		state := make([]byte, wire.MaxState)
		rand.NewChaCha8([32]byte{}).Read(state) // cannot be compressed
		for g.Sessions() == 2 {
			l.topic.Offer(&wire.Frame{State: state})
			want := l.topic.Publish(&wire.Point{}, 0)
			for {
				p, ok := other.hear().(*wire.Point)
				if !ok {
					continue
				}
				if p.Event != want {
					t.Fatalf("event %d came where %d belongs", p.Event, want)
				}
				break
			}
		}
	})
}

func TestABrowserThatAnswersNoPingIsLetGo(t *testing.T) {
	g, server, _ := site(t, newOneRun(), Options{BeatEvery: 150 * time.Millisecond})
	alive, dead := byWebsocket(t, server).(*wsBrowser), byWebsocket(t, server).(*wsBrowser)
	defer alive.drop()
	defer dead.drop()
	greet(t, alive)
	greet(t, dead) // and then reads nothing more, so answers nothing
	pings := make(chan struct{}, 1000)
	pong := alive.conn.PingHandler()
	alive.conn.SetPingHandler(func(data string) error {
		pings <- struct{}{}
		return pong(data)
	})
	heard := make(chan struct{})
	go func() { // ends with its answer
		expect[*wire.Refused](t, alive)
		close(heard)
	}()
	kit.Until(t, "one session is left", func() bool { return g.Sessions() == 1 })
	for range 4 { // and more than 5/2 beats later still
		<-pings
	}
	alive.say(encode(t, &wire.Set{Seq: 1, Key: "x"}))
	<-heard
}

// writeRaw writes one masked websocket frame whose mask is zero.
func writeRaw(conn net.Conn, head byte, payload []byte) {
	n := len(payload)
	frame := append([]byte{head, 0x80 | 127, 0, 0, 0, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n), 0, 0, 0, 0},
		payload...)
	conn.Write(frame)
}

func TestABrowserThatTakesNothingDoesNotHoldTheEndUp(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		l := newOneRun()
		g, server, stop := site(t, l, Options{WriteWithin: time.Hour})
		greet(t, connect(server)) // and takes nothing more
		state := make([]byte, wire.MaxState)
		rand.NewChaCha8([32]byte{}).Read(state) // cannot be compressed
		for full := 0; full < 20; {             // the network between holds some frames; then none has gone out for a while
			before := l.hub.Sent()
			l.topic.Offer(&wire.Frame{State: state})
			time.Sleep(10 * time.Millisecond)
			if full++; l.hub.Sent() != before {
				full = 0
			}
		}
		stop()
		ended := make(chan struct{})
		go func() { g.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(kit.Patience):
			server.CloseClientConnections()
			t.Error("the server waits for it")
		}
	})
}

// TestASessionOutlivesTheServersLimitsForRequests waits longer than a request may take.
func TestASessionOutlivesTheServersLimitsForRequests(t *testing.T) {
	bothWays(t, func(t *testing.T, connect func(*httptest.Server) browser) {
		_, open, _ := site(t, newOneRun(), Options{})
		server := httptest.NewUnstartedServer(open.Config.Handler)
		server.Config.ReadTimeout, server.Config.WriteTimeout = 3*time.Second, 3*time.Second
		server.Start()
		defer server.Close()
		b := connect(server)
		defer b.drop()
		greet(t, b)
		time.Sleep(server.Config.ReadTimeout + time.Second/2)
		b.say(encode(t, &wire.Set{Seq: 1, Key: "x"}))
		expect[*wire.Refused](t, b)
	})
}
