// Package link keeps one session with the server open: the browser's websocket, or, where websockets are blocked or
// never answered, server-sent events and POST; or a port to a worker, where there is no server. It redials with
// patience and says Hello each time, so that the page resumes. What decides is here, without a browser, and tested with
// a fake; what touches one is in socket.go, stream.go and worker.go.
package link

import (
	"slices"
	"time"

	"impalab/web/wire"
)

// State is how the link stands.
type State uint8

// States, and their names in the page's data-link.
const (
	Connecting State = iota
	Open
	Closed // lost; another try follows
)

func (s State) String() string { return [...]string{"connecting", "open", "closed"}[s] }

// Carrier opens one connection and tells what happens to it: open once, then frames, and closed once at the end,
// also if it never opened. After Close it tells nothing more.
type Carrier interface {
	Dial(on Events) Conn
}

// Events of one connection.
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

// Options wire a link to its page. All calls come from the page's one thread.
type Options struct {
	Socket, Stream Carrier // the second is tried when the first cannot be opened; nil: there is none
	After          func(time.Duration, func())
	Jitter         func() float64 // in [0, 1), so that many pages do not come back at once
	Hello          func() *wire.Hello
	Message        func(wire.Message)
	State          func(State)
	Problem        func(error) // a frame that cannot be read or written
}

// Link is one page's line to the server.
type Link struct {
	Options
	conns    []Conn // of this dial: one, or two while they race
	state    State
	tries    int  // since the line last stood
	stood    bool // the websocket was open once: it is not blocked
	stream   bool // fallen back
	dial     int  // counts dials: messages of an older one are dropped
	goodbyes int  // sessions in a row that the server ended
}

// Patience between two tries: doubling from first to most.
const (
	first = 250 * time.Millisecond
	most  = 15 * time.Second
	// The server ended the session with a reason, which still holds if we try again at once.
	afterBye = 4 * time.Second
)

// How long a connection may take to open.
const (
	silent = 2 * time.Second  // then the stream is tried beside a websocket that was never open
	unreal = 15 * time.Second // then the dial has failed
)

// blockedAfter tries of a websocket that was never open mean that something on the way blocks them.
const blockedAfter = 2

// Start dials.
func Start(o Options) *Link {
	l := &Link{Options: o}
	l.redial()
	return l
}

// Restart leaves the session and opens another at once: the page has a new Hello to say.
func (l *Link) Restart() {
	l.tries, l.goodbyes = 0, 0
	l.redial()
}

// Close leaves the session for good; Restart would open another.
func (l *Link) Close() {
	l.dial++
	l.hangUp(nil)
	l.become(Closed)
}

// Send hands a message over if the line stands, and reports whether it does. What is lost with the line is not sent
// again: the next Welcome says what is in force.
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

// unanswered does f after a time, unless something of this dial has opened or it has ended.
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

// open begins a connection of this dial. The first to open is the line.
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
			return // the message before began another session
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

// wait doubles with every try, and is between half and all of that.
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
