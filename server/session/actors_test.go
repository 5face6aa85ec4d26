package session

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"impalab/internal/kit"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// desk gives out seats of no run: each orders three blocks at once.
type desk struct{ seated, left atomic.Int64 }

type chair struct {
	of   *desk
	sent bool
	took uint64
}

func (d *desk) Act(join *wire.Join, _ string) (actorwire.Peer, error) {
	switch join.Key {
	case "wrong":
		return nil, actorwire.Final{Reason: "no such run"}
	case "full":
		return nil, errors.New("no room now")
	case "panic":
		panic("a fault of ours")
	}
	d.seated.Add(1)
	return &chair{of: d}, nil
}

func (c *chair) Next(ctx context.Context) ([]wire.Message, error) {
	if !c.sent {
		c.sent = true
		return []wire.Message{&wire.Order{Number: 1}, &wire.Order{Number: 2}, &wire.Order{Number: 3}}, nil
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func (c *chair) Accept(m *wire.Block) error {
	if c.took++; m.Number != c.took {
		return actorwire.Final{Reason: "not in turn"}
	}
	if c.took == 3 {
		return actorwire.Final{Reason: "the run is over"}
	}
	return nil
}

// largest is the most bytes of a chair's block.
const largest = 1000

func (c *chair) Largest() int64 { return largest }

func (c *chair) Leave() { c.of.left.Add(1) }

func stage(t *testing.T, opts Options) (*httptest.Server, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	g := New(ctx, newOneRun(), opts)
	server := httptest.NewServer(http.HandlerFunc(g.ServeActor))
	t.Cleanup(func() {
		stop()
		g.Wait()
		server.Close()
	})
	return server, stop
}

func knockAsActor(t *testing.T, server *httptest.Server) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(server.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// hearLeave reads until the server says why the actor has to leave.
func hearLeave(t *testing.T, conn *websocket.Conn) *wire.Leave {
	t.Helper()
	for {
		_, frame, err := conn.ReadMessage()
		if err != nil {
			t.Fatal("no reason came before the end: ", err)
		}
		m, err := wire.Decode(frame, wire.ToActor)
		if err != nil {
			t.Fatal(err)
		}
		if leave, ok := m.(*wire.Leave); ok {
			return leave
		}
	}
}

func TestARemoteActorThatBreaksTheRulesIsToldAndSentAway(t *testing.T) {
	join := encode(t, &wire.Join{Run: "r", Key: "k"})
	block := func(n uint64) []byte { return encode(t, &wire.Block{Number: n}) }
	order := errOutOfOrder.Reason
	long := func(n string) wire.Leave {
		return wire.Leave{Reason: "a frame of more than " + n + " bytes came, and that is the limit of this message here"}
	}
	fault := wire.Leave{Reason: "an internal error on the server; its log has the details"}
	alien := func(name string) wire.Leave { return wire.Leave{Reason: name + ": a remote actor does not send it"} }
	for name, c := range map[string]struct {
		frames [][]byte
		leave  wire.Leave
	}{
		"no Join":       {[][]byte{block(1)}, wire.Leave{Reason: order}},
		"Join again":    {[][]byte{join, join}, wire.Leave{Reason: order}},
		"nothing":       {[][]byte{{}}, wire.Leave{Reason: "the frame has 0 bytes; the shortest has 2"}},
		"a page":        {[][]byte{encode(t, &wire.Hello{})}, alien("Hello")},
		"a server":      {[][]byte{join, encode(t, &wire.Order{})}, alien("Order")},
		"a large Join":  {[][]byte{make([]byte, wire.MaxFromBrowser+1)}, long("16384")},
		"a large block": {[][]byte{join, make([]byte, largest+1)}, long("1000")},
		"not in turn":   {[][]byte{join, block(2)}, wire.Leave{Reason: "not in turn"}},
		"refused":       {[][]byte{encode(t, &wire.Join{Key: "wrong"})}, wire.Leave{Reason: "no such run"}},
		"no room":       {[][]byte{encode(t, &wire.Join{Key: "full"})}, wire.Leave{Reason: "no room now", Again: true}},
		"a fault":       {[][]byte{encode(t, &wire.Join{Key: "panic"})}, fault},
		"all as it is":  {[][]byte{join, block(1), block(2), block(3)}, wire.Leave{Reason: "the run is over"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &desk{}
			server, _ := stage(t, Options{Actors: d})
			other := knockAsActor(t, server)
			conn := knockAsActor(t, server)
			for _, frame := range c.frames {
				conn.WriteMessage(websocket.BinaryMessage, frame)
			}
			if leave := hearLeave(t, conn); *leave != c.leave {
				t.Errorf("it is told %+v, not %+v", *leave, c.leave)
			}
			kit.Until(t, "every actor has left", func() bool { return d.seated.Load() == d.left.Load() })
			for _, frame := range [][]byte{join, block(1), block(2), block(3)} { // the other session continues
				other.WriteMessage(websocket.BinaryMessage, frame)
			}
			if leave := hearLeave(t, other); leave.Reason != "the run is over" {
				t.Errorf("another is told %q", leave.Reason)
			}
		})
	}
}

func TestARemoteActorHearsWhyTheServerEndsItAndComesBack(t *testing.T) {
	d := &desk{}
	server, stop := stage(t, Options{Actors: d, HelloWithin: 50 * time.Millisecond})
	if leave := hearLeave(t, knockAsActor(t, server)); !leave.Again { // it says nothing
		t.Errorf("%+v", leave)
	}
	conn := knockAsActor(t, server)
	conn.WriteMessage(websocket.BinaryMessage, encode(t, &wire.Join{}))
	kit.Until(t, "an actor is seated", func() bool { return d.seated.Load() == 1 })
	stop()
	if leave := hearLeave(t, conn); leave.Reason != errStopping.Error() || !leave.Again {
		t.Errorf("%+v", leave)
	}
	kit.Until(t, "it has left", func() bool { return d.left.Load() == 1 })
	status, _ := knockStatus(t, server)
	if status != http.StatusServiceUnavailable {
		t.Errorf("a stopped server answers %d", status)
	}
}

func TestWithoutActorsThereIsNothingToConnectTo(t *testing.T) {
	server, _ := stage(t, Options{})
	status, err := knockStatus(t, server)
	var final actorwire.Final
	if status != http.StatusNotFound || !errors.As(err, &final) {
		t.Errorf("%d, %v", status, err)
	}
}

func TestRemoteActorsCountAsConnectionsOfTheirAddress(t *testing.T) {
	server, _ := stage(t, Options{Actors: &desk{}, MaxPerAddress: 1})
	knockAsActor(t, server)
	status, err := knockStatus(t, server)
	var final actorwire.Final
	if status != http.StatusServiceUnavailable || errors.As(err, &final) { // it may try again
		t.Errorf("%d, %v", status, err)
	}
}

// knockStatus returns the server's answer to an actor that it refuses, and the actor's error.
func knockStatus(t *testing.T, server *httptest.Server) (int, error) {
	t.Helper()
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	conn, answer, err := websocket.DefaultDialer.Dial(url, nil)
	if err == nil {
		conn.Close()
		t.Fatal("it is let in")
	}
	return answer.StatusCode, Act(t.Context(), url, &wire.Join{}, &actorwire.Actor{}, func(*actorwire.Actor) {})
}

// An actor that was told to leave is let go, whatever it still sends: a pong moves the deadline of its connection, and
// the server could not end.
func TestADismissedActorThatStillSendsIsLetGo(t *testing.T) {
	server, stop := stage(t, Options{Actors: &desk{}})
	conn := knockAsActor(t, server)
	if err := conn.WriteMessage(websocket.BinaryMessage, encode(t, &wire.Join{Run: "r", Key: "k"})); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); err != nil { // an order: it is seated
		t.Fatal(err)
	}
	stop()
	hearLeave(t, conn)
	for conn.WriteMessage(websocket.PongMessage, nil) == nil { // the test hangs here if the server waits for the actor
		time.Sleep(10 * time.Millisecond)
	}
}
