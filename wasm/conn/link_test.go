package conn

import (
	"testing"
	"time"

	"impalab/web/wire"
)

// bench is a link with a fake network and a clock moved by hand.
type bench struct {
	*Link
	socket, stream fake
	waits          []time.Duration
	due            func()
	alarms         map[time.Duration]func() // set while it connects, the newest of each length
	states         []State
	got            []wire.Message
	problems       []error
	hello          wire.Hello
}

func start() *bench {
	b := &bench{alarms: map[time.Duration]func(){}}
	b.Link = Start(Options{
		Socket: &b.socket, Stream: &b.stream,
		After: func(d time.Duration, f func()) {
			if b.states[len(b.states)-1] == Connecting {
				b.alarms[d] = f
			} else {
				b.waits, b.due = append(b.waits, d), f
			}
		},
		Jitter:  func() float64 { return 0 },
		Hello:   func() *wire.Hello { h := b.hello; return &h },
		Message: func(m wire.Message) { b.got = append(b.got, m) },
		State:   func(s State) { b.states = append(b.states, s) },
		Problem: func(err error) { b.problems = append(b.problems, err) },
	})
	return b
}

func frame(t *testing.T, m wire.Message) []byte {
	t.Helper()
	f, err := wire.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func said(t *testing.T, c *fakeConn, i int) wire.Message {
	t.Helper()
	if len(c.Sent) <= i {
		t.Fatalf("%d frames were sent, want more than %d", len(c.Sent), i)
	}
	m, err := wire.Decode(c.Sent[i], wire.FromBrowser)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSaysHelloFirstAndAgainAfterALoss(t *testing.T) {
	b := start()
	if b.Send(&wire.Do{Seq: 1, Verb: wire.VerbPlay}) {
		t.Error("a message was taken before the line stood")
	}
	b.socket.last().On.Open()
	if _, ok := said(t, b.socket.last(), 0).(*wire.Hello); !ok {
		t.Error("the first message is no Hello")
	}
	b.socket.last().On.Frame(frame(t, &wire.Welcome{Run: "r"}))
	b.hello = wire.Hello{Run: "r", After: 7}
	b.socket.last().On.Closed()
	if b.state != Closed {
		t.Errorf("the link is %v after its end", b.state)
	}
	b.due()
	b.socket.last().On.Open()
	if h := said(t, b.socket.last(), 0).(*wire.Hello); h.Run != "r" || h.After != 7 {
		t.Errorf("came back with %+v", h)
	}
	if len(b.socket.Dials) != 2 || len(b.stream.Dials) != 0 {
		t.Error("a websocket that stood once is not blocked")
	}
}

func TestPatienceDoublesToALimitAndRestartsAfterAWelcome(t *testing.T) {
	b := start()
	b.socket.last().On.Open()
	for range 12 {
		b.socket.last().On.Closed()
		b.due()
	}
	for i, wait := range b.waits {
		if want := min(most, first<<i) / 2; wait != want {
			t.Errorf("wait %d is %v, want %v", i, wait, want)
		}
	}
	b.socket.last().On.Open()
	b.socket.last().On.Frame(frame(t, &wire.Welcome{}))
	b.socket.last().On.Closed()
	if last := b.waits[len(b.waits)-1]; last != first/2 {
		t.Errorf("after a Welcome the wait is %v, want %v", last, first/2)
	}
}

func TestABlockedWebsocketFallsBack(t *testing.T) {
	b := start()
	b.socket.last().On.Closed()
	b.due()
	if len(b.stream.Dials) != 0 {
		t.Fatal("one failure is no proof")
	}
	b.socket.last().On.Closed()
	b.due()
	if len(b.socket.Dials) != 2 || len(b.stream.Dials) != 1 {
		t.Fatalf("%d websockets and %d streams", len(b.socket.Dials), len(b.stream.Dials))
	}
	b.stream.last().On.Open()
	said(t, b.stream.last(), 0)
	b.stream.last().On.Closed()
	b.due()
	if len(b.stream.Dials) != 2 {
		t.Error("a link that fell back does not return to what was blocked")
	}
}

// TestASilentWebsocketRacesAgainstTheStream is a proxy that takes the connection and never answers the upgrade.
func TestASilentWebsocketRacesAgainstTheStream(t *testing.T) {
	b := start()
	b.alarms[silent]()
	if len(b.stream.Dials) != 1 || b.socket.last().Gone {
		t.Fatalf("%d streams; the websocket is gone: %v", len(b.stream.Dials), b.socket.last().Gone)
	}
	b.stream.last().On.Open()
	if _, ok := said(t, b.stream.last(), 0).(*wire.Hello); !ok || !b.socket.last().Gone || b.state != Open {
		t.Errorf("the stream opened first: Hello %v, the websocket is gone: %v, %v", ok, b.socket.last().Gone, b.state)
	}
	b.alarms[unreal]()
	b.stream.last().On.Closed()
	b.due()
	if len(b.socket.Dials) != 1 || len(b.stream.Dials) != 2 {
		t.Error("the websocket was tried again")
	}
}

func TestWithoutAStreamNoneIsTried(t *testing.T) {
	b := start()
	b.Stream = nil
	clear(b.alarms) // of the first dial
	b.Restart()
	for range 2 * blockedAfter {
		if race := b.alarms[silent]; race != nil {
			t.Fatal("a stream is to be tried where there is none")
		}
		b.socket.last().On.Closed()
		b.due()
	}
	if len(b.socket.Dials) != 2+2*blockedAfter {
		t.Errorf("dialled %d times", len(b.socket.Dials))
	}
}

func TestASlowWebsocketStillWinsTheRace(t *testing.T) {
	b := start()
	b.alarms[silent]()
	b.socket.last().On.Open()
	if _, ok := said(t, b.socket.last(), 0).(*wire.Hello); !ok || !b.stream.last().Gone {
		t.Errorf("Hello %v, the stream is gone: %v", ok, b.stream.last().Gone)
	}
	b.stream.last().On.Open() // too late
	if len(b.stream.last().Sent) != 0 || len(b.socket.last().Sent) != 1 {
		t.Error("the loser was spoken to")
	}
	b.socket.last().On.Closed()
	b.due()
	b.alarms[silent]()
	if len(b.stream.Dials) != 1 {
		t.Error("a websocket that stood once is not blocked")
	}
}

func TestOneOfTwoThatFailsLeavesTheOther(t *testing.T) {
	b := start()
	b.alarms[silent]()
	b.socket.last().On.Closed()
	if len(b.waits) != 0 || b.state != Connecting {
		t.Fatalf("the stream was given up: %v", b.state)
	}
	b.stream.last().On.Open()
	said(t, b.stream.last(), 0)
	b.stream.last().On.Closed()
	if len(b.waits) != 1 || b.state != Closed {
		t.Errorf("waits %v, %v", b.waits, b.state)
	}
}

func TestWhereNothingAnswersItIsTriedAgain(t *testing.T) {
	b := start()
	b.alarms[silent]()
	b.alarms[unreal]()
	if !b.socket.last().Gone || !b.stream.last().Gone || b.state != Closed || len(b.waits) != 1 {
		t.Fatalf("%v, waits %v", b.state, b.waits)
	}
	b.due()
	if len(b.socket.Dials) != 2 || b.state != Connecting {
		t.Errorf("%d websockets, %v", len(b.socket.Dials), b.state)
	}
}

func TestAnOldConnectionIsNotHeard(t *testing.T) {
	b := start()
	old := b.socket.last()
	old.On.Open()
	b.Restart()
	if !old.Gone {
		t.Error("the old connection stays open")
	}
	old.On.Frame(frame(t, &wire.Welcome{}))
	old.On.Closed()
	if len(b.got) != 0 || len(b.waits) != 0 {
		t.Error("the old connection was heard")
	}
	b.socket.last().On.Open()
	said(t, b.socket.last(), 0)
}

func TestTwoEndsOfOneConnectionAreOne(t *testing.T) {
	b := start()
	b.socket.last().On.Closed()
	b.socket.last().On.Closed()
	if len(b.waits) != 1 {
		t.Errorf("%d tries were planned", len(b.waits))
	}
}

func TestAfterAGoodbyeTheLinkWaits(t *testing.T) {
	b := start()
	b.socket.last().On.Open()
	b.socket.last().On.Frame(frame(t, &wire.Bye{Reason: "the server is full"}))
	b.socket.last().On.Closed()
	if b.waits[0] != afterBye/2 || len(b.got) != 1 {
		t.Errorf("waits %v, got %v", b.waits, b.got)
	}
}

func TestABadFrameIsReportedAndTheLineStands(t *testing.T) {
	b := start()
	b.socket.last().On.Open()
	b.socket.last().On.Frame([]byte{wire.Version, 99})
	b.socket.last().On.Frame(frame(t, &wire.Status{Event: 1, State: wire.StatePaused}))
	if len(b.problems) != 1 || len(b.got) != 1 || b.state != Open {
		t.Errorf("problems %v, got %v, %v", b.problems, b.got, b.state)
	}
}

func TestAJoinedFrameIsHeardMessageByMessage(t *testing.T) {
	b := start()
	b.socket.last().On.Open()
	both, err := wire.AppendJoined(nil, []wire.Message{&wire.Status{Event: 1}, &wire.Frame{Number: 2}})
	if err != nil {
		t.Fatal(err)
	}
	b.socket.last().On.Frame(both)
	if len(b.problems) != 0 || len(b.got) != 2 || b.got[1].(*wire.Frame).Number != 2 {
		t.Errorf("problems %v, got %v", b.problems, b.got)
	}
}

// fake is a carrier without a network: a test plays the server's part by calling the newest connection's events.
type fake struct {
	Dials []*fakeConn
}

// fakeConn is one connection of a fake.
type fakeConn struct {
	On   Events
	Sent [][]byte
	Gone bool // closed by the page
}

func (f *fake) Dial(on Events) Conn {
	c := &fakeConn{On: on}
	f.Dials = append(f.Dials, c)
	return c
}

// last returns the newest connection.
func (f *fake) last() *fakeConn { return f.Dials[len(f.Dials)-1] }

func (c *fakeConn) Send(frame []byte) { c.Sent = append(c.Sent, frame) }

func (c *fakeConn) Close() { c.Gone = true }
