// Package conn keeps one session with the server open: over the browser's websocket, or over server-sent events and
// POST if something blocks websockets, or over a port to a worker without a server. It redials and says Hello each
// time, so that the page resumes. This file decides, without a browser, and has tests; socket.go, stream.go and
// worker.go touch the browser.
package conn

import (
	"slices"
	"time"

	"impalab/web/wire"
)

// State is the state of the link.
type State uint8

// States, and their names in the page's data-link.
const (
	Connecting State = iota
	Open
	Closed // lost; another try follows
)

func (s State) String() string { return [...]string{"connecting", "open", "closed"}[s] }

// Carrier opens one connection and reports its events: open once, then frames, then closed once, even if it never
// opened. It reports nothing after Close.
type Carrier interface {
	Dial(on Events) Conn
}

// Events are the callbacks of a connection.
type Events struct {
	Open   func()
	Frame  func([]byte)
	Closed func()
}

// Conn is one connection.
type Conn interface {
	Send(frame []byte)
	Close()
}

// Options connect a link to its page. All calls come from the page's only thread.
type Options struct {
	Socket, Stream Carrier // the second is for blocked websockets; nil: there is none
	After          func(time.Duration, func())
	Jitter         func() float64 // in [0, 1), so that many pages do not return at once
	Hello          func() *wire.Hello
	Message        func(wire.Message)
	State          func(State)
	Problem        func(error) // a frame that cannot be read or written
}

// Link is a page's connection to the server.
type Link struct {
	Options
	conns    []Conn // of this dial: one, or two while they race
	state    State
	tries    int  // since the last session
	stood    bool // the websocket was open once, so nothing blocks it
	stream   bool // uses the second carrier
	dial     int  // counts dials: messages of an older dial are dropped
	goodbyes int  // sessions in a row that the server ended
}

// The waits between two tries double from first to most.
const (
	first = 250 * time.Millisecond
	most  = 15 * time.Second
	// The server ended the session with a reason, which still holds after a short wait.
	afterBye = 4 * time.Second
)

// How long a connection may take to open.
const (
	silent = 2 * time.Second  // then the second carrier also dials, unless the websocket was open once
	unreal = 15 * time.Second // then the dial has failed
)

// blockedAfter is how many failures of a websocket that was never open mean that something blocks it.
const blockedAfter = 2

// Start dials.
func Start(o Options) *Link {
	l := &Link{Options: o}
	l.redial()
	return l
}

// Restart leaves the session and opens another at once: the page has a new Hello.
func (l *Link) Restart() {
	l.tries, l.goodbyes = 0, 0
	l.redial()
}

// Close leaves the session. Restart would open another.
func (l *Link) Close() {
	l.dial++
	l.hangUp(nil)
	l.become(Closed)
}

// Send sends a message and reports whether the connection is open. A lost message is not sent again: the next Welcome
// names the settings in force.
func (l *Link) Send(m wire.Message) bool {
	if l.state != Open {
		return false
	}
	frame, err := wire.Append(nil, m)
	if err != nil {
		l.Problem(err)
		return false
	}
	l.conns[0].Send(frame)
	return true
}

func (l *Link) redial() {
	l.dial++
	l.hangUp(nil)
	l.become(Connecting)
	l.open(l.stream)
	if l.Stream != nil && !l.stream && !l.stood {
		l.unanswered(silent, func() { l.open(true) })
	}
	l.unanswered(unreal, func() {
		l.hangUp(nil)
		l.closed(false)
	})
}

// unanswered calls f after a while, unless a connection of this dial has opened or the dial has ended.
func (l *Link) unanswered(after time.Duration, f func()) {
	mine := l.dial
	l.After(after, func() {
		if mine == l.dial && l.state == Connecting {
			f()
		}
	})
}

// hangUp closes all connections but one.
func (l *Link) hangUp(but Conn) {
	for _, c := range l.conns {
		if c != but {
			c.Close()
		}
	}
	l.conns = slices.DeleteFunc(l.conns, func(c Conn) bool { return c != but })
}

// open opens a connection of this dial. The first to open is used.
func (l *Link) open(stream bool) {
	mine := l.dial
	carrier := l.Socket
	if stream {
		carrier = l.Stream
	}
	var c Conn
	opened := false
	c = carrier.Dial(Events{
		Open: func() {
			if mine != l.dial || l.state == Open {
				return
			}
			opened = true
			l.hangUp(c)
			l.stream, l.stood = stream, l.stood || !stream
			l.become(Open)
			l.Send(l.Hello())
		},
		Frame: func(frame []byte) {
			if mine == l.dial {
				l.frame(frame)
			}
		},
		Closed: func() {
			if mine != l.dial {
				return
			}
			if l.conns = slices.DeleteFunc(l.conns, func(other Conn) bool { return other == c }); len(l.conns) == 0 {
				l.closed(opened)
			}
		},
	})
	l.conns = append(l.conns, c)
}

func (l *Link) frame(frame []byte) {
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		l.Problem(err)
		return
	}
	mine := l.dial
	for _, m := range messages {
		if mine != l.dial {
			return // the last message started another session
		}
		switch m.(type) {
		case *wire.Welcome:
			l.tries, l.goodbyes = 0, 0
		case *wire.Bye:
			l.goodbyes++
		}
		l.Message(m)
	}
}

func (l *Link) closed(opened bool) {
	l.dial++ // one end is enough
	mine := l.dial
	l.become(Closed)
	l.tries++
	if l.Stream != nil && !opened && !l.stood && l.tries >= blockedAfter {
		l.stream = true
	}
	l.After(l.wait(), func() {
		if mine == l.dial {
			l.redial()
		}
	})
}

// wait doubles with every try, and lies between half and all of that.
func (l *Link) wait() time.Duration {
	d := most
	if l.tries < 7 {
		d = min(most, first<<(l.tries-1))
	}
	if l.goodbyes > 0 {
		d = max(d, min(most, afterBye<<(l.goodbyes-1)))
	}
	return d/2 + time.Duration(float64(d/2)*l.Jitter())
}

func (l *Link) become(s State) {
	l.state = s
	l.State(s)
}
